#include <pliant/material/laws.hpp>
#include <pliant/material/stress_measures.hpp>

#include <pliant/core/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Change = std::function<void(MaterialConstants&)>;

std::string refusal(const Change& change) {
  MaterialConstants constants;
  change(constants);
  try {
    check(constants);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MaterialConstants, DefaultsAreAccepted) {
  EXPECT_EQ(refusal([](MaterialConstants&) {}), "");
}

TEST(MaterialConstants, ValuesOutOfRangeAreRefusedInOneSentence) {
  using C = MaterialConstants;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([](C& c) { c.poisson = 0.5; }),
            "poisson: must be above -1 and below 0.5, got 0.5");
  EXPECT_THAT(refusal([](C& c) { c.poisson = -1; }), HasSubstr("poisson: must be above -1"));
  EXPECT_THAT(refusal([=](C& c) { c.poisson = nan; }), HasSubstr("got nan"));
  EXPECT_EQ(refusal([](C& c) { c.young = 0; }), "young: must be above 0 and finite, got 0");
  EXPECT_THAT(refusal([](C& c) { c.young = -3; }), HasSubstr("young: must be above 0"));
  EXPECT_THAT(refusal([=](C& c) { c.young = 1 / 0.0; }), HasSubstr("got inf"));
  EXPECT_THAT(refusal([](C& c) { c.density = 0; }), HasSubstr("density: must be above 0"));
  EXPECT_THAT(refusal([](C& c) { c.bulk = -1; }), HasSubstr("bulk: must be above 0"));
  EXPECT_THAT(refusal([](C& c) { c.c10 = 1; }), HasSubstr("c01: is missing"));
  EXPECT_THAT(refusal([](C& c) { c.c01 = 1; }), HasSubstr("c10: is missing"));
  EXPECT_THAT(refusal([](C& c) { c.c10 = 1, c.c01 = -0.5; }), HasSubstr("c01: must be at least 0"));
  EXPECT_THAT(refusal([](C& c) { c.c10 = 0, c.c01 = 0; }), HasSubstr("c10 + c01: must be above 0"));
}

TEST(MaterialConstants, AnOrthotropicStiffnessMustBePositiveDefinite) {
  using C = MaterialConstants;
  EXPECT_THAT(refusal([](C& c) {
                c.axial_poisson = {0.9, 0.9, 0.9};
              }),
              HasSubstr("not positive definite"));
  EXPECT_THAT(refusal([](C& c) {
                c.axial_young = {1e5, 0, 1e5};
              }),
              HasSubstr("young: must be above 0"));
  EXPECT_THAT(refusal([](C& c) {
                c.axial_shear = {1, 1, -1};
              }),
              HasSubstr("shear: must be above 0"));
  EXPECT_THAT(refusal([](C& c) { c.axes(0, 0) = 0.9; }),
              HasSubstr("axes: must be three unit vectors"));
  EXPECT_THAT(refusal([](C& c) { c.axes(0, 0) = -1; }), HasSubstr("axes: must be right-handed"));
  // ν_xy may be large where the material is much stiffer along x.
  EXPECT_EQ(refusal([](C& c) {
              c.axial_young = {100e5, 1e5, 1e5};
              c.axial_poisson = {0.9, 0.3, 0.005};
            }),
            "");
}

TEST(MaterialConstants, EveryLawRefusesABadRatioByItself) {
  MaterialConstants bad;
  bad.poisson = 0.7;
  for (const LawInfo& law : law_infos) {
    const auto make = [&] {
      visit_law(law.name, [&](auto tag) { (void)decltype(tag)::type::make_parameters(bad); });
    };
    EXPECT_THAT(make, ThrowsMessage<InputError>(HasSubstr("poisson: must be above -1")))
        << law.name;
  }
}

TEST(MaterialConstants, MooneyRivlinDerivesWhatIsNotGiven) {
  MaterialConstants constants;
  constants.young = 3e5;
  constants.poisson = 0.25;  // μ = 1.2e5, K = 2e5
  const MooneyConstants derived = checked_mooney(constants);
  EXPECT_DOUBLE_EQ(2 * (derived.c10 + derived.c01), 1.2e5);
  EXPECT_DOUBLE_EQ(derived.c10, 4 * derived.c01);
  EXPECT_DOUBLE_EQ(derived.bulk, 2e5);
  constants.c10 = 5e4;
  constants.c01 = 1e4;  // the same shear modulus
  EXPECT_DOUBLE_EQ(checked_mooney(constants).bulk, 2e5);
}

TEST(SplineConstants, CurvesThatLeaveStressOrNoStiffnessAtRestAreRefused) {
  using Knots = std::vector<SplineCurve::Knot>;
  const auto make = [](const Knots& f) {
    MaterialConstants constants;
    constants.curves = std::make_shared<SplineCurves>(
        SplineCurves{SplineCurve(f, "f"), std::nullopt, std::nullopt});
    return Spline::make_parameters(constants);
  };
  EXPECT_NO_THROW(make({{0.5, -0.4}, {1, 0}, {2, 1}}));
  EXPECT_THAT(
      [&] {
        make({{0.5, -0.4}, {1, 0.1}, {2, 1}});
      },
      ThrowsMessage<InputError>(HasSubstr("must be 0, or rest is not free of stress")));
  EXPECT_THAT(
      [&] {
        make({{0.5, 0.4}, {1, 0}, {2, 1}});
      },
      ThrowsMessage<InputError>(HasSubstr("no stiffness at rest")));
}

TEST(StressMeasures, VonMisesIsTheStressOfAUniaxialTestAndIgnoresPressure) {
  Mat3 pull = Mat3::Zero();
  pull(1, 1) = -7;
  EXPECT_NEAR(von_mises(pull), 7, 1e-14);
  EXPECT_NEAR(von_mises(pull + 100 * Mat3::Identity()), 7, 1e-12);
  Mat3 shear = Mat3::Zero();
  shear(0, 2) = shear(2, 0) = 2;
  EXPECT_NEAR(von_mises(shear), 2 * std::sqrt(3.0), 1e-14);
}

TEST(StressMeasures, CauchyStressIsForcePerDeformedArea) {
  // A bar pulled to twice its length whose sides shrink to 0.8: the force on its end is P₀₀ per
  // rest area.
  const Mat3 F = Vec3(2, 0.8, 0.8).asDiagonal();
  Mat3 P = Mat3::Zero();
  P(0, 0) = 5;
  const Mat3 cauchy = cauchy_from_first_piola(F, P);
  EXPECT_NEAR(cauchy(0, 0), 5 / (0.8 * 0.8), 1e-14);
  EXPECT_NEAR(cauchy.norm(), cauchy(0, 0), 1e-14);
}

TEST(StressMeasures, CauchyStressOfAnyLawIsSymmetric) {
  MaterialConstants constants;
  const auto p = StableNeoHookean::make_parameters(constants);
  Mat3 F;
  F << 1.2, 0.3, -0.1, 0.2, 0.8, 0.4, 0, -0.3, 1.1;
  const Mat3 cauchy = cauchy_from_first_piola(F, StableNeoHookean::stress(F, p));
  EXPECT_LE((cauchy - cauchy.transpose()).norm(), 1e-14 * cauchy.norm());
  EXPECT_GT(von_mises(cauchy), 0.01 * constants.young);
}

}  // namespace
}  // namespace pliant
