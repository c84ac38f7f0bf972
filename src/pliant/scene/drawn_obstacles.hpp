// Obstacles as triangles, for eyes only: contact knows them as what they are (a ball is a point
// with a radius), pictures, the viewer and ParaView want surfaces. A plane is drawn as a square
// patch of it, large enough to lie under all bodies.
#pragma once

#include <pliant/scene/description.hpp>

#include <array>
#include <span>

namespace pliant {

struct ObstacleNodes;

class DrawnObstacles {
 public:
  struct Part {
    std::string name;
    Index first_point = 0, points = 0;
  };

  DrawnObstacles() = default;
  // `first_node` is where the obstacles' nodes begin among the system's; `bodies` is the box around
  // all bodies, which planes are drawn for.
  DrawnObstacles(const SceneDescription& scene, const ObstacleNodes& nodes, Index first_node,
                 const Eigen::AlignedBox3d& bodies);

  bool empty() const { return triangles_.empty(); }
  bool moving() const { return moving_; }
  const std::vector<Part>& parts() const { return parts_; }  // one per obstacle
  const std::vector<std::array<Index, 3>>& triangles() const { return triangles_; }
  Index part_of(std::size_t triangle) const { return part_of_[triangle]; }

  // The points of all parts where the system's nodes are at q, m.
  std::vector<Vec3> points(std::span<const double> q) const;

 private:
  // A point keeps its offset from a node. Those of a rod turn with it.
  struct Anchor {
    Index node = 0;  // of the system
    Vec3 offset;     // m
    int rod = -1;    // into rods_
  };
  struct Rod {
    Index from = 0, to = 0;  // nodes of the system
    Vec3 axis;               // at rest, of length one
  };
  struct Maker;

  std::vector<Part> parts_;
  std::vector<Anchor> anchors_;
  std::vector<Rod> rods_;
  std::vector<std::array<Index, 3>> triangles_;
  std::vector<Index> part_of_;
  bool moving_ = false;
};

}  // namespace pliant
