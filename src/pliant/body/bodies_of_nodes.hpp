// Which body each node is of, for loads that contact leaves on bodies (load/contact_load.hpp).
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/load/contact_load.hpp>

#include <vector>

namespace pliant {

// Of each node, for those that give way; kNone elsewhere.
inline std::vector<Index> bodies_of_nodes(const Model& model) {
  std::vector<Index> out(static_cast<std::size_t>(model.system->nodes()), ContactLoad::kNone);
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    const Body& body = model.bodies[k];
    for (Index n = body.first_node; !body.rigid && n < body.end_node(); ++n)
      out[static_cast<std::size_t>(n)] = static_cast<Index>(k);
  }
  return out;
}

}  // namespace pliant
