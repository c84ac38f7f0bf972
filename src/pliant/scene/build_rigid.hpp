// Rigid bodies of a scene: their mass, how stiff they are, how they start and what holds them.
// Private to the module.
#pragma once

#include <pliant/scene/build.hpp>

namespace pliant {

// From the shape and what the scene says of it; all but the modulus, which other bodies have a say
// in. Throws InputError where the mesh is open or no body has such an inertia.
RigidInput make_rigid(const BodyDescription& body, const Mesh& mesh);
// Whether faces carry loads, and the moduli: from what moves how fast and what hangs on what.
void finish_rigid_bodies(const SceneDescription& scene, std::span<SolidInput> solids);

void set_rigid_start(const BodyDescription& description, const Body& body, State& start);

// A rigid body is held as a whole: the nodes of its frame. Throws InputError for parts of it.
std::vector<Index> rigid_pin_nodes(const PinDescription& pin, const Body& body);

}  // namespace pliant
