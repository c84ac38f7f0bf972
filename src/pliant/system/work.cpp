#include <pliant/system/work.hpp>

#include <pliant/system/step_end.hpp>

#include <cmath>

namespace pliant {

WorkMeter::WorkMeter(const System& system, const State& start, const ContactSet* contacts)
    : system_(system) {
  for (const auto& term : system.terms())
    if (term->kind() == TermKind::external && (term->time_dependent() || !term->has_potential()))
      loads_.push_back(term.get());
  go_on(start, 0, contacts);
}

void WorkMeter::find_force(const State& state, const ContactSet* contacts, Vector& f) const {
  f.resize(system_.dofs());
  system_.force(StepEnd(system_, state, contacts).configuration(), view(f));
}

void WorkMeter::go_on(const State& state, double work, const ContactSet* contacts) {
  before_ = state;
  work_ = work;
  contacts_ = contacts;
  f_.resize(0);
}

void WorkMeter::add_step(const State& state, const ContactSet* contacts) {
  doubt_ = 0;
  for (const Term* load : loads_) work_ += work_of_load(*load, state);
  if (system_.pins_work()) work_ += work_of_pins(state, contacts);
  work_ += of_constraints_.over_step(system_, before_, state);
  doubt_ += of_constraints_.doubt();
  before_ = state;
  contacts_ = nullptr;
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

// f̄, N, and in swing_ by how much it would be another with f₀ or f₁ in place of their mean.
Vector WorkMeter::mean_force(const State& state, const ContactSet* contacts) {
  if (state.mean_force && state.mean_force->all.size() > 0) {
    swing_.setZero(state.mean_force->all.size());
    f_.resize(0);
    return state.mean_force->all;
  }
  if (f_.size() == 0) find_force(before_, contacts_, f_);
  find_force(state, contacts, f1_);
  swing_ = 0.5 * (f1_ - f_);
  Vector mean = 0.5 * (f_ + f1_);
  if (state.contact_force) mean += *state.contact_force;  // where it is no term
  f_.swap(f1_);
  return mean;
}

double WorkMeter::work_of_pins(const State& state, const ContactSet* contacts) {
  const Vector f = mean_force(state, contacts);
  v_ = state.v - before_.v;
  f0_.resize(v_.size());
  system_.mass().multiply(view(v_), view(f0_));
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
    const double moved = state.q[i] - before_.q[i];
    work += 0.5 * (before_.v[i] + state.v[i]) * f0_[i] - f[i] * moved;
    doubt += swing_[i] * moved;
  }
  doubt_ = std::abs(doubt);
  return work;
}

}  // namespace pliant
