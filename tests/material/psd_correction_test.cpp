// The analytic correction of every law against the dense eigen-decomposition of its tangent.
#include "law_cases.hpp"

#include <Eigen/Eigenvalues>

namespace pliant::fixtures {
namespace {

Mat9 clamped(const Mat9& C) {
  const Eigen::SelfAdjointEigenSolver<Mat9> eigen(C);
  const Vec9 values = eigen.eigenvalues().cwiseMax(0);
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

Mat9 corrected(const Mat9& C, const PsdCorrection& correction) {
  Mat9 result = C;
  for (int k = 0; k < correction.count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    EXPECT_GT(correction.amount[i], 0);
    EXPECT_NEAR(correction.mode[i].norm(), 1, 1e-13);
    result += correction.amount[i] * vec(correction.mode[i]) * vec(correction.mode[i]).transpose();
  }
  return result;
}

std::vector<State> many_states(bool positive_only) {
  std::vector<State> list = states(positive_only);
  Deformations d(21);
  for (const double size : {1e-8, 1e-3, 0.03, 0.1, 0.3, 0.6, 1.0})
    for (int k = 0; k < 60; ++k) {
      const Mat3 F = d.rotation() * (Mat3::Identity() + d.any(size));
      if (positive_only && F.determinant() < 0.02) continue;
      list.push_back({"random of size " + std::to_string(size), F, 0});
    }
  return list;
}

template <class L>
class PsdCorrectionOfLaw : public ::testing::Test {};
TYPED_TEST_SUITE(PsdCorrectionOfLaw, AllLaws);

constexpr double psd_tolerance = 1e-9;

TYPED_TEST(PsdCorrectionOfLaw, MakesTheTangentTheNearestSemiDefiniteOne) {
  int with = 0, without = 0;
  for (const auto& material : materials<TypeParam>())
    for (const State& state : many_states(TypeParam::promises.needs_positive_det)) {
      SCOPED_TRACE(state.name);
      const Mat9 C = material.tangent(state.F);
      const PsdCorrection correction = material.psd_correction(state.F);
      const Mat9 result = corrected(C, correction);
      const double scale = C.norm();
      EXPECT_LE((result - clamped(C)).norm(), psd_tolerance * scale);
      const Vec9 values = Eigen::SelfAdjointEigenSolver<Mat9>(result).eigenvalues();
      EXPECT_GE(values[0], -psd_tolerance * scale);
      (correction.count > 0 ? with : without) += 1;
    }
  const bool convex = !TypeParam::promises.frame_indifferent;  // `linear` and `corotated`
  EXPECT_EQ(with == 0, convex);
  EXPECT_GT(without, convex ? 100 : 20);
}

TYPED_TEST(PsdCorrectionOfLaw, HasOneEntryForEachNegativeEigenvalue) {
  for (const auto& material : materials<TypeParam>())
    for (const State& state : states(TypeParam::promises.needs_positive_det)) {
      const Mat9 C = material.tangent(state.F);
      const Vec9 values = Eigen::SelfAdjointEigenSolver<Mat9>(C).eigenvalues();
      const auto negative = (values.array() < -1e-11 * C.norm()).count();
      EXPECT_EQ(material.psd_correction(state.F).count, negative) << state.name;
    }
}

TEST(InvariantPsdCorrection, HoldsForAnyFiveNumbers) {
  Deformations d(22);
  int with = 0, without = 0, scalings = 0;
  for (int k = 0; k < 3000; ++k) {
    const Mat3 n = d.any(1), F = Mat3::Identity() + d.any(0.3);
    const InvariantTangent t = {2 + n(0), 0.3 * n(1), 0.3 * n(2), 0.5 + n(3), 0.7 * n(4)};
    const Mat9 C = expand(t, F);
    const PsdCorrection correction = psd_correction_from(F, t);
    EXPECT_LE((corrected(C, correction) - clamped(C)).norm(), psd_tolerance * C.norm());
    (correction.count > 0 ? with : without) += 1;
    const Svd3 f = svd(F);
    for (int m = 0; m < correction.count; ++m) {
      const Mat3 mode = f.U.transpose() * correction.mode[static_cast<std::size_t>(m)] * f.V;
      scalings += mode.diagonal().norm() > 0.5;
    }
  }
  EXPECT_GT(with, 500);
  EXPECT_GT(without, 500);
  EXPECT_GT(scalings, 200);
}

}  // namespace
}  // namespace pliant::fixtures
