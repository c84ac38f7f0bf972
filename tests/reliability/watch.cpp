#include <reliability/watch.hpp>

#include <pliant/integrate/contact_stepper.hpp>
#include <pliant/integrate/dirk_stepper.hpp>
#include <pliant/integrate/energy_guard.hpp>

#include <fmt/format.h>

namespace pliant::reliability {
namespace {

constexpr long kMostWork = 10'000;  // iterations of a step, as scenes have it
// What docs/contact.md says of friction by programs in turns, and of complementarity.
constexpr double kTurns = 1e-3, kComplementary = 1e-6;

// The stages of a method with a look at what they found.
class WatchedStage final : public StageSolver {
 public:
  WatchedStage(const SolverOptions& options, Watch& watch)
      : solver_(make_stage_solver(options)), watch_(watch) {}
  std::string_view name() const override { return solver_->name(); }
  StageReport solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q) override {
    StageReport report = solver_->solve(context, stage, v, q);
    if (report.ok) {
      ++watch_.stages;
      const std::string where = fmt::format("the stage at {:.9g} s", stage.t);
      watch_.look_at_way(view(context.start.q), view(q), where);
      watch_.look_at_residuals(report.primal, report.dual, report.unconverged, where);
    }
    return report;
  }
  bool solve_again(std::span<const double> b, std::span<double> x, SolveAccuracy a) override {
    return solver_->solve_again(b, x, a);
  }
  bool hides_forces() const override { return solver_->hides_forces(); }
  std::span<const double> multipliers() const override { return solver_->multipliers(); }
  void find_forces(const Vector& v, ActingForces& out) override { solver_->find_forces(v, out); }
  std::vector<double> memory() const override { return solver_->memory(); }
  void restore(std::span<const double> memory) override { solver_->restore(memory); }

 private:
  std::unique_ptr<StageSolver> solver_;
  Watch& watch_;
};

// A stepper with a look at where each of its steps ends, those that are parts of a longer one
// included. The stages of bdf2 are these ends, but for its first step.
class WatchedStepper final : public Stepper {
 public:
  WatchedStepper(std::unique_ptr<Stepper> stepper, Watch& watch)
      : stepper_(std::move(stepper)), watch_(watch) {}
  std::string_view name() const override { return stepper_->name(); }
  StepReport step(const System& system, State& state, double h) override {
    const Vector from = state.q;
    StepReport report = stepper_->step(system, state, h);
    if (report.ok) {
      const std::string where = fmt::format("the step to {:.9g} s", state.t);
      watch_.look_at_way(view(from), view(state.q), where);
      watch_.look_at_residuals(report.primal, report.dual, report.unconverged > 0, where);
    }
    return report;
  }
  void forget() override { stepper_->forget(); }
  std::vector<double> memory() const override { return stepper_->memory(); }
  void restore(std::span<const double> memory) override { stepper_->restore(memory); }
  std::span<const double> multipliers() const override { return stepper_->multipliers(); }

 private:
  std::unique_ptr<Stepper> stepper_;
  Watch& watch_;
};

// Where contact is kept within stages these are looked at, too.
std::unique_ptr<Stepper> make_watched(const World& world, const std::string& name,
                                      SolverOptions options, Watch& watch) {
  const bool in_stages =
      world.method() == ContactMethod::barrier || world.method() == ContactMethod::admm;
  const DirkTable* table = find_dirk_table(name);
  if (!in_stages || !table)
    return std::make_unique<WatchedStepper>(make_stepper_with_contact(name, options, world.rules()),
                                            watch);
  options.admm.contact = world.rules();
  return std::make_unique<DirkStepper>(
      table->name, *table, DirkStages{.solver = std::make_unique<WatchedStage>(options, watch)});
}

}  // namespace

void Watch::look_at(std::span<const double> q, std::string_view where) {
  if (!failure.empty()) return;
  if (!as_vector(q).allFinite())
    failure = fmt::format("I4: not finite at {}", where);
  else if (world_.method() == ContactMethod::admm)
    return;  // of points alone: look_at_way
  else if (const std::string found = checker_.find_contact(q); !found.empty())
    failure = fmt::format("I1: {} at {}", found, where);
}

void Watch::look_at_way(std::span<const double> from, std::span<const double> to,
                        std::string_view where) {
  look_at(to, where);
  if (!failure.empty() || world_.method() == ContactMethod::barrier) return;
  if (const std::string found = checker_.find_passage(from, to); !found.empty())
    failure = fmt::format("I1: {} on the way to {}", found, where);
}

void Watch::look_at_residuals(double primal, double dual, bool unconverged,
                              std::string_view where) {
  double left = 0, most = 0;
  switch (world_.method()) {
    case ContactMethod::barrier:
      return;
    case ContactMethod::qp:
      left = dual, most = kTurns;
      break;
    case ContactMethod::unilateral:
      left = primal, most = kComplementary;
      break;
    case ContactMethod::admm:
      left = std::max(primal, dual), most = SolverOptions().tolerance;
      break;
  }
  if (failure.empty() && (unconverged || !(left <= most)))
    failure = fmt::format("I5: a residual of {:.3g} is taken for solved at {}", left, where);
}

SolverOptions solver_options(const World& world) {
  SolverOptions options;
  if (world.method() == ContactMethod::barrier) return options;
  if (world.method() == ContactMethod::admm) options.type = "admm";
  options.max_work = kMostWork;
  return options;
}

// What motors do within a step is not known well enough to hold it against a method.
std::unique_ptr<Stepper> make_watched_stepper(const World& world, const std::string& integrator,
                                              const SolverOptions& options, Watch& watch) {
  const bool barrier = world.method() == ContactMethod::barrier;
  auto stepper = make_watched(world, integrator, options, watch);
  if (!barrier && world.has_motors()) return stepper;
  return std::make_unique<EnergyGuard>(
      std::move(stepper), integrator == "be" ? nullptr : make_watched(world, "be", options, watch),
      EnergyGuard::default_tolerance, !barrier);
}

}  // namespace pliant::reliability
