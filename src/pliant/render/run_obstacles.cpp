#include <pliant/render/run_obstacles.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// The height of a level plane that faces upwards; nothing for any other obstacle.
std::optional<double> level(const Results& run, const ResultObstacle& obstacle) {
  if (!obstacle.plane || obstacle.nodes < 3) return {};
  const auto points = std::span(run.obstacle_mesh().points)
                          .subspan(static_cast<std::size_t>(obstacle.first_node),
                                   static_cast<std::size_t>(obstacle.nodes));
  const Vec3 normal = (points[1] - points[0]).cross(points[2] - points[0]).normalized();
  if (normal.y() < 1 - 1e-9) return {};
  return points[0].y();
}

bool same_height(const Results& run, std::optional<double> a, std::optional<double> b) {
  return a && b &&
         std::abs(*a - *b) <= 1e-9 * (std::abs(*a) + run.obstacle_mesh().points[0].norm());
}

}  // namespace

std::optional<double> floor_height(const Results& run) {
  std::optional<double> floor;
  std::vector<Vec3> last;
  if (run.obstacles_move()) last = run.read(run.size() - 1).obstacles;
  for (const ResultObstacle& obstacle : run.obstacles()) {
    const std::optional<double> height = level(run, obstacle);
    const auto first = static_cast<std::size_t>(obstacle.first_node);
    const bool rests = last.empty() || last[first] == run.obstacle_mesh().points[first];
    if (height && rests) floor = std::max(*height, floor.value_or(*height));
  }
  return floor;
}

bool has_slope(const Results& run) {
  return std::any_of(
      run.obstacles().begin(), run.obstacles().end(),
      [&](const ResultObstacle& obstacle) { return obstacle.plane && !level(run, obstacle); });
}

ObstacleTriangles obstacle_triangles(const Results& run, std::optional<double> floor) {
  ObstacleTriangles drawn;
  drawn.points = run.obstacle_mesh().points;
  std::vector<char> hidden(drawn.points.size(), 0);
  for (const ResultObstacle& obstacle : run.obstacles())
    if (same_height(run, level(run, obstacle), floor))
      std::fill_n(hidden.begin() + obstacle.first_node, obstacle.nodes, char{1});
  for (const auto& triangle : make_surface(run.obstacle_mesh()).triangles)
    if (!hidden[static_cast<std::size_t>(triangle[0])]) drawn.triangles.push_back(triangle);
  return drawn;
}

std::vector<Vec3> bounded_obstacle_points(const Results& run, const ResultFrame& frame) {
  std::vector<Vec3> points;
  for (const ResultObstacle& obstacle : run.obstacles()) {
    if (obstacle.plane) continue;
    const auto first = frame.obstacles.begin() + obstacle.first_node;
    points.insert(points.end(), first, first + obstacle.nodes);
  }
  return points;
}

}  // namespace pliant
