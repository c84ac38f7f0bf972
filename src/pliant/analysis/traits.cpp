#include <pliant/analysis/traits.hpp>

#include <pliant/analysis/text_table.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

constexpr double kFar = 1e3;        // hω that stands for infinity
constexpr double kVanishes = 0.05;  // |ρ| there: BDF2, which is L-stable, is at 1/√(2 hω) = 0.022
constexpr double kRounding = 1e-7;  // of |ρ|: the exponential of 1e3 i is not known better

double radius(const IntegratorOptions& integrator, double h_omega) {
  return std::abs(damping_at(integrator, h_omega).rho);
}

// The largest hω up to which the radius stays at 1, by bisection from `stable` to `unstable`.
double find_limit(const IntegratorOptions& integrator, double stable, double unstable) {
  for (int k = 0; k < 20; ++k) {
    const double middle = 0.5 * (stable + unstable);
    (radius(integrator, middle) <= 1 + kRounding ? stable : unstable) = middle;
  }
  return stable;
}

std::string source_of(const IntegratorInfo& info) {
  return fmt::format("{} ({})", info.title, info.source);
}

std::string shown_damping(const Behaviour& behaviour) {
  const double d = behaviour.damping_at_one;
  return std::abs(d) < kRounding ? "0" : fmt::format("{:.2g}", d);
}

}  // namespace

Behaviour find_behaviour(const IntegratorOptions& integrator) {
  Behaviour found;
  found.damping_at_one = damping_at(integrator, 1).damping();
  double last = 0, least = 1;
  for (const double x : log_spaced(1e-2, kFar, 31)) {
    const double rho = radius(integrator, x);
    if (!(rho <= 1 + kRounding)) {
      found.limit = find_limit(integrator, last, x);
      return found;
    }
    last = x;
    least = std::min(least, rho);
    found.at_infinity = rho;
  }
  found.stability = least > 1 - kRounding           ? Stability::conservative
                    : found.at_infinity < kVanishes ? Stability::l_stable
                                                    : Stability::a_stable;
  return found;
}

IntegratorTraits make_traits(const IntegratorInfo& info) {
  IntegratorTraits traits{info, find_behaviour(info.name), {}};
  if (info.options.find("modes") != std::string_view::npos) {
    IntegratorOptions without_modes(info.name);
    without_modes.modes = 0;
    traits.rest = find_behaviour(without_modes);
  }
  return traits;
}

std::vector<IntegratorTraits> integrator_traits() {
  std::vector<IntegratorTraits> list;
  for (const IntegratorInfo& info : integrators()) list.push_back(make_traits(info));
  return list;
}

std::string in_words(const Behaviour& behaviour) {
  switch (behaviour.stability) {
    case Stability::l_stable:
      return "L-stable";
    case Stability::a_stable:
      return fmt::format("A-stable, |R∞| = {:.2f}", behaviour.at_infinity);
    case Stability::conservative:
      return "A-stable, conserves";
    case Stability::conditional:
      return behaviour.limit > 0.02 ? fmt::format("hω < {:.3g}", behaviour.limit) : "grows";
  }
  return "";
}

std::string traits_table(std::span<const IntegratorTraits> list, bool markdown) {
  TextTable table({"name", "family", "order", "stages", "stability", "d/ω at hω = 1", "solves / BE",
                   "what it is (source)"});
  for (const IntegratorTraits& t : list) {
    const bool krylov = t.info.family == "exponential" && t.info.implicit_stages == 0;
    const std::string none = krylov ? "Krylov" : "none";
    table.add({std::string(t.info.name), std::string(t.info.family), std::to_string(t.info.order),
               t.info.implicit_stages == 0 ? none : std::to_string(t.info.implicit_stages),
               t.rest ? "modes exact, rest " + in_words(*t.rest) : in_words(t.behaviour),
               t.rest ? shown_damping(*t.rest) + " rest" : shown_damping(t.behaviour),
               t.info.implicit_stages == 0 ? none : fmt::format("{:g}", t.relative_cost()),
               source_of(t.info)});
  }
  return markdown ? table.markdown() : table.text();
}

}  // namespace pliant
