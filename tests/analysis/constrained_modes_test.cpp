// Frequencies of particles on rods against pendulums of textbooks, and the sparse search against a
// dense computation.
#include <pliant/analysis/modes.hpp>
#include <pliant/core/error.hpp>
#include <pliant/solve/constrained_eigenpairs.hpp>

#include "integrate/particles.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

using fixtures::hung_up;
using fixtures::kG;
using fixtures::make_particles;
using fixtures::Particle;
using fixtures::rod;

double lambda_of(double hertz) {
  const double omega = 2 * std::numbers::pi * hertz;
  return omega * omega;
}

std::unique_ptr<System> hang(const std::vector<Particle>& particles,
                             std::vector<DistanceRow> rods) {
  auto system = make_particles(particles);
  system->add_constraint(std::make_unique<DistanceConstraints>(std::move(rods)));
  return system;
}

// The rod turns about two axes, and its multiplier is all that brings it back.
TEST(ConstrainedModes, OfAPendulumAreThoseOfGravityAndLength) {
  constexpr double length = 0.7;
  const auto system = hang({{Vec3(0, -length, 0), 3}}, {hung_up(0, Vec3::Zero(), length)});
  const Modes modes = find_modes(*system, system->make_state(), 10);
  ASSERT_EQ(modes.list.size(), 2u);
  for (const Mode& mode : modes.list) {
    EXPECT_EQ(mode.kind, ModeKind::oscillating);
    EXPECT_NEAR(lambda_of(mode.frequency), kG / length, 1e-12 * kG / length);
    EXPECT_LT(mode.mass_fraction.y(), 1e-20);
  }
}

TEST(ConstrainedModes, OfAnUprightPendulumAreUnstable) {
  const auto system = hang({{Vec3(0, 0.7, 0), 3}}, {hung_up(0, Vec3::Zero(), 0.7)});
  const Modes modes = find_modes(*system, system->make_state(), 2);
  EXPECT_EQ(modes.list[0].kind, ModeKind::unstable);
  EXPECT_NEAR(modes.list[0].lambda, -kG / 0.7, 1e-10);
}

// Equal lengths, μ the lower mass over the upper: ω² = g/l (1 + μ ± √(μ (1 + μ))), in two planes.
TEST(ConstrainedModes, OfADoublePendulumAreThoseOfSmallOscillations) {
  constexpr double l = 0.4, mu = 0.6;
  const auto system = hang({{Vec3(0, -l, 0), 1}, {Vec3(0, -2 * l, 0), mu}},
                           {hung_up(0, Vec3::Zero(), l), rod(0, 1, l)});
  const Modes modes = find_modes(*system, system->make_state(), 10);
  ASSERT_EQ(modes.list.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const double sign = k < 2 ? -1 : 1;
    const double wanted = kG / l * (1 + mu + sign * std::sqrt(mu * (1 + mu)));
    EXPECT_NEAR(modes.list[k].lambda / wanted, 1, 1e-12);
  }
}

// Nothing but the rod: five free motions, and where it has a compliance one that stretches it, with
// the reduced mass.
TEST(ConstrainedModes, OfTwoMassesOnARodAreRigidButForItsStretch) {
  constexpr double compliance = 1e-4;
  for (const double C : {0.0, compliance}) {
    auto system = std::make_unique<System>(std::vector<Vec3>{{0, 0, 0}, {0, 1, 0}},
                                           std::vector<std::unique_ptr<Term>>());
    for (std::size_t n = 0; n < 2; ++n)
      system->mass().values()[static_cast<std::size_t>(system->pattern()->diagonal[n])] =
          n == 0 ? 2 : 5;
    system->add_constraint(
        std::make_unique<DistanceConstraints>(std::vector<DistanceRow>{rod(0, 1, 1, C)}));
    const Modes modes = find_modes(*system, system->make_state(), 10);
    ASSERT_EQ(modes.list.size(), C > 0 ? 6u : 5u);
    for (std::size_t k = 0; k < 5; ++k)
      EXPECT_NEAR(modes.list[k].lambda, 0, 1e-9) << "mode " << k << " with C = " << C;
    if (C > 0) {
      EXPECT_NEAR(modes.list[5].lambda, (1 / 2.0 + 1 / 5.0) / C, 1e-6);
    }
  }
}

// A rod said twice says nothing new.
TEST(ConstrainedModes, TakeRowsThatDependOnEachOther) {
  const auto system =
      hang({{Vec3(0, -1, 0), 3}}, {hung_up(0, Vec3::Zero(), 1), hung_up(0, Vec3::Zero(), 1)});
  const Modes modes = find_modes(*system, system->make_state(), 10);
  ASSERT_EQ(modes.list.size(), 2u);
  EXPECT_NEAR(modes.list[0].lambda, kG, 1e-10);
}

