// EigenFit: what it does to frequencies, forces and motion, against theory and a second method.
#include <pliant/analysis/modes.hpp>
#include <pliant/integrate/stepper.hpp>

#include "coarsen/coarse_beam.hpp"
#include "support/term_checks.hpp"

#include <gmock/gmock.h>

#include <numbers>
#include <set>

namespace pliant {
namespace {

using test::coarse_spec;
using test::CorrectedBeam;
using test::make_corrected;
using test::OpenStep;

// K + Y Zᵀ and M on free coordinates, as dense matrices.
struct DensePair {
  Matrix K, M;
};
DensePair dense_pair(const System& system, const OpenStep& step) {
  BlockMatrix K(system.pattern());
  LowRank update;
  const Configuration c{0, view(step.state.q), view(step.state.v), &step.data};
  system.add_tangent(c, {.stiffness = 1}, K);
  system.low_rank(c, {.stiffness = 1}, update);
  update.remove(step.mask);
  const std::vector<Eigen::Index> free = step.free();
  Matrix whole = test::dense(K);
  if (!update.empty()) whole += update.Y * update.Z.transpose();
  return {whole(free, free), test::dense(system.mass())(free, free)};
}
Vector eigenvalues(const DensePair& pair) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(pair.K, pair.M).eigenvalues();
}

TEST(EigenFit, GivesTheCoarseModesTheFrequenciesOfTheFineOnesAndLeavesAllOthers) {
  const CorrectedBeam beam = make_corrected(coarse_spec("linear"));
  const Model plain = test::make_beam(coarse_spec("linear"));
  Vector wanted =
      eigenvalues(dense_pair(*plain.system, {*plain.system, plain.system->make_state()}));
  for (Eigen::Index i = 0; i < 6; ++i) {
    EXPECT_LT(beam.fit().ratios[i], 0.95) << "the fine mesh is hardly softer: nothing is tested";
    wanted[i] = beam.fit().fine_values[i];
  }
  std::sort(wanted.begin(), wanted.end());
  const Vector found = eigenvalues(
      dense_pair(*beam.model.system, {*beam.model.system, beam.model.system->make_state()}));
  for (Eigen::Index i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i], 1e-8 * wanted[i]) << i;
  const Modes modes = find_modes(*beam.model.system, beam.model.system->make_state(), 8);
  ASSERT_EQ(modes.list.size(), 8U);
  for (Eigen::Index i = 0; i < 8; ++i)
    EXPECT_NEAR(modes.list[static_cast<std::size_t>(i)].lambda, wanted[i], 1e-8 * wanted[i]) << i;
}

TEST(EigenFit, OfTheFineModesHasThoseOfTheFineMeshItself) {
  const test::BeamSpec spec = coarse_spec("linear");
  const CorrectedBeam beam = make_corrected(spec);
  test::BeamSpec fine = spec;
  fine.cells = {12, 4, 3};
  const Model model = test::make_beam(fine);
  const Modes modes = find_modes(*model.system, model.system->make_state(), 12);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto partner = static_cast<std::size_t>(beam.fit().pairing.partner[i]);
    const double wanted = modes.list[partner].lambda;
    EXPECT_NEAR(beam.fit().fine_values[static_cast<Eigen::Index>(i)], wanted, 1e-8 * wanted);
  }
}

TEST(EigenFit, WithRatiosOfOneChangesNothingToTheLastBit) {
  for (const char* law : {"linear", "stable-neo-hookean"})
    for (const char* method : {"si", "be", "sdirk2", "siere", "ros3pl", "ere", "rk4"}) {
      const CorrectedBeam beam =
          make_corrected(coarse_spec(law), {.modes = 5, .ratios = std::vector<double>(5, 1.0)});
      const Model plain = test::make_beam(coarse_spec(law));
      State a = test::deformed(*beam.model.system, 0.3), b = a;
      b.memories.clear();
      const auto with = make_stepper(method, {.linear = "cholesky"}),
                 without = make_stepper(method, {.linear = "cholesky"});
      for (int k = 0; k < 3; ++k) {
        ASSERT_TRUE(with->step(*beam.model.system, a, 1e-3).ok) << method;
        ASSERT_TRUE(without->step(*plain.system, b, 1e-3).ok) << method;
      }
      EXPECT_EQ(a.q, b.q) << law << ", " << method;
      EXPECT_EQ(a.v, b.v) << law << ", " << method;
    }
}

