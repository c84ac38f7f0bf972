// A live run's bodies and obstacles as pages draw them: the surface once, and for each frame the
// places of its vertices with the fields that somebody waits for, and no others.
#pragma once

#include <pliant/run/watcher.hpp>
#include <pliant/view/show.hpp>
#include <pliant/view/viewed_surface.hpp>

namespace pliant {

ViewedSurface draw_bodies(const BuiltScene& built);

Frame draw(const ViewedSurface& surface, const RunMoment& moment, Wishes wishes);
bool has_fields(const Frame& frame, Wishes wishes);

// A shape over all nodes as displacements of the vertices, the largest of length 1.
Frame displacement_frame(const ViewedSurface& surface, const Vector& shape);

}  // namespace pliant
