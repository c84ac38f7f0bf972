// The eigenvalues of real steps against the methods' stability functions on z = ihω.
#include <pliant/analysis/damping_curve.hpp>
#include <pliant/analysis/oscillator.hpp>
#include <pliant/integrate/dirk_table.hpp>
#include <pliant/integrate/rosenbrock_table.hpp>

#include "support/term_checks.hpp"

#include <gtest/gtest.h>

#include <map>

namespace pliant {
namespace {

using Complex = std::complex<double>;
using StabilityFunction = std::function<Complex(Complex)>;

// Methods for q̈ = f that are no functions of z = ±ihω alone once there is a damper.
bool treats_velocities_apart(std::string_view name) {
  return name == "symplectic-euler" || name == "verlet" || name == "generalized-alpha";
}

// R(z) = 1 + z bᵀ (I − z A)⁻¹ 1
Complex runge_kutta(const DirkTable& t, Complex z) {
  Eigen::MatrixXcd I = Eigen::MatrixXcd::Identity(t.stages, t.stages);
  for (int i = 0; i < t.stages; ++i)
    for (int j = 0; j < t.stages; ++j) I(i, j) -= z * t.a(i, j);
  const Eigen::VectorXcd k = I.partialPivLu().solve(Eigen::VectorXcd::Ones(t.stages));
  Complex sum = 1;
  for (int i = 0; i < t.stages; ++i) sum += z * t.b[i] * k[i];
  return sum;
}

// The same with α + Γ, on a linear system.
Complex rosenbrock(const RosenbrockTable& t, Complex z) {
  Eigen::MatrixXcd I = Eigen::MatrixXcd::Identity(t.stages, t.stages);
  for (int i = 0; i < t.stages; ++i)
    for (int j = 0; j < t.stages; ++j) I(i, j) -= z * (t.a(i, j) + t.g(i, j));
  const Eigen::VectorXcd k = I.partialPivLu().solve(Eigen::VectorXcd::Ones(t.stages));
  Complex sum = 1;
  for (int i = 0; i < t.stages; ++i) sum += z * t.b[i] * k[i];
  return sum;
}

// Chung and Hulbert (1993) for (q, hv, h²a): A u₁ = B u₀ with Newmark's two equations and
// (1 − α_m) a₁ + α_m a₀ = −ω² ((1 − α_f) q₁ + α_f q₀); the eigenvalue of largest modulus.
Complex generalized_alpha(Complex z) {
  const double y2 = z.imag() * z.imag(), r = IntegratorOptions().rho_inf;
  const double m = (2 * r - 1) / (r + 1), f = r / (r + 1), gamma = 0.5 - m + f;
  const double beta = 0.25 * (1 - m + f) * (1 - m + f);
  Eigen::Matrix3d A, B;
  A << 1, 0, -beta, 0, 1, -gamma, y2 * (1 - f), 0, 1 - m;
  B << 1, 1, 0.5 - beta, 0, 1, 1 - gamma, -y2 * f, 0, -m;
  const Eigen::EigenSolver<Eigen::Matrix3d> eigen(A.inverse() * B, false);
  Complex largest = 0;
  for (const Complex value : eigen.eigenvalues())
    if (std::abs(value) > std::abs(largest)) largest = value;
  return largest;
}

// (3/2 − z) ρ² − 2 ρ + 1/2 = 0, the root that tends to e^z
Complex bdf2(Complex z) { return (2.0 + std::sqrt(1.0 + 2.0 * z)) / (3.0 - 2.0 * z); }

// Symplectic Euler and Verlet: ρ² − (2 − y²) ρ + 1 = 0 with z = iy, the larger root
Complex leapfrog(Complex z) {
  const double half = 1 - 0.5 * z.imag() * z.imag();
  const Complex root = std::sqrt(Complex(half * half - 1));
  return half < 0 ? half - root : half + root;
}

Complex rk4(Complex z) { return 1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))); }
Complex exponential(Complex z) { return std::exp(z); }

// What is not a table. The exponential methods hold all modes of so small a system in their
// subspace, and there they are exact.
StabilityFunction stability_function(std::string_view name) {
  for (const DirkTable& table : dirk_tables())
    if (table.name == name) return [&table](Complex z) { return runge_kutta(table, z); };
  for (const RosenbrockTable& table : rosenbrock_tables())
    if (table.name == name) return [&table](Complex z) { return rosenbrock(table, z); };
  const std::map<std::string_view, std::string_view> same_on_linear_systems = {
      {"si", "be"}, {"strbdf2", "trbdf2b"}, {"newmark", "trapezoidal"}};
  if (const auto it = same_on_linear_systems.find(name); it != same_on_linear_systems.end())
    return stability_function(it->second);
  const std::map<std::string_view, StabilityFunction> others = {
      {"bdf2", bdf2},
      {"sbdf2", bdf2},
      {"symplectic-euler", leapfrog},
      {"verlet", leapfrog},
      {"rk4", rk4},
      {"ere", exponential},
      {"siere", exponential},
      {"beere", exponential},
      {"bdf2ere", exponential},
      {"sbdf2ere", exponential},
      {"strbdf2ere", exponential},
      {"trbdf2ere", exponential},
      {"generalized-alpha", generalized_alpha}};
  const auto it = others.find(name);
  return it == others.end() ? StabilityFunction() : it->second;
}

