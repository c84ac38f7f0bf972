// `pliant converge`: the error of several methods at several steps against a reference, and the
// orders at which it falls.
#pragma once

#include <pliant/analysis/errors.hpp>
#include <pliant/core/log.hpp>
#include <pliant/study/scene_loader.hpp>

namespace pliant {

struct ConvergeRequest {
  std::vector<std::string> integrators;  // names, or JSON objects with options
  std::vector<double> dt;                // s, each a part of the scene's duration
  std::string reference = "esdirk43";
  double reference_dt = 0;   // s; 0: an eighth of the smallest step
  double tolerance = 1e-11;  // of the nonlinear solves, so that only the steps' own error is left
  Announce announce;
  std::function<int()> interrupted;  // a signal number, or 0
};

struct ConvergeRun {
  std::string integrator;
  double dt = 0;       // s
  std::string failed;  // why, where it did
  StateError error;    // at the end
  StateError order;    // from the next larger step to this one; NaN for the first
  long newton = 0, linear = 0;
  double wall = 0;  // s
};

struct ConvergeResult {
  std::string reference;
  double reference_dt = 0, duration = 0;  // s
  // How far the reference is from itself at twice the step: smaller errors are not to be trusted.
  StateError reference_error;
  std::vector<ConvergeRun> runs;  // by integrator, then from the largest step to the smallest
  int signal = 0;                 // where it was interrupted
};

// Throws InputError where a step does not divide the duration, CannotContinue where the reference
// cannot be computed.
ConvergeResult converge(const SceneLoader& load, const ConvergeRequest& request, const Log& log);

std::string converge_table(const ConvergeResult& result);
// converge.csv, convergence and work-precision; returns the names of the figures.
std::vector<std::string> write_converge(const std::filesystem::path& folder,
                                        const ConvergeResult& result);

}  // namespace pliant
