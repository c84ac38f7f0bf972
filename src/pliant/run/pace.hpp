// How a run goes forward in time: in steps of exactly dt, a failing one redone in halves; or in
// steps chosen by an error tolerance, which meet every output time and the end.
#pragma once

#include <pliant/integrate/advance.hpp>
#include <pliant/integrate/stage_tolerance.hpp>
#include <pliant/integrate/step_control.hpp>
#include <pliant/scene/build.hpp>

#include <optional>

namespace pliant {

SolverOptions solver_options(const SceneDescription& scene, const Interruption& interrupted = {});
IntegratorOptions integrator_options(const SceneDescription& scene);

class Pace {
 public:
  // Throws InputError for options and combinations that make no sense.
  // `rules` are those of the built scene, where contact corrects its steps.
  explicit Pace(const SceneDescription& scene, const Interruption& interrupted = {},
                std::shared_ptr<const ContactRules> rules = nullptr);

  // How many steps there will be; nothing where they are chosen on the way.
  std::optional<std::int64_t> steps() const;
  std::string in_words() const;  // "100 steps of 0.01 s with be"
  double first_dt() const { return time_.chosen() ? 0 : time_.dt; }
  double duration() const;  // s, that the run will have simulated

  // Steps count on from here: the scene has changed while it ran.
  void begin_at(double t, std::int64_t step) { t0_ = t, step0_ = step; }

  // One step more, from the state after `step` steps.
  [[nodiscard]] StepReport advance(const System& system, State& state, std::int64_t step,
                                   const Log& log);
  double dt() const { return control_ ? control_->last_dt() : time_.dt; }  // s, of the last step
  bool done(const State& state, std::int64_t step) const;
  bool at_frame(const State& state, std::int64_t step) const;

  // What later steps depend on beside the state.
  std::vector<double> memory() const;
  void restore(std::span<const double> memory);

 private:
  double next_stop(double t) const;
  StepReport take_step(const System& system, State& state, std::int64_t step, const Log& log);

  TimeDescription time_;
  long max_work_ = 0;  // of a step
  double t0_ = 0;      // s, at step step0_
  std::int64_t step0_ = 0;
  Interruption interrupted_;
  std::unique_ptr<Stepper> stepper_;
  std::optional<StepControl> control_;
  std::optional<StageTolerance> tolerance_;  // where the scene leaves it to the program
};

}  // namespace pliant
