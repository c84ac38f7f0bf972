#include <reliability/trial.hpp>

#include <pliant/core/timer.hpp>
#include <pliant/integrate/advance.hpp>
#include <pliant/integrate/dirk_stepper.hpp>
#include <pliant/integrate/energy_guard.hpp>
#include <pliant/run/recorder.hpp>
#include <reliability/checker.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant::reliability {
namespace {

// What is promised. The guard itself is stricter: within a step that was halved it sees larger
// energies than the ends of the step show, and the shortest steps pass it whatever they gain.
constexpr double kEnergyTolerance = 2e-3;
static_assert(EnergyGuard::default_tolerance < kEnergyTolerance);
// Of mass times the largest speed: Newton's tolerance of 1e-8 over some hundred stages.
constexpr double kMomentumTolerance = 1e-6;

// Invariants that every configuration has to keep, solved for or accepted.
class Watch {
 public:
  explicit Watch(const World& world) : world_(world), checker_(world) {}

  void look_at(std::span<const double> q, std::string_view where) {
    if (!failure.empty()) return;
    if (!as_vector(q).allFinite())
      failure = fmt::format("I4: not finite at {}", where);
    else if (const std::string found = checker_.find_contact(q); !found.empty())
      failure = fmt::format("I1: {} at {}", found, where);
  }

  std::string failure;
  int stages = 0;

 private:
  const World& world_;
  SurfaceChecker checker_;
};

// Newton's method with a look at what it found.
class WatchedStage final : public StageSolver {
 public:
  WatchedStage(const SolverOptions& options, Watch& watch)
      : solver_(make_stage_solver(options)), watch_(watch) {}
  std::string_view name() const override { return solver_->name(); }
  StageReport solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q) override {
    StageReport report = solver_->solve(context, stage, v, q);
    if (report.ok) {
      ++watch_.stages;
      watch_.look_at(view(q), fmt::format("the stage at {:.9g} s", stage.t));
    }
    return report;
  }
  bool solve_again(std::span<const double> b, std::span<double> x, SolveAccuracy a) override {
    return solver_->solve_again(b, x, a);
  }
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
    StepReport report = stepper_->step(system, state, h);
    if (report.ok) watch_.look_at(view(state.q), fmt::format("the step to {:.9g} s", state.t));
    return report;
  }
  void forget() override { stepper_->forget(); }
  std::vector<double> memory() const override { return stepper_->memory(); }
  void restore(std::span<const double> memory) override { stepper_->restore(memory); }

 private:
  std::unique_ptr<Stepper> stepper_;
  Watch& watch_;
};

std::unique_ptr<Stepper> watched(const std::string& name, const SolverOptions& options,
                                 Watch& watch) {
  if (const DirkTable* table = find_dirk_table(name))
    return std::make_unique<DirkStepper>(
        table->name, *table, DirkStages{.solver = std::make_unique<WatchedStage>(options, watch)});
  return std::make_unique<WatchedStepper>(make_stepper(name, options), watch);
}

// As a run has it.
std::unique_ptr<Stepper> guarded(const std::string& name, const SolverOptions& options,
                                 Watch& watch) {
  auto stepper = watched(name, options, watch);
  return std::make_unique<EnergyGuard>(std::move(stepper),
                                       name == "be" ? nullptr : watched("be", options, watch));
}

double smallest_det(const World& world, std::span<const double> q) {
  double least = std::numeric_limits<double>::infinity();
  const auto edges = [](std::span<const double> x, std::span<const Index> tet, Index first) {
    Mat3 D;
    for (int k = 0; k < 3; ++k)
      D.col(k) = node(x, first + tet[static_cast<std::size_t>(k) + 1]) - node(x, first + tet[0]);
    return D.determinant();
  };
  for (const Body& body : world.model().bodies)
    for (const ElementBlock& block : body.mesh.blocks)
      for (Index e = 0; block.type == ElementType::tet4 && e < block.size(); ++e)
        least = std::min(least,
                         edges(q, block.element(e), body.first_node) /
                             edges(view(world.system().rest()), block.element(e), body.first_node));
  return least;
}

bool needs_positive_det(const SceneSpec& spec) {
  return std::all_of(spec.pieces.begin(), spec.pieces.end(),
                     [](const Piece& piece) { return piece.law == "neo-hookean"; });
}

// What a step changed, against what may change: I2, I3, I6, I7.
class Ledger {
 public:
  Ledger(const World& world, Outcome& outcome)
      : world_(world), outcome_(outcome), energies_(energies(at(world.start()))) {
    for (const Body& body : world.model().bodies) mass_ += body.mass;
    momentum_ = world.system().momentum(view(world.start().q), view(world.start().v));
  }

