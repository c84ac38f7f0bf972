#include "simulation.hpp"

#include <pliant/core/error.hpp>
#include <pliant/run/scene_change.hpp>
#include <pliant/scene/initial_intersections.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant::python {
namespace {

bool same_bits(std::span<const double> a, const Vector& b) {
  return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// The sum of numbers is one unless they are huge, and quickly found.
bool is_finite(const Vector& x) { return std::isfinite(x.sum()) || x.allFinite(); }

void copy_to(const Vector& x, std::vector<double>& out) {
  out.assign(x.data(), x.data() + x.size());
}

}  // namespace

Simulation::Use::Use(Simulation& simulation) : simulation_(simulation) {
  if (simulation_.busy_.exchange(true))
    throw Error(
        "the simulation is in use: another thread computes with it, or this is called from within "
        "one of its own steps");
  if (simulation_.built_) return;
  simulation_.busy_ = false;
  throw Error("the simulation has been closed");
}

Simulation::Simulation(Prepared scene, int threads)
    : scene_(std::move(scene)),
      threads_(threads),
      arena_(threads),
      log_(python_log()),
      shown_(std::make_shared<Shown>()) {
  released([&] {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads_));
    arena_.execute([&] { built_ = std::make_shared<BuiltScene>(scene_->build(log_)); });
    new_pace();
  });
  state_ = built_->start;
  ledger_.emplace(*built_->model.system, state_);
  show();
}

const std::shared_ptr<BuiltScene>& Simulation::built() const {
  if (!built_) throw Error("the simulation has been closed");
  return built_;
}

void Simulation::new_pace(std::span<const double> memory) {
  pace_.emplace(
      scene_->loaded.scene, [this] { return droppable_ && signals_.ask(); }, built_->rules);
  pace_->begin_at(t0_, step0_);
  pace_->restore(memory);
}

void Simulation::new_ledger(double energy_before) {
  EnergySums sums = ledger_->sums();
  const EnergyCreated created = ledger_->created();
  sums.work += energy() - energy_before;
  ledger_.emplace(*built_->model.system, state_);
  ledger_->go_on(state_, sums, created);
}

std::string Simulation::account() {
  const SceneDescription& scene = scene_->loaded.scene;
  ledger_->add_step(state_, built_->model.system->energies(at(state_)));
  if (scene.energy == "off") return {};
  const std::string what =
      energy_watch_.look(*ledger_, pace_->dt(), scene.integrator.type, scene.energy);
  if (what.empty() || scene.energy == "stop") return what;
  log_.warn(what, state_.t);
  return {};
}

void Simulation::show() {
  copy_to(state_.q, shown_->q);
  copy_to(state_.v, shown_->v);
  shown_->t = state_.t;
  shown_->step = counters_.step;
}

// What a state must be for a step to begin there, as it must be at the start of a scene.
void Simulation::require_possible(const State& changed) {
  for (const Body& body : built_->model.bodies)
    for (const Body::Batch& batch : body.batches)
      if (const Index inverted = batch.term->extremes(at(changed)).inverted;
          inverted > 0 && batch.term->needs_positive_det())
        throw InfeasibleStart(
            fmt::format("{} elements of body \"{}\" are inverted, which {} cannot hold", inverted,
                        body.name, batch.term->name()));
  built_->start = changed;
  SceneDescription scene = scene_->loaded.scene;
  scene.contact.allow_initial_intersections = false;
  settle_start(scene, log_, *built_);
}

void Simulation::adopt_writes() {
  if (same_bits(shown_->q, state_.q) && same_bits(shown_->v, state_.v)) return;
  try {
    require_finite(shown_->q, "q");
    require_finite(shown_->v, "v");
    State changed = state_;
    changed.q = as_vector(std::span<const double>(shown_->q));
    changed.v = as_vector(std::span<const double>(shown_->v));
    // Pinned nodes and those that follow others are where they have to be.
    built_->model.system->prescribe(changed, changed.t, view(changed.q), view(changed.v), {});
    changed.a_known = false;
    changed.friction = nullptr;
    changed.shares = nullptr;
    changed.contact_force = nullptr;
    released([&] { require_possible(changed); });
    const double before = energy();
    state_ = std::move(changed);
    new_ledger(before);
  } catch (...) {
    show();
    throw;
  }
  released([&] { new_pace(); });
  show();
}

