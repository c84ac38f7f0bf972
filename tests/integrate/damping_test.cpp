// Damping in time: orders, decay rates, momentum, and every integrator.
#include "dissipation/damping_cases.hpp"
#include "integrate/moving_beam.hpp"

#include <numbers>

namespace pliant {
namespace {

using test::principal_damping;
using test::rayleigh_damping;
using test::strain_rate_damping;

const SolverOptions kExact{.linear = "cholesky", .tolerance = 1e-12};

DampingLaw treated(DampingLaw law, StageTreatment treatment) {
  law.treatment = treatment;
  return law;
}

// A free tetrahedron, stretched and let go with a spin (BROWN Figure 8, right).
Model make_tetrahedron(const DampingLaw& law) {
  SolidInput solid;
  solid.name = "tetrahedron";
  solid.mesh.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  solid.mesh.blocks = {{ElementType::tet4, {0, 1, 2, 3}, {}}};
  MaterialConstants constants;
  constants.young = 2e4;
  solid.materials = {{"stable-neo-hookean", constants}};
  solid.damping = {law};
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  return make_model(std::move(solids));
}

State stretched(const System& system, double stretch, const Vec3& spin) {
  State state = system.make_state();
  for (Index n = 0; n < system.nodes(); ++n) {
    const Vec3 x = system.rest().segment<3>(3 * n);
    state.q.segment<3>(3 * n) = Vec3(stretch * x.x(), x.y(), x.z());
    state.v.segment<3>(3 * n) = spin.cross(x);
  }
  return state;
}

State run_damped(const System& system, State state, const IntegratorOptions& integrator, double h,
                 int steps) {
  const auto stepper = make_stepper(integrator, kExact);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper->step(system, state, h);
    EXPECT_TRUE(report.ok) << integrator.type << ": " << report.reason;
    if (!report.ok) break;
  }
  return state;
}

double measured_order(const DampingLaw& law, std::string_view integrator) {
  const Model model = make_tetrahedron(law);
  const System& system = *model.system;
  const State start = stretched(system, 1.3, Vec3(0.5, 1, 3));
  constexpr double end = 0.1;
  const State exact = run_damped(system, start, "rk4", end / 4000, 4000);
  const auto error = [&](int steps) {
    const State found = run_damped(system, start, integrator, end / steps, steps);
    return std::hypot((found.q - exact.q).norm(), 0.05 * (found.v - exact.v).norm());
  };
  return std::log2(error(80) / error(160));
}

TEST(DampingOrder, IsTwoForTheTrueForceAndForTheCorrectedObjectiveAndOneWithoutCorrection) {
  const DampingLaw law = rayleigh_damping(5e-3);
  EXPECT_NEAR(measured_order(treated(law, StageTreatment::force), "trbdf2"), 2, 0.15);
  EXPECT_NEAR(measured_order(treated(law, StageTreatment::second_order), "trbdf2"), 2, 0.15);
  EXPECT_NEAR(measured_order(treated(law, StageTreatment::objective), "trbdf2"), 1, 0.15);
}

TEST(DampingOrder, IsTwoForStrainRateDampingAndPowersOfIt) {
  for (const double p : {1.0, 2.0, 3.0}) {
    const DampingLaw law = test::with_power(strain_rate_damping(100, 100), p);
    EXPECT_NEAR(measured_order(law, "trbdf2"), 2, 0.15) << p;
    EXPECT_NEAR(measured_order(treated(law, StageTreatment::second_order), "trbdf2"), 2, 0.15) << p;
  }
}

// The lowest mode of a clamped beam, small enough to be linear.
struct Mode {
  double omega = 0;  // rad/s
  Vector shape;      // the largest entry is 1
};

Mode lowest_mode(const System& system, const std::vector<Index>& held) {
  BlockMatrix K(system.pattern());
  const Vector still = Vector::Zero(system.dofs());
  system.add_tangent({0, view(system.rest()), view(still), nullptr}, {.stiffness = 1}, K);
  Eigen::MatrixXd k = test::dense(K), m = test::dense(system.mass());
  for (const Index n : held)
    for (int i = 0; i < 3; ++i) k(3 * n + i, 3 * n + i) += 1e12;  // far above all others
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(k, m);
  Mode mode{std::sqrt(eigen.eigenvalues()[0]), eigen.eigenvectors().col(0)};
  mode.shape /= mode.shape.cwiseAbs().maxCoeff();
  for (const Index n : held) mode.shape.segment<3>(3 * n).setZero();
  return mode;
}

struct Swing {
  Model model;
  Mode mode;
  State start;
};

Swing make_swing(const std::vector<DampingLaw>& damping, double amplitude) {
  Swing swing{
      test::make_beam(
          {.size = Vec3(3, 1, 1), .cells = {3, 1, 1}, .damping = damping, .gravity = Vec3::Zero()}),
      {},
      {}};
  const System& system = *swing.model.system;
  swing.mode = lowest_mode(system, test::nodes_at_x(swing.model.bodies[0].mesh, -1.5));
  swing.start = system.make_state();
  swing.start.q += amplitude * swing.mode.shape;
  return swing;
}

double energy(const System& system, const State& state) {
  return system.energies({0, view(state.q), view(state.v), nullptr}).total();
}

// Energy left after some periods of the lowest mode, with `per_period` steps in each.
double energy_left(const std::vector<DampingLaw>& damping, double amplitude, int periods,
                   int per_period) {
  const Swing swing = make_swing(damping, amplitude);
  const System& system = *swing.model.system;
  const double h = 2 * std::numbers::pi / swing.mode.omega / per_period;
  return energy(system, run_damped(system, swing.start, "trbdf2", h, periods * per_period)) /
         energy(system, swing.start);
}

// E ∝ exp(−β ω² t): over n periods −ln E = 2π n β ω. At rest strain-rate damping with ψ = β μ and
// φ = β λ is Rayleigh damping.
TEST(Decay, OfAModeIsThatOfTheoryForEveryLinearModel) {
  const double omega = make_swing({}, 1e-5).mode.omega;
  const double beta = 0.06 / omega;
  const Lame lame = lame_from(1e5, 0.4);
  const double theory = 4 * std::numbers::pi * 0.06;
  for (const DampingLaw& law : {rayleigh_damping(beta), test::conserving(rayleigh_damping(beta)),
                                strain_rate_damping(beta * lame.mu, beta * lame.lambda),
                                test::with_power(rayleigh_damping(beta), 1)})
    EXPECT_NEAR(-std::log(energy_left({law}, 1e-5, 2, 100)) / theory, 1, 0.01);
}

TEST(Decay, DependsLittleOnTheStepForEveryModelWithPAtLeastOne) {
  const double omega = make_swing({}, 1e-5).mode.omega, beta = 0.06 / omega;
  const std::vector<DampingLaw> laws = {rayleigh_damping(beta),
                                        strain_rate_damping(1e5 * beta, 1e5 * beta),
                                        principal_damping(beta),
                                        test::with_power(rayleigh_damping(beta), 2, 20),
                                        test::with_power(rayleigh_damping(beta), 4, 2),
                                        test::with_strain_curve(rayleigh_damping(beta))};
  for (std::size_t k = 0; k < laws.size(); ++k) {
    const double coarse = energy_left({laws[k]}, 0.05, 1, 40);
    const double fine = energy_left({laws[k]}, 0.05, 1, 160);
    EXPECT_NEAR(coarse / fine, 1, 0.03) << k;
    EXPECT_LT(fine, 0.95) << k << ": nothing is damped";
  }
}

// p = 0 is friction: what moves stops, and stays, where p = 1 goes on ever slower. The largest
// speed over the last half of a period, so that turning points do not count.
TEST(Decay, EndsInFiniteTimeForPZero) {
  const double omega = make_swing({}, 1e-5).mode.omega, beta = 0.1 / omega;
  const auto speed_after = [&](const DampingLaw& law, int periods) {
    const Swing swing = make_swing({law}, 0.05);
    const System& system = *swing.model.system;
    const double h = 2 * std::numbers::pi / swing.mode.omega / 40;
    State state = run_damped(system, swing.start, "trbdf2", h, periods * 40 - 20);
    double speed = 0;
    for (int k = 0; k < 20; ++k) {
      state = run_damped(system, state, "trbdf2", h, 1);
      speed = std::max(speed, state.v.cwiseAbs().maxCoeff());
    }
    return speed;
  };
  DampingLaw friction = test::with_power(strain_rate_damping(1e5 * beta, 0), 0, 30);
  friction.over.power->epsilon = 1e-4;
  const double started = 0.05 * omega;  // m/s
  EXPECT_GT(speed_after(rayleigh_damping(beta), 3), 0.1 * started);
  EXPECT_LT(speed_after(friction, 3), 3e-4);  // 3 m of beam at the strain rate ε
}

// A free beam that spins and is stretched, BROWN Figure 7: the part of its angular momentum that is
// gone after half a second.
double lost_momentum(const std::vector<DampingLaw>& damping, int steps) {
  const Model model = test::make_beam({.size = Vec3(3, 1, 1),
                                       .cells = {3, 1, 1},
                                       .young = 2e4,
                                       .damping = damping,
                                       .pin_left = false,
                                       .gravity = Vec3::Zero()});
  const System& system = *model.system;
  const State start = stretched(system, 1.2, Vec3(0, 0, 4));
  const State end = run_damped(system, start, "trbdf2", 0.5 / steps, steps);
  return 1 - system.momentum(view(end.q), view(end.v)).angular.z() /
                 system.momentum(view(start.q), view(start.v)).angular.z();
}

// TR-BDF2 itself loses some, of second order at least and much the same with damping and without.
TEST(AngularMomentum, OfADampedBeamIsLostWithoutCorrectionAndKeptWithIt) {
  const DampingLaw law = rayleigh_damping(0.02);
  EXPECT_GT(lost_momentum({law}, 100), 0.02);
  EXPECT_GT(lost_momentum({law}, 200), 0.02);
  const double undamped = std::abs(lost_momentum({}, 100));
  for (const DampingLaw& kept :
       {test::conserving(law), test::conserving(law, NonrigidForm::velocity_gradient),
        principal_damping(0.02), strain_rate_damping(150, 150)}) {
    const double coarse = std::abs(lost_momentum({kept}, 100));
    const double fine = std::abs(lost_momentum({kept}, 200));
    EXPECT_LT(coarse, 2 * undamped);
    EXPECT_LT(fine, coarse / 3.5);
  }
}

class DampedIntegrator : public testing::TestWithParam<IntegratorInfo> {};

Model make_damped_beam(const std::vector<DampingLaw>& damping) {
  return test::make_beam({.size = Vec3(3, 1, 1),
                          .cells = {3, 1, 1},
                          .young = 2e4,
                          .damping = damping,
                          .pin_left = false,
                          .gravity = Vec3::Zero()});
}

TEST_P(DampedIntegrator, ConvergesWithDampingThatDependsOnPosition) {
  static const Model model =
      make_damped_beam({strain_rate_damping(60, 60), test::conserving(rayleigh_damping(1e-3))});
  const System& system = *model.system;
  static const State start = stretched(system, 1.2, Vec3(0, 1, 3));
  static const State exact = run_damped(system, start, "rk4", 5e-5, 1600);
  const auto error = [&](int steps) {
    const State found = run_damped(system, start, GetParam().name, 0.08 / steps, steps);
    return std::hypot((found.q - exact.q).norm(), 0.05 * (found.v - exact.v).norm());
  };
  const double coarse = error(40), fine = error(80);
  RecordProperty("order", std::to_string(std::log2(coarse / fine)));
  EXPECT_GT(std::log2(coarse / fine), std::min(2, GetParam().order) - 0.2);
  EXPECT_LT(fine, 0.05);
}

TEST_P(DampedIntegrator, TakesEnergyOutWithEveryModel) {
  std::vector<DampingLaw> laws = {principal_damping(2e-3),
                                  test::with_power(strain_rate_damping(60, 60), 2),
                                  test::with_strain_curve(rayleigh_damping(2e-3))};
  for (std::size_t k = 0; k < laws.size(); ++k) {
    const Model model = make_damped_beam({laws[k]});
    const System& system = *model.system;
    const State start = stretched(system, 1.2, Vec3::Zero());
    const State end = run_damped(system, start, GetParam().name, 1e-3, 60);
    EXPECT_LT(energy(system, end), 0.95 * energy(system, start)) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(List, DampedIntegrator, testing::ValuesIn(integrators()),
                         [](const auto& info) {
                           std::string name(info.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pliant
