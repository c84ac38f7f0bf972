// The laws at one point: every derivative against differences, signs, and what they are blind to.
#include <pliant/dissipation/damping_rules.hpp>
#include <pliant/dissipation/strain_rate.hpp>
#include <pliant/material/law_names.hpp>

#include "dissipation/damping_cases.hpp"
#include "support/term_checks.hpp"

#include <random>

namespace pliant {
namespace {

using test::derivative;

std::unique_ptr<const ViscousRule> make_rule(const DampingLaw& law, const std::string& elastic) {
  MaterialConstants constants;
  constants.young = 1e5;
  constants.poisson = 0.3;
  const DampedElements elements{ElementType::tet4, elastic, {}, {constants}};
  if (law.base == DampingLaw::Base::rayleigh) return make_stiffness_rule(elements, law);
  if (law.base == DampingLaw::Base::principal_strain) return make_principal_rule(elements, law);
  return std::make_unique<ViscousRuleOf<StrainRate>>(
      std::vector<StrainRate::Parameters>{{law.psi[0], law.phi[0]}}, law.over);
}

Mat3 random_matrix(double scale, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-scale, scale);
  Mat3 X;
  for (int k = 0; k < 9; ++k) X(k) = uniform(random);
  return X;
}

ViscousResponse respond(const ViscousRule& rule, const Mat3& F, const Mat3& F_dot,
                        Wanted wanted = {.position = true}) {
  RateSamples samples;
  samples.count = 1;
  samples.F[0] = F;
  samples.F_dot[0] = F_dot;
  rule.respond(samples, wanted);
  return samples.out[0];
}

double dot(const Mat3& A, const Mat3& B) { return A.cwiseProduct(B).sum(); }
Mat3 times(const Mat9& A, const Mat3& X) {
  const Vec9 y = A * vec(X);
  return Eigen::Map<const Mat3>(y.data());
}

// Differences against what the law says, relative to the size of what is compared.
void expect_derivatives(const ViscousRule& rule, const Mat3& F, const Mat3& F_dot) {
  const ViscousResponse at = respond(rule, F, F_dot);
  const Mat3 X = random_matrix(1, 77);
  const double h = 1e-4;
  const double dR_dv = derivative([&](double s) { return respond(rule, F, F_dot + s * X).R; }, h);
  EXPECT_NEAR(dR_dv, dot(at.P, X), 1e-7 * at.P.norm() * X.norm());
  const Mat3 dP_dv =
      derivative([&](double s) -> Mat3 { return respond(rule, F, F_dot + s * X).P; }, h);
  EXPECT_LT((dP_dv - times(at.D, X)).norm(), 1e-6 * at.D.norm());
  const double dR_dF = derivative([&](double s) { return respond(rule, F + s * X, F_dot).R; }, h);
  EXPECT_NEAR(dR_dF, dot(at.G, X), 1e-6 * (at.G.norm() + at.R));
  const Mat3 dP_dF =
      derivative([&](double s) -> Mat3 { return respond(rule, F + s * X, F_dot).P; }, h);
  EXPECT_LT((dP_dF - times(at.S, X)).norm(), 1e-6 * at.S.norm());
  EXPECT_GT(at.R, 0);
  EXPECT_GT(at.S.norm(), 0);
}

class EveryLaw : public testing::TestWithParam<test::DampingCase> {};

TEST_P(EveryLaw, HasTheDerivativesItSays) {
  const auto rule = make_rule(GetParam().law, "stable-neo-hookean");
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    expect_derivatives(*rule, Mat3::Identity() + random_matrix(0.3, seed),
                       random_matrix(2, 100 + seed));
  }
}

TEST_P(EveryLaw, HasTheDerivativesItSaysWhereInverted) {
  const auto rule = make_rule(GetParam().law, "stable-neo-hookean");
  const Mat3 mirror = Vec3(1.2, 0.9, -0.6).asDiagonal();
  for (unsigned seed = 0; seed < 4; ++seed)
    expect_derivatives(*rule, mirror + random_matrix(0.1, seed), random_matrix(2, 100 + seed));
}

// Over every elastic law that Rayleigh damping may take its stiffness from.
TEST_P(EveryLaw, HasTheDerivativesItSaysOverEveryMaterial) {
  if (GetParam().law.base != DampingLaw::Base::rayleigh) return;
  for (const LawInfo& info : solid_laws()) {
    if (info.name == "linear" || info.promises.frozen_rotation) continue;  // constant or frozen
    SCOPED_TRACE(info.name);
    const auto rule = make_rule(GetParam().law, std::string(info.name));
    expect_derivatives(*rule, Mat3::Identity() + random_matrix(0.1, 5), random_matrix(2, 9));
  }
}

TEST_P(EveryLaw, NeverDrives) {
  const auto rule = make_rule(GetParam().law, "stvk");
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Mat3 F = random_matrix(1.5, seed), F_dot = random_matrix(5, 1000 + seed);
    const ViscousResponse at = respond(*rule, F, F_dot, {.force = true});
    EXPECT_GE(at.R, 0);
    EXPECT_GE(dot(at.P, F_dot), -1e-12 * at.P.norm() * F_dot.norm());
  }
}

TEST_P(EveryLaw, IsFiniteAndZeroWhereNothingMoves) {
  const auto rule = make_rule(GetParam().law, "stable-neo-hookean");
  const Mat3 flat = Vec3(1, 1, 0).asDiagonal(), line = Vec3(1, 0, 0).asDiagonal();
  for (const Mat3& F : {Mat3(Mat3::Identity()), flat, line, Mat3(Mat3::Zero())}) {
    const ViscousResponse still = respond(*rule, F, Mat3::Zero());
    EXPECT_EQ(still.R, 0);
    EXPECT_EQ(still.P.norm(), 0);
    EXPECT_TRUE(still.D.allFinite() && still.S.allFinite() && still.G.allFinite());
    const ViscousResponse moving = respond(*rule, F, random_matrix(1, 3));
    EXPECT_TRUE(moving.P.allFinite() && moving.D.allFinite());
    EXPECT_GE(moving.R, 0);
  }
}

