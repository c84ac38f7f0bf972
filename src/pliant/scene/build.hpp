// From a described scene to something that moves: meshes are made or read, bodies become a System,
// pins, loads and probes find their nodes, and the start is set.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/core/log.hpp>
#include <pliant/element/mapped_point.hpp>
#include <pliant/scene/drawn_obstacles.hpp>
#include <pliant/scene/drawn_threads.hpp>

namespace pliant {

struct ContactRules;  // stage/contact_rules.hpp
class EigenFitTerm;   // coarsen/eigenfit_term.hpp

struct Probe {  // three columns of the history, one of a tension
  std::string name;
  ProbeKind kind = ProbeKind::point;
  // Nodes of the system: the point that is watched, or that a torque is about.
  MappedPoint point;
  std::size_t body = 0;  // that the force or torque acts on; the cable
  // Of a tension: the thread of BuiltScene::threads, or else the cable's segment, which is the one
  // with the largest tension where there is none.
  std::optional<std::size_t> thread, segment;
  std::vector<Index> rows;  // of the constraint, among those of the system
};

struct BuiltScene {
  Model model;
  State start;
  std::shared_ptr<const ContactRules> rules;     // contact that corrects steps; null: there is none
  std::vector<const EigenFitTerm*> corrections;  // of coarse bodies, terms of the system
  std::vector<Probe> probes;
  DrawnObstacles obstacles;
  DrawnThreads threads;
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
// A mesh from a file that the scene names at `where`.
Mesh read_named_mesh(const FilePath& file, std::string_view where, const Log& log);
Mesh build_mesh(const MeshDescription& mesh, std::string_view where, const Log& log);

}  // namespace pliant
