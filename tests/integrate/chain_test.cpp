// Chains of rods and particles: against an independent solution in angles, and under loads that are
// many orders of magnitude heavier than the chain itself (TOURNIER Table 1).
#include <integrate/particles.hpp>

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>

namespace pliant {
namespace {

using fixtures::hung_up;
using fixtures::kG;
using fixtures::make_particles;
using fixtures::Particle;
using fixtures::rod;
using fixtures::worst_error;

// A chain of n rods of length ℓ from the origin, all at one angle from hanging down.
std::unique_ptr<System> make_chain(Index links, double length, double angle, double load) {
  std::vector<Particle> particles;
  const Vec3 d(std::sin(angle), -std::cos(angle), 0);
  for (Index k = 1; k <= links; ++k) particles.push_back({k * length * d, k == links ? load : 1.0});
  auto system = make_particles(particles);
  std::vector<DistanceRow> rods = {hung_up(0, Vec3::Zero(), length)};
  for (Index k = 1; k < links; ++k) rods.push_back(rod(k - 1, k, length));
  system->add_constraint(std::make_unique<DistanceConstraints>(rods));
  return system;
}

// The same in angles, M(θ) θ̈ = F(θ, θ̇) with unit masses and lengths, by RK4.
class AngleChain {
 public:
  AngleChain(Index links, double angle)
      : theta_(Vector::Constant(links, angle)), omega_(Vector::Zero(links)) {}

  void advance(double duration, int steps) {
    const double h = duration / steps;
    for (int k = 0; k < steps; ++k) {
      const Vector a1 = acceleration(theta_, omega_);
      const Vector w2 = omega_ + h / 2 * a1, a2 = acceleration(theta_ + h / 2 * omega_, w2);
      const Vector w3 = omega_ + h / 2 * a2, a3 = acceleration(theta_ + h / 2 * w2, w3);
      const Vector w4 = omega_ + h * a3, a4 = acceleration(theta_ + h * w3, w4);
      theta_ += h / 6 * (omega_ + 2 * w2 + 2 * w3 + w4);
      omega_ += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }
  Vec3 end() const {
    Vec3 x = Vec3::Zero();
    for (const double t : theta_) x += Vec3(std::sin(t), -std::cos(t), 0);
    return x;
  }

 private:
  static Vector acceleration(const Vector& theta, const Vector& omega) {
    const Eigen::Index n = theta.size();
    Eigen::MatrixXd M(n, n);
    Vector F = Vector::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      F[i] = -static_cast<double>(n - i) * kG * std::sin(theta[i]);
      for (Eigen::Index j = 0; j < n; ++j) {
        const double below = static_cast<double>(n - std::max(i, j));  // masses that both move
        M(i, j) = below * std::cos(theta[i] - theta[j]);
        F[i] -= below * std::sin(theta[i] - theta[j]) * omega[j] * omega[j];
      }
    }
    return M.ldlt().solve(F);
  }
  Vector theta_, omega_;
};

TEST(Chain, FollowsTheSolutionInAngles) {
  const Index links = 4;
  AngleChain exact(links, 0.5);
  exact.advance(1, 20000);
  const auto error = [&](const std::string& method, double h) {
    const auto system = make_chain(links, 1, 0.5, 1);
    State state = system->make_state();
    const auto stepper = make_stepper({method}, {.tolerance = 1e-10});
    for (int k = 0; k < std::lround(1 / h); ++k) {
      const StepReport report = stepper->step(*system, state, h);
      EXPECT_TRUE(report.ok) << report.reason;
    }
    return (Vec3(node(view(state.q), links - 1)) - exact.end()).norm();
  };
  for (const char* method : {"bdf2", "trbdf2", "esdirk43"}) {
    const double coarse = error(method, 0.01), fine = error(method, 0.005);
    EXPECT_LT(fine, 2e-3) << method;
    EXPECT_GT(coarse / fine, 3.2) << method;  // order 2
  }
}

// Hung up straight, disturbed by a millionth of a metre, and loaded with up to 1e9 t.
TEST(Chain, CarriesAnyLoad) {
  for (const double load : {1e4, 1e6, 1e9, 1e12}) {
    const Index links = 20;
    const auto system = make_chain(links, 0.1, 0, load);
    State state = system->make_state();
    for (Index k = 0; k < links; ++k) state.q[3 * k] += 1e-6 * (k % 2 ? 1 : -1);
    const auto stepper = make_stepper({"be"}, {});
    for (int k = 0; k < 200; ++k) {
      const StepReport report = stepper->step(*system, state, 0.01);
      ASSERT_TRUE(report.ok) << load << ": " << report.reason;
      ASSERT_LT(worst_error(*system, state), 1e-8) << load;
    }
    EXPECT_NEAR(node(view(state.q), links - 1).y(), -2, 1e-6) << load;
  }
}

// One linear solve a step: without the stiffness of its own tension a loaded chain that is
// disturbed by a millionth of a metre flies apart.
TEST(Chain, NeedsGeometricStiffnessUnderLoadWhereAStepIsOneLinearSolve) {
  const auto elongation = [](GeometricStiffness geometric) {
    const Index links = 20;
    const auto system = make_chain(links, 0.5, 0, 1e5);
    State state = system->make_state();
    for (Index k = 0; k < links; ++k) state.q[3 * k] += 1e-6 * (k % 2 ? 1 : -1);
    SolverOptions options;
    options.type = "linear";
    options.geometric = geometric;
    const auto stepper = make_stepper({"be"}, options);
    double worst = 0;
    for (int k = 0; k < 200 && worst < 1; ++k) {
      const StepReport report = stepper->step(*system, state, 0.01);
      if (!report.ok) return 1.0;
      worst = std::max(worst, worst_error(*system, state));
    }
    return worst;
  };
  EXPECT_LT(elongation(GeometricStiffness::exact), 1e-8);
  EXPECT_LT(elongation(GeometricStiffness::positive), 1e-8);
  EXPECT_GT(elongation(GeometricStiffness::off), 0.1);
}

// With as many iterations as there are unknowns and more, the same linear equations are solved.
TEST(Chain, MovesAlikeByFactorsAndByManyIterations) {
  Vector ends[2];
  for (const int iterations : {0, 200}) {
    const auto system = make_chain(6, 0.5, 1.2, 3);
    State state = system->make_state();
    SolverOptions options;
    options.type = "linear";
    options.minres = iterations;
    const auto stepper = make_stepper({"be"}, options);
    for (int k = 0; k < 50; ++k) ASSERT_TRUE(stepper->step(*system, state, 0.01).ok);
    EXPECT_GT(state.v.norm(), 0.1);
    ends[iterations > 0] = state.q;
  }
  EXPECT_LT((ends[0] - ends[1]).norm(), 1e-8);  // fifty residuals of 1e-13, amplified
}

}  // namespace
}  // namespace pliant
