// Each law is held to what it promises, and a promise that is not made must really fail: a law that
// declares too little or too much is caught either way.
#include "law_cases.hpp"

#include <cmath>

namespace pliant::fixtures {
namespace {

constexpr double promise_tolerance = 1e-12;

template <class L>
class PromisesOfLaw : public ::testing::Test {};
TYPED_TEST_SUITE(PromisesOfLaw, AllLaws);

// Hooke's law in E and ν, written without Lamé's parameters.
Mat3 hooke(const Mat3& strain, double E, double nu) {
  return E / (1 + nu) * (strain + nu / (1 - 2 * nu) * strain.trace() * Mat3::Identity());
}

TYPED_TEST(PromisesOfLaw, RestHasNoEnergyAndNoStress) {
  ASSERT_TRUE(TypeParam::promises.rest_stress_free);
  for (const auto& material : materials<TypeParam>()) {
    EXPECT_NEAR(material.energy(material.R), 0, promise_tolerance * young);
    EXPECT_LE(material.stress(material.R).norm(), promise_tolerance * young);
    EXPECT_GT(material.energy(1.01 * material.R), 1e-5 * young);
  }
}

TYPED_TEST(PromisesOfLaw, TheTangentAtRestIsHookesLaw) {
  ASSERT_TRUE(TypeParam::promises.hooke_limit);
  Deformations d(11);
  for (const double nu : {-0.3, 0.0, 0.25, 0.4, 0.49}) {
    MaterialConstants constants;
    constants.young = young;
    constants.poisson = nu;
    const Material<TypeParam> material{TypeParam::make_parameters(constants)};
    const Mat9 C = material.tangent(Mat3::Identity());
    for (int k = 0; k < 5; ++k) {
      const Mat3 H = d.any(1), strain = 0.5 * (H + H.transpose());
      const Mat3 full = hooke(strain, young, nu);
      const Mat3 without_lambda = young / (1 + nu) * strain;
      const Mat3& expected = TypeParam::promises.zero_lambda ? without_lambda : full;
      const Mat3& other = TypeParam::promises.zero_lambda ? full : without_lambda;
      const Vec9 got = C * vec(H);
      EXPECT_LE((got - vec(expected)).norm(), 1e-6 * expected.norm()) << "nu " << nu;
      const double apart = nu == 0 ? -1 : 1e-3;  // without λ there is nothing to tell apart
      EXPECT_GT((got - vec(other)).norm(), apart * expected.norm());
    }
  }
}

TYPED_TEST(PromisesOfLaw, SmallStrainsCostHookesEnergy) {
  Deformations d(12);
  const double nu = 0.3, size = 1e-4;
  MaterialConstants constants;
  constants.young = young;
  constants.poisson = nu;
  const Material<TypeParam> material{TypeParam::make_parameters(constants)};
  for (int k = 0; k < 5; ++k) {
    const Mat3 H = d.any(size), strain = 0.5 * (H + H.transpose());
    Mat3 stress = hooke(strain, young, nu);
    if (TypeParam::promises.zero_lambda) stress = young / (1 + nu) * strain;
    const double expected = 0.5 * stress.cwiseProduct(strain).sum();
    // The next term is smaller by the strain.
    EXPECT_NEAR(material.energy(Mat3::Identity() + H), expected, 30 * size * expected);
  }
}

template <class L>
bool energy_ignores(const auto& transform) {
  bool same = true;
  Deformations d(13);
  for (const auto& material : materials<L>())
    for (const State& state : states(L::promises.needs_positive_det)) {
      const double psi = material.energy(state.F);
      const double moved = material.energy(transform(state.F, d.rotation()));
      EXPECT_GT(psi, 0) << state.name;
      same = same && std::abs(moved - psi) <= 1e-10 * (psi + young);
    }
  return same;
}

TYPED_TEST(PromisesOfLaw, EnergyIgnoresRotationsOfSpaceIfAndOnlyIfPromised) {
  const auto rotate = [](const Mat3& F, const Mat3& Q) -> Mat3 { return Q * F; };
  EXPECT_EQ(energy_ignores<TypeParam>(rotate), TypeParam::promises.frame_indifferent);
}

TYPED_TEST(PromisesOfLaw, EnergyIgnoresRotationsOfTheMaterialIfAndOnlyIfPromised) {
  // With R = I, so that a frozen rotation commutes with Q.
  const auto conjugate = [](const Mat3& F, const Mat3& Q) -> Mat3 { return Q * F * Q.transpose(); };
  bool same = true;
  Deformations d(14);
  for (const MaterialConstants& constants : variants<TypeParam>()) {
    const Material<TypeParam> material{TypeParam::make_parameters(constants)};
    for (const State& state : states(TypeParam::promises.needs_positive_det)) {
      const double psi = material.energy(state.F);
      const double moved = material.energy(conjugate(state.F, d.rotation()));
      same = same && std::abs(moved - psi) <= 1e-10 * (psi + young);
    }
  }
  EXPECT_EQ(same, TypeParam::promises.isotropic);
}

TYPED_TEST(PromisesOfLaw, StressTurnsWithSpaceWherePromised) {
  Deformations d(15);
  bool turns = true;
  for (const auto& material : materials<TypeParam>())
    for (const State& state : states(TypeParam::promises.needs_positive_det)) {
      const Mat3 Q = d.rotation(), P = material.stress(state.F);
      turns = turns && (material.stress(Q * state.F) - Q * P).norm() <= 1e-9 * (P.norm() + young);
    }
  EXPECT_EQ(turns, TypeParam::promises.frame_indifferent);
}

TYPED_TEST(PromisesOfLaw, EnergyIsInfiniteBeyondZeroVolumeIfAndOnlyIfPromised) {
  Deformations d(16);
  for (const auto& material : materials<TypeParam>()) {
    const double inverted = material.energy(d.with(1.2, 1, -0.1));
    EXPECT_EQ(std::isinf(inverted) && inverted > 0, TypeParam::promises.needs_positive_det);
    EXPECT_TRUE(std::isfinite(material.energy(d.with(1.2, 1, 0.1))));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(material.energy(Mat3::Constant(nan))));
  }
}

TYPED_TEST(PromisesOfLaw, TakesARotationIfAndOnlyIfPromised) {
  EXPECT_EQ(FrozenRotationLaw<TypeParam>, TypeParam::promises.frozen_rotation);
  EXPECT_NE(PlainLaw<TypeParam>, TypeParam::promises.frozen_rotation);
}

}  // namespace
}  // namespace pliant::fixtures
