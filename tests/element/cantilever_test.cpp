// Bars against beam theory: natural frequencies and sag.
#include <pliant/solve/linear_solver.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

namespace pliant {
namespace {

// A slender bar, clamped at x = −L/2; wider (z) than high (y), so that the first mode bends in y.
struct Bar {
  double length = 2, height = 0.1, width = 0.15, young = 1e7, poisson = 0.3, density = 1000;
  double area() const { return height * width; }
  double inertia() const { return width * std::pow(height, 3) / 12; }
  double shear_modulus() const { return young / (2 * (1 + poisson)); }
  double shear_area() const {
    return area() * 10 * (1 + poisson) / (12 + 11 * poisson);
  }  // Cowper 1966
};

Model make_bar(const Bar& bar, ElementType element, std::array<Index, 3> cells) {
  test::BeamSpec spec;
  spec.size = Vec3(bar.length, bar.height, bar.width);
  spec.cells = cells;
  spec.element = element;
  spec.split = 6;  // refinements of the 6-way split are nested
  spec.law = "linear";
  spec.young = bar.young;
  spec.poisson = bar.poisson;
  spec.density = bar.density;
  return test::make_beam(spec);
}

struct Factored {
  std::unique_ptr<LinearSolver> solver;
  DofMask mask;
};

Factored factor_stiffness(const System& system) {
  Factored f{make_linear_solver("cholesky"), DofMask(system.dofs(), 0)};
  for (const Index n : system.pins()[0].nodes)
    for (int i = 0; i < 3; ++i) f.mask[3 * n + i] = 1;
  BlockMatrix K(system.pattern());
  const Vector v = Vector::Zero(system.dofs());
  system.add_tangent({0, view(system.rest()), view(v), nullptr}, {.stiffness = 1}, K);
  K.remove(f.mask);
  f.solver->analyze(system.pattern());
  EXPECT_EQ(f.solver->factorize(K), SolveStatus::ok);
  return f;
}

// The lowest eigenvalue of K x = ω² M x by inverse iteration; returns ω, rad/s.
double lowest_frequency(const System& system) {
  Factored f = factor_stiffness(system);
  const auto clamp = [&](Vector& x) {
    for (Eigen::Index i = 0; i < x.size(); ++i)
      if (f.mask[i]) x[i] = 0;
  };
  Vector x = test::random_vector(system.dofs(), 1, 1), Mx(x.size()), y(x.size());
  clamp(x);
  double omega2 = 0;
  for (int k = 0; k < 60; ++k) {
    system.mass().multiply(view(x), view(Mx));
    clamp(Mx);
    EXPECT_EQ(f.solver->solve(view(Mx), view(y), {}), SolveStatus::ok);
    const double next = y.dot(Mx);  // y K y with K y = M x, so ω² = yᵀKy/yᵀMy
    Vector My(y.size());
    system.mass().multiply(view(y), view(My));
    omega2 = next / y.dot(My);
    x = y / std::sqrt(y.dot(My));
  }
  return std::sqrt(omega2);
}

// Timoshenko's cantilever: d/dx (w, φ, m, s) with moment m and shear s; the lowest ω for which a
// clamped end (w = φ = 0) reaches a free one (m = s = 0).
double timoshenko_frequency(const Bar& bar) {
  const auto end_condition = [&](double omega) {
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
    A(0, 1) = 1;  // w' = φ + s/(κGA)
    A(0, 3) = 1 / (bar.shear_modulus() * bar.shear_area());
    A(1, 2) = 1 / (bar.young * bar.inertia());               // φ' = m/EI
    A(2, 1) = -bar.density * bar.inertia() * omega * omega;  // m' = −s − ρI ω² φ
    A(2, 3) = -1;
    A(3, 0) = -bar.density * bar.area() * omega * omega;  // s' = −ρA ω² w
    const Eigen::Matrix4d T = (A * bar.length).exp();
    return T.bottomRightCorner<2, 2>().determinant();
  };
  const double euler = 3.516015 / (bar.length * bar.length) *
                       std::sqrt(bar.young * bar.inertia() / (bar.density * bar.area()));
  double low = 0.8 * euler, high = 1.05 * euler;
  EXPECT_LT(end_condition(low) * end_condition(high), 0);
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (end_condition(low) * end_condition(middle) <= 0 ? high : low) = middle;
  }
  return low;
}

TEST(Cantilever, FrequenciesFallUnderNestedRefinement) {
  const Bar bar;
  for (const ElementType element : {ElementType::tet4, ElementType::tet10, ElementType::hex8}) {
    double last = std::numeric_limits<double>::infinity();
    for (const Index level : {1, 2, 4}) {
      if (element == ElementType::tet10 && level == 4) continue;  // as fine as the others' level 4
      const Model model = make_bar(bar, element, {8 * level, level, level});
      const double omega = lowest_frequency(*model.system);
      EXPECT_LT(omega, last) << name_of(element) << " level " << level;
      EXPECT_GT(omega, 0.99 * timoshenko_frequency(bar));
      last = omega;
    }
  }
}

TEST(Cantilever, Tet10IsWithinOnePercentOfTimoshenko) {
  const Bar bar;
  const double omega = lowest_frequency(*make_bar(bar, ElementType::tet10, {40, 2, 2}).system);
  EXPECT_NEAR(omega / timoshenko_frequency(bar), 1, 0.01);
}

TEST(Cantilever, Hex8IsWithinOnePercentOfTimoshenko) {
  const Bar bar;
  const double omega = lowest_frequency(*make_bar(bar, ElementType::hex8, {160, 8, 6}).system);
  EXPECT_NEAR(omega / timoshenko_frequency(bar), 1, 0.01);
}

// Under its own weight: ρ A g L⁴/(8 E I) + ρ A g L²/(2 κ G A).
TEST(Cantilever, SagsByTheBeamFormulaWithinOnePercent) {
  const Bar bar;
  const Model model = make_bar(bar, ElementType::tet10, {40, 2, 2});
  const System& system = *model.system;
  Factored f = factor_stiffness(system);
  Vector load = Vector::Zero(system.dofs()), u(system.dofs());
  const Vector v = load;
  system.force({0, view(system.rest()), view(v), nullptr}, view(load));
  for (Eigen::Index i = 0; i < load.size(); ++i)
    if (f.mask[i]) load[i] = 0;
  ASSERT_EQ(f.solver->solve(view(load), view(u), {}), SolveStatus::ok);
  double sag = 0;
  int count = 0;
  for (const Index n : test::nodes_at_x(model.bodies[0].mesh, bar.length / 2))
    sag -= u[3 * n + 1], ++count;
  sag /= count;
  const double g = 9.81, weight = bar.density * bar.area() * g;  // per length
  const double wanted =
      weight * std::pow(bar.length, 4) / (8 * bar.young * bar.inertia()) +
      weight * bar.length * bar.length / (2 * bar.shear_modulus() * bar.shear_area());
  EXPECT_NEAR(sag / wanted, 1, 0.01);
}

}  // namespace
}  // namespace pliant
