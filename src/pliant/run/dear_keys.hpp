// What makes the steps of a scene dear, and which key of it would change that.
#pragma once

#include <pliant/scene/description.hpp>

#include <string>
#include <vector>

namespace pliant {

// A line each, the key first; empty where nothing is to be gained.
std::vector<std::string> dear_keys(const SceneDescription& scene);

}  // namespace pliant
