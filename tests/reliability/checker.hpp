// Invariant I1, decided by code that shares nothing with the engine's detection: triangles against
// triangles by CGAL's exact predicates, corners against planes by exact signs, round obstacles and
// cables by CGAL's distances.
#pragma once

#include <reliability/world.hpp>

#include <string>

namespace pliant::reliability {

class SurfaceChecker {
 public:
  explicit SurfaceChecker(const World& world);
  // Empty where nothing touches, else what does.
  std::string find_contact(std::span<const double> q) const;

 private:
  struct Face {
    std::array<Index, 3> nodes;
    bool moves;  // by forces: of a body
  };
  struct Wire {  // a segment of a cable
    std::array<Index, 2> nodes;
    double radius;  // m
  };
  std::string find_among_faces(std::span<const double> q) const;
  std::string find_among_wires(std::span<const double> q) const;
  std::string find_at_wall(std::size_t wall, std::span<const double> q) const;
  std::string find_wire_at_wall(std::size_t wall, std::span<const double> q) const;

  const World& world_;
  std::vector<Face> faces_;
  std::vector<Wire> wires_;
};

}  // namespace pliant::reliability
