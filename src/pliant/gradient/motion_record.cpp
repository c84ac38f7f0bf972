#include <pliant/gradient/motion_record.hpp>

#include <pliant/contact/friction_term.hpp>
#include <pliant/core/error.hpp>
#include <pliant/dissipation/dissipation_term.hpp>
#include <pliant/gradient/step_plan.hpp>
#include <pliant/run/pace.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

void refuse(const std::string& what, const std::string& instead) {
  throw InputError(fmt::format("gradients do not go through {}; {}", what, instead));
}

// Friction has gradients where what presses is that of the solution, or that of the step's start:
// a number of rounds between them is chosen on the way.
void require_friction_has_gradients(const FrictionOptions& friction,
                                    const ContactDescription& contact) {
  if (friction.stick)
    refuse("friction that sticks, which keeps how far each contact was strained",
           "\"contact.stick\": false has gradients");
  const std::string* lag = std::get_if<std::string>(&contact.lag);
  if (friction.lag > 1 && !(lag && *lag == "exact"))
    refuse("friction whose normal forces are nearly those of the solution",
           "\"contact.lag\": \"exact\" has gradients, and so has 1");
}

void feel(const Objective& objective, const State& state, std::int64_t step, std::int64_t steps,
          MotionRecord& record) {
  StateGradient felt{Vector::Zero(state.q.size()), Vector::Zero(state.q.size())};
  record.value +=
      objective({step, steps, state.t, view(state.q), view(state.v)}, view(felt.q), view(felt.v));
  if (!felt.q.allFinite() || !felt.v.allFinite() || !std::isfinite(record.value))
    throw InputError(fmt::format("the objective is not finite at {:.6g} s", state.t));
  const bool nothing = felt.q.isZero(0) && felt.v.isZero(0);
  record.objective.push_back(nothing ? StateGradient{} : std::move(felt));
}

}  // namespace

void require_gradient_exists(const SceneDescription& scene, const BuiltScene& built) {
  const System& system = *built.model.system;
  if (scene.time.chosen()) refuse("steps that are chosen on the way", "give \"time.dt\" a number");
  plan_step(integrator_options(scene), 0);  // refuses what is no list of stages
  if (scene.solver.type != "newton")
    refuse(fmt::format("solver \"{}\"", scene.solver.type), "take \"newton\"");
  if (scene.contact.method != "none" && scene.contact.method != "barrier")
    refuse(fmt::format("contact method \"{}\"", scene.contact.method), "take \"barrier\"");
  if (system.friction())
    require_friction_has_gradients(system.friction()->options(), scene.contact);
  if (scene.solver.stabilize.value_or(false))
    refuse("\"solver.stabilize\"", "leave it out: newton meets constraints by itself");
  // What its averaged forces do to a limit that is reached within a step has not been found to
  // agree with differences of motions.
  if (system.constraints().has_bounds() && scene.integrator.type == "generalized-alpha")
    refuse("limits and motors of limited strength with generalized-alpha", "be and trbdf2 can");
  if (!scene.solver.stabilize && needs_velocities_moved(scene.integrator.type) &&
      system.constraints().has_hard())
    refuse(fmt::format("velocities that are moved along hard constraints after each step, as those "
                       "of {} are",
                       scene.integrator.type),
           "\"solver.stabilize\": false leaves them, and trbdf2 needs no such thing");
  for (const BodyDescription& body : scene.bodies)
    if (body.rigid && body.rigid->formulation == RigidFormulation::se3)
      refuse("rigid bodies by se3", "\"formulation\": \"affine\" has gradients");
  if (system.plastic_numbers() > 0) refuse("plasticity", "leave it out");
  for (const BodyDescription& body : scene.bodies)
    for (const DampingDescription& damping : body.damping)
      if (damping.modal)
        refuse("\"modal\" damping", "\"strain-rate\" and \"rayleigh\" have gradients");
  if (system.remembers() || system.has_low_rank())
    refuse("\"eigenfit\"", "\"dac\" has gradients, and so has a plain mesh");
  for (const auto& term : system.terms())
    if (const auto* damping = dynamic_cast<const DissipationTerm*>(term.get());
        damping && damping->treatment() != StageTreatment::force)
      refuse("damping by an objective of its own (\"second_order\", or a power below one)",
             "leave \"second_order\" out, or take a power above one");
  for (const Pin& pin : system.pins())
    if (pin.from > 0) refuse("pins that begin later", "let them hold from the beginning");
}

MotionRecord record_motion(const SceneDescription& scene, const BuiltScene& built,
                           const GradientInput& input, bool keep, const Log& log) {
  const System& system = *built.model.system;
  const Objective objective = input.objective(built);
  Pace pace(scene, input.interrupted, built.rules);
  const std::int64_t steps = pace.steps().value_or(0);
  MotionRecord record;
  State state = built.start;
  feel(objective, state, 0, steps, record);
  if (keep) record.states.push_back(state);
  for (std::int64_t step = 0; !pace.done(state, step); ++step) {
    if (is_interrupted(input.interrupted)) throw CannotContinue("interrupted");
    const StepReport report = pace.advance(system, state, step, log);
    if (!report.ok) throw CannotContinue(fmt::format("at {:.6g} s: {}", state.t, report.reason));
    if (report.retries > 0 || report.redone > 0)
      throw CannotContinue(fmt::format(
          "the step that ends at {:.6g} s was {}, and a gradient knows steps of the method alone; "
          "take a smaller \"time.dt\"{}",
          state.t, report.retries > 0 ? "redone in halves" : "made anew by the energy guard",
          report.retries > 0 ? "" : ", be, or \"contact.energy_guard\": false"));
    if (state.shares)
      throw CannotContinue(fmt::format(
          "at {:.6g} s the energy guard has taken weight from edges that press, which a gradient "
          "does not know of; set \"contact.energy_guard\": false",
          state.t));
    feel(objective, state, step + 1, steps, record);
    state.mean_force = nullptr;  // which nobody asks for here
    if (keep) record.states.push_back(state);
  }
  return record;
}

}  // namespace pliant