// CHEN (15c) and (15b) at the start of a step.
TEST(EigenFit, IsTheForceAndTheStiffnessOfThePaper) {
  const CorrectedBeam beam = make_corrected(coarse_spec("neo-hookean"));
  const System& system = *beam.model.system;
  const OpenStep step(system, test::deformed(system, 0.4));
  const BodyPart part(nodes_of(beam.model.bodies[0]), system.mass());
  const Configuration c{0, view(step.state.q), view(step.state.v), &step.data};
  BlockMatrix workspace, K;
  part.assemble(c, workspace, K);
  EigenpairSolver solver(EigenOptions{.tolerance = 1e-10});
  const ElasticModes modes =
      find_elastic_modes({{K, part.mass(), step.mask}, view(step.state.q), 6}, solver);
  const Vector f = part.force(c);
  const Matrix MU = part.times_mass(modes.vectors);
  Vector found = Vector::Zero(system.dofs());
  beam.term->add_force(c, view(found));
  // The ratios, read off the correction's own share of each mode.
  LowRank update;
  system.low_rank(c, {.stiffness = 1}, update);
  const Matrix share =
      (modes.vectors.transpose() * update.Y) * (update.Z.transpose() * modes.vectors);
  Vector wanted = Vector::Zero(system.dofs());
  for (Eigen::Index i = 0; i < 6; ++i) {
    const double r = 1 + share(i, i) / modes.values[i];
    EXPECT_GT(r, 0.3);
    EXPECT_LT(r, 0.99);
    wanted += MU.col(i) * ((r - 1) * modes.vectors.col(i).dot(f));
  }
  for (const Eigen::Index i : step.free()) EXPECT_NEAR(found[i], wanted[i], 1e-4 * wanted.norm());
  EXPECT_GT(wanted.norm(), 0);
}

// With one ratio for all modes (15c) is r − 1 times the part of f that the lowest modes have. Those
// of the place, from a search of its own, against what is followed from step to step.
struct Followed {
  double worst = 0;  // error of the correction, as a part of the elastic force
  int refreshes = 0;
};
Followed follow(int refresh, int steps, double turn) {
  test::BeamSpec spec = coarse_spec("arap");
  spec.cells = {10, 3, 2};  // large enough for factors to be of use
  constexpr double ratio = 0.5;
  const CorrectedBeam beam = make_corrected(
      spec, {.ratios = std::vector<double>(6, ratio), .options = {.refresh = refresh}});
  const System& system = *beam.model.system;
  const BodyPart part(nodes_of(beam.model.bodies[0]), system.mass());
  TermMemories memories;
  Followed out;
  for (int k = 0; k < steps; ++k) {
    State state = test::deformed(system, 0.1 + turn * k);
    state.memories = memories;
    const OpenStep step(system, state);
    memories = step.state.memories;
    out.refreshes += beam.term->status(memories)->refreshed;
    const Configuration c{0, view(step.state.q), view(step.state.v), &step.data};
    BlockMatrix workspace, K;
    part.assemble(c, workspace, K);
    EigenpairSolver solver;
    const ElasticModes modes =
        find_elastic_modes({{K, part.mass(), step.mask}, view(step.state.q), 6}, solver);
    const Vector f = part.force(c);
    const Vector in_modes = part.times_mass(modes.vectors) * (modes.vectors.transpose() * f);
    Vector found = Vector::Zero(system.dofs());
    beam.term->add_force(c, view(found));
    double missed = 0, all = 0;
    for (const Eigen::Index i : step.free()) {
      missed += std::pow(found[i] - (ratio - 1) * in_modes[i], 2);
      all += std::pow(f[i], 2);
    }
    out.worst = std::max(out.worst, std::sqrt(missed / all));
  }
  return out;
}

TEST(EigenFit, FollowsItsModesFromStepToStep) {
  const Followed every = follow(1, 20, 0.03);
  EXPECT_EQ(every.refreshes, 20);
  EXPECT_LT(every.worst, 0.01);
}

