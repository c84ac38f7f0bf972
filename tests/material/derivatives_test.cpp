// P = ∂Ψ/∂F and the tangent ∂P/∂F of every law, by fourth-order differences.
#include "law_cases.hpp"

#include <array>

namespace pliant::fixtures {
namespace {

// f is evaluated into a matrix of its own: an expression would refer to what is gone.
template <class Value, class Function>
Value difference(const Function& f, const Mat3& F, int entry, double h) {
  const auto at = [&](double x) -> Value {
    Mat3 G = F;
    G(entry) += x;
    return f(G);
  };
  const Value inner = at(h) - at(-h), outer = at(2 * h) - at(-2 * h);
  return (8 * inner - outer) / (12 * h);
}

template <class L>
class Derivatives : public ::testing::Test {};
TYPED_TEST_SUITE(Derivatives, AllLaws);

// Truncation is below 1e-8 and rounding, 1e-16/step, below 1e-11 of the scale at these steps; a
// knot of a spline within a step of a stretch would cost more.
constexpr double tolerance = 1e-7;

TYPED_TEST(Derivatives, StressIsTheGradientOfTheEnergy) {
  for (const auto& material : materials<TypeParam>())
    for (const State& state : states(TypeParam::promises.needs_positive_det)) {
      SCOPED_TRACE(state.name);
      const auto energy = [&](const Mat3& F) { return material.energy(F); };
      const Mat3 P = material.stress(state.F);
      Mat3 expected;
      for (int i = 0; i < 9; ++i) expected(i) = difference<double>(energy, state.F, i, state.step);
      EXPECT_LE((P - expected).norm(), tolerance * (P.norm() + young));
      EXPECT_GT(P.norm(), 1e-4 * young);  // else any wrong factor would pass
    }
}

TYPED_TEST(Derivatives, TangentIsTheGradientOfTheStress) {
  for (const auto& material : materials<TypeParam>())
    for (const State& state : states(TypeParam::promises.needs_positive_det)) {
      SCOPED_TRACE(state.name);
      const auto stress = [&](const Mat3& F) { return material.stress(F); };
      const Mat9 C = material.tangent(state.F);
      Mat9 expected;
      for (int i = 0; i < 9; ++i) {
        const Mat3 column = difference<Mat3>(stress, state.F, i, state.step);
        expected.col(i) = vec(column);
      }
      EXPECT_LE((C - expected).norm(), 10 * tolerance * C.norm());
      EXPECT_GT(C.norm(), 0.1 * young);
    }
}

TYPED_TEST(Derivatives, TangentIsSymmetric) {
  for (const auto& material : materials<TypeParam>())
    for (const State& state : states(TypeParam::promises.needs_positive_det)) {
      const Mat9 C = material.tangent(state.F);
      EXPECT_LE((C - C.transpose()).norm(), 1e-13 * C.norm()) << state.name;
    }
}

TYPED_TEST(Derivatives, InvariantFormIsTheTangentContractedWithTwoDirections) {
  if constexpr (InvariantLaw<TypeParam>) {
    Deformations d(8);
    const auto p = TypeParam::make_parameters(variants<TypeParam>().front());
    for (const State& state : states(TypeParam::promises.needs_positive_det)) {
      const Mat3 &F = state.F, A = d.any(1), B = d.any(1), G = cofactor(F);
      const InvariantTangent t = TypeParam::tangent(invariants_of(F), p);
      const auto dot = [](const Mat3& X, const Mat3& Y) { return X.cwiseProduct(Y).sum(); };
      // cof is quadratic, so that ∂²J/∂F² (A, B) = A : (cof(F + B) − cof(F) − cof(B)).
      const double bending = dot(A, cofactor(F + B) - G - cofactor(B));
      const double expected = t.a * dot(A, B) + t.b * dot(F, A) * dot(F, B) +
                              t.c * (dot(F, A) * dot(G, B) + dot(G, A) * dot(F, B)) +
                              t.d * dot(G, A) * dot(G, B) + t.e * bending;
      const Mat9 C = TypeParam::tangent(F, p);
      EXPECT_NEAR(vec(A).dot(C * vec(B)), expected, 1e-12 * C.norm() * A.norm() * B.norm());
    }
  } else {
    EXPECT_TRUE(MaterialLaw<TypeParam>);
  }
}

TYPED_TEST(Derivatives, NothingIsNaNWhereTheMatterIsCrushedToAPlaneALineOrAPoint) {
  if constexpr (!TypeParam::promises.needs_positive_det) {
    Deformations d(9);
    const std::array<Mat3, 5> crushed = {Mat3::Zero(), d.with(1, 0, 0), d.with(1, 1, 0),
                                         d.with(1, 0.5, -0.5), Mat3::Constant(1e-200)};
    for (const auto& material : materials<TypeParam>())
      for (const Mat3& F : crushed) {
        EXPECT_TRUE(std::isfinite(material.energy(F)));
        EXPECT_TRUE(material.stress(F).allFinite());
        EXPECT_TRUE(material.tangent(F).allFinite());
        const PsdCorrection correction = material.psd_correction(F);
        for (int k = 0; k < correction.count; ++k)
          EXPECT_TRUE(correction.mode[static_cast<std::size_t>(k)].allFinite());
      }
  } else {
    const auto material = materials<TypeParam>().front();
    EXPECT_EQ(material.energy(Mat3::Zero()), std::numeric_limits<double>::infinity());
  }
}

}  // namespace
}  // namespace pliant::fixtures
