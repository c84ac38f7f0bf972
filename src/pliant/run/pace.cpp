#include <pliant/run/pace.hpp>

#include <pliant/core/error.hpp>
#include <pliant/integrate/contact_stepper.hpp>
#include <pliant/integrate/energy_guard.hpp>
#include <pliant/run/combinations.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kRounding = 1e-9;  // of an interval: times that differ by less are the same
constexpr double kOfStepError = 0.01;

int order_of(std::string_view integrator) {
  for (const IntegratorInfo& info : integrators())
    if (info.name == integrator) return info.order;
  return 1;
}

}  // namespace

SolverOptions solver_options(const SceneDescription& scene, const Interruption& interrupted) {
  const SolverDescription& s = scene.solver;
  SolverOptions options;
  options.type = s.type;
  options.linear = s.linear == "minres" ? "auto" : s.linear;
  if (s.linear == "minres") options.kkt = "minres";
  using enum SolverOptions::Stabilize;
  options.stabilize = !s.stabilize ? by_method : *s.stabilize ? always : never;
  options.tolerance = s.tolerance;
  options.max_iterations = s.max_iterations;
  options.max_work = s.max_work;
  options.fast = s.fast;
  if (s.precision == "mixed") options.precision = Precision::mixed;
  options.reuse = s.reuse;
  options.admm = {s.iterations, s.weights, nullptr, s.acceleration};
  if (s.geometric_stiffness == "positive") options.geometric = GeometricStiffness::positive;
  if (s.geometric_stiffness == "off") options.geometric = GeometricStiffness::off;
  options.interrupted = interrupted;
  return options;
}

IntegratorOptions integrator_options(const SceneDescription& scene) {
  const IntegratorDescription& i = scene.integrator;
  IntegratorOptions options(i.type);
  options.rho_inf = i.rho_inf;
  options.beta = i.beta;
  options.gamma = i.gamma;
  options.modes = i.modes;
  options.krylov_tolerance = i.krylov_tolerance;
  options.paper = i.variant == "paper";
  if (const int* steps = std::get_if<int>(&i.refresh))
    options.refresh = *steps;
  else
    options.refresh = std::get<std::string>(i.refresh) == "never" ? kRefreshNever : kRefreshAuto;
  return options;
}

namespace {

// What options of the integrator refuse gets its place in the scene.
template <class Make>
auto with_place(const SceneDescription& scene, Make&& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", scene.integrator.where, error.what()));
  }
}

// Without contact by a barrier there is nothing else to watch; with it, where constraints are hard.
bool watches_always(const SceneDescription& scene) {
  if (scene.contact.method != "barrier") return true;
  const auto is_hard = [](const ConstraintDescription& c) { return c.compliance == 0; };
  const auto is_framed = [](const BodyDescription& body) {
    return body.rigid && body.rigid->formulation == RigidFormulation::se3;
  };
  return std::any_of(scene.constraints.begin(), scene.constraints.end(), is_hard) ||
         std::any_of(scene.bodies.begin(), scene.bodies.end(), is_framed);
}

std::unique_ptr<Stepper> stepper_of(const SceneDescription& scene, const Interruption& interrupted,
                                    std::shared_ptr<const ContactRules> rules) {
  const SolverOptions solver = solver_options(scene, interrupted);
  // What motors do within a step is not known well enough to hold it against a method.
  const bool motors =
      std::any_of(scene.constraints.begin(), scene.constraints.end(),
                  [](const ConstraintDescription& c) { return c.motor.has_value(); });
  const bool barrier = scene.contact.method == "barrier";
  const bool redo = scene.energy == "redo" && scene.contact.energy_guard && (barrier || !motors);
  return with_place(scene, [&]() -> std::unique_ptr<Stepper> {
    const auto make = [&](const IntegratorOptions& integrator) {
      return make_stepper_with_contact(integrator, solver, rules);
    };
    auto stepper = make(integrator_options(scene));
    if (!redo) return stepper;
    const bool safe = scene.integrator.type == "be";
    return std::make_unique<EnergyGuard>(std::move(stepper), safe ? nullptr : make("be"),
                                         EnergyGuard::default_tolerance,
                                         !motors && watches_always(scene));
  });
}

}  // namespace

Pace::Pace(const SceneDescription& scene, const Interruption& interrupted,
           std::shared_ptr<const ContactRules> rules)
    : time_(scene.time),
      max_work_(scene.solver.max_work),
      interrupted_(interrupted),
      stepper_(stepper_of(scene, interrupted, std::move(rules))) {
  require_sensible_combination(scene);
  // Where steps are chosen by their errors, those of stages must not be taken for them.
  if (scene.solver.auto_tolerance)
    tolerance_.emplace(order_of(scene.integrator.type),
                       time_.chosen() ? kOfStepError * time_.tolerance : StageTolerance::loosest);
  if (!time_.chosen()) return;
  with_place(scene, [&] {
    control_.emplace(
        *stepper_,
        StepControlOptions{.tolerance = time_.tolerance,
                           .min_dt = time_.min_dt,
                           .max_work = max_work_,
                           .slowest = time_.output_dt / (10.0 * static_cast<double>(max_work_)),
                           .interrupted = interrupted});
  });
}

