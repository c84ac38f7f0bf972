// The scene file, described: every key with its unit, range, default and one line of explanation.
// This is the one place where a key of the scene is declared; reading it (describe.hpp) is the only
// other place that knows its name.
#pragma once

#include <pliant/scene/schema.hpp>

namespace pliant {

schema::DocumentSchema scene_schema(const Vocabulary& vocabulary);

// The parts, one file each.
std::vector<schema::Definition> run_definitions(
    const Vocabulary& vocabulary);  // time, solver, contact…
std::vector<schema::Definition> material_definitions(const Vocabulary& vocabulary);
std::vector<schema::Definition> damping_definitions(const Vocabulary& vocabulary);
std::vector<schema::Definition> mesh_definitions();  // meshes, sdf
std::vector<schema::Definition> body_definitions(
    const Vocabulary& vocabulary);                   // bodies, pins, selections
std::vector<schema::Definition> load_definitions();  // forces, probes
std::vector<schema::Definition> contact_definitions(
    const Vocabulary& vocabulary);  // contact, obstacles
std::vector<schema::Definition> constraint_definitions();
std::vector<schema::Definition> coarsen_definitions();

// The keys of a selection, for the records that hold one: pins, point and pressure loads.
schema::OneOf selection_keys();

}  // namespace pliant
