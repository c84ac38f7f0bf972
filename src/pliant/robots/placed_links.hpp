// Where links are at the start, and their joints with them.
#pragma once

#include <pliant/robots/assembly.hpp>

namespace pliant::robots {

struct PlacedLink {
  Pose pose;                           // in the world
  std::vector<AssembledJoint> joints;  // those that move; the bodies that they tie are not set
};

// One for each link. A joint whose place as written is beyond its limits starts at the nearest one;
// one whose limits leave it no way is none.
std::vector<PlacedLink> place_links(const Robot& robot, Warnings& warnings);

}  // namespace pliant::robots
