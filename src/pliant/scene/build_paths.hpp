// From the springs, tendons and muscles of a scene to terms. Private to the module.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/load/path.hpp>
#include <pliant/scene/description.hpp>

namespace pliant {

std::vector<PathPoint> path_points(const PathDescription& path, std::span<const Body> bodies);

// `rest` holds all nodes of the system.
Path make_path(const PathDescription& description, const std::string& where,
               std::span<const Body> bodies, std::span<const double> rest);

std::vector<std::unique_ptr<Term>> make_paths(const SceneDescription& scene,
                                              std::span<const Body> bodies,
                                              std::span<const Vec3> rest);

// N, the most that they pull with in all, about: what rigid bodies must bear.
double pull_of_paths(const SceneDescription& scene);

}  // namespace pliant
