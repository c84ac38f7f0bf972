#include <pliant/body/custom_model.hpp>
#include <pliant/core/error.hpp>
#include <pliant/core/refusals.hpp>
#include <pliant/io/mesh_file.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/statistics.hpp>
#include <pliant/scene/build.hpp>
#include <pliant/scene/build_cache.hpp>
#include <pliant/scene/build_carried.hpp>
#include <pliant/scene/build_coarsen.hpp>
#include <pliant/scene/build_constraints.hpp>
#include <pliant/scene/build_contact.hpp>
#include <pliant/scene/build_loads.hpp>
#include <pliant/scene/build_materials.hpp>
#include <pliant/scene/build_modal.hpp>
#include <pliant/scene/build_paths.hpp>
#include <pliant/scene/build_plasticity.hpp>
#include <pliant/scene/build_probes.hpp>
#include <pliant/scene/build_rigid.hpp>
#include <pliant/scene/gathered_notes.hpp>
#include <pliant/scene/initial_intersections.hpp>
#include <pliant/scene/locate.hpp>
#include <pliant/scene/odd_values.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// A body's mesh must have the dimension of its type, and its laws must be of that kind.
void require_fitting(const BodyDescription& body, const Mesh& mesh) {
  constexpr std::array<std::string_view, 4> made_of = {"no elements", "segments", "a surface",
                                                       "solid elements"};
  const int top = mesh.top_dimension();
  if (body.rigid && top == 2) return;  // a closed surface encloses a body
  const int wanted = body.type == "cloth" ? 2 : body.type == "cable" ? 1 : 3;
  if (top != wanted)
    throw InputError(fmt::format(
        "{}/mesh: a {} needs {}, this mesh has {}{}", body.where, body.type,
        wanted == 2 ? "triangles or quadrilaterals" : made_of[static_cast<std::size_t>(wanted)],
        made_of[static_cast<std::size_t>(top)],
        wanted == 3 && top == 2 ? "; a closed surface is filled with \"surface\" and \"size\", and "
                                  "\"type\": \"cloth\" takes it as it is"
                                : ""));
}

Mesh place_mesh(const BodyDescription& body, const Log& log) {
  Mesh mesh = build_mesh(body.mesh, body.where + "/mesh", log);
  require_fitting(body, mesh);
  require_valid(body.transform, body.where + "/transform");
  apply(body.transform, mesh);
  return mesh;
}

// Without strain there is nothing but the motion as a whole to damp.
void require_rigid_damping(const BodyDescription& body) {
  for (const DampingDescription& damping : body.damping)
    if (damping.law || damping.modal || damping.beta != 0)
      refuse(Refusal::rigid_damping, damping.where);
}

// What bodies may be made of: materials of the scene by their numbers, and laws of the program.
struct Palette {
  const std::vector<std::string>& materials;
  const CustomLaws& laws;
};

SolidInput make_solid(const SceneDescription& scene, const BodyDescription& body,
                      const Palette& palette, Mesh mesh, const Log& log) {
  SolidInput solid;
  solid.name = body.name;
  solid.mesh = std::move(mesh);
  if (body.rigid) {
    solid.rigid = make_rigid(body, solid.mesh);
    solid.material_of_element = {-1};
    require_rigid_damping(body);
    for (const DampingDescription& damping : body.damping) solid.alpha += damping.alpha;
    return solid;
  }
  assign_materials(scene, body, palette.materials, palette.laws, solid);
  solid.lumped = body.lumped_mass;
  solid.thin = body.thin;
  solid.strain = strain_measure_of(scene, body);
  if (body.frames) solid.frames = make_frames(*body.frames, solid.mesh);
  if (body.embed) solid.skin = make_skin(body, solid.mesh, log);
  for (const DampingDescription& damping : body.damping) {
    solid.alpha += damping.alpha;
    solid.beta += damping.beta;
    if (damping.law) solid.damping.push_back(make_damping_law(damping, solid.mesh));
  }
  for (const PointMassDescription& mass : body.point_masses) {
    require_inside(find_point(solid.mesh, mass.point).distance, solid.mesh, mass.point, body.name,
                   mass.where + "/point");
    solid.point_masses.push_back({mass.point, mass.mass});
  }
  return solid;
}

// A pin holds whole frames: those in places that are selected.
std::vector<Index> frame_pin_nodes(const PinDescription& pin, const Body& body) {
  Mesh places;
  places.points = body.frames->places();
  std::vector<Index> nodes;
  for (const Index frame : select_nodes(places, pin.selection, pin.where))
    for (Index a = 0; a < 4; ++a) nodes.push_back(body.frames->first() + 4 * frame + a);
  if (nodes.empty())
    throw InputError(fmt::format(
        "{}: selects no frames of body \"{}\"; where a pin is wanted there must be one of its "
        "\"frames\"",
        pin.where, body.name));
  return nodes;
}

std::vector<Index> pinned_nodes(const Body& body, const PinDescription& pin) {
  if (body.rigid) return rigid_pin_nodes(pin, body);
  if (body.frames) return frame_pin_nodes(pin, body);
  return select_system_nodes(body, pin.selection, pin.where);
}

