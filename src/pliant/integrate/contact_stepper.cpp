#include <pliant/integrate/contact_stepper.hpp>

#include <utility>

namespace pliant {
namespace {

constexpr double kGains = 0.1;  // of the energy there was

// Beyond that and what the load does over the gap that is kept, `work`: no load should do that.
bool gains(const System& system, const State& before, const State& after, double work) {
  const Energies was = system.energies(at(before));
  return system.energies(at(after)).total() - was.total() >
         kGains * (was.kinetic + was.elastic) + work;
}

}  // namespace

ContactStepper::ContactStepper(std::unique_ptr<Stepper> predictor,
                               std::shared_ptr<const ContactRules> rules,
                               const SolverOptions& options)
    : predictor_(std::move(predictor)),
      margin_(rules->margin),
      contact_(std::move(rules), options) {}

StepReport ContactStepper::predict_and_correct(const System& system, const State& from,
                                               State& state, double h) {
  state = from;
  StepReport report = predictor_->step(system, state, h);
  contact_report_ = {};
  if (!report.ok) return report;
  State start = from;  // as the predictor saw it: pins that begin now have begun
  system.open_step(start, h, data_, mask_);
  contact_report_ = contact_.correct({system, start, data_, mask_}, h, predictor_->multipliers(),
                                     state.q, state.v);
  report.newton += contact_report_.newton;
  report.work += contact_report_.work;
  report.factorizations += contact_report_.factorizations;
  report.linear += contact_report_.iterations + contact_report_.newton;
  report.contacts = contact_report_.contacts;
  report.primal = std::max(report.primal, contact_report_.primal);
  report.dual = std::max(report.dual, contact_report_.dual);
  if (!contact_report_.ok) report.fail(contact_report_.reason);
  return report;
}

// A load that was wrong is taken off in part, and then all of it; so it is where a step fails or
// gains energy.
StepReport ContactStepper::find_step(const System& system, State& state, double h) {
  State from = state;
  StepReport report = predict_and_correct(system, from, state, h);
  const auto place = ContactLoad::place(system.terms());
  if (!place) return report;
  const auto& term = static_cast<const ContactLoad&>(*system.terms()[*place]);
  const ContactLoad::Known known = ContactLoad::known(from.memories, *place);
  ContactLoad::Known load = known;
  for (bool again = false; load && !load->load.isZero(0); again = true) {
    const bool useless = !report.ok || !contact_report_.touched ||
                         gains(system, from, state, margin_ * load->load.lpNorm<1>());
    if (again && !useless) break;
    const ContactLoad::Known right =
        useless ? nullptr : term.without_wrong(load, contact_.change(), contact_.pushed());
    if (right == load) break;
    from.memories[*place] = load = right;
    predictor_->forget();  // as after the step before, which made the load
    const StepReport wasted = std::move(report);
    report = predict_and_correct(system, from, state, h);
    report.newton += wasted.newton, report.linear += wasted.linear;
    report.work += wasted.work;
    report.factorizations += wasted.factorizations, report.projections += wasted.projections;
  }
  if (report.ok) state.memories[*place] = term.after_step(known, load, contact_.force_of_way());
  return report;
}

StepReport ContactStepper::step(const System& system, State& state, double h) {
  before_ = state;
  predictor_->estimate_into(error_);
  StepReport report = find_step(system, state, h);
  if (!report.ok) {
    state = before_;
    return report;
  }
  state.contact_force = std::make_shared<const Vector>(contact_.force());
  state.mean_force = state.end_force = nullptr;  // those of the prediction
  state.rubbed_apart = contact_.rubbed();
  if (contact_report_.touched) {
    state.taken = std::nullopt;  // likewise: what falls is damped, what rests is not
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