  std::string enter(const State& state, const StepReport& report) {
    outcome_.min_det = std::min(outcome_.min_det, smallest_det(world_, view(state.q)));
    if (needs_positive_det(world_.spec()) && !(outcome_.min_det > 0))
      return fmt::format("I3: det F = {:.3g}", outcome_.min_det);
    Configuration c = at(state);
    ContactSet own;
    c.contacts = &world_.system().contact()->contacts(c, own);
    if (const auto gap = c.contacts->min_gap) {
      outcome_.min_gap = std::min(outcome_.min_gap, *gap);
      if (!(*gap > 0)) return fmt::format("I2: a gap of {:.3g} m", *gap);
    }
    if (std::string wrong = check_energy(c, report); !wrong.empty()) return wrong;
    return check_momentum(state);
  }

  // What later steps are compared with.
  std::vector<double> memory() const {
    const Energies& e = energies_;
    return {e.kinetic, e.elastic, e.external, e.contact, scale_, gained_, speed_};
  }
  void restore(const std::vector<double>& x) {
    energies_ = {x.at(0), x.at(1), x.at(2), x.at(3)};
    scale_ = x.at(4), gained_ = x.at(5), speed_ = x.at(6);
  }

 private:
  Energies energies(const Configuration& c) const { return world_.system().energies(c); }

  // The guard's promise: no more than a part of the largest energy above the least since then,
  // through steps with contact. What is driven from outside has no such bound.
  std::string check_energy(const Configuration& c, const StepReport& report) {
    const Energies before = energies_;
    energies_ = energies(c);
    const auto scale_of = [](const Energies& e) { return e.kinetic + e.elastic + e.contact; };
    scale_ = std::max({scale_, scale_of(before), scale_of(energies_)});
    if (world_.is_driven()) return {};
    const bool touched = report.contacts > 0 || before.contact > 0;
    const double gain = energies_.total() - before.total();
    if (touched || gain < 0) gained_ = std::max(0.0, gained_ + gain);
    if (scale_ > 0) outcome_.energy_gain = std::max(outcome_.energy_gain, gained_ / scale_);
    if (gained_ > kEnergyTolerance * scale_)
      return fmt::format("I6: contact has made {:.3g} J, {:.3g} of the largest energy", gained_,
                         gained_ / scale_);
    return {};
  }

  std::string check_momentum(const State& state) {
    if (!world_.is_free()) return {};
    for (Index n = 0; n < world_.system().nodes(); ++n)
      speed_ = std::max(speed_, node(view(state.v), n).norm());
    const Momentum now = world_.system().momentum(view(state.q), view(state.v));
    const double change = (now.linear - momentum_.linear).norm();
    if (change > kMomentumTolerance * mass_ * speed_)
      return fmt::format("I7: linear momentum has changed by {:.3g} of mass times speed",
                         change / (mass_ * speed_));
    return {};
  }

  const World& world_;
  Outcome& outcome_;
  Energies energies_;
  Momentum momentum_;
  double scale_ = 0, gained_ = 0, mass_ = 0, speed_ = 0;
};

std::vector<double> numbers_of(const Outcome& out) {
  return {double(out.steps),  double(out.retries), double(out.redone),
          double(out.newton), double(out.stages),  out.min_gap,
          out.min_det,        out.energy_gain,     out.seconds};
}

void set_numbers(const std::vector<double>& x, Outcome& out) {
  const auto whole = [&x](std::size_t k) { return static_cast<int>(x.at(k)); };
  out.steps = whole(0), out.retries = whole(1), out.redone = whole(2), out.newton = whole(3);
  out.stages = whole(4), out.min_gap = x.at(5), out.min_det = x.at(6), out.energy_gain = x.at(7);
  out.seconds = x.at(8);
}

class Trial {
 public:
  Trial(const SceneSpec& spec, const Combination& combination, const TrialLimits& limits)
      : combination_(combination),
        limits_(limits),
        world_(spec, combination.mu, combination.jitter),
        watch_(world_) {}

  Outcome run() {
    if (world_.spec().settle_with) out_.failure = settle(*world_.spec().settle_with);
    if (!out_.failure.empty()) return out_;
    const SceneSpec& spec = world_.spec();
    int whole = static_cast<int>(std::ceil(spec.duration / combination_.h - 1e-9));
    if (spec.most_steps > 0) whole = std::min(whole, spec.most_steps);
    const int steps = limits_.steps > 0 ? std::min(limits_.steps, whole) : whole;
    out_.failure = go(std::max(steps, 1), steps == whole);
    out_.stages = watch_.stages;
    out_.seconds = seconds();
    return out_;
  }

