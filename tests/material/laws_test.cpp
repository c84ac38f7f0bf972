// What single laws must do, from their papers and from each other, and the list of them all.
#include "law_cases.hpp"

#include <pliant/core/error.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace pliant::fixtures {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

MaterialConstants plain(double poisson = 0.3) {
  MaterialConstants constants;
  constants.young = young;
  constants.poisson = poisson;
  return constants;
}

// Same energy, stress, tangent and correction at every state.
template <class A, class B>
void expect_same(const MaterialConstants& constants) {
  const Material<A> a{A::make_parameters(constants)};
  const Material<B> b{B::make_parameters(constants)};
  for (const State& state : states(false)) {
    const Mat3& F = state.F;
    EXPECT_NEAR(a.energy(F), b.energy(F), 1e-12 * (a.energy(F) + young));
    EXPECT_LE((a.stress(F) - b.stress(F)).norm(), 1e-12 * (a.stress(F).norm() + young));
    EXPECT_LE((a.tangent(F) - b.tangent(F)).norm(), 1e-12 * a.tangent(F).norm());
    EXPECT_EQ(a.psd_correction(F).count, b.psd_correction(F).count) << state.name;
  }
}

TEST(LawList, NamesAreThoseOfTheInterfaceAndEachOnce) {
  std::set<std::string> names;
  for (const LawInfo& law : law_infos) {
    EXPECT_TRUE(names.insert(std::string(law.name)).second) << law.name;
    EXPECT_FALSE(law.source.empty());
    EXPECT_EQ(law.source.find('\n'), std::string_view::npos);
  }
  const std::set<std::string> expected = {"linear",        "corotated",   "fixed-corotated",
                                          "stvk",          "neo-hookean", "stable-neo-hookean",
                                          "mooney-rivlin", "arap",        "spline",
                                          "orthotropic"};
  EXPECT_EQ(names, expected);
}

TEST(LawList, AVisitFindsEachLawByItsName) {
  for (const LawInfo& law : law_infos) {
    const auto name = visit_law(law.name, [](auto tag) { return decltype(tag)::type::name; });
    EXPECT_EQ(name, law.name);
  }
}

TEST(LawList, AnUnknownNameGetsASuggestion) {
  const auto visit = [](auto) { return 0; };
  EXPECT_THAT([&] { visit_law("neo-hokean", visit); },
              ThrowsMessage<InputError>(HasSubstr("did you mean \"neo-hookean\"?")));
  EXPECT_THAT([&] { visit_law("", visit); }, ThrowsMessage<InputError>(HasSubstr("known: linear")));
}

TEST(StableNeoHookean, EnergyIsThatOfThePaperLessItsValueAtRest) {
  const Lame lame = lame_from(young, 0.4);
  const double mu = 4.0 / 3 * lame.mu, lambda = lame.lambda + 5.0 / 6 * lame.mu;
  const double alpha = 1 + mu / lambda - mu / (4 * lambda);
  const auto paper = [&](const Mat3& F) {
    const double I = F.squaredNorm(), J = F.determinant();
    return mu / 2 * (I - 3) + lambda / 2 * std::pow(J - alpha, 2) - mu / 2 * std::log(I + 1);
  };
  const auto p = StableNeoHookean::make_parameters(plain(0.4));
  for (const State& state : states(false)) {
    const double expected = paper(state.F) - paper(Mat3::Identity());
    EXPECT_NEAR(StableNeoHookean::energy(state.F, p), expected, 1e-12 * (expected + young));
  }
}

TEST(StableNeoHookean, HasNoOtherStressFreeStateOnTheWayThroughInversion) {
  const auto p = StableNeoHookean::make_parameters(plain(0.45));
  for (double s = -2; s < 0.999; s += 0.01) {
    const Mat3 P = StableNeoHookean::stress(Vec3(1, 1, s).asDiagonal(), p);
    EXPECT_LT(P(2, 2), 0) << s;  // pushes back towards 1
  }
}

TEST(NeoHookean, EnergyGrowsWithoutBoundTowardsZeroVolume) {
  const auto p = NeoHookean::make_parameters(plain());
  double last = 0;
  for (double s = 0.1; s > 1e-12; s *= 0.1) {
    const double psi = NeoHookean::energy(Vec3(1, 1, s).asDiagonal(), p);
    EXPECT_GT(psi, last);
    last = psi;
  }
  EXPECT_GT(last, 100 * young);
}

TEST(NeoHookean, SimpleShearNeedsAStressOfMuTimesTheShear) {
  const auto p = NeoHookean::make_parameters(plain());
  Mat3 F = Mat3::Identity();
  F(0, 1) = 0.7;
  EXPECT_NEAR(NeoHookean::stress(F, p)(0, 1), 0.7 * p.mu, 1e-12 * young);  // J = 1: P = μ (F − F⁻ᵀ)
}

