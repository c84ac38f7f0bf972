// The obstacles of a run in its pictures. A level floor is drawn as the studio's ground, which goes
// on into the distance; everything else as the triangles that the results hold. Private to the
// module.
#pragma once

#include <pliant/io/results.hpp>
#include <pliant/render/drawn_surface.hpp>

#include <optional>

namespace pliant {

// The highest level plane that faces upwards and stays where it is: its height, m.
std::optional<double> floor_height(const Results& run);

// Whether there is a plane that is no floor: bodies are not where a ground would be then.
bool has_slope(const Results& run);

// All but a floor at that height.
ObstacleTriangles obstacle_triangles(const Results& run, std::optional<double> floor);

// Those with an end: a plane would reach beyond every picture.
std::vector<Vec3> bounded_obstacle_points(const Results& run, const ResultFrame& frame);

}  // namespace pliant
