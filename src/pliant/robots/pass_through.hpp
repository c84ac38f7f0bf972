// What passes through what: bodies on a joint, shapes that may not touch, and what overlaps at the
// start, where every contact would begin with an intersection.
#pragma once

#include <pliant/robots/assembly.hpp>

namespace pliant::robots {

struct NamedObstacle {
  std::string name;
  Shape shape;  // its pose is in the world
};

struct ContactPlan {
  double distance = 0;                           // m, within which things repel each other
  std::vector<std::vector<std::string>> groups;  // of names that pass through each other
  bool any = false;                              // can anything touch at all?
};

// Lifts robots that nothing holds off what they stand on, where that takes little. `planes` and
// `obstacles` have their names already.
ContactPlan plan_contact(const std::vector<Plane>& planes,
                         const std::vector<NamedObstacle>& obstacles, Assembly& assembly,
                         Warnings& warnings);

// Groups that hold all pairs and no others, few of them: pairs are gathered to sets whose members
// are all paired.
std::vector<std::vector<int>> gather_groups(const std::vector<std::vector<bool>>& pairs);

}  // namespace pliant::robots