void set_start(const BodyDescription& description, const Body& body, const Log& log, State& start) {
  if (body.rigid) return set_rigid_start(description, body, start);
  const InitialDescription& initial = description.initial;
  const Vec3 center = statistics_of(body.mesh).centroid;
  // Of a body on frames, their particles.
  std::vector<Vec3> positions = body.frames ? body.frames->corners() : body.mesh.points;
  if (initial.positions && body.frames)
    throw InputError(
        fmt::format("{}/initial/positions: the nodes of a body on frames go where these are; "
                    "\"deform\" moves all of it",
                    description.where));
  if (initial.positions) {
    positions =
        read_named_mesh(*initial.positions, description.where + "/initial/positions", log).points;
    if (positions.size() != body.mesh.points.size() - static_cast<std::size_t>(body.skin_nodes))
      throw InputError(fmt::format("{}/initial/positions: {} has {} points, the body has {}",
                                   description.where, initial.positions->written, positions.size(),
                                   body.mesh.points.size()));
  }
  for (std::size_t n = 0; n < positions.size(); ++n) {
    const Vec3 x = center + initial.deform * (positions[n] - center);
    // Where nothing is deformed the position stays as it is, to the last bit.
    const Vec3 place = initial.deform.isIdentity(0) ? positions[n] : x;
    const Index to = body.first_solved() + static_cast<Index>(n);
    node(view(start.q), to) = place;
    node(view(start.v), to) = initial.velocity + initial.angular_velocity.cross(place - center);
  }
}

void require_feasible(const BodyDescription& description, const Body& body, const State& start,
                      const Log& log) {
  const Configuration c{0, view(start.q), view(start.v), nullptr};
  for (const Body::Batch& batch : body.batches) {
    const Index inverted = batch.term->extremes(c).inverted;
    if (inverted == 0) continue;
    const std::string words =
        fmt::format("{}/initial: body \"{}\" starts with {} of {} {}", description.where, body.name,
                    inverted, batch.term->elements(),
                    batch.term->elements() == 1 ? "element inverted" : "elements inverted");
    if (batch.term->needs_positive_det())
      throw InfeasibleStart(fmt::format("{}, which {} cannot hold; stable-neo-hookean can", words,
                                        batch.term->name()));
    log.warn(fmt::format("{}; {} will try to turn them back", words, batch.term->name()));
  }
}

// Then pins put their nodes in place at the start.
bool has_cache(const SceneDescription& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const BodyDescription& body) {
    return std::any_of(body.pins.begin(), body.pins.end(),
                       [](const PinDescription& pin) { return pin.cache.has_value(); });
  });
}

// Pins that hold at time 0 set the velocity of their nodes.
void start_pins(const SceneDescription& scene, const System& system, State& start) {
  StepData data;
  DofMask mask;
  system.open_step(start, scene.time.dt, data, mask);
  system.prescribe(start, 0, view(start.q), view(start.v), {});
  start.a_known = false;
  start.friction = nullptr;  // bodies may still be moved apart
  start.plastic = nullptr;
  start.memories.clear();
}

// What terms know before the first step, such as the modes of bodies, which have a part in the
// energies there.
void remember_start(const SceneDescription& scene, const System& system, State& start) {
  if (!system.remembers()) return;
  State first = start;
  StepData data;
  DofMask mask;
  system.open_step(first, scene.time.dt, data, mask);
  start.memories = std::move(first.memories);
}

// Rigid bodies by se3 and elasticity as constraints bring rows of their own, and solvers with rows
// have no place for a dense part of the matrix.
void require_no_rows_beside_modes(const SceneDescription& scene, const System& system) {
  if (!system.has_low_rank() || system.constraints().empty() || !scene.constraints.empty()) return;
  throw InputError(words_of(Refusal::dense_se3));
}

// Sizes, moduli or speeds whose energies are beyond the range of numbers.
void require_finite(const SceneDescription& scene, const BuiltScene& built) {
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    if (!std::isfinite(built.model.bodies[k].mass) || !(built.model.bodies[k].mass > 0))
      throw InputError(fmt::format("{}: its mass would be {} kg; check its size and density",
                                   scene.bodies[k].where, built.model.bodies[k].mass));
  const State& start = built.start;
  const System& system = *built.model.system;
  // Squares and cubes of lengths must be numbers still.
  if (!(system.size() > 1e-90 && system.size() < 1e90))
    throw InputError(fmt::format("the scene is {} m large; nothing can be computed at that size",
                                 system.size()));
  const Momentum momentum = system.momentum(view(start.q), view(start.v));
  if (!std::isfinite(system.energies({0, view(start.q), view(start.v), nullptr}).total()) ||
      !momentum.linear.allFinite() || !momentum.angular.allFinite())
    throw InputError(
        "the energy or momentum at the start is not finite: sizes, moduli or speeds are too large");
}

}  // namespace

