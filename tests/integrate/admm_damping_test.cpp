// Damping as local parts: the same motion as with Newton's method for laws that are smooth, and
// forces that hold, exactly, for those that are not.
#include "dissipation/damping_cases.hpp"
#include "integrate/admm_bodies.hpp"

namespace pliant {
namespace {

using test::admm;
using test::expect_same;
using test::make_test_model;
using test::solid_of;

Model make_damped(const DampingLaw& law) {
  SolidInput solid = solid_of("stable-neo-hookean");
  solid.damping = {law};
  return make_test_model(std::move(solid));
}

TEST(AdmmDamping, FindsWhatNewtonFindsForEveryLawThatIsSmooth) {
  for (const test::DampingCase& each : test::damping_cases()) {
    if (each.law.over.power && each.law.over.power->p < 1) continue;
    expect_same(*make_damped(each.law).system, "be", each.name, 2);
  }
}

TEST(AdmmDamping, FindsWhatNewtonFindsForPrincipalStrains) {
  expect_same(*make_damped(test::principal_damping()).system, "be", "alone");
  expect_same(*make_damped(test::with_power(test::principal_damping(), 2)).system, "be", "p = 2");
}

TEST(AdmmDamping, FindsWhatNewtonFindsForEveryTreatmentOfTheStage) {
  for (const StageTreatment treatment : {StageTreatment::objective, StageTreatment::second_order}) {
    DampingLaw law = test::strain_rate_damping(400, 200);
    law.treatment = treatment;
    expect_same(*make_damped(law).system, "be",
                treatment == StageTreatment::objective ? "(19)" : "(26)");
  }
}

TEST(AdmmDamping, FindsWhatNewtonFindsWithEveryKindOfStage) {
  SolidInput solid = solid_of("fixed-corotated");
  solid.damping = {test::strain_rate_damping(200, 100)};
  solid.alpha = 0.5;
  const Model model = make_test_model(std::move(solid));
  for (const char* method : {"bdf2", "trbdf2", "sdirk2", "newmark", "generalized-alpha"})
    expect_same(*model.system, method, method);
}

TEST(AdmmDamping, FindsWhatNewtonFindsForRayleighDampingOfTheStepsStart) {
  SolidInput solid = solid_of("stvk");
  solid.alpha = 2, solid.beta = 5e-3;
  expect_same(*make_test_model(std::move(solid)).system, "be", "solid");
  SolidInput sheet = solid_of("stvk");
  sheet.mesh = make_sheet({{2, 1}, {8, 4}});
  sheet.thin = ThinInput{0.02, 1e-2, BendingModel::quadratic};
  sheet.alpha = 1, sheet.beta = 2e-3;
  expect_same(*make_test_model(std::move(sheet)).system, "be", "cloth");
  SolidInput rope = solid_of("stvk");
  rope.mesh = make_cable({Vec3(-1, 0, 0), Vec3(1, 0, 0), 12});
  rope.thin = ThinInput{0.02, 0.0};
  rope.beta = 1e-3;
  expect_same(*make_test_model(std::move(rope)).system, "be", "cable");
}

// A free block, stretched and let go. With p = 0 the stress is at most √(A D/2), so it stops for
// good while it is still deformed; the same law with p = 1 only gets slower and slower.
State let_go(double p, double time) {
  SolidInput solid = solid_of("stable-neo-hookean");
  solid.mesh = make_box({.size = Vec3(1, 0.5, 0.5), .cells = {2, 1, 1}});
  solid.damping = {test::with_power(test::strain_rate_damping(400, 400), p, 1e4)};
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  const Model model = make_model(std::move(solids));
  const System& system = *model.system;
  State state = system.make_state();
  for (Index n = 0; n < system.nodes(); ++n) state.q[3 * n] *= 1.2;
  const auto stepper = make_stepper("be", admm(1e-8));
  for (double t = 0; t < time; t += 0.01) {
    const StepReport report = stepper->step(system, state, 0.01);
    EXPECT_TRUE(report.ok) << report.reason;
  }
  state.q -= system.rest();
  return state;
}

TEST(AdmmDamping, ComesToRestInFiniteTimeForPowersOfZero) {
  const State dry = let_go(0, 0.3), viscous = let_go(1, 0.3);
  EXPECT_LT(dry.v.norm(), 1e-6);  // m/s, what the tolerance leaves
  EXPECT_GT(dry.q.norm(), 1e-3);  // it holds a shape
  EXPECT_GT(viscous.v.norm(), 1e-4);
}

}  // namespace
}  // namespace pliant
