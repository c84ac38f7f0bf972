// A method that fails where steps are long, so that they are made in parts.
#pragma once

#include <pliant/integrate/stepper.hpp>

namespace pliant::fixtures {

class Halves final : public Stepper {
 public:
  Halves(std::unique_ptr<Stepper> stepper, double longest)
      : stepper_(std::move(stepper)), longest_(longest) {}
  std::string_view name() const override { return "halves"; }
  StepReport step(const System& system, State& state, double h) override {
    StepReport report;
    if (h > longest_) return report.fail("too long");
    return stepper_->step(system, state, h);
  }

 private:
  std::unique_ptr<Stepper> stepper_;
  double longest_;  // s
};

}  // namespace pliant::fixtures