TEST(MooneyRivlin, StressesOfAnIncompressibleStretchAreRivlins) {
  MaterialConstants rubber = plain();
  rubber.c10 = 0.3 * young;
  rubber.c01 = 0.1 * young;
  rubber.bulk = 5 * young;
  const auto p = MooneyRivlin::make_parameters(rubber);
  const double s = 1.8, t = 1 / std::sqrt(s);
  const Mat3 F = Vec3(s, t, t).asDiagonal();
  const Mat3 cauchy = MooneyRivlin::stress(F, p) * F.transpose();
  // σ₁ − σ₂ = 2 (s² − 1/s) (c10 + c01/s), Rivlin 1948
  const double expected = 2 * (s * s - 1 / s) * (p.c10 + p.c01 / s);
  EXPECT_NEAR(cauchy(0, 0) - cauchy(1, 1), expected, 1e-12 * young);
}

TEST(MooneyRivlin, PureVolumeChangeIsBorneByTheBulkModulusAlone) {
  const auto p = MooneyRivlin::make_parameters(plain());
  const double K = young / (3 * (1 - 2 * 0.3)), J = 1.3;
  EXPECT_NEAR(MooneyRivlin::energy(std::cbrt(J) * Mat3::Identity(), p), K / 2 * 0.3 * 0.3,
              1e-12 * young);
}

TEST(Corotated, WithItsOwnRotationItAgreesWithTheFollowingOneUpToTheVolumeTerm) {
  MaterialConstants constants = plain(0.0);  // λ = 0: no volume term
  const auto p = Corotated::make_parameters(constants);
  for (const State& state : states(false)) {
    const Mat3 R = rotation_of(state.F);
    const auto q = FixedCorotated::make_parameters(constants);
    EXPECT_NEAR(Corotated::energy(state.F, R, p), FixedCorotated::energy(state.F, q),
                1e-12 * young);
    EXPECT_LE((Corotated::stress(state.F, R, p) - FixedCorotated::stress(state.F, q)).norm(),
              1e-12 * young);
  }
}

TEST(FixedCorotated, WithoutLambdaItIsArap) { expect_same<FixedCorotated, Arap>(plain(0.0)); }

TEST(Spline, WithoutKnotsItIsFixedCorotated) { expect_same<Spline, FixedCorotated>(plain()); }

TEST(Spline, KnotsOnTheCurvesOfAnotherLawGiveThatLaw) {
  MaterialConstants constants = plain(0.2);
  const Lame unit = lame_from(1, 0.2);
  const std::vector<SplineCurve::Knot> f = {{0.5, -unit.mu}, {0.9, -0.2 * unit.mu}, {1.5, unit.mu}};
  const std::vector<SplineCurve::Knot> h = {{0, -unit.lambda}, {2, unit.lambda}};
  constants.curves = std::make_shared<SplineCurves>(
      SplineCurves{SplineCurve(f, "f"), std::nullopt, SplineCurve(h, "h")});
  expect_same<Spline, FixedCorotated>(constants);
}

TEST(Orthotropic, WithOneModulusItIsStVenantKirchhoff) {
  MaterialConstants constants = plain();
  constants.axes = Deformations(31).rotation();
  expect_same<Orthotropic, Stvk>(constants);
}

TEST(Orthotropic, APullAlongEachAxisMeetsItsModulusAndItsRatios) {
  const MaterialConstants wood = variants<Orthotropic>()[1];
  const auto& E = *wood.axial_young;
  const auto& nu = *wood.axial_poisson;
  const auto p = Orthotropic::make_parameters(wood);
  const double tiny = 1e-7;
  // Strains under a pull along x, y, z; the ratios given are xy, yz, zx, the others follow by
  // symmetry.
  const double yx = nu[0] * E[1] / E[0], zy = nu[1] * E[2] / E[1], xz = nu[2] * E[0] / E[2];
  const Vec3 strains[3] = {{1, -nu[0], -xz}, {-yx, 1, -nu[1]}, {-nu[2], -zy, 1}};
  for (int axis = 0; axis < 3; ++axis) {
    const Mat3 e = p.axes * (tiny * strains[axis]).asDiagonal() * p.axes.transpose();
    const Mat3 P = p.axes.transpose() * Orthotropic::stress(Mat3::Identity() + e, p) * p.axes;
    Mat3 expected = Mat3::Zero();
    expected(axis, axis) = E[static_cast<std::size_t>(axis)] * tiny;
    EXPECT_LE((P - expected).norm(), 1e-5 * expected.norm()) << axis;  // strain² is neglected
  }
}

TEST(Orthotropic, AShearMeetsItsModulus) {
  const MaterialConstants wood = variants<Orthotropic>()[1];
  const auto p = Orthotropic::make_parameters(wood);
  const double tiny = 1e-7;
  for (int k = 0; k < 3; ++k) {
    const int a = k, b = (k + 1) % 3;  // xy, yz, zx
    const Mat3 H = tiny * p.axes.col(a) * p.axes.col(b).transpose();
    const Mat3 P = p.axes.transpose() * Orthotropic::stress(Mat3::Identity() + H, p) * p.axes;
    EXPECT_NEAR(P(a, b), (*wood.axial_shear)[static_cast<std::size_t>(k)] * tiny,
                1e-5 * young * tiny);
  }
}

}  // namespace
}  // namespace pliant::fixtures
