// Every membrane law: derivatives at small, large and crushed strains, Hooke's law in plane stress
// at rest, and what is special to single ones.
#include <pliant/core/error.hpp>
#include <pliant/material/membrane_laws.hpp>

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

MaterialConstants constants() {
  MaterialConstants c;
  c.young = 3e4;
  c.poisson = 0.3;
  c.stretch_limits = {0.8, 1.2};
  return c;
}

// Strains of random stretches in random directions; the last are crushed to lines and points.
std::vector<Vec3> strains() {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Vec3> all;
  for (const double size : {1e-3, 0.1, 0.6})
    for (int k = 0; k < 5; ++k) {
      Eigen::Matrix2d F = Eigen::Matrix2d::Identity();
      for (int i = 0; i < 4; ++i) F(i % 2, i / 2) += size * uniform(random);
      const Eigen::Matrix2d C = F.transpose() * F;
      all.emplace_back(0.5 * (C(0, 0) - 1), 0.5 * (C(1, 1) - 1), C(0, 1));
    }
  all.emplace_back(0.1, -0.499, 0);  // all but flat
  all.emplace_back(0, 0, 0);
  return all;
}

template <class L>
class MembraneLawTest : public testing::Test {};
using AllLaws = testing::Types<StvkMembrane, StableNeoHookeanMembrane, OrthotropicMembrane,
                               StrainLimitedMembrane>;
TYPED_TEST_SUITE(MembraneLawTest, AllLaws);

TYPED_TEST(MembraneLawTest, StressAndTangentAreTheDerivativesOfTheEnergy) {
  using L = TypeParam;
  const auto p = L::make_parameters(constants());
  for (const Vec3& e : strains())
    for (int i = 0; i < 3; ++i) {
      constexpr double h = 1e-6;
      const Vec3 d = h * Vec3::Unit(i);
      const MembraneStress high = L::stress(e + d, p), low = L::stress(e - d, p);
      const Mat3 D = L::tangent(e, p);
      const double scale = constants().young + L::stress(e, p).S.norm();
      EXPECT_NEAR((high.energy - low.energy) / (2 * h), L::stress(e, p).S[i], 1e-6 * scale)
          << e.transpose();
      const Vec3 slope = (high.S - low.S) / (2 * h);
      EXPECT_LT((slope - D.col(i)).norm(), 1e-5 * (D.norm() + scale)) << e.transpose();
      EXPECT_LT((D - D.transpose()).norm(), 1e-12 * D.norm());
    }
}

TYPED_TEST(MembraneLawTest, IsHookesLawInPlaneStressAtRest) {
  using L = TypeParam;
  const auto p = L::make_parameters(constants());
  const MembraneStress rest = L::stress(Vec3::Zero(), p);
  EXPECT_NEAR(rest.energy, 0, 1e-10);
  EXPECT_LT(rest.S.norm(), 1e-9);
  // E/(1 − ν²) [1 ν; ν 1] and shear E/2(1 + ν): the plate of any textbook.
  const double E = 3e4, nu = 0.3;
  const Mat3 D = L::tangent(Vec3::Zero(), p);
  EXPECT_NEAR(D(0, 0), E / (1 - nu * nu), 1e-8 * E);
  EXPECT_NEAR(D(1, 1), E / (1 - nu * nu), 1e-8 * E);
  EXPECT_NEAR(D(0, 1), nu * E / (1 - nu * nu), 1e-8 * E);
  EXPECT_NEAR(D(2, 2), E / (2 * (1 + nu)), 1e-8 * E);
  EXPECT_NEAR(D(0, 2), 0, 1e-8 * E);
}

// The solid with the stretch across the sheet that leaves no stress there.
TEST(MembraneLaws, NeoHookeanSheetIsTheSolidInPlaneStress) {
  const auto p = StableNeoHookean::make_parameters(constants());
  for (const Vec3& stretch : {Vec3(1.3, 0.9, 0), Vec3(0.6, 0.7, 0), Vec3(2, 2, 0)}) {
    double low = 1e-6, high = 10;  // bisection on P_zz
    for (int k = 0; k < 200; ++k) {
      const double l = 0.5 * (low + high);
      const Mat3 F = Vec3(stretch[0], stretch[1], l).asDiagonal();
      (StableNeoHookean::stress(F, p)(2, 2) > 0 ? high : low) = l;
    }
    const Mat3 F = Vec3(stretch[0], stretch[1], low).asDiagonal();
    const Vec3 e(0.5 * (stretch[0] * stretch[0] - 1), 0.5 * (stretch[1] * stretch[1] - 1), 0);
    const MembraneStress sheet = StableNeoHookeanMembrane::stress(e, p);
    EXPECT_NEAR(sheet.energy, StableNeoHookean::energy(F, p), 1e-9 * 3e4);
    EXPECT_NEAR(stretch[0] * sheet.S[0], StableNeoHookean::stress(F, p)(0, 0), 1e-7 * 3e4);
    EXPECT_NEAR(stretch[1] * sheet.S[1], StableNeoHookean::stress(F, p)(1, 1), 1e-7 * 3e4);
  }
}

TEST(MembraneLaws, OrthotropicSheetPullsHarderAlongItsStifferAxis) {
  MaterialConstants c;
  c.axial_young = {{4e5, 1e5, 1e5}};
  c.axial_poisson = {{0.2, 0.1, 0.05}};
  c.axial_shear = {{3e4, 2e4, 1e4}};
  const Mat3 D = OrthotropicMembrane::make_parameters(c).D;
  // Compliance in plane stress: 1/E_x, 1/E_y, −ν_xy/E_x, 1/G_xy.
  const Mat3 C = D.inverse();
  EXPECT_NEAR(C(0, 0), 1 / 4e5, 1e-15);
  EXPECT_NEAR(C(1, 1), 1 / 1e5, 1e-15);
  EXPECT_NEAR(C(0, 1), -0.2 / 4e5, 1e-15);
  EXPECT_NEAR(C(2, 2), 1 / 3e4, 1e-15);
}

// A pull of half of Young's modulus would stretch it by half; the wall gives a thousandth of that.
TEST(MembraneLaws, StrainLimitIsKeptWithinOnePercentUnderLargeLoads) {
  const auto p = StrainLimitedMembrane::make_parameters(constants());
  const double beyond = 1.2 * 1.01;
  const Vec3 e(0.5 * (beyond * beyond - 1), 0, 0);
  EXPECT_GT(beyond * StrainLimitedMembrane::stress(e, p).S[0], 8 * 3e4);
  const double within = 0.8 * 0.99;
  EXPECT_LT(within * StrainLimitedMembrane::stress(Vec3(0.5 * (within * within - 1), 0, 0), p).S[0],
            -5 * 3e4);
}

TEST(MembraneLaws, LimitsThatDoNotHoldOneAreRefused) {
  for (const auto& limits : {std::array{1.0, 1.1}, std::array{0.5, 1.0}, std::array{-0.1, 1.1}}) {
    MaterialConstants c = constants();
    c.stretch_limits = limits;
    EXPECT_THROW(StrainLimitedMembrane::make_parameters(c), InputError);
  }
}

}  // namespace
}  // namespace pliant