// On an exception the stepper may be anywhere within its step; with its memory it is where it was.
// That is worth a copy where Python code may raise, and where steps are so long that a person who
// interrupts one does not want to wait for its end; a short one is finished.
StepReport Simulation::take_step() {
  const SceneDescription& scene = scene_->loaded.scene;
  if (scene.time.chosen() && pace_->done(state_, counters_.step))
    throw InputError(fmt::format(
        "the {} s of the scene are over; steps that are chosen by a tolerance end there",
        scene.time.duration));
  constexpr double long_step = 0.1;  // s
  droppable_ = scene_->custom() || last_seconds_ > long_step || scene.energy == "stop";
  const std::vector<double> memory = droppable_ ? pace_->memory() : std::vector<double>();
  before_ = state_;
  StepReport report;
  try {
    if (scene_->custom()) state_.a_known = false;  // Python's terms may have changed
    const Timer timer;
    report = pace_->advance(*built_->model.system, state_, counters_.step, log_);
    seconds_ += last_seconds_ = timer.seconds();
  } catch (...) {
    state_ = before_;
    new_pace(memory);
    throw;
  }
  const bool finite = is_finite(state_.q) && is_finite(state_.v);
  if (!report.ok || !finite) {
    state_ = before_;
    if (droppable_ || !finite) new_pace(memory);  // else the stepper has gone back by itself
    signals_.rethrow();
    throw CannotContinue(fmt::format(
        "step {} at {} s could not be made: {}", counters_.step + 1, state_.t,
        report.ok ? fmt::format("{} gives a state that is not finite", scene.integrator.type)
                  : report.reason));
  }
  const EnergySums sums = ledger_->sums();
  const EnergyCreated created = ledger_->created();
  if (const std::string stop = account(); !stop.empty()) {
    const double t = state_.t;
    state_ = before_;
    new_pace(memory);
    ledger_->go_on(state_, sums, created);
    throw CannotContinue(fmt::format("step {} at {} s is not taken, by \"energy\": \"stop\": {}",
                                     counters_.step + 1, t, stop));
  }
  ++counters_.step;
  counters_.newton += report.newton;
  counters_.linear += report.linear;
  counters_.retries += report.retries;
  counters_.projections += report.projections;
  if (const std::string stop = coarse_watch_.look(built_->corrections, state_, log_); !stop.empty())
    throw CannotContinue(fmt::format("after step {} at {} s: {}", counters_.step, state_.t, stop));
  if (signals_.ask()) signals_.rethrow();
  return report;
}

// The work of all steps, the rest of the last.
template <class Goes>
StepReport Simulation::steps_while(Goes&& goes) {
  const Use use(*this);
  adopt_writes();
  StepReport sum;
  seconds_ = 0;
  try {
    released([&] {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads_));
      arena_.execute([&] {
        while (goes()) {
          StepReport report = take_step();
          report.count(sum);
          sum = std::move(report);
        }
      });
    });
  } catch (...) {
    show();
    throw;
  }
  show();
  return sum;
}

StepReport Simulation::step(std::int64_t count) {
  if (count < 0) throw InputError(fmt::format("step: must be 0 steps or more, got {}", count));
  return steps_while([&count] { return count-- > 0; });
}

StepReport Simulation::advance(double duration) {
  if (!(duration >= 0) || !std::isfinite(duration))
    throw InputError(fmt::format("advance: must be a duration of 0 s or more, got {}", duration));
  const TimeDescription& time = scene_->loaded.scene.time;
  const double end = shown_->t + duration;
  const double rounding = 1e-9 * (time.chosen() ? time.output_dt : time.dt);
  return steps_while([this, end, rounding] { return state_.t < end - rounding; });
}

// Positions, velocities, time and pins go on; what a method remembers of earlier steps does not.
void Simulation::change(const std::string& path, const Json& value) {
  const Use use(*this);
  adopt_writes();
  Prepared changed;
  std::shared_ptr<BuiltScene> built;
  released([&] {
    changed = with_setting(*scene_, path, value);
    arena_.execute([&] {
      built = std::make_shared<BuiltScene>(
          rebuild(*changed, *scene_, *built_, fmt::format("set({})", path)));
      require_can_go_on(*built, state_);
    });
    const double before = energy();
    scene_ = changed;
    built_ = built;
    t0_ = state_.t;
    step0_ = counters_.step;
    leave_behind(*built_, state_);
    new_ledger(before);
    new_pace();
  });
}

void Simulation::close() {
  const Use use(*this);
  pace_.reset();
  ledger_.reset();
  built_.reset();
}

Checkpoint Simulation::save() {
  const Use use(*this);
  adopt_writes();
  Checkpoint checkpoint = to_checkpoint(state_, counters_, pace_->memory());
  to_checkpoint(*ledger_, checkpoint);
  checkpoint.integers["step"] = counters_.step;
  checkpoint.integers["first_step"] = step0_;
  checkpoint.arrays["first_time"] = {t0_};
  checkpoint.texts["scene"] = scene_->loaded.hash;
  return checkpoint;
}

void Simulation::restore(Checkpoint checkpoint) {
  const Use use(*this);
  if (checkpoint.text("scene") != scene_->loaded.hash)
    throw InputError("the state is one of another scene, or of this one with other numbers");
  if (checkpoint.array("first_time").size() != 1) throw InputError("the state is damaged");
  State state = built_->start;
  Counters counters;
  const std::vector<double>& memory =
      from_checkpoint(checkpoint, *built_->model.system, state, counters);
  require_finite(view(std::as_const(state.q)), "q of the state");
  require_finite(view(std::as_const(state.v)), "v of the state");
  state_ = std::move(state);
  counters_ = counters;
  t0_ = checkpoint.array("first_time")[0];
  step0_ = checkpoint.integer("first_step");
  from_checkpoint(checkpoint, state_, *ledger_);
  released([&] { new_pace(memory); });
  show();
}

}  // namespace pliant::python
