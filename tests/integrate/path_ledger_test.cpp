// What the damping of springs, tendons and muscles takes has its own place in the ledger: a
// pendulum on a damped spring, beside the integral of d L̇² by a second method.
#include <pliant/dissipation/path_damping.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/path_force.hpp>
#include <pliant/system/energy_ledger.hpp>

#include <integrate/particles.hpp>

#include "load/path_laws.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using fixtures::kG;

const SolverOptions kToTheEnd = {.linear = "cholesky", .tolerance = 1e-13};
constexpr double kBob = 2, kSpring = 150, kDashpot = 5, kSlack = 0.9;  // kg, N/m, N s/m, m

// A particle that hangs on the origin, let go beside it.
struct SpringPendulum {
  Path path;
  System system;
  State state;

  explicit SpringPendulum(PathLaw law)
      : path(points(), std::move(law), view(start())),
        system({Vec3(1, 0, 0)}, terms(path, drives(path.law()))) {
    system.mass().values()[0] = kBob;
    system.add_term(std::make_unique<Gravity>(Vec3(0, -kG, 0), system.mass(), view(system.rest())));
    state = system.make_state();
  }
  static Vector start() { return Vector{{1, 0, 0}}; }
  static std::vector<PathPoint> points() {
    return {{MappedPoint::of_node(0), {}}, {{}, {0, 0, 0}}};
  }
  // What is driven is no store of energy.
  static TermKind drives(const PathLaw& law) {
    return law.drive.constant() && law.kind != PathKind::muscle ? TermKind::elastic
                                                                : TermKind::external;
  }
  static std::vector<std::unique_ptr<Term>> terms(const Path& path, TermKind kind) {
    std::vector<std::unique_ptr<Term>> out;
    out.push_back(std::make_unique<PathForce>(kind, std::vector<Path>{path}));
    out.push_back(std::make_unique<PathDamping>(std::vector<Path>{path}));
    return out;
  }
  double rate() const { return path.rate(view(state.q), view(state.v)); }
  double strain_energy(const Vector& q) const {
    return tension_of(path.law(), 0, path.length(view(q))).energy;
  }
  Vector strain_force(const Vector& q) const {
    Vector f = Vector::Zero(q.size());
    path.add_gradient(view(q), -tension_of(path.law(), 0, path.length(view(q))).tension, view(f));
    return f;
  }
};

PathLaw damped_spring() { return test::spring(kSpring, kSlack, kDashpot); }

struct SwingSums {
  double damped = 0, created = 0, largest = 0;  // J
};
SwingSums swing(PathLaw law, const std::string& method, double h, double duration) {
  SpringPendulum pendulum(std::move(law));
  EnergyLedger ledger(pendulum.system, pendulum.state);
  const auto stepper = make_stepper(method, kToTheEnd);
  SwingSums sums;
  for (long k = 0; k < std::lround(duration / h); ++k) {
    EXPECT_TRUE(stepper->step(pendulum.system, pendulum.state, h).ok);
    const Energies energies = pendulum.system.energies(at(pendulum.state));
    ledger.add_step(pendulum.state, energies);
    sums.largest = std::max(sums.largest, energies.kinetic + energies.elastic);
  }
  sums.damped = ledger.sums().damped, sums.created = ledger.sums().created;
  return sums;
}

