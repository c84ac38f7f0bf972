// Constraints in the stage: a pendulum against its own equation, redundant and contradictory rows,
// compliance as a spring, and the order that methods keep.
#include <integrate/particles.hpp>

#include <pliant/body/solid.hpp>
#include <pliant/constraint/linear_rows.hpp>
#include <pliant/mesh/generators.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

using fixtures::hung_up;
using fixtures::kG;
using fixtures::make_particles;
using fixtures::rod;
using fixtures::worst_error;

std::unique_ptr<System> make_pendulum(double angle, double compliance = 0) {
  auto system = make_particles({{Vec3(std::sin(angle), -std::cos(angle), 0), 2.0}});
  system->add_constraint(std::make_unique<DistanceConstraints>(
      std::vector<DistanceRow>{hung_up(0, Vec3::Zero(), 1, compliance)}));
  return system;
}

// θ̈ = −g sin θ, by RK4 at a step where its error is rounding.
double angle_after(double angle, double duration) {
  double x = angle, w = 0;
  const int steps = 20000;
  const double h = duration / steps;
  const auto f = [](double a) { return -kG * std::sin(a); };
  for (int k = 0; k < steps; ++k) {
    const double k1x = w, k1w = f(x), k2x = w + h / 2 * k1w, k2w = f(x + h / 2 * k1x);
    const double k3x = w + h / 2 * k2w, k3w = f(x + h / 2 * k2x);
    const double k4x = w + h * k3w, k4w = f(x + h * k3x);
    x += h / 6 * (k1x + 2 * k2x + 2 * k3x + k4x);
    w += h / 6 * (k1w + 2 * k2w + 2 * k3w + k4w);
  }
  return x;
}

State run_constrained(const System& system, const std::string& method, double h, double duration,
                      double* worst = nullptr) {
  const auto stepper = make_stepper({method}, {.tolerance = 1e-10});
  State state = system.make_state();
  for (int k = 0; k < std::lround(duration / h); ++k) {
    const StepReport report = stepper->step(system, state, h);
    EXPECT_TRUE(report.ok) << method << ": " << report.reason;
    if (!report.ok) break;
    if (worst) *worst = std::max(*worst, worst_error(system, state));
  }
  return state;
}

double angle_of(const State& state) { return std::atan2(state.q[0], -state.q[1]); }

struct Order {
  const char* method;
  double order;
};
class HardConstraints : public ::testing::TestWithParam<Order> {};

TEST_P(HardConstraints, AreKeptAndLeaveTheMethodItsOrder) {
  const auto system = make_pendulum(1.2);
  const double exact = angle_after(1.2, 1);
  double worst = 0;
  const auto error = [&](double h) {
    return std::abs(angle_of(run_constrained(*system, GetParam().method, h, 1, &worst)) - exact);
  };
  const double coarse = error(0.02), fine = error(0.01);
  EXPECT_GT(std::log2(coarse / fine), GetParam().order - 0.3);
  EXPECT_LT(worst, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Methods, HardConstraints,
                         ::testing::Values(Order{"be", 1}, Order{"bdf2", 2}, Order{"trbdf2", 2},
                                           Order{"trbdf2b", 2}, Order{"esdirk32", 2},
                                           Order{"esdirk43", 2}, Order{"generalized-alpha", 2}));

TEST(Constraints, HoldForAHundredSeconds) {
  const auto system = make_pendulum(2);
  double worst = 0;
  const State state = run_constrained(*system, "trbdf2", 0.02, 100, &worst);
  EXPECT_LT(worst, 1e-8);
  EXPECT_TRUE(state.q.allFinite());
}

// A compliance is a spring: hung up straight, it swings along its length at √(k/m).
TEST(Constraints, WithComplianceAreSprings) {
  const double k = 500, m = 2;
  const auto system = make_pendulum(0, 1 / k);
  const double omega = std::sqrt(k / m), t = 0.4;
  const State state = run_constrained(*system, "esdirk43", 0.002, t);
  EXPECT_NEAR(state.q[1], -1 - m * kG / k * (1 - std::cos(omega * t)), 2e-6);
  const Energies E = system->energies(at(state));
  EXPECT_NEAR(E.total(), system->energies(at(system->make_state())).total(), 1e-4);
}

// Five points with a rod between any two: ten rods where nine would do, falling and spinning.
TEST(Constraints, MayBeRedundant) {
  const std::vector<fixtures::Particle> particles = {{Vec3(0, 0, 0), 1},
                                                     {Vec3(1, 0, 0), 2},
                                                     {Vec3(0, 1, 0), 1},
                                                     {Vec3(0, 0, 1), 3},
                                                     {Vec3(0.7, 0.8, 0.9), 1}};
  const auto system = make_particles(particles);
  std::vector<DistanceRow> rods;
  for (Index a = 0; a < 5; ++a)
    for (Index b = 0; b < a; ++b)
      rods.push_back(rod(a, b,
                         (particles[static_cast<std::size_t>(a)].place -
                          particles[static_cast<std::size_t>(b)].place)
                             .norm()));
  system->add_constraint(std::make_unique<DistanceConstraints>(rods));
  for (const char* method : {"be", "bdf2", "trbdf2", "esdirk43"}) {
    State state = system->make_state();
    for (Index n = 0; n < 5; ++n)
      node(view(state.v), n) = Vec3(1, 2, -1).cross(Vec3(node(view(state.q), n)));
    const auto stepper = make_stepper({method}, {});
    for (int k = 0; k < 100; ++k) {
      const StepReport report = stepper->step(*system, state, 0.01);
      ASSERT_TRUE(report.ok) << method << ": " << report.reason;
      ASSERT_LT(worst_error(*system, state), 1e-8) << method;
      EXPECT_TRUE(report.notes.empty()) << report.notes.front();
    }
  }
}

// Multipliers are where the next stage starts: a resumed run needs them for the same bits.
TEST(Constraints, GoOnAsTheyWereFromMemory) {
  const auto system = make_pendulum(1.2);
  const auto straight = make_stepper({"bdf2"}, {}), first = make_stepper({"bdf2"}, {}),
             second = make_stepper({"bdf2"}, {});
  State a = system->make_state(), b = a;
  const auto go = [&](Stepper& stepper, State& state) {
    for (int k = 0; k < 7; ++k) ASSERT_TRUE(stepper.step(*system, state, 0.02).ok);
  };
  go(*straight, a), go(*straight, a);
  go(*first, b);
  second->restore(first->memory());
  go(*second, b);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
}

// Two rods of different lengths between the same points: the best is in the middle, and it is said.
TEST(Constraints, ThatContradictEachOtherAreNamed) {
  const auto system = make_particles({{Vec3(0, -1, 0), 1}});
  system->add_constraint(std::make_unique<DistanceConstraints>(
      std::vector<DistanceRow>{hung_up(0, Vec3::Zero(), 1), hung_up(0, Vec3::Zero(), 1.2)}));
  State state = system->make_state();
  const auto stepper = make_stepper({"be"}, {});
  StepReport report;
  for (int k = 0; k < 20; ++k) {
    report = stepper->step(*system, state, 0.01);
    ASSERT_TRUE(report.ok) << report.reason;
  }
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes.front().find("contradict"), std::string::npos);
  EXPECT_NE(report.notes.front().find("rod 0-world"), std::string::npos);
  EXPECT_NEAR(state.q[1], -1.1, 1e-6);
}

