// What the list of integrators says about each method, beside its name and source; all of it
// computed from its steps, none of it written down.
#pragma once

#include <pliant/analysis/damping_curve.hpp>

#include <optional>

namespace pliant {

enum class Stability { l_stable, a_stable, conservative, conditional };

// On the test equation, from the eigenvalues of the step.
struct Behaviour {
  Stability stability = Stability::conditional;
  double at_infinity = 0;     // |ρ| for hω ≫ 1, where it is stable there
  double limit = 0;           // the largest stable hω of a conditional method
  double damping_at_one = 0;  // d/ω at hω = 1
};
Behaviour find_behaviour(const IntegratorOptions& integrator);

struct IntegratorTraits {
  IntegratorInfo info;
  Behaviour behaviour;
  // Of methods that treat the lowest modes apart: `behaviour` is theirs, this is that of the rest.
  std::optional<Behaviour> rest;
  double relative_cost() const { return info.implicit_stages; }  // linear solves; those of BE: 1
};

IntegratorTraits make_traits(const IntegratorInfo& info);
std::vector<IntegratorTraits> integrator_traits();  // of the whole list

// "L-stable", "A-stable, |R∞| = 0.63", "conserves", "hω < 2.8".
std::string in_words(const Behaviour& behaviour);

// The list as a table: name, family, order, stages, stability, damping, cost; then the title and
// source of each. Markdown for the docs, else aligned by spaces.
std::string traits_table(std::span<const IntegratorTraits> list, bool markdown);

}  // namespace pliant
