#include <pliant/gradient/lag_gradient.hpp>

#include <pliant/contact/barrier_term.hpp>
#include <pliant/dissipation/rayleigh.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Central differences over so much of the scene's size: the error, of second order, and rounding
// are both near 1e-10 there.
constexpr double kDifference = 1e-6;

}  // namespace

LagGradient::LagGradient(const System& system) : system_(system) {
  for (const auto& term : system.terms())
    if (term->lags()) terms_.push_back(term.get());
}

// Nodes that have a neighbour in common get different colours, in the order of their numbers.
void LagGradient::color(const BlockPattern& pattern) {
  colored_ = &pattern;
  colors_.clear();
  std::vector<int> color(static_cast<std::size_t>(pattern.rows), -1);
  std::vector<Index> taken;  // by colour: the last node that could not have it
  for (Index n = 0; n < pattern.rows; ++n) {
    for (Index k = pattern.row_start[n]; k < pattern.row_start[n + 1]; ++k) {
      const Index m = pattern.column[k];
      for (Index l = pattern.row_start[m]; l < pattern.row_start[m + 1]; ++l)
        if (const int other = color[static_cast<std::size_t>(pattern.column[l])]; other >= 0)
          taken[static_cast<std::size_t>(other)] = n;
    }
    std::size_t free = 0;
    while (free < taken.size() && taken[free] == n) ++free;
    if (free == taken.size()) {
      taken.push_back(-1);
      colors_.emplace_back();
    }
    color[static_cast<std::size_t>(n)] = static_cast<int>(free);
    colors_[free].push_back(n);
  }
}

// f = −β K(q_n) v with K the second derivative of an energy U: then
//   ∂(wᵀ K v)/∂q_n = ∇³U [w, v, ·] = d/dε K(q_n + ε w) v.
// Where K was made positive semi-definite it is no such thing.
bool LagGradient::add_rayleigh(const Term& term, const StepEquations& equations, double scale,
                               const Vector& w, Vector& y) {
  const auto* rayleigh = dynamic_cast<const Rayleigh*>(&term);
  if (!rayleigh) return false;
  if (K_.empty()) K_ = projected_ = BlockMatrix(system_.pattern());
  const Vector& q_n = equations.start().q;
  const Vector still = Vector::Zero(q_n.size());
  const auto assemble = [&](const RayleighPart& part, const Vector& q, Projection projection,
                            BlockMatrix& K) {
    K.set_zero();
    for (const Term* elastic : part.elastic)
      elastic->add_tangent({.q = view(q), .v = view(still)},
                           {.stiffness = 1, .projection = projection}, K);
  };
  for (const RayleighPart& part : rayleigh->parts()) {
    if (part.beta == 0) continue;
    for (const Term* elastic : part.elastic)
      if (elastic->lags()) return false;
    assemble(part, q_n, Projection::none, K_);
    assemble(part, q_n, Projection::psd, projected_);
    const auto exact = as_vector(std::span<const double>(K_.values()));
    const auto used = as_vector(std::span<const double>(projected_.values()));
    if ((exact - used).lpNorm<Eigen::Infinity>() > 1e-12 * exact.lpNorm<Eigen::Infinity>())
      return false;
  }
  const double largest = w.lpNorm<Eigen::Infinity>();
  if (!(largest > 0)) return true;
  const double epsilon = kDifference * system_.size() / largest;
  Vector Kv(q_n.size());
  for (const RayleighPart& part : rayleigh->parts()) {
    if (part.beta == 0) continue;
    for (const double sign : {1.0, -1.0}) {
      assemble(part, q_n + sign * epsilon * w, Projection::none, K_);
      K_.multiply(view(equations.v()), view(Kv));
      y -= scale * part.beta * sign / (2 * epsilon) * Kv;
    }
  }
  return true;
}

void LagGradient::add_by_colors(const Term& term, const StepEquations& equations, double t,
                                double scale, const Vector& w, Vector& y) {
  if (colored_ != &equations.pattern()) color(equations.pattern());
  StepData data = equations.data();
  Configuration c = equations.configuration(t);
  c.step = &data;
  const std::size_t slot =
      static_cast<std::size_t>(std::find_if(system_.terms().begin(), system_.terms().end(),
                                            [&](const auto& own) { return own.get() == &term; }) -
                               system_.terms().begin());
  const double delta = kDifference * system_.size();
  const BlockPattern& p = equations.pattern();
  Vector q_n = equations.start().q, f(q_n.size());
  for (const std::vector<Index>& nodes : colors_)
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) {
        for (const Index n : nodes) q_n[3 * n + axis] += sign * delta;
        term.lag({.t = equations.start().t, .q = view(q_n), .v = view(equations.start().v)},
                 data.lagged[slot]);
        f.setZero();
        term.add_force(c, view(f));
        for (const Index n : nodes) {
          q_n[3 * n + axis] = equations.start().q[3 * n + axis];
          for (Index k = p.row_start[n]; k < p.row_start[n + 1]; ++k) {
            const Index m = 3 * p.column[k];
            y[3 * n + axis] += scale * sign / (2 * delta) * w.segment<3>(m).dot(f.segment<3>(m));
          }
        }
      }
}

void LagGradient::add(const StepEquations& equations, double t, double scale, const Vector& w,
                      Vector& y) {
  if (terms_.empty()) return;
  Vector all = w, own = Vector::Zero(y.size());
  system_.follow(view(all));
  for (const Term* term : terms_) {
    const bool idle = term == system_.contact() && !equations.has_contacts();
    if (!idle && !add_rayleigh(*term, equations, scale, all, own))
      add_by_colors(*term, equations, t, scale, all, own);
  }
  system_.pull_back(view(own));
  y += own;
}

}  // namespace pliant
