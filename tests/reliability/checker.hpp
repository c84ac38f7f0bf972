// Invariant I1, decided by code that shares nothing with the engine's detection: triangles against
// triangles by CGAL's exact predicates, corners against planes by exact signs, round obstacles and
// cables by CGAL's distances. For methods that promise less, or more of the way: no point of a body
// goes through an obstacle on the straight way between two states.
#pragma once

#include <reliability/world.hpp>

#include <string>

namespace pliant::reliability {

class SurfaceChecker {
 public:
  explicit SurfaceChecker(const World& world);
  // Empty where nothing touches, else what does.
  std::string find_contact(std::span<const double> q) const;
  // Empty where every point of a body gets from one place to the other in front of planes, outside
  // of balls and rods at its end, and through no sheet that is at rest.
  std::string find_passage(std::span<const double> from, std::span<const double> to) const;

 private:
  struct Face {
    std::array<Index, 3> nodes;
    bool moves;  // by forces: of a body
  };
  struct Wire {  // a segment of a cable
    std::array<Index, 2> nodes;
    double radius;  // m
  };
  struct Corner {  // of the surface of a body
    Index node;
    double radius;  // m, around it: that of a cable
  };
  std::string find_among_faces(std::span<const double> q) const;
  std::string find_among_wires(std::span<const double> q) const;
  std::string find_at_wall(std::size_t wall, std::span<const double> q) const;
  std::string find_wire_at_wall(std::size_t wall, std::span<const double> q) const;

  std::string find_passage_at_wall(std::size_t wall, const Corner& corner,
                                   std::span<const double> from, std::span<const double> to) const;

  const World& world_;
  std::vector<Face> faces_;
  std::vector<Wire> wires_;
  std::vector<Corner> corners_;
};

}  // namespace pliant::reliability
