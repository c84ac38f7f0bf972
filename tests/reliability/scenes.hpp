// The list of all reliability scenes, by name. Each is made when it is asked for.
#pragma once

#include <reliability/spec.hpp>

#include <string>
#include <vector>

namespace pliant::reliability {

struct SceneEntry {
  std::string name;
  std::function<SceneSpec()> make;
};

std::vector<SceneEntry> degenerate_scenes();  // corners, edges and faces that meet exactly
std::vector<SceneEntry> narrow_scenes();      // holes, cracks, slots and tunnels
std::vector<SceneEntry> stack_scenes();       // stacks, ratios of mass and stiffness, chains
std::vector<SceneEntry> friction_scenes();
std::vector<SceneEntry> extreme_scenes();
std::vector<SceneEntry> pressed_scenes();  // squeezed, pinched, twisted
std::vector<SceneEntry> thin_scenes();     // cloth and cables
std::vector<SceneEntry> jointed_scenes();  // bodies tied to each other that touch, and are pushed

std::vector<SceneEntry> all_scenes();
const SceneEntry* find_scene(const std::vector<SceneEntry>& scenes, const std::string& name);

}  // namespace pliant::reliability
