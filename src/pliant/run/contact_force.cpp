#include <pliant/run/contact_force.hpp>

#include <pliant/system/multipliers.hpp>
#include <pliant/system/step_end.hpp>

#include <algorithm>

namespace pliant {

bool has_contact(const System& system) {
  return std::any_of(system.terms().begin(), system.terms().end(),
                     [](const auto& term) { return term->kind() == TermKind::contact; });
}

Vector contact_force(const System& system, const State& state) {
  if (state.contact_force) return *state.contact_force;
  if (!has_contact(system)) return {};
  Vector force = Vector::Zero(system.dofs());
  const StepEnd end(system, state);
  for (const auto& term : system.terms())
    if (term->kind() == TermKind::contact || term->kind() == TermKind::friction)
      term->add_force(end.configuration(), view(force));
  return force;
}

Vector constraint_force(const System& system, const State& state) {
  if (system.constraints().empty()) return {};
  if (state.contact_force) {  // a is that of the prediction, without contact
    Vector lambda;
    std::vector<JacobianEntry> J;
    Vector out = Vector::Zero(system.dofs());
    if (!Multipliers().find(system, state, false, lambda)) return out;
    system.constraints().jacobian(view(state.q), J);
    add_constraint_force(J, lambda, view(out));
    return out;
  }
  Vector f(system.dofs()), Ma(system.dofs());
  if (!state.a_known && state.a.isZero(0)) return Vector::Zero(system.dofs());
  system.force(StepEnd(system, state).configuration(), view(f));
  system.mass().multiply(view(state.a), view(Ma));
  Vector out = Ma - f;
  for (std::size_t p = 0; p < system.pins().size(); ++p)
    if (state.pins[p].active)
      for (const Index n : system.pins()[p].nodes) node(view(out), n).setZero();
  return out;
}

Vec3 force_on(const Vector& force, Index first, Index end) {
  Vec3 sum = Vec3::Zero();
  if (force.size() == 0) return sum;
  for (Index n = first; n < end; ++n) sum += node(view(force), n);
  return sum;
}

}  // namespace pliant