std::unique_ptr<System> make_chain(Index links, double length) {
  const double l = length / static_cast<double>(links);
  std::vector<Particle> particles;
  std::vector<DistanceRow> rods;
  for (Index n = 0; n < links; ++n) {
    // The last link's end has half the mass of the others: that of a chain of even weight.
    particles.push_back({Vec3(0, -l * static_cast<double>(n + 1), 0), n + 1 < links ? l : l / 2});
    rods.push_back(n == 0 ? hung_up(0, Vec3::Zero(), l) : rod(n - 1, n, l));
  }
  return hang(particles, std::move(rods));
}

// A hanging chain: ω = j/2 √(g/L), j the zeros of J₀ (D. Bernoulli, 1733), each in two planes.
// Links are straight, which costs second order in their length.
TEST(ConstrainedModes, OfAHangingChainAreThoseOfBessel) {
  constexpr std::array<double, 3> zeros = {2.404825557695773, 5.520078110286311, 8.653727912911013};
  std::array<std::array<double, 6>, 2> off{};
  for (std::size_t finer = 0; finer < 2; ++finer) {
    const auto system = make_chain(finer ? 160 : 80, 1.5);
    const Modes modes = find_modes(*system, system->make_state(), 6);
    ASSERT_EQ(modes.list.size(), 6u);
    for (std::size_t k = 0; k < 6; ++k) {
      const double wanted = 0.25 * zeros[k / 2] * zeros[k / 2] * kG / 1.5;
      off[finer][k] = std::abs(modes.list[k].lambda / wanted - 1);
    }
  }
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_LT(off[1][k], 2e-3) << k;
    EXPECT_NEAR(off[0][k] / off[1][k], 4, 0.3) << k;
  }
}

// The chain as matrices: K is the tension along it over the links' length, J the links.
TEST(ConstrainedEigenpairs, FoundSparseAreThoseFoundDense) {
  constexpr Index n = 60;
  ConstrainedEigenProblem problem;
  std::vector<Eigen::Triplet<double>> K, M, J;
  for (int k = 0; k < n; ++k) {
    const double below = n - k, beneath = n - k - 1;
    for (int i = 0; i < 3; ++i) {
      M.emplace_back(3 * k + i, 3 * k + i, 1 + 0.3 * std::sin(k));
      K.emplace_back(3 * k + i, 3 * k + i, (below + beneath) * (i == 1 ? 0.2 : 1) + 0.01 * i);
      if (k > 0) K.emplace_back(3 * k + i, 3 * k - 3 + i, -below * (i == 1 ? 0.2 : 1));
    }
    J.emplace_back(k, 3 * k + 1, 1);
    if (k > 0) J.emplace_back(k, 3 * k - 2, -1);
    J.emplace_back(k, 3 * k, 0.1 * std::cos(k));
  }
  problem.stiffness.A.resize(3 * n, 3 * n);
  problem.stiffness.A.setFromTriplets(K.begin(), K.end());
  problem.M.resize(3 * n, 3 * n);
  problem.M.setFromTriplets(M.begin(), M.end());
  problem.stiffness.J.resize(n, 3 * n);
  problem.stiffness.J.setFromTriplets(J.begin(), J.end());
  problem.stiffness.C = Vector::Zero(n);
  for (Index k = 0; k < n; k += 5) problem.stiffness.C[k] = 0.02;
  ConstrainedEigenOptions sparse;
  sparse.dense_size = 0;
  const Eigenpairs dense = solve_constrained_eigenpairs(problem, 12),
                   found = solve_constrained_eigenpairs(problem, 12, sparse);
  ASSERT_TRUE(dense.ok && found.ok) << dense.reason << found.reason;
  EXPECT_EQ(dense.method, EigenMethod::dense);
  EXPECT_EQ(found.method, EigenMethod::cold);
  for (Eigen::Index k = 0; k < 12; ++k)
    EXPECT_NEAR(found.values[k] / dense.values[k], 1, 1e-9) << k;
  const Eigen::MatrixXd hard = problem.stiffness.J * found.vectors;
  for (Index k = 0; k < n; ++k)
    if (problem.stiffness.C[k] == 0) {
      EXPECT_LT(hard.row(k).norm(), 1e-9) << k;
    }
  const Eigen::MatrixXd gram =
      found.vectors.transpose() * (problem.M.selfadjointView<Eigen::Lower>() * found.vectors);
  EXPECT_LT((gram - Eigen::MatrixXd::Identity(12, 12)).norm(), 1e-9);
}

}  // namespace
}  // namespace pliant
