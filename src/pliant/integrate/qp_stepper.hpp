// Any integrator as the predictor of a step that contact corrects (stage/qp_contact.hpp). Free of
// contact it is that integrator, bit for bit. A corrected state is one that was changed from
// outside: its acceleration is not known, and a method that remembers earlier steps begins anew,
// since its polynomial knows nothing of impacts.
#pragma once

#include <pliant/integrate/stepper.hpp>
#include <pliant/stage/qp_contact.hpp>

namespace pliant {

class QpStepper final : public Stepper {
 public:
  QpStepper(std::unique_ptr<Stepper> predictor, std::shared_ptr<const ContactRules> rules,
            const QpContactOptions& options = {});

  std::string_view name() const override { return predictor_->name(); }
  StepReport step(const System& system, State& state, double h) override;
  std::vector<double> memory() const override { return predictor_->memory(); }
  void restore(std::span<const double> memory) override { predictor_->restore(memory); }
  void forget() override { predictor_->forget(); }
  int error_order() const override { return predictor_->error_order(); }

  const QpContactReport& contact() const { return contact_report_; }  // of the last step
  const Vector& contact_force() const { return contact_.force(); }    // N, likewise

 private:
  std::unique_ptr<Stepper> predictor_;
  QpContact contact_;
  QpContactReport contact_report_;
  State before_;
  StepData data_;
  DofMask mask_;
};

// A stepper that keeps to the rules, if there are any: within its stages, or corrected.
std::unique_ptr<Stepper> make_stepper_with_contact(const IntegratorOptions& integrator,
                                                   SolverOptions solver,
                                                   std::shared_ptr<const ContactRules> rules);

// The stepper itself where there are no rules.
std::unique_ptr<Stepper> with_contact(std::unique_ptr<Stepper> stepper,
                                      std::shared_ptr<const ContactRules> rules, bool fast = false);

}  // namespace pliant
