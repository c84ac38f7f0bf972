// Conjugate gradients in mixed precision and with their coarse level: the same answers as plain
// ones in double precision.
#include <pliant/solve/auto_solver.hpp>

#include "solve/stiff_beams.hpp"
#include "support/threads.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::StiffBeam;

double left_over(const StiffBeam& beam, const Vector& x) {
  Vector r = beam.b;
  beam.A.multiply_subtract(view(x), view(r));
  return r.norm() / beam.b.norm();
}

Vector solved_by(PcgSolver& solver, const StiffBeam& beam, double relative, bool level = false) {
  Vector x(beam.b.size());
  if (level) solver.set_nodes(view(beam.q));
  EXPECT_EQ(solver.factorize(beam.A), SolveStatus::ok);
  EXPECT_EQ(solver.solve(view(beam.b), view(x), {relative}), SolveStatus::ok);
  return x;
}

TEST(MixedPrecision, ReachesEveryToleranceInAsManyIterations) {
  const StiffBeam beam = test::make_stiff_beam(1e7, {32, 4, 4});
  for (const double relative : {1e-2, 1e-5, 1e-9, 1e-13}) {
    PcgSolver full, mixed(Precision::mixed);
    const Vector x = solved_by(full, beam, relative), y = solved_by(mixed, beam, relative);
    EXPECT_LE(left_over(beam, y), 1.5 * left_over(beam, x)) << relative;
    EXPECT_LE(mixed.last_iterations(), 1.1 * static_cast<double>(full.last_iterations()) + 1);
    EXPECT_EQ(full.last_exact_iterations(), full.last_iterations());
    EXPECT_LE(mixed.last_exact_iterations(), 10);  // else it was not mixed at all
    EXPECT_LE(mixed.last_replacements(), 2 + mixed.last_iterations() / 20);
  }
}

TEST(MixedPrecision, SolvesWhereContactIsFarStifferThanTheBody) {
  for (const double stiffness : {1e4, 1e6, 1e9}) {
    StiffBeam beam = test::make_stiff_beam(1e6, {32, 4, 4});
    for (const Index i : {100, 250, 400, 401}) test::add_contact(beam, i, stiffness);
    PcgSolver full, mixed(Precision::mixed);
    const Vector x = solved_by(full, beam, 1e-9), y = solved_by(mixed, beam, 1e-9);
    EXPECT_LT((x - y).norm(), 1e-6 * x.norm()) << stiffness;
    EXPECT_LE(mixed.last_iterations(), 1.3 * static_cast<double>(full.last_iterations()))
        << stiffness << " " << mixed.last_replacements() << " " << mixed.last_exact_iterations();
    EXPECT_LT(mixed.last_exact_iterations(), mixed.last_iterations() / 2) << stiffness;
  }
}

TEST(MixedPrecision, GoesOnInDoubleWhereNumbersDoNotFit) {
  StiffBeam beam = test::make_stiff_beam(1e7, {16, 2, 2});
  for (double& value : beam.A.values()) value *= 1e38;
  PcgSolver full, mixed(Precision::mixed);
  EXPECT_EQ(solved_by(full, beam, 1e-9), solved_by(mixed, beam, 1e-9));
}

TEST(MixedPrecision, SaysThatAnIndefiniteMatrixIsNone) {
  StiffBeam beam = test::make_stiff_beam(1e7, {32, 4, 4});
  const BlockPattern& pattern = beam.A.pattern();
  const Index k = pattern.row_start[300];  // far stiffer than the diagonal allows
  Eigen::Map<Mat3>(beam.A.block(k)) *= 50;
  Eigen::Map<Mat3>(beam.A.block(pattern.mirror[k])) *= 50;
  PcgSolver mixed(Precision::mixed);
  Vector x(beam.b.size());
  ASSERT_EQ(mixed.factorize(beam.A), SolveStatus::ok);
  EXPECT_EQ(mixed.solve(view(beam.b), view(x), {1e-10}), SolveStatus::not_positive_definite);
}

TEST(MixedPrecision, GivesTheSameBitsForAnyNumberOfThreads) {
  StiffBeam beam = test::make_stiff_beam(1e7, {48, 6, 6});
  test::add_contact(beam, 500, 1e9);
  Vector one, three;
  for (auto [threads, out] : {std::pair{1, &one}, {3, &three}})
    test::with_threads(threads, [&, out = out] {
      PcgSolver solver(Precision::mixed);
      *out = solved_by(solver, beam, 1e-6, true);
      EXPECT_LT(solver.last_plain_iterations(), solver.last_iterations());  // the level took part
    });
  EXPECT_EQ(one, three);
}

TEST(CoarseLevel, BeginsWhereIterationsAreManyAndSavesSomeOfThem) {
  const StiffBeam beam = test::make_stiff_beam(1e8, {48, 6, 6});
  PcgSolver plain, levelled;
  const Vector x = solved_by(plain, beam, 1e-8), y = solved_by(levelled, beam, 1e-8, true);
  EXPECT_EQ(levelled.last_plain_iterations(), 40);
  solved_by(levelled, beam, 1e-8, true);
  EXPECT_EQ(levelled.last_plain_iterations(), 0);  // from the start, now that it has paid
  EXPECT_LT(levelled.last_iterations(), 0.65 * static_cast<double>(plain.last_iterations()));
  EXPECT_LT((x - y).norm(), 1e-5 * x.norm());
}

TEST(CoarseLevel, IsLeftAloneWhereIterationsAreFew) {
  const StiffBeam beam = test::make_stiff_beam(1e5, {32, 4, 4});
  PcgSolver plain, levelled;
  EXPECT_EQ(solved_by(plain, beam, 1e-6), solved_by(levelled, beam, 1e-6, true));
}

TEST(CoarseLevel, ServesATurnedBodyAsWell) {
  const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  PcgSolver one, other;
  for (int k = 0; k < 2; ++k) {
    solved_by(one, test::make_stiff_beam(1e8, {32, 4, 4}), 1e-6, true);
    solved_by(other, test::make_stiff_beam(1e8, {32, 4, 4}, turn), 1e-6, true);
  }
  EXPECT_NEAR(static_cast<double>(one.last_iterations()),
              static_cast<double>(other.last_iterations()), 2);
}

TEST(CoarseLevel, DecidesAlikeAfterItsMemoryIsRestored) {
  const StiffBeam beam = test::make_stiff_beam(1e8, {32, 4, 4});
  for (const int before : {0, 1, 3}) {
    PcgSolver first, second;
    for (int k = 0; k < before; ++k) solved_by(first, beam, 1e-6, true);
    second.restore(first.memory());
    EXPECT_EQ(solved_by(first, beam, 1e-6, true), solved_by(second, beam, 1e-6, true));
    EXPECT_EQ(first.memory(), second.memory());
  }
}

TEST(LevelChoice, TriesAgainLaterAndLaterWhereTheLevelGainsNothing) {
  LevelChoice choice;
  int tried = 0;
  for (int solve = 0; solve < 1000; ++solve) {
    if (!choice.is_worth_trying(1e-2)) continue;
    ++tried;
    choice.judge(1e-2, LevelChoice::kPlainIterations);  // as much as without it
    EXPECT_FALSE(choice.begins());
  }
  EXPECT_GT(tried, 3);
  EXPECT_LT(tried, 10);
}

}  // namespace
}  // namespace pliant