TEST(EigenFit, FindsNewModesByItselfWhereOldOnesWouldBeWrong) {
  const Followed fast = follow(kModesAuto, 20, 0.03), slow = follow(kModesAuto, 20, 0.003),
                 never = follow(kModesNever, 20, 0.03);
  EXPECT_LT(fast.worst, 0.06);  // the 0.05 that `auto` allows, and 0.01 of new modes themselves
  EXPECT_LT(slow.worst, 0.06);
  EXPECT_GT(never.worst, 0.06) << "where nothing is done it is needed";
  EXPECT_GT(fast.refreshes, 3);
  EXPECT_LT(fast.refreshes, 15);
  EXPECT_LE(slow.refreshes, 3);
}

TEST(EigenFit, HasAPotentialADissipationAndATangentThatAreDerivativesOfEachOther) {
  test::BeamSpec spec = coarse_spec("neo-hookean");
  spec.beta = 0.01;
  const CorrectedBeam beam = make_corrected(spec);
  const System& system = *beam.model.system;
  const OpenStep step(system, test::deformed(system, 0.5));
  const test::Point x{0, step.state.q + test::random_vector(system.dofs(), 0.02, 1),
                      test::random_vector(system.dofs(), 1, 2), &step.data};
  const Vector d = test::random_vector(system.dofs(), 1, 3);
  const test::Point resting{0, x.q, Vector::Zero(system.dofs()), &step.data};
  test::expect_force_is_gradient(*beam.term, resting, d, 1e-3, 1e-8);
  Vector q, v;
  for (const bool velocity : {false, true}) {
    LowRank update;
    update.Y.resize(system.dofs(), 0), update.Z.resize(system.dofs(), 0);
    beam.term->add_low_rank(x.along(q, v, d, 0, velocity),
                            {.stiffness = velocity ? 0.0 : 1.0, .damping = velocity ? 1.0 : 0.0},
                            update);
    const Vector wanted = -test::derivative(
        [&](double s) {
          return test::force_of(*beam.term, x.along(q, v, d, s, velocity), system.dofs());
        },
        1e-3);
    EXPECT_LE((update.Y * (update.Z.transpose() * d) - wanted).norm(), 1e-8 * wanted.norm());
    EXPECT_GT(wanted.norm(), 0);
  }
  const double slope = test::derivative(
      [&](double s) { return beam.term->dissipation(x.along(q, v, d, s, true)); }, 1e-3);
  const Vector damped = test::force_of(*beam.term, x.along(q, v, d, 0, true), system.dofs()) -
                        test::force_of(*beam.term, resting.along(q, v, d, 0, true), system.dofs());
  EXPECT_NEAR(slope, -damped.dot(d), 1e-8 * std::abs(slope));
}

// A linear body that starts along a mode of the coarse mesh swings with the frequency of the fine
// one: y = a cos ωt, with β a damped cosine. The integrators know nothing of that.
struct Swing {
  double lambda, beta;
  double at(double t) const {
    const double decay = 0.5 * beta * lambda, omega = std::sqrt(lambda - decay * decay);
    return std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
  }
};

double modal_error(const std::string& method, double beta, int steps) {
  test::BeamSpec spec = coarse_spec("linear");
  spec.cells = {4, 1, 1};
  spec.beta = beta;
  const CorrectedBeam beam = make_corrected(spec, {.modes = 4});
  const System& system = *beam.model.system;
  const Vector u = beam.fit().vectors.col(1), Mu = beam.fit().MU.col(1);
  const Swing swing{beam.fit().fine_values[1], beta};
  const double end = 2 * std::numbers::pi / std::sqrt(swing.lambda);  // once to and fro
  State state = system.make_state();
  state.q += u;
  const auto stepper = make_stepper(method, {.linear = "cholesky", .tolerance = 1e-12});
  double error = 0;
  for (int k = 1; k <= steps; ++k) {
    const StepReport report = stepper->step(system, state, end / steps);
    EXPECT_TRUE(report.ok) << method << ": " << report.reason;
    if (!report.ok) return 1;
    error = std::max(error, std::abs(Mu.dot(state.q - system.rest()) - swing.at(k * end / steps)));
  }
  return error;
}

