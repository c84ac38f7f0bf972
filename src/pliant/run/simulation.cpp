#include <pliant/run/dear_keys.hpp>
#include <pliant/run/energy_watch.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/recorder.hpp>
#include <pliant/run/scene_change.hpp>

#include <pliant/core/error.hpp>
#include <pliant/stage/static_equilibrium.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

// Wall seconds between checkpoints, and at least so many times what writing one takes; what a
// resumed run computes does not depend on it.
constexpr double kCheckpointEvery = 2.0, kCheckpointShare = 20;
// Wall seconds from which on a step is long, and that one waits for the end of any other.
constexpr double kLongStep = 0.1, kPatience = 0.5;

class Run {
 public:
  Run(const SceneDescription& scene, BuiltScene built, const RunRequest& request, const Log& log)
      : scene_(scene),
        built_(std::move(built)),
        request_(request),
        recorder_(built_, request, log),
        log_([this, &log](const LogEntry& entry) {
          log.say(entry);
          recorder_.write_log(entry);
        }),
        state_(built_.start) {}

  RunOutcome simulate() {
    pace_.emplace(
        scene_, [this] { return drops_step(); }, built_.rules);
    start();
    while (!pace_->done(state_, counters_.step) && outcome_.status == "done") {
      if (!heed_watcher() || !take_step()) break;
      last_step_seconds_ = step_timer_.seconds();
      memory_before_.reset();
      report_progress();
      // A signal during the last step comes too late.
      if (pace_->done(state_, counters_.step)) break;
      if ((outcome_.signal = signal()) != 0)
        interrupt();
      else if (since_checkpoint_.seconds() >
               std::max(kCheckpointEvery, kCheckpointShare * checkpoint_seconds_))
        checkpoint();
    }
    return finish();
  }

  RunOutcome equilibrium() {
    const System& system = *built_.model.system;
    if (built_.rules)
      throw InputError(
          fmt::format("contact method \"{}\" knows steps, not an equilibrium; \"barrier\" has one",
                      scene_.contact.method));
    for (Index row = 0; row < system.constraints().rows(); ++row)
      if (system.constraints().is_about_rate(row))
        throw InputError(fmt::format("\"{}\" is driven at a speed: there is no equilibrium",
                                     system.constraints().row_name(row)));
    for (const std::string& text : request_.notes) note(text, LogLevel::warning);
    add_first_row(0);
    SolverOptions options = solver_options(scene_, [this] { return signal() != 0; });
    // Modes that are found anew as the body gives way belong to a walk, too.
    const bool walk = !system.constraints().empty() || system.contact() || system.remembers();
    if (walk) options.type = "newton";
    const StaticReport report = walk ? walk_to_equilibrium(system, state_, options)
                                     : find_equilibrium(system, state_, options);
    if (!report.ok && (outcome_.signal = signal()) != 0) {
      interrupt();
      return finish();
    }
    if (!report.ok) {
      const std::string free = free_body();
      fail(free.empty()
               ? fmt::format("no equilibrium was found: {}", report.reason)
               : fmt::format("there is no equilibrium: no pin holds body \"{}\" at time {:g}, "
                             "so the loads carry it away",
                             free, state_.t));
      return finish();
    }
    StepReport step;
    step.newton = report.newton;
    step.linear = report.linear;
    counters_.step = 1;
    counters_.newton = report.newton;
    counters_.linear = report.linear;
    require_finite(recorder_.account(state_, 1, 0));
    recorder_.add_row(state_, 1, 0, step, 1e3 * timer_.seconds());
    recorder_.add_frame(state_, 1);
    return finish();
  }

 private:
  void start() {
    if (const auto& checkpoint = recorder_.resumed()) {
      pace_->restore(from_checkpoint(*checkpoint, *built_.model.system, state_, counters_));
      recorder_.restore(*checkpoint, state_);
      resumed_time_ = state_.t;
      checkpoint_step_ = counters_.step;
      return;
    }
    for (const std::string& text : request_.notes) note(text, LogLevel::warning);
    for (const std::string& text : built_.notes) note(text);
    for (const std::string& line : dear_keys(scene_)) note("what steps cost: " + line);
    note(
        fmt::format("started: {} nodes, {}", built_.model.system->body_nodes(), pace_->in_words()));
    add_first_row(pace_->first_dt());
    recorder_.add_frame(state_, 0);
  }

