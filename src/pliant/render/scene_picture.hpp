// A picture of a built scene in one of its states, for cases and reports that have no result
// folder.
#pragma once

#include <pliant/render/picture.hpp>
#include <pliant/scene/build.hpp>

namespace pliant {

// Pictures of states can be drawn and written: the build has PLIANT_EMBREE and PLIANT_PLOTS.
bool pictures_built();

// Seen from where all of the states would be seen; the last of them is drawn.
Image draw_state(const BuiltScene& scene, std::span<const Vector> states,
                 PictureSize size = {480, 270});

}  // namespace pliant
