// From a described scene to something that moves: meshes are made or read, bodies become a System,
// pins, loads and probes find their nodes, and the start is set.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/core/log.hpp>
#include <pliant/element/mapped_point.hpp>
#include <pliant/scene/drawn_obstacles.hpp>

namespace pliant {

struct ContactRules;  // stage/qp_contact.hpp
class EigenFitTerm;   // coarsen/eigenfit_term.hpp

struct Probe {  // three columns of the history
  std::string name;
  MappedPoint point;                    // nodes of the system
  std::optional<std::size_t> force_on;  // a body; then the force of contact on it, not a point
};

struct BuiltScene {
  Model model;
  State start;
  std::shared_ptr<const ContactRules> rules;     // contact that corrects steps; null: there is none
  std::vector<const EigenFitTerm*> corrections;  // of coarse bodies, terms of the system
  std::vector<Probe> probes;
  DrawnObstacles obstacles;
  std::vector<std::string> notes;      // what was done to the start, in words
  std::vector<std::string> materials;  // by the numbers in Body::material_of_element
};

// Throws InputError and InfeasibleStart with the place in the scene. `meshes` may hold those of the
// bodies as an earlier build of the same bodies left them, which saves making them again.
BuiltScene build_scene(const SceneDescription& scene, const Log& log,
                       std::span<const Mesh> meshes = {});

// What `coarsen` of that body finds out before anything moves. Throws like build_scene.
struct CoarsePlan;
CoarsePlan plan_coarsening(const SceneDescription& scene, std::size_t body, const Log& log);

// The mesh of a body in its own coordinates, before `transform`, valid.
Mesh build_mesh(const MeshDescription& mesh, std::string_view where, const Log& log);

}  // namespace pliant
