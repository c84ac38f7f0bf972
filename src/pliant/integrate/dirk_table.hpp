// Diagonally implicit Runge–Kutta methods as data: a Butcher tableau makes an integrator and
// nothing else does. y₁ = y + h Σ b_i k_i with k_i = f(t + c_i h, y + h Σ_{j ≤ i} a_ij k_j).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace pliant {

struct DirkTable {
  std::string_view name, title, source;
  int order = 0, stages = 0;
  std::span<const double> A;  // stages × stages, row by row, lower triangular
  std::span<const double> b;
  std::span<const double> b_hat;  // embedded weights, empty where there are none
  int embedded_order = 0;

  constexpr double a(int i, int j) const { return A[static_cast<std::size_t>(i * stages + j)]; }
  constexpr double c(int i) const {
    double sum = 0;
    for (int j = 0; j < stages; ++j) sum += a(i, j);
    return sum;
  }
  constexpr bool explicit_first_stage() const { return a(0, 0) == 0; }
  // The last stage is the result: y₁ = Y_s.
  constexpr bool stiffly_accurate() const {
    for (int j = 0; j < stages; ++j)
      if (a(stages - 1, j) != b[static_cast<std::size_t>(j)]) return false;
    return true;
  }
};

std::span<const DirkTable> dirk_tables();
const DirkTable* find_dirk_table(std::string_view name);  // null where there is none

// The largest violation of the conditions of order ≤ p (p ≤ 4) by weights b: one for each rooted
// tree.
constexpr double order_violation(const DirkTable& t, std::span<const double> b, int p) {
  const auto sum = [&](auto&& term) {
    double s = 0;
    for (int i = 0; i < t.stages; ++i) s += b[static_cast<std::size_t>(i)] * term(i);
    return s;
  };
  const auto apply = [&](int i, auto&& term) {  // (A x)_i
    double s = 0;
    for (int j = 0; j < t.stages; ++j) s += t.a(i, j) * term(j);
    return s;
  };
  const auto c = [&](int i) { return t.c(i); };
  const auto Ac = [&](int i) { return apply(i, c); };
  double worst = 0;
  const auto require = [&](int order, double value, double wanted) {
    const double error = value > wanted ? value - wanted : wanted - value;
    if (order <= p && error > worst) worst = error;
  };
  require(1, sum([](int) { return 1.0; }), 1);
  require(2, sum(c), 1. / 2);
  require(3, sum([&](int i) { return c(i) * c(i); }), 1. / 3);
  require(3, sum(Ac), 1. / 6);
  require(4, sum([&](int i) { return c(i) * c(i) * c(i); }), 1. / 4);
  require(4, sum([&](int i) { return c(i) * Ac(i); }), 1. / 8);
  require(4, sum([&](int i) { return apply(i, [&](int j) { return c(j) * c(j); }); }), 1. / 12);
  require(4, sum([&](int i) { return apply(i, Ac); }), 1. / 24);
  return worst;
}

}  // namespace pliant
