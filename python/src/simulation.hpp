// A scene that Python steps: what a run carries (run/simulation.cpp), without the folder. Its steps
// are those of a run, bit for bit.
//
// Positions and velocities are shown to Python in memory of their own, since those of the state
// move from step to step. They may be written to; the next thing that is asked of the simulation
// finds that out by comparing, checks what was written and forgets what integrators knew of the
// past.
#pragma once

#include "prepared.hpp"

#include <pliant/run/energy_watch.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/recorder.hpp>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <atomic>

namespace pliant::python {

struct Shown {  // to Python; changed only with the interpreter's lock
  std::vector<double> q, v;
  double t = 0;  // s
  std::int64_t step = 0;
};

class Simulation : public OnlyByInit {
 public:
  Simulation(Prepared scene, int threads);

  // With the interpreter's lock; they give it up while they compute. Where a step cannot be made,
  // or Python code raises or a signal comes, the state is as it was before that step.
  StepReport step(std::int64_t count);
  StepReport advance(double duration);         // s, in whole steps
  double seconds() const { return seconds_; }  // wall time that the last of both took within
  void change(const std::string& path, const Json& value);
  void close();

  Checkpoint save();
  void restore(Checkpoint checkpoint);

  // work(built, state) without the interpreter's lock, on the simulation's threads.
  template <class Work>
  auto with(Work&& work) {
    const Use use(*this);
    adopt_writes();
    return released([&] {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads_));
      return arena_.execute([&] { return work(*built_, std::as_const(state_)); });
    });
  }

  const EnergyLedger& ledger() const { return *ledger_; }
  const std::shared_ptr<Shown>& shown() const { return shown_; }
  const std::shared_ptr<BuiltScene>& built() const;  // throws where it is closed
  const PreparedScene& scene() const { return *scene_; }
  Signals& signals() { return signals_; }

 private:
  // Nobody else may use it meanwhile: not another thread, and not a callback of its own step.
  class Use {
   public:
    explicit Use(Simulation& simulation);
    ~Use() { simulation_.busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Simulation& simulation_;
  };

  template <class Goes>
  StepReport steps_while(Goes&& goes);
  StepReport take_step();
  void new_pace(std::span<const double> memory = {});
  // What happened to the energy between two steps is work from outside.
  void new_ledger(double energy_before);
  double energy() const { return built_->model.system->energies(at(state_)).total(); }
  std::string account();  // of the last step: what ends the run, or nothing
  void adopt_writes();
  void require_possible(const State& changed);
  void show();

  Prepared scene_;
  int threads_;
  tbb::task_arena arena_;
  Log log_;
  Signals signals_;
  std::shared_ptr<BuiltScene> built_;
  State state_, before_;
  std::optional<Pace> pace_;
  std::optional<EnergyLedger> ledger_;
  EnergyWatch energy_watch_;
  double t0_ = 0;  // s, from where on steps are of this length
  std::int64_t step0_ = 0;
  Counters counters_;
  double seconds_ = 0;
  double last_seconds_ = std::numeric_limits<double>::infinity();  // of the last step
  bool droppable_ = true;                                          // the step at hand
  CoarseWatch coarse_watch_;
  std::shared_ptr<Shown> shown_;
  std::atomic<bool> busy_ = false;
};

}  // namespace pliant::python
