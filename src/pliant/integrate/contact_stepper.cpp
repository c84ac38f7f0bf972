#include <pliant/integrate/contact_stepper.hpp>

#include <utility>

namespace pliant {

ContactStepper::ContactStepper(std::unique_ptr<Stepper> predictor,
                               std::shared_ptr<const ContactRules> rules,
                               const SolverOptions& options)
    : predictor_(std::move(predictor)), contact_(std::move(rules), options) {}

StepReport ContactStepper::step(const System& system, State& state, double h) {
  before_ = state;
  predictor_->estimate_into(error_);
  StepReport report = predictor_->step(system, state, h);
  contact_report_ = {};
  if (!report.ok) return report;
  State start = before_;  // as the predictor saw it: pins that begin now have begun
  system.open_step(start, h, data_, mask_);
  contact_report_ = contact_.correct({system, start, data_, mask_}, h, predictor_->multipliers(),
                                     state.q, state.v);
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
  state.contact_force = std::make_shared<const Vector>(contact_.force());
  if (contact_report_.touched) {
    state.a_known = false;
    predictor_->forget();
  }
  return report;
}

// [numbers of contact, those of contact…, those of the predictor…]
std::vector<double> ContactStepper::memory() const {
  std::vector<double> out = contact_.memory();
  out.insert(out.begin(), static_cast<double>(out.size()));
  const std::vector<double> more = predictor_->memory();
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

void ContactStepper::restore(std::span<const double> memory) {
  if (memory.empty() || memory[0] < 0 || memory[0] >= static_cast<double>(memory.size())) return;
  const auto own = static_cast<std::size_t>(memory[0]);
  contact_.restore(memory.subspan(1, own));
  predictor_->restore(memory.subspan(1 + own));
}

std::unique_ptr<Stepper> make_stepper_with_contact(const IntegratorOptions& integrator,
                                                   SolverOptions solver,
                                                   std::shared_ptr<const ContactRules> rules) {
  if (rules && rules->by == ContactRules::By::admm)
    solver.admm.contact = std::exchange(rules, nullptr);
  auto stepper = make_stepper(integrator, solver);
  if (!rules) return stepper;
  return std::make_unique<ContactStepper>(std::move(stepper), std::move(rules), solver);
}

}  // namespace pliant