// Steps are exactly dt; a duration that is no multiple ends on the next step.
std::optional<std::int64_t> Pace::steps() const {
  if (control_) return std::nullopt;
  const double left = std::ceil((time_.duration - t0_) / time_.dt - kRounding);
  const bool any = step0_ == 0 && time_.duration > t0_;  // however long a step is
  return step0_ + std::max<std::int64_t>(static_cast<std::int64_t>(left), any ? 1 : 0);
}

std::string Pace::in_words() const {
  return control_ ? fmt::format("{} s in steps chosen by a tolerance of {} with {}", time_.duration,
                                time_.tolerance, stepper_->name())
                  : fmt::format("{} steps of {} s with {}", *steps(), time_.dt, stepper_->name());
}

double Pace::duration() const {
  return control_ ? time_.duration : t0_ + static_cast<double>(*steps() - step0_) * time_.dt;
}

// The next output time after t, or the end.
double Pace::next_stop(double t) const {
  const double frame = std::floor(t / time_.output_dt + kRounding) + 1;
  return std::min(frame * time_.output_dt, time_.duration);
}

StepReport Pace::advance(const System& system, State& state, std::int64_t step, const Log& log) {
  state.tolerance = 0;
  if (tolerance_) tolerance_->open(system, state, dt());
  StepReport report = take_step(system, state, step, log);
  if (tolerance_ && report.ok) tolerance_->close(system, state);
  return report;
}

StepReport Pace::take_step(const System& system, State& state, std::int64_t step, const Log& log) {
  if (!control_) {
    const RetryLimits limits{
        .min_dt = time_.min_dt, .max_work = max_work_, .interrupted = interrupted_};
    StepReport report = pliant::advance(*stepper_, system, state, time_.dt, limits, log);
    // No rounding adds up over steps.
    if (report.ok) state.t = t0_ + static_cast<double>(step + 1 - step0_) * time_.dt;
    return report;
  }
  const double stop = next_stop(state.t);
  StepReport report = control_->advance(system, state, stop - state.t, log);
  if (report.ok && std::abs(state.t - stop) <= kRounding * time_.output_dt) state.t = stop;
  return report;
}

bool Pace::done(const State& state, std::int64_t step) const {
  return control_ ? state.t >= time_.duration : step >= *steps();
}

// Fixed steps: the one nearest to each output time. Chosen ones meet it.
bool Pace::at_frame(const State& state, std::int64_t step) const {
  if (control_) {
    const double frames = state.t / time_.output_dt;
    return std::abs(frames - std::round(frames)) <= kRounding;
  }
  if (time_.output_dt <= time_.dt) return true;
  const double per_frame = time_.output_dt / time_.dt, before = t0_ / time_.dt;
  const std::int64_t own = step - step0_;
  const auto nearest =
      static_cast<std::int64_t>(std::llround((static_cast<double>(own) + before) / per_frame));
  for (const std::int64_t frame : {nearest - 1, nearest, nearest + 1})
    if (frame >= 0 && std::llround(static_cast<double>(frame) * per_frame - before) == own)
      return true;
  return false;
}

// [m, the tolerance's m…] where it is chosen; [m, the control's m…, the stepper's…]
std::vector<double> Pace::memory() const {
  const std::vector<double> control = control_ ? control_->memory() : std::vector<double>();
  std::vector<double> out = {static_cast<double>(control.size())};
  out.insert(out.end(), control.begin(), control.end());
  const std::vector<double> stepper = stepper_->memory();
  out.insert(out.end(), stepper.begin(), stepper.end());
  if (!tolerance_) return out;
  const std::vector<double> chosen = tolerance_->memory();
  out.insert(out.begin(), chosen.begin(), chosen.end());
  out.insert(out.begin(), static_cast<double>(chosen.size()));
  return out;
}

void Pace::restore(std::span<const double> memory) {
  // The first m of what is left, m before them; false where there are fewer.
  const auto take = [&memory](std::span<const double>& out) {
    if (memory.empty() || memory.size() - 1 < static_cast<std::size_t>(memory[0])) return false;
    const auto own = static_cast<std::size_t>(memory[0]);
    out = memory.subspan(1, own);
    memory = memory.subspan(1 + own);
    return true;
  };
  std::span<const double> own;
  if (tolerance_) {
    if (!take(own)) return;
    tolerance_->restore(own);
  }
  if (!take(own)) return;
  if (control_) control_->restore(own);
  stepper_->restore(memory);
}

}  // namespace pliant
