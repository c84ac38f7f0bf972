// Any integrator as the predictor of a step that contact corrects (stage/contact_correction.hpp).
// Free of contact it is that integrator, bit for bit. A corrected state is one that was changed
// from outside: its acceleration is not known, and a method that remembers earlier steps begins
// anew, since its polynomial knows nothing of impacts.
//
// The prediction bears what pressed in the steps before (load/contact_load.hpp). Where that turns
// out to be over, on a body that lifts off, the step is predicted again without it: the correction
// takes a load off as backward Euler would, not as the predictor.
#pragma once

#include <pliant/integrate/stepper.hpp>
#include <pliant/load/contact_load.hpp>
#include <pliant/stage/contact_correction.hpp>

namespace pliant {

class ContactStepper final : public Stepper {
 public:
  ContactStepper(std::unique_ptr<Stepper> predictor, std::shared_ptr<const ContactRules> rules,
                 const SolverOptions& options = {});

  std::string_view name() const override { return predictor_->name(); }
  StepReport step(const System& system, State& state, double h) override;
  std::vector<double> memory() const override;
  void restore(std::span<const double> memory) override;
  void forget() override { predictor_->forget(); }
  int error_order() const override { return predictor_->error_order(); }
  std::span<const double> multipliers() const override { return predictor_->multipliers(); }

  const ContactReport& contact() const { return contact_report_; }  // of the last step
  const Vector& contact_force() const { return contact_.force(); }  // N, likewise

 private:
  StepReport predict_and_correct(const System& system, const State& start, State& state, double h);
  StepReport find_step(const System& system, State& state, double h);

  std::unique_ptr<Stepper> predictor_;
  double margin_;  // m
  ContactCorrection contact_;
  ContactReport contact_report_;
  State before_;
  StepData data_;
  DofMask mask_;
};

// A stepper that keeps to the rules, if there are any: within its stages, or corrected.
std::unique_ptr<Stepper> make_stepper_with_contact(const IntegratorOptions& integrator,
                                                   SolverOptions solver,
                                                   std::shared_ptr<const ContactRules> rules);

}  // namespace pliant
