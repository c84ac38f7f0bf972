// One scene with one integrator, step, friction and jitter, stepped as a run steps it (halves after
// a failure, the energy guard), with the invariants of reliability asserted after every step and
// every stage.
#pragma once

#include <reliability/world.hpp>

#include <filesystem>
#include <functional>
#include <limits>

namespace pliant::reliability {

struct Combination {
  std::string scene, integrator;
  double h = 0.005, mu = 0;  // s
  unsigned jitter = 0;
  ContactMethod contact = ContactMethod::barrier;
};
std::string name_of(const Combination& combination);

struct Outcome {
  // Empty: all went well. Else the invariant or the reason, and when.
  std::string failure;
  bool out_of_time = false;
  int steps = 0, retries = 0, redone = 0, newton = 0, stages = 0;
  double min_gap = std::numeric_limits<double>::infinity();  // m
  double min_det = std::numeric_limits<double>::infinity();  // of F, over tet4
  double energy_gain = 0;  // of the largest energy: the most that contact made
  double seconds = 0;
};

struct TrialLimits {
  int steps = 0;       // 0: as long as the scene says
  double seconds = 0;  // of the clock; 0: as long as it takes
  // A folder for checkpoints, from which a trial that ran out of time goes on as if it had not been
  // stopped; empty: nothing is kept. `seconds` then counts each part alone.
  std::filesystem::path kept = {};
  double kept_every = 60;  // s
  // After every step; may be empty.
  std::function<void(int done, int steps, double seconds)> progress = {};
};

Outcome run_trial(const SceneSpec& spec, const Combination& combination,
                  const TrialLimits& limits = {});

}  // namespace pliant::reliability
