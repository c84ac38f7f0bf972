// Springs, tendons, muscles and rods of a scene as lines through points, and cables as chains of
// nodes: what pictures, the viewer and ParaView show of them, and what their tension is.
#pragma once

#include <pliant/load/path.hpp>
#include <pliant/mesh/tubes.hpp>
#include <pliant/scene/description.hpp>

namespace pliant {

struct Body;

struct DrawnThread {
  std::string name;
  ThreadKind kind = ThreadKind::spring;
  std::vector<PathPoint> points;
  std::optional<Path> path;  // of what pulls by a law; a rod is a constraint
};

// N, with what its damping adds.
double tension_of(const Path& path, double t, std::span<const double> q, std::span<const double> v);

class DrawnThreads {
 public:
  DrawnThreads() = default;
  // `rest` holds all nodes of the system.
  DrawnThreads(const SceneDescription& scene, std::span<const Body> bodies,
               std::span<const double> rest);

  bool empty() const { return tubes_.empty(); }
  const std::vector<DrawnThread>& list() const { return list_; }  // without cables
  // The points of all of the list, one after the other, m; and the numbers of those of each.
  std::vector<Vec3> points(std::span<const double> q) const;
  std::vector<std::vector<Index>> lines() const;

  // Of cables, then of the list. Their points are the nodes of the system, then points().
  const Tubes& tubes() const { return tubes_; }
  std::vector<Vec3> tube_vertices(std::span<const double> q) const;

 private:
  std::vector<DrawnThread> list_;
  Tubes tubes_;
};

}  // namespace pliant
