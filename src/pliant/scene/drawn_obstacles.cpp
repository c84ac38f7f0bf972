#include <pliant/scene/drawn_obstacles.hpp>

#include <pliant/scene/build_contact.hpp>

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr int kAround = 64, kRings = 16;  // of a round surface: about it, and from rim to pole
constexpr double kThin = 2e-3;  // what has no radius is drawn with this, over that diagonal
constexpr double kPatch = 1.5;  // half the width of a drawn plane, over the bodies' diagonal

}  // namespace

struct DrawnObstacles::Maker {
  DrawnObstacles& out;
  Index node;  // the obstacle's first
  const ObstacleNodes::Part& part;
  const Eigen::AlignedBox3d& bodies;

  Index first() const { return out.parts_.back().first_point; }
  void point(Index at, const Vec3& offset, int rod = -1) const {
    out.anchors_.push_back({at, offset, rod});
  }
  void triangle(Index a, Index b, Index c) const {
    out.triangles_.push_back({first() + a, first() + b, first() + c});
  }

  void operator()(const PlaneShape& plane) const {
    const Vec3 s = plane.normal.unitOrthogonal(), t = plane.normal.cross(s);
    const Vec3 middle = bodies.center() - plane.point;
    const Vec3 foot = middle - plane.normal.dot(middle) * plane.normal;
    const double half = kPatch * bodies.diagonal().norm();
    for (const auto& [a, b] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
      point(node, foot + half * (a * s + b * t));
    triangle(0, 1, 2);
    triangle(0, 2, 3);
  }
  void operator()(const BallShape& ball) const {
    round({node, node, Vec3::UnitY()}, ball.radius, -1);
  }
  void operator()(const RodShape& rod) const {
    out.rods_.push_back({node, node + 1, (rod.to - rod.from).normalized()});
    round(out.rods_.back(), rod.radius, static_cast<int>(out.rods_.size()) - 1);
  }
  void operator()(const PointsShape& shape) const {
    for (Index n = 0; n < part.count; ++n)
      round({node + n, node + n, Vec3::UnitY()}, visible(shape.radius), -1);
  }
  void operator()(const SegmentsShape& shape) const {
    for (Index n = 0; n < part.count; n += 2) {
      const auto k = static_cast<std::size_t>(n);
      out.rods_.push_back(
          {node + n, node + n + 1, (shape.ends[k + 1] - shape.ends[k]).normalized()});
      round(out.rods_.back(), visible(shape.radius), static_cast<int>(out.rods_.size()) - 1);
    }
  }
  double visible(double radius) const { return std::max(radius, kThin * bodies.diagonal().norm()); }
  void operator()(const BoxShape&) const { nodes(); }
  void operator()(const FilePath&) const { nodes(); }
  void operator()(const ImplicitShape&) const { nodes(); }

  void nodes() const {
    for (Index n = 0; n < part.count; ++n) point(node + n, Vec3::Zero());
    for (const auto& t : part.surface.triangles) triangle(t[0], t[1], t[2]);
  }

  // Rings of points from one pole to the other: half of them about each end of the axis.
  void round(const Rod& rod, double radius, int number) const {
    constexpr double pi = std::numbers::pi;
    const Vec3 s = rod.axis.unitOrthogonal(), t = rod.axis.cross(s);
    const bool ball = rod.from == rod.to;
    const Index base = static_cast<Index>(out.anchors_.size()) - first();
    const auto add = [&](Index a, Index b, Index c) { triangle(base + a, base + b, base + c); };
    int rings = 0;
    const auto ring = [&](Index at, double latitude) {
      ++rings;
      for (int k = 0; k < kAround; ++k) {
        const double angle = 2 * pi * k / kAround;
        const Vec3 out_ = std::cos(angle) * s + std::sin(angle) * t;
        point(at, radius * (std::cos(latitude) * out_ + std::sin(latitude) * rod.axis), number);
      }
    };
    for (int j = kRings - 1; j >= 0; --j) ring(rod.from, -0.5 * pi * j / kRings);
    for (int j = ball ? 1 : 0; j < kRings; ++j) ring(rod.to, 0.5 * pi * j / kRings);
    const Index south = rings * kAround, north = south + 1;
    point(rod.from, -radius * rod.axis, number);
    point(rod.to, radius * rod.axis, number);
    for (Index k = 0; k < kAround; ++k) {
      const Index next = (k + 1) % kAround, top = (rings - 1) * kAround;
      add(south, next, k);
      for (Index j = 0; j + 1 < rings; ++j) {
        const Index below = j * kAround, above = below + kAround;
        add(below + k, below + next, above + next);
        add(below + k, above + next, above + k);
      }
      add(top + k, top + next, north);
    }
  }
};

DrawnObstacles::DrawnObstacles(const SceneDescription& scene, const ObstacleNodes& nodes,
                               Index first_node, const Eigen::AlignedBox3d& bodies) {
  for (std::size_t k = 0; k < scene.obstacles.size(); ++k) {
    const ObstacleDescription& obstacle = scene.obstacles[k];
    parts_.push_back({obstacle.name, static_cast<Index>(anchors_.size()), 0});
    std::visit(Maker{*this, first_node + nodes.parts[k].first, nodes.parts[k], bodies},
               obstacle.shape);
    parts_.back().points = static_cast<Index>(anchors_.size()) - parts_.back().first_point;
    part_of_.resize(triangles_.size(), static_cast<Index>(k));
    moving_ = moving_ || obstacle.cache || !obstacle.motion.at_rest();
  }
}

std::vector<Vec3> DrawnObstacles::points(std::span<const double> q) const {
  std::vector<Mat3> turns;
  for (const Rod& rod : rods_)
    turns.push_back(
        Eigen::Quaterniond::FromTwoVectors(rod.axis, node(q, rod.to) - node(q, rod.from))
            .toRotationMatrix());
  std::vector<Vec3> points;
  points.reserve(anchors_.size());
  for (const Anchor& anchor : anchors_)
    points.push_back(node(q, anchor.node) +
                     (anchor.rod < 0
                          ? anchor.offset
                          : Vec3(turns[static_cast<std::size_t>(anchor.rod)] * anchor.offset)));
  return points;
}

}  // namespace pliant
