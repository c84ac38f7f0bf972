// Steps as long as an error tolerance allows: a PI controller on the embedded error estimate
// [Gustafsson 1991; Hairer and Wanner II, IV.8]. A step that is too wrong, or that fails, is made
// again shorter from the same state; nothing of it is kept.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/integrate/stepper.hpp>

namespace pliant {

struct StepControlOptions {
  double tolerance = 1e-3;  // of the error of one step, relative to the size of the motion so far
  double min_dt = 0;        // s
  long max_work = 0;        // iterations of all tries of one step; 0: as many as it takes
  double slowest = 0;       // s, that a step must advance on an average of kMeanOf; 0: anything
  Interruption interrupted = {};  // asked after a step that failed
};

class StepControl {
 public:
  // Throws InputError where the stepper has no error estimate.
  StepControl(Stepper& stepper, const StepControlOptions& options);
  ~StepControl() { stepper_.estimate_into(nullptr); }
  StepControl(const StepControl&) = delete;
  StepControl& operator=(const StepControl&) = delete;

  // One step that is accepted, of at most `limit` seconds and else of its own choice. On failure
  // the report says why and the state is as it was.
  [[nodiscard]] StepReport advance(const System& system, State& state, double limit,
                                   const Log& log);
  double last_dt() const { return last_dt_; }  // s, of the last accepted step

  // What later steps depend on, for checkpoints.
  std::vector<double> memory() const;
  void restore(std::span<const double> memory);

 private:
  double first_step(const System& system, const State& state, double limit) const;
  double error_over_tolerance(const System& system, const State& before, const State& after);
  bool shorten(double tried, double error, double shortest, StepReport& report);
  bool is_jump(double h, double error, double shortest);
  bool gets_nowhere(double t);
  void choose_next(double tried, double error, bool after_rejection);

  Stepper& stepper_;
  StepControlOptions options_;
  StepError estimate_;
  State before_;
  double order_;           // of the local error: one more than the embedded method's
  double next_ = 0;        // s; 0 before the first step
  double last_dt_ = 0;     // s
  double last_error_ = 1;  // over the tolerance
  double error_of_q_ = 0;  // likewise, of positions alone, of the step tried last
  struct Rejection {       // of a step whose positions were near enough, the first of late
    double h = 0, error = 0;
  };
  Rejection rejected_;
  int jumps_ = 0;  // since the last step that met the tolerance at once
  bool said_jump_ = false;
  static constexpr int kMeanOf = 200;  // steps
  int counted_ = 0;
  double counted_from_ = 0;         // s, where the first of them began
  double size_q_ = 0, size_v_ = 0;  // m, m/s: the largest displacement and speed so far
};

}  // namespace pliant
