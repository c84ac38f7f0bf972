// Rosenbrock steps against their definition on the first-order system with dense matrices, and
// Newmark's method against the trapezoidal rule.
#include <pliant/integrate/rosenbrock_table.hpp>

#include "integrate/moving_beam.hpp"

namespace pliant {
namespace {

// k_i = h f(y + Σ α_ij k_j) + h J Σ γ_ij k_j for y = (q, v), solved as it stands.
Vector classical_step(const System& system, const RosenbrockTable& t, const State& start,
                      double h) {
  const Eigen::Index n = system.dofs();
  const Matrix M = test::dense(system.mass());
  const auto f = [&](const Vector& y) {
    const Vector q = y.head(n), v = y.tail(n);
    Vector force(n), out(2 * n);
    system.force({start.t, view(q), view(v), nullptr}, view(force));
    out << v, M.ldlt().solve(force);
    return out;
  };
  const auto tangent = [&](Tangent which) {
    BlockMatrix A(system.pattern());
    system.add_tangent({start.t, view(start.q), view(start.v), nullptr}, which, A);
    return Matrix(M.ldlt().solve(test::dense(A)));
  };
  Matrix J = Matrix::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -tangent({.stiffness = 1});
  J.bottomRightCorner(n, n) = -tangent({.damping = 1});
  const Matrix A = Matrix::Identity(2 * n, 2 * n) - h * t.gamma() * J;
  const Eigen::PartialPivLU<Matrix> lu(A);
  Vector y(2 * n);
  y << start.q, start.v;
  Vector result = y;
  std::vector<Vector> k;
  for (int i = 0; i < t.stages; ++i) {
    Vector argument = y, sum = Vector::Zero(2 * n);
    for (int j = 0; j < i; ++j) {
      argument += t.a(i, j) * k[static_cast<std::size_t>(j)];
      sum += t.g(i, j) * k[static_cast<std::size_t>(j)];
    }
    k.push_back(lu.solve(h * f(argument) + h * J * sum));
    result += t.b[static_cast<std::size_t>(i)] * k.back();
  }
  return result;
}

TEST(Rosenbrock, StepsAreThoseOfTheDefinition) {
  const Model model = test::make_beam(
      {.size = Vec3(2, 1, 1), .cells = {2, 1, 1}, .young = 2e4, .alpha = 3, .pin_left = false});
  const System& system = *model.system;
  for (const RosenbrockTable& table : rosenbrock_tables()) {
    State state = system.make_state();
    state.q += test::random_vector(system.dofs(), 0.05, 1);
    state.v = test::random_vector(system.dofs(), 0.5, 2);
    const Vector wanted = classical_step(system, table, state, 0.01);
    const auto stepper = make_stepper(table.name, {.linear = "cholesky"});
    ASSERT_TRUE(stepper->step(system, state, 0.01).ok);
    EXPECT_LT((state.q - wanted.head(system.dofs())).norm(), 1e-11 * wanted.norm()) << table.name;
    EXPECT_LT((state.v - wanted.tail(system.dofs())).norm(), 1e-10 * wanted.norm()) << table.name;
  }
}

TEST(Rosenbrock, FactorisesOnceAStep) {
  const Model model = test::make_moving_beam(1e-3);
  for (const RosenbrockTable& table : rosenbrock_tables()) {
    State state = test::moving_start(*model.system);
    const auto stepper = make_stepper(table.name, {.linear = "cholesky"});
    const StepReport report = stepper->step(*model.system, state, 0.005);
    EXPECT_EQ(report.factorizations, 1) << table.name;
    EXPECT_EQ(report.linear, table.stages) << table.name;
  }
}

TEST(Newmark, WithAverageAccelerationIsTheTrapezoidalRule) {
  const Model model = test::make_moving_beam();
  const Vector newmark = test::run_to_end(*model.system, "newmark", 10);
  const Vector trapezoidal = test::run_to_end(*model.system, "trapezoidal", 10);
  EXPECT_LT((newmark - trapezoidal).norm(), 1e-10 * trapezoidal.norm());
}

TEST(Newmark, RefusesCoefficientsThatMakeNoSense) {
  IntegratorOptions integrator("newmark");
  integrator.beta = 0;
  EXPECT_ANY_THROW(make_stepper(integrator, {}));
  integrator.beta = 0.25;
  integrator.gamma = 0.4;
  EXPECT_ANY_THROW(make_stepper(integrator, {}));
  IntegratorOptions alpha("generalized-alpha");
  alpha.rho_inf = 1.2;
  EXPECT_ANY_THROW(make_stepper(alpha, {}));
}

}  // namespace
}  // namespace pliant
