#include <pliant/integrate/qp_stepper.hpp>

#include <utility>

namespace pliant {

QpStepper::QpStepper(std::unique_ptr<Stepper> predictor, std::shared_ptr<const ContactRules> rules,
                     const QpContactOptions& options)
    : predictor_(std::move(predictor)), contact_(std::move(rules), options) {}

StepReport QpStepper::step(const System& system, State& state, double h) {
  before_ = state;
  predictor_->estimate_into(error_);
  StepReport report = predictor_->step(system, state, h);
  contact_report_ = {};
  if (!report.ok) return report;
  State start = before_;  // as the predictor saw it: pins that begin now have begun
  system.open_step(start, h, data_, mask_);
  contact_report_ = contact_.correct({system, start, data_, mask_}, h, state.q, state.v);
  report.newton += contact_report_.newton;
  report.factorizations += contact_report_.factorizations;
  report.linear += contact_report_.iterations + contact_report_.newton;
  report.contacts = contact_report_.contacts;
  report.primal = std::max(report.primal, contact_report_.primal);
  report.dual = std::max(report.dual, contact_report_.dual);
  if (!contact_report_.ok) {
    state = before_;
    return report.fail(contact_report_.reason);
  }
  if (contact_report_.touched) {
    state.a_known = false;
    predictor_->forget();
  }
  return report;
}

std::unique_ptr<Stepper> with_contact(std::unique_ptr<Stepper> stepper,
                                      std::shared_ptr<const ContactRules> rules, bool fast) {
  if (!rules) return stepper;
  QpContactOptions options;
  options.fast = fast;
  return std::make_unique<QpStepper>(std::move(stepper), std::move(rules), options);
}

std::unique_ptr<Stepper> make_stepper_with_contact(const IntegratorOptions& integrator,
                                                   SolverOptions solver,
                                                   std::shared_ptr<const ContactRules> rules) {
  const bool inside = rules && rules->in_stages;
  if (inside) solver.admm.contact = std::exchange(rules, nullptr);
  return with_contact(make_stepper(integrator, solver), std::move(rules), solver.fast);
}

}  // namespace pliant
