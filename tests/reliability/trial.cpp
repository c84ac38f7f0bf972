#include <reliability/trial.hpp>

#include <pliant/core/timer.hpp>
#include <pliant/integrate/advance.hpp>
#include <pliant/integrate/contact_stepper.hpp>
#include <pliant/run/recorder.hpp>
#include <reliability/ledger.hpp>
#include <reliability/twin.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant::reliability {
namespace {

// A restart is tried after so many steps with contact, or half way; with so many threads.
constexpr int kTouched = 3, kThreads = 3;

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
        world_(spec, combination.mu, combination.jitter, combination.contact),
        watch_(world_),
        options_(solver_options(world_)) {
    options_.interrupted = [this] { return out_of_time(); };
  }

  Outcome run() {
    if (world_.spec().settle_with) out_.failure = settle(*world_.spec().settle_with);
    out_.seconds = seconds();
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
  RetryLimits limits() const {
    return {.max_work = options_.max_work, .interrupted = options_.interrupted};
  }

  // What a trial from a checkpoint at this place does, with as many threads and with more.
  void restart(const State& state, const Stepper& stepper) {
    Checkpoint checkpoint = to_checkpoint(state, {}, stepper.memory());
    checkpoint.integers["step"] = out_.steps;
    for (const int threads : {0, kThreads})
      twins_.push_back(std::make_unique<Twin>(world_, combination_, options_, checkpoint, threads));
  }

  std::string follow(const State& state) {
    for (const auto& twin : twins_)
      if (twin->steps() < Twin::kSteps)
        if (std::string wrong = twin->follow(state); !wrong.empty()) return wrong;
    return {};
  }

  bool out_of_time() const { return limits_.seconds > 0 && clock_.seconds() > limits_.seconds; }
  double seconds() const { return seconds_before_ + clock_.seconds(); }

  void keep(const State& state, const Stepper& stepper, const Ledger& ledger) {
    if (limits_.kept.empty() || since_kept_.seconds() < limits_.kept_every) return;
    since_kept_.restart();
    out_.stages = watch_.stages;
    out_.seconds = seconds();
    Checkpoint checkpoint = to_checkpoint(state, {}, stepper.memory());
    checkpoint.texts["combination"] = name_of(combination_);
    ledger.save(checkpoint);
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
    ledger.restore(*last, state);
    set_numbers(last->array("outcome"), out_);
    watch_.stages = out_.stages;
    seconds_before_ = out_.seconds;
    return out_.steps;
  }

  // With backward Euler, which brings everything to rest.
  std::string settle(double mu) {
    SceneSpec spec = world_.spec();
    for (Piece& piece : spec.pieces) piece.velocity.setZero();
    const World quiet(spec, mu, combination_.jitter, combination_.contact);
    State state = quiet.start();
    const auto be = make_stepper_with_contact("be", options_, quiet.rules());
    for (int k = 0; k < 60; ++k)
      if (const StepReport report = advance(*be, quiet.system(), state, 0.05, limits(), Log());
          !report.ok) {
        out_.out_of_time = report.reason == "interrupted";
        return "I5: while settling: " + report.reason;
      }
    world_.start_from(state);
    return {};
  }

  std::string go(int steps, bool to_the_end) {
    watch_.look_at(view(world_.start().q), "the start");
    const auto stepper = make_watched_stepper(world_, combination_.integrator, options_, watch_);
    Ledger ledger(world_, combination_, out_);
    State state = world_.start();
    const auto journey = [&] {
      return Journey{world_, world_.start(), state, combination_.mu, combination_.h};
    };
    for (int k = go_on(state, *stepper, ledger); k < steps && watch_.failure.empty(); ++k) {
      const StepReport report =
          advance(*stepper, world_.system(), state, combination_.h, limits(), Log());
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
      if (const std::string wrong = follow(state); !wrong.empty())
        return fmt::format("{} at {:.6g} s", wrong, state.t);
      touched_ += report.contacts > 0;
      if (twins_.empty() && (touched_ == kTouched || k + 1 == steps / 2)) restart(state, *stepper);
      keep(state, *stepper, ledger);
    }
    if (!watch_.failure.empty()) return watch_.failure;
    return to_the_end && world_.spec().at_end ? world_.spec().at_end(journey()) : std::string();
  }

  Combination combination_;
  TrialLimits limits_;
  World world_;
  Watch watch_;
  SolverOptions options_;
  std::vector<std::unique_ptr<Twin>> twins_;
  int touched_ = 0;  // steps in which something did
  Outcome out_;
  Timer clock_, since_kept_;
  double seconds_before_ = 0;  // that parts before this one took
};

}  // namespace

std::string name_of(const Combination& c) {
  const std::string by =
      c.contact == ContactMethod::barrier ? std::string() : " " + name_of(c.contact);
  return fmt::format("{}{} {} h={:g} mu={:g} jitter={}", c.scene, by, c.integrator, c.h, c.mu,
                     c.jitter);
}

Outcome run_trial(const SceneSpec& spec, const Combination& combination,
                  const TrialLimits& limits) {
  return Trial(spec, combination, limits).run();
}

}  // namespace pliant::reliability
