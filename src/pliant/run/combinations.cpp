#include <pliant/run/combinations.hpp>

#include <pliant/core/error.hpp>
#include <pliant/integrate/stepper.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pliant {
namespace {

template <class... Args>
[[noreturn]] void refuse(const std::string& where, fmt::format_string<Args...> why,
                         Args&&... args) {
  throw InputError(fmt::format("{}: {}", where, fmt::format(why, std::forward<Args>(args)...)));
}

void require_admm_can_meet_contact(const SceneDescription& scene) {
  if (scene.solver.type != "admm")
    refuse(scene.contact.where,
           "contact method \"admm\" needs solver admm, not {}; barrier goes with newton",
           scene.solver.type);
  const std::string& method = scene.integrator.type;
  if (!can_meet_contact(method))
    refuse(scene.integrator.where,
           "integrator \"{}\" and contact method \"admm\" do not go together: its steps do not end "
           "where contact was kept; be, bdf2, trbdf2 and sdirk2 can meet it",
           method);
}

void require_contact_makes_sense(const SceneDescription& scene) {
  if (scene.contact.method == "admm") return require_admm_can_meet_contact(scene);
  if (scene.contact.method != "barrier") return;
  if (!can_meet_contact(scene.integrator.type))
    refuse(scene.integrator.where,
           "integrator \"{}\" and contact do not go together: its steps do not end in a state that "
           "was solved for, so nothing would keep bodies apart; be, bdf2, trbdf2, sdirk2 and "
           "esdirk43 can meet it, and with \"method\": \"qp\" or \"unilateral\" all can",
           scene.integrator.type);
  if (scene.solver.type != "newton")
    refuse(scene.solver.where,
           "solver \"{}\" and contact by a barrier do not go together; newton can meet it{}",
           scene.solver.type,
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
      refuse(scene.solver.where + "/linear",
             "\"minres\" is for scenes with constraints, and there are none; pcg iterates without "
             "them");
    if (scene.solver.stabilize.value_or(false))
      refuse(scene.solver.where + "/stabilize", "there are no constraints to move back onto");
    return;
  }
  const std::string_view what = scene.constraints.empty() ? "rigid bodies by se3" : "constraints";
  constexpr std::array able = {"be",       "bdf2",     "trbdf2",           "trbdf2b",
                               "esdirk32", "esdirk43", "generalized-alpha"};
  if (std::find(able.begin(), able.end(), scene.integrator.type) == able.end())
    refuse(scene.integrator.where,
           "integrator \"{}\" and {} do not go together; be, bdf2, trbdf2, trbdf2b, esdirk32, "
           "esdirk43 and generalized-alpha keep them",
           scene.integrator.type, what);
  if (scene.integrator.type == "generalized-alpha" && scene.integrator.rho_inf >= 1)
    refuse(scene.integrator.where,
           "generalized-alpha with \"rho_inf\": 1 and {} do not go together: nothing would damp "
           "what the multipliers excite; take 0.9 or less",
           what);
  if (scene.solver.type != "newton" && scene.solver.type != "linear")
    refuse(scene.solver.where,
           "solver \"{}\" and {} do not go together; newton and linear take them",
           scene.solver.type, what);
  if (scene.contact.method == "qp")
    refuse(scene.contact.where,
           "contact method \"qp\" and {} do not go together; unilateral and barrier take them",
           what);
}

void require_rigid_bodies_make_sense(const SceneDescription& scene) {
  if (scene.solver.type != "admm") return;
  for (const BodyDescription& body : scene.bodies)
    if (body.rigid || body.frames || body.embed)
      refuse(body.where, "solver admm and {} do not go together; solver newton takes them",
             body.rigid    ? "rigid bodies"
             : body.frames ? "bodies on frames"
                           : "embedded surfaces");
}

// Its forces are those of a splitting, known to the stage alone.
void require_probes_make_sense(const SceneDescription& scene) {
  if (scene.contact.method != "admm") return;
  for (const ProbeDescription& probe : scene.probes)
    if (probe.kind == ProbeKind::force_on)
      refuse(probe.where + "/force_on",
             "contact method \"admm\" does not tell its forces; barrier, qp and unilateral do");
}

// What has no local minimiser, as far as the scene says it; AdmmStage itself refuses the rest.
void require_admm_makes_sense(const SceneDescription& scene) {
  if (scene.solver.type != "admm") return;
  if (!takes_stage_solver(scene.integrator.type))
    refuse(scene.solver.where,
           "solver admm and integrator \"{}\" do not go together, which {}; be, bdf2, trbdf2, "
           "sdirk2, newmark and others take admm",
           scene.integrator.type,
           scene.integrator.type == "beere" || scene.integrator.type == "bdf2ere" ||
                   scene.integrator.type == "trbdf2ere"
               ? "holds modes while its stages are solved"
               : "has no stage that a solver is chosen for");
  for (const BodyDescription& body : scene.bodies)
    if (body.plasticity)
      refuse(body.where + "/plasticity",
             "solver admm has no local minimiser for what yields; newton takes it");
  for (const ForceDescription& force : scene.forces)
    if (const auto* path = std::get_if<PathDescription>(&force.load); path && path->law.damping > 0)
      refuse(force.where + "/damping",
             "solver admm has no local minimiser for the damping of springs and tendons; newton "
             "takes it");
}

// What makes a part of the matrix dense goes with solvers for velocities alone.
void require_dense_part_makes_sense(const SceneDescription& scene, const std::string& where,
                                    std::string_view what, std::string_view other) {
  if (scene.solver.type == "admm")
    refuse(where, "solver admm and {} do not go together; newton and linear take it, and {}", what,
           other);
  if (!scene.constraints.empty() || scene.contact.method == "unilateral")
    refuse(
        where,
        "{} and {} do not go together; pins and contact method \"barrier\" take their place, and "
        "{}",
        scene.constraints.empty() ? "contact method \"unilateral\"" : "constraints", what, other);
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
}

}  // namespace pliant