// Two soft blocks held together at a place inside an element of each, one of them clamped.
TEST(Constraints, HoldPlacesInsideSoftBodiesTogether) {
  std::vector<SolidInput> solids(2);
  for (int k = 0; k < 2; ++k) {
    solids[static_cast<std::size_t>(k)].mesh =
        make_box({Vec3(0.5, 0.2, 0.2), {4, 1, 1}, ElementType::tet4});
    for (Vec3& x : solids[static_cast<std::size_t>(k)].mesh.points) x.x() += 0.5 * k;
    MaterialConstants constants;
    constants.young = 1e5, constants.poisson = 0.3, constants.density = 1000;
    solids[static_cast<std::size_t>(k)].materials = {{"stable-neo-hookean", constants}};
  }
  Model model = make_model(std::move(solids));
  System& system = *model.system;
  system.add_term(std::make_unique<Gravity>(Vec3(0, -kG, 0), system.mass(), view(system.rest())));
  Pin pin;
  for (Index n = 0; n < system.nodes(); ++n)
    if (node(view(system.rest()), n).x() < -0.2499) pin.nodes.push_back(n);
  system.add_pin(std::move(pin));
  // The faces at x = 0.25 meet; a corner of each by its node, and the middles by four corners.
  const auto at_face = [&](std::size_t body) {
    MappedPoint middle;
    for (Index n = model.bodies[body].first_node; n < model.bodies[body].end_node(); ++n)
      if (std::abs(node(view(system.rest()), n).x() - 0.25) < 1e-9) {
        const auto i = static_cast<std::size_t>(middle.count++);
        middle.nodes[i] = n, middle.weights[i] = 0.25;
      }
    return middle;
  };
  const MappedPoint a = at_face(0), b = at_face(1);
  ASSERT_EQ(a.count, 4);
  std::vector<LinearRow> rows;
  for (const Vec3& d : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())}) {
    rows.push_back({.name = "joint", .a = a, .b = b, .along = d});
    rows.push_back({.name = "corner",
                    .a = MappedPoint::of_node(a.nodes[0]),
                    .b = MappedPoint::of_node(b.nodes[0]),
                    .along = d});
  }
  system.add_constraint(std::make_unique<LinearConstraints>(rows));
  State state = system.make_state();
  const auto stepper = make_stepper({"trbdf2"}, {});
  for (int k = 0; k < 30; ++k) {
    const StepReport report = stepper->step(system, state, 0.01);
    ASSERT_TRUE(report.ok) << report.reason;
    ASSERT_LT(worst_error(system, state), 1e-9);
  }
  EXPECT_LT(a.at(view(state.q)).y(), -0.01);  // it hangs down
}

}  // namespace
}  // namespace pliant