// The torque of a stress is the axis of P Fᵀ; rounding alone is left of it.
TEST_P(EveryLaw, KeepsMomentumWhereItSaysSo) {
  const auto rule = make_rule(GetParam().law, "stable-neo-hookean");
  const Vec3 omega(0.3, -2, 1);
  double largest = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Mat3 F = Mat3::Identity() + random_matrix(0.5, seed);
    const ViscousResponse at = respond(*rule, F, random_matrix(2, 50 + seed), {.force = true});
    const Mat3 PFt = at.P * F.transpose();
    largest = std::max(largest, (PFt - PFt.transpose()).norm() / PFt.norm());
    Mat3 spin;
    for (int j = 0; j < 3; ++j) spin.col(j) = omega.cross(F.col(j));
    const ViscousResponse rigid = respond(*rule, F, spin, {.force = true});
    if (GetParam().keeps_momentum) {
      // Powers p < 1 feel the rounding of zero most: their force is at most D times it.
      EXPECT_LT(rigid.P.norm(), 1e-9 * at.P.norm());
    }
  }
  if (GetParam().keeps_momentum)
    EXPECT_LT(largest, 1e-12);
  else
    EXPECT_GT(largest, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryLaw, testing::ValuesIn(test::damping_cases()),
                         [](const auto& info) { return info.param.name; });

class PrincipalStage : public testing::TestWithParam<DampingLaw> {};

ViscousResponse respond_stage(const ViscousRule& rule, const Mat3& F, const Mat3& F_p,
                              double gamma) {
  RateSamples samples;
  samples.count = 1;
  samples.F[0] = F;
  samples.F_dot[0] = (F - F_p) / gamma;
  rule.respond_stage(samples, gamma, {.damping = true});
  return samples.out[0];
}

TEST_P(PrincipalStage, IsThePotentialOfItsForce) {
  const auto rule = make_rule(GetParam(), "stable-neo-hookean");
  ASSERT_TRUE(rule->has_stage_form());
  const double gamma = 5e-3, h = 1e-5;
  for (unsigned seed = 0; seed < 8; ++seed) {
    const Mat3 base = Vec3(1.3, 1.0, 0.8).asDiagonal();
    const Mat3 F = base + random_matrix(0.1, seed), F_p = F - gamma * random_matrix(3, 40 + seed);
    const Mat3 X = random_matrix(1, 60 + seed);
    const ViscousResponse at = respond_stage(*rule, F, F_p, gamma);
    const double slope = derivative(
        [&](double s) { return gamma * respond_stage(*rule, F + s * X, F_p, gamma).R; }, h);
    EXPECT_NEAR(slope, dot(at.P, X), 1e-6 * at.P.norm() * X.norm());
    const Mat3 change = derivative(
        [&](double s) -> Mat3 { return gamma * respond_stage(*rule, F + s * X, F_p, gamma).P; }, h);
    EXPECT_LT((change - times(at.D, X)).norm(), 1e-6 * at.D.norm());
  }
}

// δσ is σ̇ up to the step, so both forms agree in the limit.
TEST_P(PrincipalStage, TendsToTheDissipationOfTheRates) {
  const auto rule = make_rule(GetParam(), "stable-neo-hookean");
  const Mat3 F = Mat3(Vec3(1.3, 1.0, 0.8).asDiagonal()) + random_matrix(0.05, 1);
  const Mat3 F_dot = random_matrix(1, 2);
  const Mat3 P = respond(*rule, F, F_dot, {.force = true}).P;
  const auto error = [&](double gamma) {
    return (respond_stage(*rule, F, F - gamma * F_dot, gamma).P - P).norm() / P.norm();
  };
  EXPECT_NEAR(error(1e-4) / error(1e-5), 10, 0.5);
  EXPECT_LT(error(1e-5), 1e-3);
}

DampingLaw each_strain() {
  DampingLaw law = test::with_strain_curve(test::principal_damping());
  law.over.each_strain = true;
  return law;
}

INSTANTIATE_TEST_SUITE_P(Cases, PrincipalStage,
                         testing::Values(test::principal_damping(),
                                         test::with_power(test::principal_damping(), 2),
                                         test::with_power(test::principal_damping(), 0),
                                         test::with_strain_curve(test::principal_damping()),
                                         each_strain()));

TEST(DampingLaws, RefuseWhatMakesNoSense) {
  const auto refused = [](const DampingLaw& law, const std::string& words) {
    try {
      check(law);
      ADD_FAILURE() << "accepted; wanted: " << words;
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refused(test::with_power(test::strain_rate_damping(), 4.5), "p: must be from 0 to 4, got 4.5");
  refused(test::with_power(test::strain_rate_damping(), -0.1), "p: must be from 0 to 4");
  refused(test::strain_rate_damping(-1, 0), "psi: must not be negative, got -1");
  refused(test::rayleigh_damping(-1), "beta: must not be negative");
  DampingLaw each = test::with_strain_curve(test::rayleigh_damping());
  each.over.each_strain = true;
  refused(each, "needs the base principal-strain");
  using Knots = std::vector<SplineCurve::Knot>;
  EXPECT_ANY_THROW(FactorCurve(Knots{{1, 0}, {1, 2}}, "knots"));
  EXPECT_ANY_THROW(FactorCurve(Knots{{1, 0}, {2, -1}}, "knots"));
}

}  // namespace
}  // namespace pliant