 private:
  bool out_of_time() const { return limits_.seconds > 0 && clock_.seconds() > limits_.seconds; }
  double seconds() const { return seconds_before_ + clock_.seconds(); }

  void keep(const State& state, const Stepper& stepper, const Ledger& ledger) {
    if (limits_.kept.empty() || since_kept_.seconds() < limits_.kept_every) return;
    since_kept_.restart();
    out_.stages = watch_.stages;
    out_.seconds = seconds();
    Checkpoint checkpoint = to_checkpoint(state, {}, stepper.memory());
    checkpoint.texts["combination"] = name_of(combination_);
    checkpoint.arrays["ledger"] = ledger.memory();
    checkpoint.arrays["outcome"] = numbers_of(out_);
    std::filesystem::create_directories(limits_.kept);
    write_checkpoint(limits_.kept, out_.steps, std::move(checkpoint));
  }

  // How many steps are done already.
  int go_on(State& state, Stepper& stepper, Ledger& ledger) {
    if (limits_.kept.empty() || !std::filesystem::exists(limits_.kept)) return 0;
    const std::optional<Checkpoint> last = read_newest(limits_.kept, Log());
    if (!last || last->text("combination") != name_of(combination_)) return 0;
    Counters counters;
    stepper.restore(from_checkpoint(*last, world_.system(), state, counters));
    ledger.restore(last->array("ledger"));
    set_numbers(last->array("outcome"), out_);
    watch_.stages = out_.stages;
    seconds_before_ = out_.seconds;
    return out_.steps;
  }

  // With backward Euler, which brings everything to rest.
  std::string settle(double mu) {
    SceneSpec spec = world_.spec();
    for (Piece& piece : spec.pieces) piece.velocity.setZero();
    const World quiet(spec, mu, combination_.jitter);
    State state = quiet.start();
    const auto be = make_stepper("be", SolverOptions());
    for (int k = 0; k < 60; ++k)
      if (const StepReport report = advance(*be, quiet.system(), state, 0.05, {}, Log());
          !report.ok)
        return "I5: while settling: " + report.reason;
    world_.start_from(state);
    return {};
  }

  std::string go(int steps, bool to_the_end) {
    watch_.look_at(view(world_.start().q), "the start");
    SolverOptions options;
    options.interrupted = [this] { return out_of_time(); };
    const auto stepper = guarded(combination_.integrator, options, watch_);
    Ledger ledger(world_, out_);
    State state = world_.start();
    const auto journey = [&] {
      return Journey{world_, world_.start(), state, combination_.mu, combination_.h};
    };
    for (int k = go_on(state, *stepper, ledger); k < steps && watch_.failure.empty(); ++k) {
      const StepReport report = advance(*stepper, world_.system(), state, combination_.h,
                                        {.interrupted = options.interrupted}, Log());
      out_.retries += report.retries;
      out_.redone += report.redone;
      out_.newton += report.newton;
      out_.out_of_time = report.reason == "interrupted";
      if (!report.ok) return fmt::format("I5: at {:.6g} s: {}", state.t, report.reason);
      state.t = (k + 1) * combination_.h;
      ++out_.steps;
      if (limits_.progress) limits_.progress(k + 1, steps, seconds());
      watch_.look_at(view(state.q), fmt::format("{:.9g} s", state.t));
      if (const std::string wrong = ledger.enter(state, report); !wrong.empty())
        return fmt::format("{} at {:.6g} s", wrong, state.t);
      if (world_.spec().during)
        if (const std::string wrong = world_.spec().during(journey()); !wrong.empty())
          return fmt::format("{} at {:.6g} s", wrong, state.t);
      keep(state, *stepper, ledger);
    }
    if (!watch_.failure.empty()) return watch_.failure;
    return to_the_end && world_.spec().at_end ? world_.spec().at_end(journey()) : std::string();
  }

  Combination combination_;
  TrialLimits limits_;
  World world_;
  Watch watch_;
  Outcome out_;
  Timer clock_, since_kept_;
  double seconds_before_ = 0;  // that parts before this one took
};

}  // namespace

std::string name_of(const Combination& c) {
  return fmt::format("{} {} h={:g} mu={:g} jitter={}", c.scene, c.integrator, c.h, c.mu, c.jitter);
}

Outcome run_trial(const SceneSpec& spec, const Combination& combination,
                  const TrialLimits& limits) {
  return Trial(spec, combination, limits).run();
}

}  // namespace pliant::reliability
