// Keeps contact from making energy. A method of higher order may gain some when a barrier turns
// stiff within a step, whichever tolerance it is solved to (DESIGN §5). So where something touches,
// a step that ends with more than there was, plus the work done on it, plus a tolerance, is thrown
// away and made with backward Euler instead, which loses energy; and so is one for which the method
// finds no solution. Where backward Euler gains as well, since contacts weigh more than they did at
// the start of the step, the step fails, and shorter ones follow.
//
// Where the scene limits restitution, steps that end with contacts coming apart are made with
// backward Euler, too, which stops what hits.
//
// Limits of joints that are reached count as contact.
//
// The tolerance is for the run, not for a step: gains add up, and only losses under contact make
// room for new ones.
#pragma once

#include <pliant/integrate/stepper.hpp>
#include <pliant/system/work.hpp>

#include <optional>

namespace pliant {

class EnergyGuard final : public Stepper {
 public:
  static constexpr double default_tolerance = 5e-4;  // of the largest energy that moves or strains

  // `safe` makes what `stepper` may not; null where that is backward Euler itself.
  EnergyGuard(std::unique_ptr<Stepper> stepper, std::unique_ptr<Stepper> safe,
              double tolerance = default_tolerance);

  std::string_view name() const override { return stepper_->name(); }
  int error_order() const override { return stepper_->error_order(); }
  StepReport step(const System& system, State& state, double h) override;
  std::vector<double> memory() const override;
  void restore(std::span<const double> memory) override;
  void forget() override { stepper_->forget(); }
  std::span<const double> multipliers() const override { return stepper_->multipliers(); }

 private:
  // J, beyond what came from outside; nothing where nothing touches.
  std::optional<double> gain(const System& system, const State& after, const StepReport& report);
  bool bounces(const System& system, const State& after, const StepReport& report) const;
  bool accepts(const System& system, const State& after, const StepReport& report);

  std::unique_ptr<Stepper> stepper_, safe_;
  double tolerance_;
  double scale_ = 0, room_ = 0;  // J: the largest energy so far, and what may still be gained
  double longest_ = 0;           // s, of all steps
  State before_;
};

// The method with backward Euler behind it.
std::unique_ptr<Stepper> make_guarded_stepper(const IntegratorOptions& integrator,
                                              const SolverOptions& solver);

}  // namespace pliant
