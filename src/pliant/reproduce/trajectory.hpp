// A run in memory: what the cases compare, without a result folder.
#pragma once

#include <pliant/integrate/stepper.hpp>
#include <pliant/scene/build.hpp>
#include <pliant/study/scene_loader.hpp>

namespace pliant {

struct TrajectoryRequest {
  IntegratorOptions integrator;
  SolverOptions solver;
  double dt = 0, duration = 0;  // s
  int sample_every = 1;         // steps between samples of the energies
  bool energy_guard = true;     // where there is contact; see integrate/energy_guard.hpp
  // Called after every step; false ends the run.
  std::function<bool(const State&)> observe;
};

struct Trajectory {
  bool ok = true;
  std::string reason;                                        // why not
  std::vector<double> t, kinetic, elastic, external, total;  // s, J; the start is the first sample
  long steps = 0, newton = 0, factorizations = 0, linear = 0, retries = 0;
  long redone = 0;       // steps that the energy guard had made by backward Euler
  long unconverged = 0;  // stages that ended by their number of iterations, before the tolerance
  int contacts = 0;      // active at once, at most
  double wall = 0;       // s, of the steps alone
  double cpu = 0;  // s, the same in processor time of all threads: what else runs does not count
  State end;
  double ms_per_step() const { return steps > 0 ? 1e3 * wall / static_cast<double>(steps) : 0; }
};

// From the scene's start; a failing step is redone in halves as in a run.
Trajectory run_trajectory(const BuiltScene& scene, const TrajectoryRequest& request,
                          const Log& log);
// With the integrator, solver, step and duration that the scene has.
TrajectoryRequest request_of(const SceneDescription& scene);

}  // namespace pliant
