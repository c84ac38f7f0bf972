// Keeps contact from making energy. A method of higher order may gain some when a barrier turns
// stiff within a step, whichever tolerance it is solved to (DESIGN §5). So where something touches,
// a step that ends with more than there was, plus the work done on it, plus a tolerance, is thrown
// away and made with backward Euler instead, which only ever loses energy.
//
// The tolerance is for the run, not for a step: gains add up, and only losses under contact make
// room for new ones.
#pragma once

#include <pliant/integrate/stepper.hpp>
#include <pliant/system/work.hpp>

namespace pliant {

class EnergyGuard final : public Stepper {
 public:
  static constexpr double default_tolerance = 1e-3;  // of the largest energy that moves or strains

  EnergyGuard(std::unique_ptr<Stepper> stepper, std::unique_ptr<Stepper> safe,
              double tolerance = default_tolerance);

  std::string_view name() const override { return stepper_->name(); }
  int error_order() const override { return stepper_->error_order(); }
  StepReport step(const System& system, State& state, double h) override;
  std::vector<double> memory() const override;
  void restore(std::span<const double> memory) override;
  void forget() override { stepper_->forget(); }

 private:
  bool accepts(const System& system, const State& after, StepReport& report);

  std::unique_ptr<Stepper> stepper_, safe_;
  double tolerance_;
  double scale_ = 0, room_ = 0;  // J: the largest energy so far, and what may still be gained
  State before_;
};

}  // namespace pliant