TEST(EigenFit, IsWhatEveryIntegratorSolves) {
  for (const IntegratorInfo& info : integrators()) {
    const std::string name(info.name);
    const bool explicit_method = name == "symplectic-euler" || name == "verlet" || name == "rk4";
    const int steps = explicit_method ? 2000 : 200;
    // Without the correction the error is that of the wrong frequency, above 0.3.
    const double allowed = info.order == 1 ? 0.12 : 3e-3;
    EXPECT_LT(modal_error(name, 0, steps), allowed) << name;
    if (explicit_method) continue;
    EXPECT_LT(modal_error(name, 0.005, steps), allowed) << name << " damped";
  }
}

TEST(EigenFit, IsExactWithExponentialsWhateverTheStep) {
  EXPECT_LT(modal_error("ere", 0, 3), 1e-6);
  EXPECT_LT(modal_error("siere", 0, 3), 1e-6);
  EXPECT_LT(modal_error("trbdf2ere", 0, 3), 1e-6);
}

TEST(EigenFit, KeepsTheMomentumOfAFreeBodyOfEveryMaterial) {
  for (const char* law : {"stable-neo-hookean", "corotated", "arap", "stvk"}) {
    test::BeamSpec spec = coarse_spec(law);
    spec.pin_left = false;
    const CorrectedBeam beam = make_corrected(spec, {.modes = 4});
    const System& system = *beam.model.system;
    State state = system.make_state();
    for (Index n = 0; n < system.nodes(); ++n) {
      auto x = state.q.segment<3>(3 * n);
      state.v.segment<3>(3 * n) = Vec3(1, 2, 3) + Vec3(0.5, 1, 2).cross(Vec3(x));
      x[0] *= 1.05;
    }
    const Momentum before = system.momentum(view(state.q), view(state.v));
    const auto stepper = make_stepper("be", {.linear = "cholesky", .tolerance = 1e-12});
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(stepper->step(system, state, 0.01).ok) << law;
    const Momentum after = system.momentum(view(state.q), view(state.v));
    EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.linear.norm()) << law;
    const EigenFitStatus* status = beam.term->status(state.memories);
    ASSERT_NE(status, nullptr);
    EXPECT_EQ(status->acceptance.known, 4) << law << ": a turned body is known again";
  }
}

// A body that was turned as a whole is corrected as it was before.
TEST(EigenFit, TurnsWithTheBody) {
  test::BeamSpec spec = coarse_spec("stable-neo-hookean");
  spec.pin_left = false;
  const CorrectedBeam beam = make_corrected(spec, {.modes = 4});
  const System& system = *beam.model.system;
  const Mat3 Q = Eigen::AngleAxisd(2.1, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const State bent = test::deformed(system, 0.2);
  State turned = bent;
  for (Index n = 0; n < system.nodes(); ++n)
    turned.q.segment<3>(3 * n) = Q * Vec3(bent.q.segment<3>(3 * n)) + Vec3(1, 0, 2);
  const OpenStep a(system, bent), b(system, turned);
  Vector fa = Vector::Zero(system.dofs()), fb = fa;
  beam.term->add_force({0, view(a.state.q), view(a.state.v), &a.data}, view(fa));
  beam.term->add_force({0, view(b.state.q), view(b.state.v), &b.data}, view(fb));
  for (Index n = 0; n < system.nodes(); ++n)
    EXPECT_LT((Q * fa.segment<3>(3 * n) - fb.segment<3>(3 * n)).norm(), 1e-4 * fa.norm());
  EXPECT_GT(fa.norm(), 0);
}

TEST(EigenFit, GoesOnFromItsNumbersToTheLastBit) {
  const CorrectedBeam beam =
      make_corrected(coarse_spec("stable-neo-hookean"), {.options = {.refresh = kModesAuto}});
  const System& system = *beam.model.system;
  const auto stepper = make_stepper("sdirk2", {.linear = "cholesky"});
  State state = test::deformed(system, 0.4);
  for (int k = 0; k < 4; ++k) ASSERT_TRUE(stepper->step(system, state, 0.01).ok);
  const auto again = make_stepper("sdirk2", {.linear = "cholesky"});
  again->restore(stepper->memory());
  State other = state;
  for (std::size_t k = 0; k < other.memories.size(); ++k)
    if (other.memories[k])
      other.memories[k] = system.terms()[k]->recall(other.memories[k]->numbers());
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(stepper->step(system, state, 0.01).ok);
    ASSERT_TRUE(again->step(system, other, 0.01).ok);
  }
  EXPECT_EQ(state.q, other.q);
  EXPECT_EQ(state.v, other.v);
}