  // The first body without a pin at this time; empty where each has one.
  std::string free_body() const {
    for (const BodyDescription& body : scene_.bodies)
      if (std::none_of(body.pins.begin(), body.pins.end(), [this](const PinDescription& pin) {
            return pin.from <= state_.t && state_.t <= pin.until;
          }))
        return body.name;
    return {};
  }

  // For log.jsonl alone: the terminal shows it in its own way.
  void note(std::string text, LogLevel level = LogLevel::info) {
    recorder_.write_log({level, state_.t, std::move(text)});
  }

  RunMoment moment() const {
    return {scene_, built_, state_, counters_.step, pace_ ? pace_->duration() : 0};
  }

  // Does what the watcher asks for between two steps; false where the run ends here.
  bool heed_watcher() {
    if (!request_.watcher) return true;
    Steering wanted;
    do {  // a changed scene may be one to look at before it steps
      wanted = request_.watcher->before_step(moment());
      if (wanted.loads_changed) {
        state_.a_known = false;
        recorder_.add_work(wanted.work);
      }
      if (wanted.change) adopt(std::move(*wanted.change));
    } while (wanted.change);
    if ((outcome_.signal = signal()) != 0)
      interrupt();
    else if (wanted.end)
      outcome_.status = "ended";
    return outcome_.status == "done";
  }

  // Positions, velocities, time and pins go on; what a method remembers of earlier steps does not.
  void adopt(SceneChange change) {
    recorder_.change_scene(state_, change.words, [&] {
      scene_ = std::move(change.scene);
      built_ = std::move(change.built);
    });
    leave_behind(built_, state_);
    pace_.emplace(
        scene_, [this] { return drops_step(); }, built_.rules);
    pace_->begin_at(state_.t, counters_.step);
    log_.info(change.words, state_.t);
  }

  void add_first_row(double dt) {
    require_finite(recorder_.account(state_, 0, dt));
    recorder_.add_row(state_, 0, dt, {}, 0);
  }

  static void require_finite(bool finite) {
    if (!finite) throw CannotContinue("the energy or momentum of the state is not finite");
  }

  int signal() const { return request_.interrupted ? request_.interrupted() : 0; }

  // Asked from within a step, which is dropped where a signal came and either the stepper can be
  // put back to where the step began, or it takes so long that a person waits.
  bool drops_step() const {
    return signal() != 0 && (memory_before_ || step_timer_.seconds() > kPatience);
  }

  // A short step is finished; of a long one the stepper's memory is worth a copy, and of all while
  // there is no checkpoint to go back to.
  void keep_memory() {
    if (last_step_seconds_ > kLongStep || checkpoint_step_ < 0) memory_before_ = pace_->memory();
  }

  // The step is as if it had not begun. Where the stepper's memory was not kept, the last
  // checkpoint stands, and what came after it is done again.
  void drop_step(const Counters& counters) {
    counters_ = counters;
    outcome_.signal = signal();
    interrupt();
    checkpoint_stands_ = !memory_before_ && checkpoint_step_ >= 0;
  }

  bool take_step() {
    const Counters counters = counters_;
    keep_memory();
    step_timer_.restart();
    const Timer& timer = step_timer_;
    before_ = state_;
    const StepReport report = pace_->advance(*built_.model.system, state_, counters_.step, log_);
    counters_.newton += report.newton;
    counters_.linear += report.linear;
    counters_.retries += report.retries;
    counters_.projections += report.projections;
    if (!report.ok && signal() != 0) {
      drop_step(counters);
      return false;
    }
    if (!report.ok) {
      fail(fmt::format("step {} at {} s could not be made: {}", counters_.step + 1, state_.t,
                       report.reason));
      return false;
    }
    const std::int64_t step = counters_.step + 1;
    last_newton_ = report.newton;
    if (report.unconverged > 0 && !said_unconverged_) {
      said_unconverged_ = true;
      note(fmt::format(
               "step {}: a stage ended after the {} iterations asked for, with residuals {:.2g} "
               "and {:.2g}, above the tolerance of {:g}; history.csv counts such stages as "
               "unconverged",
               step, scene_.solver.iterations, report.primal, report.dual, scene_.solver.tolerance),
           LogLevel::warning);
    }
    if (!recorder_.account(state_, step, pace_->dt())) {
      state_ = before_;
      fail(fmt::format(
          "step {} at {} s could not be made: {} gives a state whose energy is not finite", step,
          state_.t, scene_.integrator.type));
      return false;
    }
    if (!heed_energy(step)) return false;
    recorder_.add_row(state_, step, pace_->dt(), report, 1e3 * timer.seconds());
    counters_.step = step;
    if (const std::string stop = recorder_.coarse_watch().look(built_.corrections, state_, log_);
        !stop.empty()) {
      fail(fmt::format("after step {} at {} s: {}", step, state_.t, stop));
      return false;
    }
    if (pace_->at_frame(state_, counters_.step)) recorder_.add_frame(state_, counters_.step);
    return true;
  }

