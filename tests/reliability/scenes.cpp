#include <reliability/scenes.hpp>

#include <algorithm>

namespace pliant::reliability {

std::vector<SceneEntry> all_scenes() {
  std::vector<SceneEntry> all;
  for (const auto list : {degenerate_scenes, narrow_scenes, stack_scenes, friction_scenes,
                          extreme_scenes, pressed_scenes, thin_scenes, jointed_scenes})
    for (SceneEntry& entry : list()) all.push_back(std::move(entry));
  return all;
}

const SceneEntry* find_scene(const std::vector<SceneEntry>& scenes, const std::string& name) {
  const auto found = std::find_if(scenes.begin(), scenes.end(),
                                  [&](const SceneEntry& entry) { return entry.name == name; });
  return found == scenes.end() ? nullptr : &*found;
}

}  // namespace pliant::reliability
