#include <pliant/system/work.hpp>

#include <pliant/system/step_end.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// A pin that rests from the beginning does no work.
bool works(const Pin& pin) { return pin.from > 0 || !pin.motion.at_rest(); }

}  // namespace

WorkMeter::WorkMeter(const System& system, const State& start, const ContactSet* contacts)
    : system_(system) {
  for (const auto& term : system.terms())
    if (term->kind() == TermKind::external && (term->time_dependent() || !term->has_potential()))
      loads_.push_back(term.get());
  pins_work_ = std::any_of(system.pins().begin(), system.pins().end(), works);
  go_on(start, 0, contacts);
}

void WorkMeter::find_force(const State& state, const ContactSet* contacts, Vector& f) const {
  f.resize(system_.dofs());
  system_.force(StepEnd(system_, state, contacts).configuration(), view(f));
}

void WorkMeter::go_on(const State& state, double work, const ContactSet* contacts) {
  before_ = state;
  work_ = work;
  if (pins_work_) find_force(before_, contacts, f_);
}

void WorkMeter::add_step(const State& state, const ContactSet* contacts) {
  doubt_ = 0;
  for (const Term* load : loads_) work_ += work_of_load(*load, state);
  if (pins_work_) work_ += work_of_pins(state, contacts);
  work_ += of_constraints_.over_step(system_, before_, state);
  doubt_ += of_constraints_.doubt();
  before_ = state;
}

double WorkMeter::work_of_load(const Term& load, const State& state) {
  if (load.has_potential()) {
    const auto gain = [&](const Vector& q) {
      return load.potential({state.t, view(q), view(before_.v), nullptr}) -
             load.potential({before_.t, view(q), view(before_.v), nullptr});
    };
    return 0.5 * (gain(before_.q) + gain(state.q));
  }
  f0_.setZero(system_.dofs());
  f1_.setZero(system_.dofs());
  load.add_force(at(before_), view(f0_));
  load.add_force(at(state), view(f1_));
  return 0.5 * (f0_ + f1_).dot(state.q - before_.q);
}

double WorkMeter::work_of_pins(const State& state, const ContactSet* contacts) {
  f0_.resize(system_.dofs());
  find_force(state, contacts, f1_);
  const double h = state.t - before_.t;
  v_ = state.v - before_.v;
  system_.mass().multiply(view(v_), view(f0_));
  f0_ -= 0.5 * h * (f_ + f1_);                                    // J, at pinned coordinates
  if (state.contact_force) f0_ -= h * *state.contact_force;       // where it is no term
  v_ = state.v - 0.5 * v_;                                        // ½ (v₀ + v₁)
  held_.assign(static_cast<std::size_t>(system_.dofs()), false);  // pins may share nodes
  for (std::size_t p = 0; p < state.pins.size(); ++p)
    if (state.pins[p].active)
      for (const Index n : system_.pins()[p].nodes)
        for (std::size_t i = 0; i < 3; ++i)
          if (system_.pins()[p].axes[i]) held_[3 * static_cast<std::size_t>(n) + i] = true;
  double work = 0, doubt = 0;
  for (std::size_t k = 0; k < held_.size(); ++k) {
    if (!held_[k]) continue;
    const auto i = static_cast<Eigen::Index>(k);
    work += v_[i] * f0_[i];
    doubt += v_[i] * 0.5 * h * (f1_[i] - f_[i]);
  }
  doubt_ = std::abs(doubt);
  f_.swap(f1_);
  return work;
}

}  // namespace pliant