CoarsePlan plan_coarsening(const SceneDescription& scene, std::size_t body, const Log& log) {
  const BodyDescription& description = scene.bodies[body];
  std::vector<std::string> materials;
  for (const auto& [name, material] : scene.materials) materials.push_back(name);
  const MakeSolid make = [&](const BodyDescription& what, Mesh mesh) {
    return make_solid(scene, what, {materials, {}}, std::move(mesh), log);
  };
  SolidInput solid = make(description, place_mesh(description, log));
  return coarsen_body(scene, description, make, solid, log).plan;
}

BuiltScene build_scene(const SceneDescription& scene, const Log& log,
                       std::span<const Mesh> meshes) {
  return build_scene(scene, log, meshes, {});
}

namespace {

void add_forces_and_pins(const SceneDescription& scene, Model& model) {
  System& system = *model.system;
  add_plasticity(scene, model);
  if (!scene.gravity.isZero(0))
    system.add_term(std::make_unique<Gravity>(scene.gravity, system.mass(), view(system.rest())));
  add_loads(scene, model);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    for (const PinDescription& pin : scene.bodies[k].pins) {
      std::vector<Index> nodes = pinned_nodes(model.bodies[k], pin);
      Motion motion = pin_motion(pin, model.bodies[k], nodes);
      system.add_pin({std::move(nodes), pin.axes, std::move(motion), pin.from, pin.until});
    }
}

// Where bodies are at the beginning and how they move, with nothing inverted, through anything or
// away from where constraints and pins have it.
void set_start(const SceneDescription& scene, const Log& log, BuiltScene& built) {
  const System& system = *built.model.system;
  built.start = system.make_state();
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    set_start(scene.bodies[k], built.model.bodies[k], log, built.start);
  system.follow(view(built.start.q));
  system.follow(view(built.start.v));
  const auto require_all_feasible = [&] {
    for (std::size_t k = 0; k < scene.bodies.size(); ++k)
      require_feasible(scene.bodies[k], built.model.bodies[k], built.start, log);
  };
  require_all_feasible();
  start_pins(scene, system, built.start);
  require_constraints_hold(scene, system, built.start);
  settle_start(scene, log, built);
  if (!built.notes.empty() || has_cache(scene)) require_all_feasible();
  remember_start(scene, system, built.start);
  require_finite(scene, built);
}

BuiltScene build_and_say(const SceneDescription& scene, const Log& log,
                         std::span<const Mesh> meshes, const CustomParts& parts) {
  require_custom_laws_make_sense(scene, parts.laws);
  BuiltScene built;
  const Palette palette{built.materials, parts.laws};
  for (const auto& [name, material] : scene.materials) built.materials.push_back(name);
  const MakeSolid make = [&](const BodyDescription& body, Mesh mesh) {
    return make_solid(scene, body, palette, std::move(mesh), log);
  };
  std::vector<SolidInput> solids;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    solids.push_back(
        make(scene.bodies[k], meshes.empty() ? place_mesh(scene.bodies[k], log) : meshes[k]));
  const auto coarse = coarsen_bodies(scene, make, solids, log, built.notes);
  finish_rigid_bodies(scene, solids);
  Eigen::AlignedBox3d box;
  for (const SolidInput& solid : solids)
    for (const Vec3& x : solid.mesh.points) box.extend(x);
  const ObstacleNodes obstacles = make_obstacles(scene, box, log);
  const MakeTerms make_more = [&](std::span<const Body> bodies, std::span<const Vec3> rest) {
    auto terms = make_paths(scene, bodies, rest);
    if (parts.terms)
      for (auto& term : parts.terms(bodies, rest)) terms.push_back(std::move(term));
    return terms;
  };
  built.model = make_model(std::move(solids), obstacles.nodes, make_more, parts.laws);
  const System& system = *built.model.system;
  add_forces_and_pins(scene, built.model);
  add_corrections(scene, coarse, built);
  add_modal_damping(scene, built.model);
  add_contact(scene, obstacles, built);
  add_constraints(
      scene,
      [&built](const std::string& body, const Vec3& point, const std::string& where) {
        return locate(find_body(built.model.bodies, body), point, where);
      },
      built.model);
  require_no_rows_beside_modes(scene, system);
  built.obstacles = DrawnObstacles(scene, obstacles, system.body_nodes(), box);
  set_start(scene, log, built);
  warn_of_odd_values(scene, log, built);
  built.threads = DrawnThreads(scene, built.model.bodies, view(system.rest()));
  add_probes(scene, built);
  return built;
}

}  // namespace

BuiltScene build_scene(const SceneDescription& scene, const Log& log, std::span<const Mesh> meshes,
                       const CustomParts& parts) {
  const GatheredLog all(log);
  BuiltScene built = build_and_say(scene, all.log(), meshes, parts);
  std::vector<LogEntry> notes;
  for (const std::string& text : built.notes) notes.push_back({LogLevel::info, -1, text});
  built.notes.clear();
  for (LogEntry& note : gathered(notes)) built.notes.push_back(std::move(note.text));
  return built;
}

}  // namespace pliant
