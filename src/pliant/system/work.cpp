#include <pliant/system/work.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// A pin that rests from the beginning does no work.
bool works(const Pin& pin) { return pin.from > 0 || !pin.motion.at_rest(); }

}  // namespace

WorkMeter::WorkMeter(const System& system, const State& start) : system_(system) {
  for (const auto& term : system.terms())
    if (term->kind() == TermKind::external && (term->time_dependent() || !term->has_potential()))
      loads_.push_back(term.get());
  pins_work_ = std::any_of(system.pins().begin(), system.pins().end(), works);
  go_on(start, 0);
}

void WorkMeter::go_on(const State& state, double work) {
  keep(state);
  work_ = work;
  f_.resize(system_.dofs());
  if (pins_work_) system_.force(before(), view(f_));
}

void WorkMeter::keep(const State& state) {
  t_ = state.t;
  q_ = state.q;
  v_ = state.v;
  friction_ = state.friction;
  plastic_ = state.plastic;
  shares_ = state.shares;
}

void WorkMeter::add_step(const State& state) {
  doubt_ = 0;
  for (const Term* load : loads_) work_ += work_of_load(*load, state);
  if (pins_work_) work_ += work_of_pins(state);
  keep(state);
}

double WorkMeter::work_of_load(const Term& load, const State& state) {
  if (load.has_potential()) {
    const auto gain = [&](const Vector& q) {
      return load.potential({state.t, view(q), view(v_), nullptr}) -
             load.potential({t_, view(q), view(v_), nullptr});
    };
    return 0.5 * (gain(q_) + gain(state.q));
  }
  f0_.setZero(system_.dofs());
  f1_.setZero(system_.dofs());
  load.add_force(before(), view(f0_));
  load.add_force(at(state), view(f1_));
  return 0.5 * (f0_ + f1_).dot(state.q - q_);
}

double WorkMeter::work_of_pins(const State& state) {
  f1_.resize(system_.dofs());
  f0_.resize(system_.dofs());
  system_.force(at(state), view(f1_));
  const double h = state.t - t_;
  v_ = state.v - v_;
  system_.mass().multiply(view(v_), view(f0_));
  f0_ -= 0.5 * h * (f_ + f1_);                                    // J, at pinned coordinates
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
