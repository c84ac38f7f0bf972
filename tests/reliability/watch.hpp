// Invariants that every configuration has to keep, solved for or accepted (contact_method.hpp), and
// integrators with a look at what they find.
#pragma once

#include <pliant/integrate/stepper.hpp>
#include <reliability/checker.hpp>

namespace pliant::reliability {

class Watch {
 public:
  explicit Watch(const World& world) : world_(world), checker_(world) {}

  void look_at(std::span<const double> q, std::string_view where);
  // The end of a way, and where the method promises it, the way.
  void look_at_way(std::span<const double> from, std::span<const double> to,
                   std::string_view where);
  // What was left of a stage, or of the correction of a step, that is taken for solved (I5).
  void look_at_residuals(double primal, double dual, bool unconverged, std::string_view where);

  std::string failure;  // the first one
  int stages = 0;

 private:
  const World& world_;
  SurfaceChecker checker_;
};

// As a run has it: with the energy guard, and backward Euler behind it.
std::unique_ptr<Stepper> make_watched_stepper(const World& world, const std::string& integrator,
                                              const SolverOptions& options, Watch& watch);

// As a run has it for the method of the world.
SolverOptions solver_options(const World& world);

}  // namespace pliant::reliability
