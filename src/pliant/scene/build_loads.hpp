// From the loads of a scene that act on nodes and faces to terms of the system. Private to the
// module.
#pragma once

#include <pliant/scene/build.hpp>

namespace pliant {

// Nodes of the system, without those of an embedded surface; InputError where there are none.
std::vector<Index> select_system_nodes(const Body& body, const Selection& selection,
                                       const std::string& where);

void add_loads(const SceneDescription& scene, Model& model);

}  // namespace pliant