class EveryIntegrator : public testing::TestWithParam<std::string> {};

TEST_P(EveryIntegrator, HasTheDampingAndDispersionOfItsStabilityFunction) {
  const StabilityFunction R = stability_function(GetParam());
  ASSERT_TRUE(R) << "give the stability function of this method above";
  const DampingCurve curve =
      make_damping_curve(std::string_view(GetParam()), log_spaced(1e-2, 1e2, 41));
  for (const DampingPoint& point : curve.points) {
    const Complex exact = R({0, point.h_omega});
    const DampingPoint wanted{point.h_omega, {exact.real(), std::abs(exact.imag())}};
    const double scale = std::max(1.0, std::abs(exact));  // explicit methods grow without bound
    EXPECT_NEAR(std::abs(point.rho), std::abs(exact), 1e-10 * scale) << point.h_omega;
    EXPECT_NEAR(point.damping(), wanted.damping(), 1e-10) << point.h_omega;
    // Two real roots that are all but equal (Verlet at hω = 2) are known to half the digits only.
    if (std::abs(std::abs(exact.imag())) > 1e-6 || std::abs(exact.real()) > 1.001) {
      EXPECT_NEAR(point.dispersion(), wanted.dispersion(), 1e-10) << point.h_omega;
    }
  }
}

// With a damper the step sees z = h(−ζ ± i√(1 − ζ²)) ω: the damped root must come out too.
TEST_P(EveryIntegrator, SeesADamperAsItsStabilityFunctionDoes) {
  if (treats_velocities_apart(GetParam())) return;
  const StabilityFunction R = stability_function(GetParam());
  ASSERT_TRUE(R);
  const double ratio = 0.1;
  for (const double x : {0.05, 0.5, 2.0}) {
    const Complex exact = R(x * Complex(-ratio, std::sqrt(1 - ratio * ratio)));
    double nearest = 1;
    for (const Complex value : step_eigenvalues(std::string_view(GetParam()), x, ratio))
      nearest = std::min(nearest, std::abs(value - exact));
    EXPECT_LT(nearest, 1e-12) << x;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const IntegratorInfo& info : integrators()) list.emplace_back(info.name);
  return list;
}
INSTANTIATE_TEST_SUITE_P(List, EveryIntegrator, testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// ASCHER, Figure 3 and §3.2 in words.
TEST(DampingCurves, AreOrderedAsTheFigureShows) {
  const auto d = [](std::string_view name, double x) {
    return make_damping_curve(name, std::array{x}).points[0].damping();
  };
  for (const double x : {0.5, 1.0, 2.0, 5.0, 20.0}) {
    EXPECT_LT(d("trbdf2b", x), d("trbdf2", x)) << x;  // TR-BDF2 damps slightly less than SDIRK…
    EXPECT_GT(d("trbdf2b", x), 0.8 * d("trbdf2", x)) << x;  // …and the two are close
  }
  EXPECT_GT(d("bdf2", 1), 1.5 * d("trbdf2", 1));  // more around hω ≈ 1
  for (const double x : {50.0, 100.0}) EXPECT_LT(d("bdf2", x), d("trbdf2", x)) << x;  // less far on
  for (const double x : {5.0, 20.0, 100.0})  // BE: roughly twice BDF2
    EXPECT_NEAR(d("be", x) / d("bdf2", x), 2, 0.5) << x;
  EXPECT_NEAR(d("trapezoidal", 3), 0, 1e-12);
}

// ASCHER (21) and (26) as printed grow in the subspace: factors from an independent prototype.
TEST(DampingCurves, OfThePaperVariantsShowTheirGrowth) {
  const auto radius = [](const char* name, double x) {
    IntegratorOptions printed(name);
    printed.paper = true;
    return std::abs(damping_at(printed, x).rho);
  };
  EXPECT_NEAR(radius("bdf2ere", 0.1), 1.0048, 1e-4);
  EXPECT_NEAR(radius("bdf2ere", 1), 1.115, 1e-3);
  EXPECT_NEAR(radius("strbdf2ere", 0.1), 1.0008, 1e-4);
  EXPECT_NEAR(radius("strbdf2ere", 1), 1.070, 1e-3);
}

TEST(Oscillator, IsATermLikeAnyOther) {
  const auto system = make_oscillator({.omega = 3, .ratio = 0.2});
  const Term& term = *system->terms()[0];
  const test::Point x{0, Vector::Constant(3, 0.4), Vector::Constant(3, -0.7), nullptr};
  const Vector d = Vector::LinSpaced(3, 0.5, 1.5);
  BlockMatrix A(system->pattern());
  test::Point resting = x;
  resting.v.setZero();
  test::expect_force_is_gradient(term, resting, d, 1e-2, 1e-10);
  test::Point moving = x;
  moving.q.setZero();
  test::expect_force_is_gradient(term, moving, d, 1e-2, 1e-10, true);
  test::expect_tangent_is_derivative(term, x, d, 1e-2, 1e-10, A);
  test::expect_tangent_is_derivative(term, x, d, 1e-2, 1e-10, A, true);
}

}  // namespace
}  // namespace pliant
