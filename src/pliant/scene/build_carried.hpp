// From the frames and the embedded surface of a scene's body to those of the model. Private to the
// module.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/scene/build.hpp>

namespace pliant {

FramesInput make_frames(const FramesDescription& said, const Mesh& mesh);

// The surface that a body carries: its mesh, or the boundary of that, without what is not on it.
Mesh make_skin(const BodyDescription& body, const Mesh& host, const Log& log);
Mesh skin_of(const Mesh& mesh, const std::string& where);

}  // namespace pliant
