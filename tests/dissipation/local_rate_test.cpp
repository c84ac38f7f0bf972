// The rate at which damping of one part comes to rest, against its equation and against the closed
// forms that there are.
#include <pliant/dissipation/local_rate.hpp>
#include <pliant/dissipation/strain_rate.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

ViscousRuleOf<StrainRate> rule_of(double p, double strength) {
  ViscousModifiers over;
  over.power = PowerLaw{.p = p, .strength = strength, .epsilon = 1e-3};
  return {{{40, 60}}, over};
}

RateTarget<9> target() {
  RateTarget<9> t{12, {}};
  t.b << 0.3, -1, 2, 0.5, 0.1, -0.7, 1, 0, -0.2;
  return t;
}

TEST(LocalRate, BalancesForceAndPullForEveryPower) {
  Mat3 F;
  F << 1.1, 0.2, 0, -0.1, 0.9, 0.1, 0.3, 0, 1.2;
  for (const double p : {0.0, 0.3, 0.5, 1.0, 1.7, 2.0, 4.0}) {
    const auto rule = rule_of(p, 3);
    const RateForm<9> form = rule.form(0, F);
    const RateTarget<9> t = target();
    const Vec9 y = find_rate<9>(rule, form, t);
    const Vec9 Dy = form.D * y;
    const double R = 0.5 * y.dot(Dy);
    ASSERT_GT(R, 0) << p;
    const Vec9 left = std::pow(R / 3, 0.5 * (p - 1)) * 0.5 * (p + 1) * Dy + t.c * (y - t.b);
    EXPECT_LT(left.norm(), 1e-10 * t.c * t.b.norm()) << p;
  }
}

// Two ways to the same rate, also where F is flat, inverted or gone, and where only shear or only
// bulk is damped.
TEST(LocalRate, OfStrainsIsThatOfTheWholeMatrix) {
  Mat3 F;
  F << 1.1, 0.2, 0, -0.1, 0.9, 0.1, 0.3, 0, 1.2;
  Mat3 flat = F;
  flat.col(2) = F.col(0) - 2 * F.col(1);
  const Mat3 line = F.col(0) * Vec3(1, -0.5, 2).transpose();
  const RateTarget<9> t = target();
  for (const StrainRate::Parameters& viscosity : {StrainRate::Parameters{40, 60}, {40, 0}, {0, 60}})
    for (const double p : {-1.0, 0.0, 0.5, 2.0, 4.0}) {
      ViscousModifiers over;
      if (p >= 0) over.power = PowerLaw{.p = p, .strength = 3, .epsilon = 1e-3};
      const ViscousRuleOf<StrainRate> rule({viscosity}, over);
      for (const Mat3& at : {F, flat, line, Mat3(-F), Mat3(Mat3::Identity())}) {
        const Svd3 f = svd(at);
        const Vec9 whole = find_rate<9>(rule, rule.form(0, at), t);
        const Mat3 own = find_rate(rule, rule.strain_rate_form(0, f.sigma).value(), f, t);
        EXPECT_LT((vec(own) - whole).norm(), 1e-9 * t.b.norm()) << p << " " << viscosity.psi << "\n"
                                                                << at;
      }
      const Svd3 gone = svd(Mat3::Zero());
      const Mat3 free = find_rate(rule, rule.strain_rate_form(0, gone.sigma).value(), gone, t);
      EXPECT_LT((vec(free) - t.b).norm(), 1e-12);
    }
}

// With D = λ e eᵀ and p = 0 the force along e has the size √(A λ/2) and no more: the rate is held
// at zero where the pull c |b| is less, and loses √(A λ/2)/c where it is not.
TEST(LocalRate, IsHeldByTheForceThatDoesNotVanishAndNoLonger) {
  const double A = 3, lambda = 8;
  const auto rule = rule_of(0, A);
  RateForm<9> form{Mat9::Zero(), 1, 1};
  form.D(2, 2) = lambda;
  RateTarget<9> t = target();
  const double limit = std::sqrt(0.5 * A * lambda);
  for (const double part : {0.5, 0.999, 1.001, 4.0}) {
    t.b[2] = part * limit / t.c;
    const Vec9 y = find_rate<9>(rule, form, t);
    EXPECT_NEAR(y[2], std::max(0.0, part - 1) * limit / t.c, 1e-12) << part;
    EXPECT_NEAR(y[1], t.b[1], 1e-12);  // across, nothing is damped
  }
}

}  // namespace
}  // namespace pliant
