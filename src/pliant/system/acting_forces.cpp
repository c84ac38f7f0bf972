#include <pliant/contact/friction_term.hpp>
#include <pliant/system/system.hpp>

namespace pliant {

void ActingForces::set_zero(const System& system) {
  const auto set = [&system](Vector& part, bool asked) {
    if (asked)
      part.setZero(system.dofs());
    else
      part.resize(0);
  };
  set(all, system.pins_work());
  set(damping, system.has_damping());
  set(friction, system.friction() != nullptr);
}

std::shared_ptr<ActingForces> SharedForces::take() {
  for (const auto& one : all_)
    if (one.use_count() == 1) return one;
  return all_.emplace_back(std::make_shared<ActingForces>());
}

void ActingForces::add(double part, const ActingForces& other) {
  const auto add_one = [part](Vector& to, const Vector& from) {
    if (to.size() == 0) return;
    if (from.size() == to.size())
      to += part * from;
    else
      to.resize(0);
  };
  add_one(all, other.all);
  add_one(damping, other.damping);
  add_one(friction, other.friction);
}

void ActingForces::forget() {
  for (Vector* part : {&all, &damping, &friction}) part->resize(0);
}

std::optional<EnergyTaken> energy_taken(const System& system, const ActingForces& mean,
                                        const Vector& q0, const Vector& q1) {
  EnergyTaken taken;
  if (system.has_damping()) {
    if (mean.damping.size() == 0) return std::nullopt;
    taken.damping = mean.damping.dot(q0 - q1);
  }
  if (system.friction()) {
    if (mean.friction.size() == 0) return std::nullopt;
    taken.friction = mean.friction.dot(q0 - q1);
  }
  return taken;
}

void find_taking_forces(const System& system, const Configuration& c, ActingForces& out) {
  out.all.resize(0);
  if (!system.has_damping()) out.damping.resize(0);
  if (!system.friction()) out.friction.resize(0);
  if (system.has_damping()) {
    out.damping.setZero(system.dofs());
    for (const auto& term : system.terms())
      if (term->kind() == TermKind::dissipation) term->add_force(c, view(out.damping));
    system.pull_back(view(out.damping));
  }
  if (const FrictionTerm* friction = system.friction()) {
    out.friction.setZero(system.dofs());
    friction->add_force(c, view(out.friction));
    system.pull_back(view(out.friction));
  }
}

}  // namespace pliant