// ∫ d L̇² dt of the same pendulum as an equation of five numbers, by the classical method of fourth
// order in steps that are a hundred times as short.
double integral_of_damping(double duration) {
  using Numbers = Eigen::Matrix<double, 5, 1>;  // x, y, ẋ, ẏ, ∫
  const auto change = [](const Numbers& s) {
    const Eigen::Vector2d x = s.head<2>(), v = s.segment<2>(2);
    const double L = x.norm(), rate = x.dot(v) / L;
    const Eigen::Vector2d pull = -(kSpring * (L - kSlack) + kDashpot * rate) / L * x;
    Numbers out;
    out << v, pull / kBob - Eigen::Vector2d(0, kG), kDashpot * rate * rate;
    return out;
  };
  Numbers s;
  s << 1, 0, 0, 0, 0;
  const long steps = 20000;
  const double h = duration / static_cast<double>(steps);
  for (long k = 0; k < steps; ++k) {
    const Numbers a = change(s), b = change(s + h / 2 * a), c = change(s + h / 2 * b),
                  d = change(s + h * c);
    s += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return s[4];
}

// In a step of backward Euler damping takes h d L̇² at its end, and the method ½ m |Δv|² and what
// the springs' energy is above its tangent there. To the last digits, however the spring turns.
TEST(PathLedger, GivesDampingOfASpringItsOwnAndBackwardEulerItsOwn) {
  constexpr double h = 0.01;
  SpringPendulum pendulum(damped_spring());
  EnergyLedger ledger(pendulum.system, pendulum.state);
  const auto stepper = make_stepper("be", kToTheEnd);
  double damped = 0, lost = 0;
  for (int k = 0; k < 200; ++k) {
    const State before = pendulum.state;
    ASSERT_TRUE(stepper->step(pendulum.system, pendulum.state, h).ok);
    const State& now = pendulum.state;
    ledger.add_step(now, pendulum.system.energies(at(now)));
    damped += h * kDashpot * std::pow(pendulum.rate(), 2);
    lost += 0.5 * kBob * (now.v - before.v).squaredNorm() + pendulum.strain_energy(before.q) -
            pendulum.strain_energy(now.q) + pendulum.strain_force(now.q).dot(before.q - now.q);
    ASSERT_NEAR(ledger.sums().damped, damped, 1e-8 * (1 + damped)) << "step " << k;
    ASSERT_NEAR(ledger.sums().created, -lost, 1e-8 * (1 + lost)) << "step " << k;
  }
  EXPECT_GT(damped, 1);
  EXPECT_GT(lost, 1);
}

// What the ledger calls damped comes to the integral, and what it calls the method's own to
// nothing, as the order of the method has it.
TEST(PathLedger, FindsTheIntegralToTheOrderOfTheMethod) {
  constexpr double duration = 1;
  const double integral = integral_of_damping(duration);
  ASSERT_GT(integral, 1);
  struct Method {
    const char* name;
    int order;
  };
  for (const auto& [name, order] :
       {Method{"be", 1}, Method{"bdf2", 2}, Method{"trbdf2", 2}, Method{"sdirk2", 2},
        Method{"newmark", 2}, Method{"generalized-alpha", 2}, Method{"esdirk43", 2}}) {
    const SwingSums one = swing(damped_spring(), name, 0.001, duration);
    const SwingSums half = swing(damped_spring(), name, 0.0005, duration);
    const double least = std::pow(2, order) * 0.8;
    EXPECT_GT(std::abs(one.damped - integral), least * std::abs(half.damped - integral)) << name;
    EXPECT_NEAR(half.damped, integral, (order == 1 ? 0.02 : 1e-4) * integral) << name;
    EXPECT_NEAR(half.created, 0, (order == 1 ? 0.1 : 1e-3) * integral) << name;
  }
}

// Tendons and muscles, driven or not, and methods that do not tell what acted.
TEST(PathLedger, BlamesNoMethodForWhatTendonsAndMusclesTake) {
  using test::constant;
  PathLaw muscle = test::muscle(60, test::ramp(0.3, 1), kSlack, 150);
  muscle.damping = kDashpot;
  for (const PathLaw& law : {test::elastic_tendon(kSpring, constant(kSlack), kDashpot),
                             test::elastic_tendon(kSpring, test::ramp(0.8, 0.6), kDashpot),
                             test::pulling(test::ramp(40, 90), kDashpot), muscle})
    for (const char* method : {"newmark", "trbdf2", "rk4", "ros2"}) {
      const SwingSums sums = swing(law, method, 5e-4, 0.5);
      EXPECT_GT(sums.damped, 0.02 * sums.largest) << method;
      EXPECT_NEAR(sums.created, 0, 1e-3 * sums.largest) << method;
    }
}

}  // namespace
}  // namespace pliant
