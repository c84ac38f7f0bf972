#include <pliant/run/combinations.hpp>

#include <pliant/core/refusals.hpp>
#include <pliant/integrate/stepper.hpp>

#include <algorithm>
#include <array>

namespace pliant {
namespace {

void require_admm_can_meet_contact(const SceneDescription& scene) {
  if (scene.solver.type != "admm")
    refuse(Refusal::admm_contact_solver, scene.contact.where, scene.solver.type);
  const std::string& method = scene.integrator.type;
  if (!can_meet_contact(method))
    refuse(Refusal::admm_contact_integrator, scene.integrator.where, method);
}

void require_contact_makes_sense(const SceneDescription& scene) {
  if (scene.contact.method == "admm") return require_admm_can_meet_contact(scene);
  if (scene.contact.method != "barrier") return;
  if (!can_meet_contact(scene.integrator.type))
    refuse(Refusal::barrier_integrator, scene.integrator.where, scene.integrator.type);
  if (scene.solver.type != "newton")
    refuse(Refusal::barrier_solver, scene.solver.where, scene.solver.type,
           scene.solver.type == "admm" ? ", and admm obstacles with \"method\": \"admm\"" : "");
}

// With hard constraints only methods of stage order two or BDF type keep their order and their
// multipliers; the others would drift, or do not know of constraints at all.
void require_constraints_make_sense(const SceneDescription& scene) {
  const bool se3 =
      std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const BodyDescription& body) {
        return body.rigid && body.rigid->formulation == RigidFormulation::se3;
      });
  if (scene.constraints.empty() && !se3) {
    if (scene.solver.linear == "minres")
      refuse(Refusal::no_constraints_minres, scene.solver.where + "/linear");
    if (scene.solver.stabilize.value_or(false))
      refuse(Refusal::no_constraints_stabilize, scene.solver.where + "/stabilize");
    return;
  }
  const std::string_view what = scene.constraints.empty() ? "rigid bodies by se3" : "constraints";
  constexpr std::array able = {"be",       "bdf2",     "trbdf2",           "trbdf2b",
                               "esdirk32", "esdirk43", "generalized-alpha"};
  if (std::find(able.begin(), able.end(), scene.integrator.type) == able.end())
    refuse(Refusal::constraints_integrator, scene.integrator.where, scene.integrator.type, what);
  if (scene.integrator.type == "generalized-alpha" && scene.integrator.rho_inf >= 1)
    refuse(Refusal::constraints_rho, scene.integrator.where, what);
  if (scene.solver.type != "newton" && scene.solver.type != "linear")
    refuse(Refusal::constraints_solver, scene.solver.where, scene.solver.type, what);
  if (scene.contact.method == "qp") refuse(Refusal::qp_constraints, scene.contact.where, what);
}

void require_rigid_bodies_make_sense(const SceneDescription& scene) {
  if (scene.solver.type != "admm") return;
  for (const BodyDescription& body : scene.bodies)
    if (body.rigid || body.frames || body.embed)
      refuse(Refusal::admm_bodies, body.where,
             body.rigid    ? "rigid bodies"
             : body.frames ? "bodies on frames"
                           : "embedded surfaces");
}

// Its forces are those of a splitting, known to the stage alone.
void require_probes_make_sense(const SceneDescription& scene) {
  if (scene.contact.method != "admm") return;
  for (const ProbeDescription& probe : scene.probes)
    if (probe.kind == ProbeKind::force_on)
      refuse(Refusal::admm_contact_probe, probe.where + "/force_on");
}

// What has no local minimiser, as far as the scene says it; AdmmStage itself refuses the rest.
void require_admm_makes_sense(const SceneDescription& scene) {
  if (scene.solver.type != "admm") return;
  if (!takes_stage_solver(scene.integrator.type))
    refuse(Refusal::admm_integrator, scene.solver.where, scene.integrator.type,
           scene.integrator.type == "beere" || scene.integrator.type == "bdf2ere" ||
                   scene.integrator.type == "trbdf2ere"
               ? "holds modes while its stages are solved"
               : "has no stage that a solver is chosen for");
  for (const BodyDescription& body : scene.bodies)
    if (body.plasticity) refuse(Refusal::admm_plasticity, body.where + "/plasticity");
  for (const ForceDescription& force : scene.forces)
    if (const auto* path = std::get_if<PathDescription>(&force.load); path && path->law.damping > 0)
      refuse(Refusal::admm_path_damping, force.where + "/damping");
}

// The tolerances of other solvers mean something else, and some methods have nothing to solve.
void require_tolerance_makes_sense(const SceneDescription& scene) {
  if (!scene.solver.auto_tolerance) return;
  const std::string where = scene.solver.where + "/tolerance";
  if (scene.solver.type != "newton")
    refuse(Refusal::tolerance_auto, where, "solver " + scene.solver.type);
  if (!solves_by_newton(scene.integrator.type))
    refuse(Refusal::tolerance_auto, where, "integrator " + scene.integrator.type);
}

// What makes a part of the matrix dense goes with solvers for velocities alone.
void require_dense_part_makes_sense(const SceneDescription& scene, const std::string& where,
                                    std::string_view what, std::string_view other) {
  if (scene.solver.type == "admm") refuse(Refusal::admm_dense, where, what, other);
  if (!scene.constraints.empty() || scene.contact.method == "unilateral")
    refuse(Refusal::dense_rows, where,
           scene.constraints.empty() ? "contact method \"unilateral\"" : "constraints", what,
           other);
}

void require_modes_make_sense(const SceneDescription& scene) {
  for (const BodyDescription& body : scene.bodies) {
    if (body.coarsen && !body.coarsen->young_only)
      require_dense_part_makes_sense(scene, body.coarsen->where, "eigenfit", "dac goes with all");
    for (const DampingDescription& damping : body.damping)
      if (damping.modal)
        require_dense_part_makes_sense(scene, damping.where, "\"modal\" damping",
                                       "\"strain-rate\" and \"rayleigh\" go with all");
  }
}

}  // namespace

void require_sensible_combination(const SceneDescription& scene) {
  // Contact names methods that others refuse beside constraints.
  require_constraints_make_sense(scene);
  require_contact_makes_sense(scene);
  require_rigid_bodies_make_sense(scene);
  require_modes_make_sense(scene);
  require_admm_makes_sense(scene);
  require_probes_make_sense(scene);
  require_tolerance_makes_sense(scene);
}

}  // namespace pliant
