// The local–global solver finds what Newton's method finds: on every law, on cloth and cables, with
// pins that move and hold single axes, in every stage of a method.
#include <pliant/core/error.hpp>
#include <pliant/material/law_names.hpp>

#include "integrate/admm_bodies.hpp"

namespace pliant {
namespace {

using test::admm;
using test::expect_same;
using test::make_test_model;
using test::run;
using test::solid_of;

TEST(Admm, FindsWhatNewtonFindsForEveryLaw) {
  for (const LawInfo& law : solid_laws()) {
    const Model model = make_test_model(solid_of(std::string(law.name)));
    expect_same(*model.system, "be", std::string(law.name));
  }
}

TEST(Admm, FindsWhatNewtonFindsOnEveryElement) {
  for (const ElementType type : {ElementType::hex8, ElementType::tet10}) {
    const Model model = make_test_model(solid_of("stable-neo-hookean", type));
    expect_same(*model.system, "be", std::string(name_of(type)));
  }
}

TEST(Admm, FindsWhatNewtonFindsWithEveryKindOfStage) {
  const Model model = make_test_model(solid_of("fixed-corotated"));
  for (const char* method : {"bdf2", "trbdf2", "sdirk2", "sdirk3", "esdirk43", "trapezoidal",
                             "midpoint", "newmark", "generalized-alpha"})
    expect_same(*model.system, method, method);
}

TEST(Admm, FindsWhatNewtonFindsOnClothAndCables) {
  for (const MembraneInfo& law : membrane_laws()) {
    SolidInput sheet = solid_of(std::string(law.name));
    sheet.mesh = make_sheet({{2, 1}, {8, 4}});
    sheet.thin = ThinInput{0.02, 1e-2, BendingModel::quadratic};
    expect_same(*make_test_model(std::move(sheet)).system, "be", std::string(law.name));
  }
  SolidInput rope = solid_of("stvk");
  rope.mesh = make_cable({Vec3(-1, 0, 0), Vec3(1, 0, 0), 12});
  rope.thin = ThinInput{0.02, 0.0};
  expect_same(*make_test_model(std::move(rope)).system, "be", "cable");
}

TEST(Admm, FindsWhatNewtonFindsForBendingOfShells) {
  SolidInput shell = solid_of("stvk");
  shell.mesh = make_sheet({{2, 1}, {8, 4}});
  for (Vec3& x : shell.mesh.points) x.y() = 0.1 * std::cos(3 * x.x());  // curved at rest
  shell.thin = ThinInput{0.02, 0.1, BendingModel::shell};
  shell.beta = 1e-3;
  expect_same(*make_test_model(std::move(shell)).system, "be", "shell");
}

// Twenty iterations a stage follow the converged motion within one percent over a second.
TEST(Admm, TwentyIterationsStayWithinOnePercent) {
  const Model model = make_test_model(solid_of("stable-neo-hookean"));
  SolverOptions twenty = admm(1e-14);
  twenty.admm.iterations = 20;
  const State a = run(*model.system, "trbdf2", twenty, 50),
              b = run(*model.system, "trbdf2", {}, 50);
  EXPECT_LT((a.q - b.q).norm(), 0.01 * (b.q - model.system->rest()).norm());
}

TEST(Admm, FindsWhatNewtonFindsForBendingOfCables) {
  SolidInput rope = solid_of("stvk");
  rope.mesh = make_cable({Vec3(-1, 0, 0), Vec3(1, 0, 0), 12});
  for (Vec3& x : rope.mesh.points) x.z() = 0.1 * std::cos(2 * x.x());  // curved at rest
  rope.thin = ThinInput{0.02, 0.5};
  rope.beta = 1e-3;
  expect_same(*make_test_model(std::move(rope)).system, "be", "cable");
}

// Iterations of all stages of a run.
struct Accelerated {
  State end;
  long iterations = 0;
};
Accelerated accelerated(const System& system, int anderson,
                        const std::string& integrator = "trbdf2") {
  SolverOptions options = admm(1e-9);
  options.admm.anderson = anderson;
  const auto stepper = make_stepper(integrator, options);
  Accelerated out{system.make_state()};
  for (int k = 0; k < 5; ++k) {
    const StepReport report = stepper->step(system, out.end, 0.02);
    EXPECT_TRUE(report.ok) << report.reason;
    EXPECT_FALSE(report.unconverged);
    out.iterations += report.linear;
  }
  return out;
}

TEST(Admm, AcceleratedFindsTheSameInFewerIterations) {
  for (const char* law : {"stable-neo-hookean", "arap", "stvk"}) {
    const Model model = make_test_model(solid_of(law));
    const Accelerated plain = accelerated(*model.system, 0), fast = accelerated(*model.system, 6);
    const double moved = (plain.end.q - model.system->rest()).norm();
    EXPECT_LT((plain.end.q - fast.end.q).norm(), 1e-6 * moved) << law;
    EXPECT_LT(3 * fast.iterations, 2 * plain.iterations) << law;
  }
}

TEST(Admm, AcceleratedFindsTheSameOnClothAndWithDamping) {
  SolidInput sheet = solid_of("stvk");
  sheet.mesh = make_sheet({{2, 1}, {8, 4}});
  sheet.thin = ThinInput{0.02, 1e-2, BendingModel::quadratic};
  sheet.beta = 1e-3;
  const Model model = make_test_model(std::move(sheet));
  const Accelerated plain = accelerated(*model.system, 0, "be"),
                    fast = accelerated(*model.system, 8, "be");
  EXPECT_LT((plain.end.q - fast.end.q).norm(), 1e-6 * (plain.end.q - model.system->rest()).norm());
  EXPECT_LT(fast.iterations, plain.iterations);
}

TEST(Admm, FactorisesOncePerRunWhereAllStagesShareGamma) {
  const Model model = make_test_model(solid_of("stvk"));
  const auto stepper = make_stepper("trbdf2", admm(1e-6));
  State state = model.system->make_state();
  int factorizations = 0;
  for (int k = 0; k < 4; ++k)
    factorizations += stepper->step(*model.system, state, 0.02).factorizations;
  EXPECT_EQ(factorizations, 2);  // one for x and z, one for y, along which more nodes are held
}

TEST(Admm, SaysWhatWasNotConverged) {
  const Model model = make_test_model(solid_of("stable-neo-hookean"));
  SolverOptions few = admm(1e-12);
  few.admm.iterations = 2;
  const auto stepper = make_stepper("be", few);
  State state = model.system->make_state();
  const StepReport report = stepper->step(*model.system, state, 0.02);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.unconverged, 1);
  EXPECT_GT(std::max(report.primal, report.dual), 1e-12);
  few.admm.iterations = 0;
  few.max_iterations = 1;  // twenty of admm
  state = model.system->make_state();
  const StepReport failed = make_stepper("be", few)->step(*model.system, state, 0.02);
  EXPECT_FALSE(failed.ok);
  EXPECT_NE(failed.reason.find("newton may"), std::string::npos) << failed.reason;
}

TEST(Admm, RefusesToHoldModes) {
  const Model model = make_test_model(solid_of("stvk"));
  State state = model.system->make_state();
  EXPECT_THROW((void)make_stepper("bdf2ere", admm())->step(*model.system, state, 0.02), InputError);
}

}  // namespace
}  // namespace pliant