  // False where the run ends before this step, since it made energy.
  bool heed_energy(std::int64_t step) {
    if (scene_.energy == "off") return true;
    const std::string what =
        energy_watch_.look(recorder_.ledger(), pace_->dt(), scene_.integrator.type, scene_.energy);
    if (what.empty()) return true;
    if (scene_.energy != "stop") {
      log_.warn(what, state_.t);
      return true;
    }
    fail(fmt::format("step {} at {} s is not taken, by \"energy\": \"stop\": {}", step, state_.t,
                     what));
    state_ = before_;
    recorder_.take_back(state_);
    return false;
  }

  void report_progress() const {
    if (!request_.progress) return;
    const double wall = timer_.seconds(), end = pace_->duration();
    const double done = state_.t - resumed_time_;
    const double remaining = done > 0 ? wall / done * (end - state_.t) : 0;
    request_.progress({counters_.step, pace_->steps(), state_.t, end, last_newton_, wall, remaining,
                       done / wall});
  }

  void checkpoint() {
    since_checkpoint_.restart();
    recorder_.write_checkpoint(state_, counters_,
                               memory_before_ ? *memory_before_ : pace_->memory());
    checkpoint_step_ = counters_.step;
    checkpoint_seconds_ = since_checkpoint_.seconds();
  }

  void fail(std::string reason) {
    outcome_.status = "failed";
    outcome_.reason = std::move(reason);
    note(outcome_.reason, LogLevel::error);
  }

  void interrupt() {
    outcome_.status = "interrupted";
    outcome_.reason =
        fmt::format("stopped by signal {}{}", outcome_.signal, pace_ ? "; --resume goes on" : "");
    note(outcome_.reason, LogLevel::warning);
  }

  RunOutcome finish() {
    if (pace_) {
      if (!checkpoint_stands_) checkpoint();
      // The state in which the run ends is a frame, after the checkpoint: a run that goes on longer
      // drops it again and has the frames of an uninterrupted one.
      if (!recorder_.has_frame_at(state_.t)) recorder_.add_frame(state_, counters_.step);
    }
    if (outcome_.status == "done")
      note(pace_ ? fmt::format("done after {} steps", counters_.step) : "equilibrium found");
    recorder_.write_summary(outcome_, state_, counters_);
    outcome_.steps = counters_.step;
    outcome_.frames = recorder_.frames();
    outcome_.newton = counters_.newton;
    outcome_.simulated = state_.t;
    outcome_.wall = recorder_.wall_seconds();
    if (request_.watcher) request_.watcher->finished(moment(), outcome_);
    return outcome_;
  }

  SceneDescription scene_;
  BuiltScene built_;
  const RunRequest& request_;
  Recorder recorder_;
  Log log_;
  State state_, before_;  // before_: at the start of the step
  std::optional<Pace> pace_;
  Counters counters_;
  RunOutcome outcome_;
  Timer timer_, since_checkpoint_;
  double checkpoint_seconds_ = 0;      // wall time that the last one took
  std::int64_t checkpoint_step_ = -1;  // of the last one, -1: none yet
  bool checkpoint_stands_ = false;     // at the end too
  Timer step_timer_;                   // since the step at hand began
  double last_step_seconds_ = std::numeric_limits<double>::infinity();
  std::optional<std::vector<double>> memory_before_;  // of the pace, at the start of a long step
  double resumed_time_ = 0;                           // s, simulated before this run began
  int last_newton_ = 0;
  bool said_unconverged_ = false;
  EnergyWatch energy_watch_;
};

}  // namespace

RunOutcome run_simulation(const SceneDescription& scene, BuiltScene built,
                          const RunRequest& request, const Log& log) {
  RunRequest whole = request;
  const std::optional<std::int64_t> steps = Pace(scene).steps();
  if (steps) whole.last_step = *steps;
  return Run(scene, std::move(built), whole, log).simulate();
}

RunOutcome run_static(const SceneDescription& scene, BuiltScene built, const RunRequest& request,
                      const Log& log) {
  RunRequest once = request;
  once.resumable = false;
  return Run(scene, std::move(built), once, log).equilibrium();
}

}  // namespace pliant
