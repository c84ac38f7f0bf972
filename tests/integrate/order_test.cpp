// The measured order of every integrator on a nonlinear beam with mass damping, a moving pin and a
// load over time, against the classical Runge–Kutta method at a tiny step.
#include "integrate/moving_beam.hpp"

#include <map>

namespace pliant {
namespace {

const System& beam() {
  static const Model model = test::make_moving_beam();
  return *model.system;
}

Vector run_oscillator(const IntegratorOptions& integrator, int steps) {
  return test::run_to_end(beam(), integrator, steps);
}

const Vector& reference() {
  static const Vector result = run_oscillator("rk4", 2000);
  return result;
}

double measured_order(const IntegratorOptions& integrator, int steps) {
  const double coarse = (run_oscillator(integrator, steps) - reference()).norm();
  const double fine = (run_oscillator(integrator, 2 * steps) - reference()).norm();
  // Far above what Newton's tolerance and the reference leave, and small enough to be convergence.
  EXPECT_GT(fine, 1e-11);
  EXPECT_LT(fine, 0.1);
  return std::log2(coarse / fine);
}

class EveryIntegrator : public testing::TestWithParam<IntegratorInfo> {};

TEST_P(EveryIntegrator, ReachesItsOrder) {
  const double order = measured_order(GetParam().name, 40);
  RecordProperty("order", std::to_string(order));
  EXPECT_GT(order, GetParam().order - 0.15);
}

// Stiffness damping whose K is that of the step's start makes every method first order.
TEST_P(EveryIntegrator, ConvergesWithRayleighDamping) {
  static const Model model = test::make_moving_beam(2e-3);
  static const Vector exact = test::run_to_end(*model.system, "rk4", 4000);
  const auto error = [&](int steps) {
    return (test::run_to_end(*model.system, GetParam().name, steps) - exact).norm();
  };
  const double coarse = error(40), fine = error(80);
  EXPECT_GT(std::log2(coarse / fine), 0.85);
  EXPECT_LT(fine, 0.05);
}

TEST_P(EveryIntegrator, GoesOnFromItsMemoryAsIfNothingHadHappened) {
  for (const std::string linear : {"auto", "cholesky"}) {
    const SolverOptions solver{.linear = linear};
    const auto first = make_stepper(GetParam().name, solver);
    const auto second = make_stepper(GetParam().name, solver);
    State state = test::moving_start(beam());
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(first->step(beam(), state, 2e-3).ok);
    State copy = state;
    second->restore(first->memory());
    EXPECT_EQ(second->memory(), first->memory());
    for (int k = 0; k < 5; ++k) {
      ASSERT_TRUE(first->step(beam(), state, 2e-3).ok);
      ASSERT_TRUE(second->step(beam(), copy, 2e-3).ok);
    }
    EXPECT_EQ(state.q, copy.q) << linear;
    EXPECT_EQ(state.v, copy.v) << linear;
  }
}

TEST_P(EveryIntegrator, GivesTheSameStateAgain) {
  EXPECT_EQ(run_oscillator(GetParam().name, 5), run_oscillator(GetParam().name, 5));
}

INSTANTIATE_TEST_SUITE_P(List, EveryIntegrator, testing::ValuesIn(integrators()),
                         [](const auto& info) {
                           std::string name(info.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Modes that are never renewed while the beam turns are no eigenvectors any more.
TEST(Hybrids, KeepTheirOrderWithOldModes) {
  for (const std::string name : {"bdf2ere", "sbdf2ere", "strbdf2ere", "trbdf2ere"})
    for (const int refresh : {kRefreshNever, kRefreshAuto, 7}) {
      IntegratorOptions integrator(name);
      integrator.refresh = refresh;
      EXPECT_GT(measured_order(integrator, 40), 1.85) << name << ", refresh " << refresh;
    }
}

TEST(Hybrids, AsPrintedAreOfFirstOrder) {
  for (const std::string name : {"bdf2ere", "sbdf2ere", "strbdf2ere"}) {
    IntegratorOptions integrator(name);
    integrator.paper = true;
    const double order = measured_order(integrator, 40);
    EXPECT_GT(order, 0.85) << name;
    EXPECT_LT(order, 1.3) << name;
  }
}

TEST(Newmark, LosesAnOrderWhereGammaIsNotOneHalf) {
  IntegratorOptions integrator("newmark");
  integrator.gamma = 0.6;
  integrator.beta = 0.3025;
  const double order = measured_order(integrator, 40);
  EXPECT_GT(order, 0.85);
  EXPECT_LT(order, 1.3);
}

TEST(GeneralizedAlpha, IsOfSecondOrderForEveryRadius) {
  for (const double rho : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    IntegratorOptions integrator("generalized-alpha");
    integrator.rho_inf = rho;
    EXPECT_GT(measured_order(integrator, 40), 1.85) << rho;
  }
}

}  // namespace
}  // namespace pliant
