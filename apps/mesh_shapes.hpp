// The shapes that `pliant mesh make` knows: those of a scene, and sheets and cables.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/mesh/mesh.hpp>

#include <string>
#include <vector>

namespace pliant::apps {

// `settings` are key=value with the keys of a scene's mesh; values are JSON.
Mesh make_shape(const std::string& shape, const std::vector<std::string>& settings, const Log& log);

}  // namespace pliant::apps