// Where pins and body go along together nothing is bent: then nothing may be corrected, though the
// modes themselves know of the free coordinates alone.
TEST(EigenFit, KnowsWhatThePinsDo) {
  const CorrectedBeam beam = make_corrected(coarse_spec("linear"));
  const System& system = *beam.model.system;
  const OpenStep step(system, system.make_state());
  const auto force_at = [&](const Vector& q) {
    Vector f = Vector::Zero(system.dofs());
    beam.term->add_force({0, view(q), view(step.state.v), &step.data}, view(f));
    return f;
  };
  Vector carried = step.state.q, bent = step.state.q;
  for (Index n = 0; n < system.nodes(); ++n) carried.segment<3>(3 * n) += Vec3(0.02, 0.05, -0.1);
  bent += 0.1 * beam.fit().vectors.col(0);
  EXPECT_LT(force_at(carried).norm(), 1e-8 * force_at(bent).norm());
}

TEST(EigenFit, FadesOutWhereItsModesAreNotKnownAgainAndSaysSo) {
  test::BeamSpec spec = coarse_spec("stable-neo-hookean");
  const CorrectedBeam beam = make_corrected(spec, {.options = {.on_failure = FailurePolicy::off}});
  const System& system = *beam.model.system;
  State far = system.make_state();  // crumpled
  const Vector crumple = test::random_vector(system.dofs(), 0.8, 5);
  OpenStep step(system, system.make_state());
  for (const Eigen::Index i : step.free()) far.q[i] += crumple[i];
  EXPECT_EQ(beam.term->status(step.state.memories)->strength, 1);
  EXPECT_TRUE(beam.term->status(step.state.memories)->passes());
  far.memories = step.state.memories;
  double last = 1;
  for (int k = 0; k < 400; ++k) {
    far.q[3 * 20] += 1e-9;  // it moves
    OpenStep next(system, far, 0.05);
    far.memories = next.state.memories;
    const EigenFitStatus& status = *beam.term->status(far.memories);
    ASSERT_FALSE(status.passes());
    EXPECT_LE(status.strength, last);
    EXPECT_GT(status.strength, last - 0.1) << "no jumps";
    last = status.strength;
  }
  EXPECT_EQ(last, 0);
  Vector f = Vector::Zero(system.dofs());
  beam.term->add_force({.q = view(far.q), .v = view(far.v), .memories = &far.memories}, view(f));
  EXPECT_TRUE(f.isZero(0));
}

TEST(EigenFit, TakesOtherRatiosWhenPinsLetGo) {
  test::BeamSpec spec = coarse_spec("linear");
  spec.pin_right = true;
  Model model = test::make_beam(spec);
  std::vector<Pin> pins(model.system->pins().begin(), model.system->pins().end());
  pins[1].until = 0.5;
  const auto sets = pin_sets(pins);
  EXPECT_THAT(sets,
              testing::ElementsAre(std::vector<bool>{true, true}, std::vector<bool>{true, false}));
  const FineReference fine = test::make_fine(spec, model.bodies[0].mesh);
  const CoarsePlan plan = make_coarse_plan(model, pins, {.modes = 4, .fine = &fine}, {}, Log());
  ASSERT_EQ(plan.fits.size(), 2U);
  EXPECT_LT(plan.fits[1]->values[0], 0.3 * plan.fits[0]->values[0]) << "softer on one pin";
  // The second fit is that of a beam that never had the other pin.
  const CorrectedBeam one = make_corrected(coarse_spec("linear"), {.modes = 4});
  for (Eigen::Index i = 0; i < 4; ++i)
    EXPECT_NEAR(plan.fits[1]->ratios[i], one.fit().ratios[i], 1e-9) << i;
}

}  // namespace
}  // namespace pliant
