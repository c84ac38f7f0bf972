// Rosenbrock methods as data, LOESCHNER §3.2, in the classical form
//   k_i = h f(t + α_i h, y + Σ_{j<i} α_ij k_j) + γ_i h² f_t + h J Σ_{j≤i} γ_ij k_j,
//   y₁ = y + Σ b_i k_i,   α_i = Σ_j α_ij,   γ_i = Σ_{j≤i} γ_ij,   γ_ii = γ for all i.
// A W-method keeps some order with any matrix in place of J.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace pliant {

struct RosenbrockTable {
  std::string_view name, title, source;
  int order = 0, stages = 0;
  int w_order = 0;                   // with any matrix in place of J
  std::span<const double> alpha;     // stages × stages, row by row, strictly lower triangular
  std::span<const double> Gamma;     // likewise, with γ on the diagonal
  std::span<const double> b, b_hat;  // b_hat: embedded weights
  int embedded_order = 0;

  constexpr std::size_t at(int i, int j) const { return static_cast<std::size_t>(i * stages + j); }
  constexpr double a(int i, int j) const { return alpha[at(i, j)]; }
  constexpr double g(int i, int j) const { return Gamma[at(i, j)]; }
  constexpr double gamma() const { return Gamma[0]; }
  constexpr double alpha_sum(int i) const {
    double sum = 0;
    for (int j = 0; j < i; ++j) sum += a(i, j);
    return sum;
  }
  constexpr double gamma_sum(int i) const {
    double sum = 0;
    for (int j = 0; j <= i; ++j) sum += g(i, j);
    return sum;
  }
  // Stage i evaluates the force where stage i − 1 did.
  constexpr bool repeats_force(int i) const {
    if (i == 0) return false;
    for (int j = 0; j < stages; ++j)
      if (a(i, j) != a(i - 1, j)) return false;
    return true;
  }
};

std::span<const RosenbrockTable> rosenbrock_tables();

// Σ b_i x_i y_i… over the stages, for the conditions below.
template <class Term>
constexpr double weighted(const RosenbrockTable& t, std::span<const double> b, Term&& term) {
  double sum = 0;
  for (int i = 0; i < t.stages; ++i) sum += b[static_cast<std::size_t>(i)] * term(i);
  return sum;
}

// The largest violation of the conditions of order ≤ p (p ≤ 3) with the exact J, for which
// β_ij = α_ij + γ_ij counts [Hairer and Wanner II, Table IV.7.1].
constexpr double order_violation(const RosenbrockTable& t, std::span<const double> b, int p) {
  const auto alpha = [&](int i) { return t.alpha_sum(i); };
  const auto beta = [&](int i) { return t.alpha_sum(i) + t.gamma_sum(i); };
  const auto beta_beta = [&](int i) {
    double sum = 0;
    for (int j = 0; j <= i; ++j) sum += (t.a(i, j) + t.g(i, j)) * beta(j);
    return sum;
  };
  double worst = 0;
  const auto require = [&](int order, double value, double wanted) {
    const double error = value > wanted ? value - wanted : wanted - value;
    if (order <= p && error > worst) worst = error;
  };
  require(1, weighted(t, b, [](int) { return 1.0; }), 1);
  require(2, weighted(t, b, beta), 1. / 2);
  require(3, weighted(t, b, [&](int i) { return alpha(i) * alpha(i); }), 1. / 3);
  require(3, weighted(t, b, beta_beta), 1. / 6);
  return worst;
}

// The same with any matrix: what multiplies J − W must vanish as well.
constexpr double w_violation(const RosenbrockTable& t, int p) {
  const auto alpha = [&](int i) { return t.alpha_sum(i); };
  const auto gamma = [&](int i) { return t.gamma_sum(i); };
  const auto apply = [&](int i, bool first_alpha, auto&& inner) {
    double sum = 0;
    for (int j = 0; j <= i; ++j) sum += (first_alpha ? t.a(i, j) : t.g(i, j)) * inner(j);
    return sum;
  };
  double worst = order_violation(t, t.b, p);
  const auto require = [&](int order, double value, double wanted) {
    const double error = value > wanted ? value - wanted : wanted - value;
    if (order <= p && error > worst) worst = error;
  };
  require(2, weighted(t, t.b, alpha), 1. / 2);
  require(3, weighted(t, t.b, [&](int i) { return apply(i, true, alpha); }), 1. / 6);
  require(3, weighted(t, t.b, [&](int i) { return apply(i, true, gamma); }), 0);
  require(3, weighted(t, t.b, [&](int i) { return apply(i, false, alpha); }), 0);
  require(3, weighted(t, t.b, [&](int i) { return apply(i, false, gamma); }), 0);
  return worst;
}

}  // namespace pliant
