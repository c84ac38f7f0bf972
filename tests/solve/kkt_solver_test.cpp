// Systems with constraints against dense algebra in extended precision, for every solver of the
// list: rows that depend on each other, nearly or wholly, or contradict each other, masses far
// apart, nothing at all.
#include "kkt_fixtures.hpp"

#include <pliant/core/error.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::DenseKkt;

class EveryKkt : public testing::TestWithParam<std::string> {
 protected:
  struct Answer {
    Vector x, y;
    KktReport report;
  };
  Answer solve(const DenseKkt& k) const {
    const auto solver = make_kkt_solver(GetParam());
    EXPECT_EQ(solver->name(), GetParam());
    EXPECT_EQ(solver->factorize(k.sparse()), SolveStatus::ok);
    Answer a;
    a.report = solver->solve(k.f, k.g, a.x, a.y);
    EXPECT_EQ(a.report.status, SolveStatus::ok);
    return a;
  }
  // Relative to the largest entry. `tolerance` is rounding times the condition of the case.
  void expect_dense_answer(const DenseKkt& k, const Answer& a, double tolerance) const {
    Vector x, y;
    k.solve(x, y);
    EXPECT_LT((a.x - x).lpNorm<Eigen::Infinity>(), tolerance * x.lpNorm<Eigen::Infinity>());
    if (y.size() == 0) return;
    EXPECT_LT((a.y - y).lpNorm<Eigen::Infinity>(), tolerance * y.lpNorm<Eigen::Infinity>());
  }
  bool knows_inertia() const { return GetParam() != "minres"; }
};

TEST_P(EveryKkt, AgreesWithDenseAlgebraOnRandomSystems) {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    DenseKkt k = test::random_kkt(40, 12, 10 * seed);
    if (seed > 2) k.C = test::random_matrix(12, 1, seed).cwiseAbs();
    if (seed == 4) k.C.head(6).setZero();
    const Answer a = solve(k);
    expect_dense_answer(k, a, 1e-10);
    EXPECT_LT(a.report.residual, 1e-12);
    EXPECT_EQ(a.report.null_rows, 0);
    EXPECT_EQ(a.report.regularization, 0);
    EXPECT_TRUE(a.report.contradictory.empty());
    EXPECT_EQ(a.report.negative, knows_inertia() ? 12 : -1);
  }
}

TEST_P(EveryKkt, ReadsTheLowerTriangleOnly) {
  DenseKkt k = test::random_kkt(20, 5, 7);
  const Answer whole = solve(k);
  KktMatrix lower = k.sparse();
  lower.A = Eigen::SparseMatrix<double>(lower.A.triangularView<Eigen::Lower>());
  const auto solver = make_kkt_solver(GetParam());
  ASSERT_EQ(solver->factorize(lower), SolveStatus::ok);
  Vector x, y;
  ASSERT_EQ(solver->solve(k.f, k.g, x, y).status, SolveStatus::ok);
  EXPECT_EQ(x, whole.x);
  EXPECT_EQ(y, whole.y);
}

TEST_P(EveryKkt, SharesMultipliersAmongRedundantRows) {
  DenseKkt k = test::random_kkt(30, 9, 50);
  k.J.row(6) = k.J.row(1);         // a copy
  k.J.row(7) = 1000 * k.J.row(2);  // in other units
  k.J.row(8) = k.J.row(3) - 2 * k.J.row(4) + k.J.row(0);
  const Vector any = test::random_matrix(30, 1, 51);
  k.g = k.J * any;
  const Answer a = solve(k);
  expect_dense_answer(k, a, 1e-10);
  EXPECT_NEAR(a.y[1], a.y[6], 1e-10);
  EXPECT_EQ(a.report.null_rows, 3);
  EXPECT_TRUE(a.report.contradictory.empty());
  EXPECT_LT((k.J * a.x - k.g).norm(), 1e-10 * k.g.norm());
  EXPECT_EQ(a.report.negative, knows_inertia() ? 6 : -1);
}

TEST_P(EveryKkt, AllRowsManyTimesOverGiveTheAnswerOfOnce) {
  DenseKkt once = test::random_kkt(24, 8, 60), k = once;
  k.J = once.J.replicate(5, 1), k.g = once.g.replicate(5, 1), k.C = Vector::Zero(40);
  const Answer a = solve(k), b = solve(once);
  EXPECT_LT((a.x - b.x).norm(), 1e-11 * b.x.norm());
  EXPECT_LT((a.y - (b.y / 5).replicate(5, 1)).norm(), 1e-10 * b.y.norm());
  EXPECT_EQ(a.report.null_rows, 32);
}

// Rows that differ by ε fix a direction all the same, and it is known to rounding/ε. The answer is
// chosen first: no dense solver knows it better, for the condition of the whole is 1/ε².
TEST_P(EveryKkt, KeepsRowsThatAreNearlyRedundant) {
  for (const double epsilon : {1e-3, 1e-5, 1e-7}) {
    if (GetParam() == "minres" && epsilon < 1e-4) continue;  // its condition is 1/ε²
    DenseKkt k = test::random_kkt(30, 8, 70);
    k.J.row(7) = k.J.row(2) + k.J.row(5) + epsilon * test::random_matrix(1, 30, 71);
    const Vector x = test::random_matrix(30, 1, 72), y = test::random_matrix(8, 1, 73);
    k.f = k.A * x + k.J.transpose() * y;
    k.g = k.J * x;
    const Answer a = solve(k);
    EXPECT_EQ(a.report.null_rows, 0) << epsilon;
    EXPECT_TRUE(a.report.contradictory.empty());
    EXPECT_EQ(a.report.negative, knows_inertia() ? 8 : -1);
    EXPECT_LT((a.x - x).norm(), 1e-14 / epsilon * x.norm()) << epsilon;
  }
}

TEST_P(EveryKkt, TakesRowsThatDifferByRoundingForRedundant) {
  DenseKkt k = test::random_kkt(30, 8, 70);
  k.J.row(7) = k.J.row(2) + k.J.row(5) + 1e-14 * test::random_matrix(1, 30, 71);
  k.g = k.J * test::random_matrix(30, 1, 72);
  const Answer a = solve(k);
  EXPECT_EQ(a.report.null_rows, 1);
  EXPECT_TRUE(a.report.contradictory.empty());
  k.J.row(7) = k.J.row(2) + k.J.row(5);
  expect_dense_answer(k, a, 1e-10);
}

// A rope of rods on a wall, with a mass of 1e9 at its end: rod i carries what pulls below it.
TEST_P(EveryKkt, CarriesHeavyMassesOnLightOnes) {
  constexpr Eigen::Index n = 50;
  DenseKkt k;
  Vector mass = Vector::Constant(n, 1e-3);
  mass[n - 1] = 1e9;
  k.A = mass.asDiagonal();
  k.f = 9.81 * mass;
  k.J = Matrix::Identity(n, n);
  for (Eigen::Index i = 1; i < n; ++i) k.J(i, i - 1) = -1;
  k.C = k.g = Vector::Zero(n);
  const Answer a = solve(k);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double below = 9.81 * mass.tail(n - i).sum();
    EXPECT_NEAR(a.y[i], below, 1e-11 * below);
    EXPECT_NEAR(a.x[i], 0, 1e-10);
  }
  EXPECT_EQ(a.report.null_rows, 0);
}

// Light masses held between heavy ones from both sides: rows differ by the ratio of masses.
TEST_P(EveryKkt, HoldsLightMassesBetweenHeavyOnes) {
  if (GetParam() == "minres") return;  // the condition is the ratio of masses
  DenseKkt k;
  Vector mass = Vector::Constant(5, 1e9);
  mass[1] = mass[3] = 1;
  k.A = mass.asDiagonal();
  k.f = 1e9 * Vector::Unit(5, 0);
  k.J = Matrix::Zero(4, 5);
  for (Eigen::Index i = 0; i < 4; ++i) k.J(i, i) = -1, k.J(i, i + 1) = 1;
  k.C = k.g = Vector::Zero(4);
  const Answer a = solve(k);
  const double velocity = 1e9 / mass.sum();  // all move as one
  for (Eigen::Index i = 0; i < 5; ++i) EXPECT_NEAR(a.x[i], velocity, 1e-14);
  for (Eigen::Index i = 0; i < 4; ++i) {  // row i passes on what moves all that follows it
    const double passed = velocity * mass.tail(4 - i).sum();
    EXPECT_NEAR(a.y[i], -passed, 1e-12 * passed);
  }
  EXPECT_EQ(a.report.null_rows, 0);
}

TEST_P(EveryKkt, SurvivesEntriesFifteenOrdersApart) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    DenseKkt k = test::random_kkt(40, 12, 100 * seed);
    Vector size = test::random_matrix(40, 1, seed);
    for (double& s : size) s = std::pow(10, 2.25 + 3.75 * s);  // squared: 1e-3 … 1e12
    k.A = size.asDiagonal() * k.A * size.asDiagonal();
    k.J = k.J * size.asDiagonal();
    k.f = size.asDiagonal() * k.f;
    const Answer a = solve(k);
    Vector x, y;
    k.solve(x, y);
    // In units in which A has entries of about one.
    EXPECT_LT((size.asDiagonal() * (a.x - x)).norm(), 1e-10 * (size.asDiagonal() * x).norm());
    EXPECT_LT((a.y - y).norm(), 1e-10 * y.norm());
    EXPECT_EQ(a.report.null_rows, 0);
    EXPECT_EQ(a.report.regularization, 0);
  }
}

TEST_P(EveryKkt, MeetsContradictoryRowsHalfwayAndNamesThem) {
  DenseKkt k = test::random_kkt(10, 4, 80);
  k.J.row(3) = k.J.row(1);
  k.g[1] = 1, k.g[3] = 2;
  const Answer a = solve(k);
  EXPECT_NEAR(k.J.row(1).dot(a.x), 1.5, 1e-12);
  EXPECT_NEAR(k.J.row(0).dot(a.x), k.g[0], 1e-12);
  EXPECT_NEAR(k.J.row(2).dot(a.x), k.g[2], 1e-12);
  EXPECT_EQ(a.report.contradictory, (std::vector<Index>{1, 3}));
  EXPECT_NEAR(a.report.contradiction, 0.5, 1e-12);
  expect_dense_answer(k, a, 1e-10);
}

TEST_P(EveryKkt, AnswersContradictionsByLeastSquares) {
  DenseKkt k = test::random_kkt(30, 9, 90);
  k.J.row(6) = k.J.row(1) + k.J.row(2);
  k.J.row(7) = 3 * k.J.row(3);
  const Answer a = solve(k);  // g is random
  expect_dense_answer(k, a, 1e-10);
  EXPECT_EQ(a.report.contradictory, (std::vector<Index>{1, 2, 3, 6, 7}));
  EXPECT_EQ(a.report.null_rows, 2);
}

TEST_P(EveryKkt, NoCompliantRowContradictsAnother) {
  DenseKkt k = test::random_kkt(30, 9, 90);
  k.J.row(6) = k.J.row(1);
  k.C[6] = 1e-3;
  const Answer a = solve(k);
  EXPECT_EQ(a.report.null_rows, 0);
  EXPECT_TRUE(a.report.contradictory.empty());
  expect_dense_answer(k, a, 1e-10);
}

TEST_P(EveryKkt, RoundingOfAKnownUnitIsNoContradiction) {
  DenseKkt k = test::random_kkt(10, 4, 80);
  k.J.row(3) = k.J.row(1);
  k.g *= 1e-15, k.g[3] = 0;
  KktMatrix matrix = k.sparse();
  const auto solver = make_kkt_solver(GetParam());
  Vector x, y;
  ASSERT_EQ(solver->factorize(matrix), SolveStatus::ok);
  EXPECT_EQ(solver->solve(k.f, k.g, x, y).contradictory.size(), 2u);
  matrix.unit = 1;
  ASSERT_EQ(solver->factorize(matrix), SolveStatus::ok);
  EXPECT_TRUE(solver->solve(k.f, k.g, x, y).contradictory.empty());
}

TEST_P(EveryKkt, ARowOfZerosIsRedundantOrContradictory) {
  DenseKkt k = test::random_kkt(10, 3, 85);
  k.J.row(1).setZero();
  k.g[1] = 0;
  EXPECT_EQ(solve(k).report.null_rows, 1);
  EXPECT_TRUE(solve(k).report.contradictory.empty());
  k.g[1] = 1;
  const Answer a = solve(k);
  EXPECT_EQ(a.report.contradictory, std::vector<Index>{1});
  EXPECT_NEAR(a.report.contradiction, 1, 1e-12);
  expect_dense_answer(k, a, 1e-10);
}

TEST_P(EveryKkt, SolvesWithoutRowsAndWithoutAnything) {
  DenseKkt k = test::random_kkt(20, 0, 95);
  const Answer a = solve(k);
  EXPECT_LT((k.A * a.x - k.f).norm(), 1e-12 * k.f.norm());
  DenseKkt none;
  none.A.resize(0, 0), none.J.resize(0, 0), none.C.resize(0), none.f.resize(0), none.g.resize(0);
  EXPECT_EQ(solve(none).x.size(), 0);
}

// The analysis of a pattern is kept and found again; nothing else of the past may show.
TEST_P(EveryKkt, AnswersAsANewSolverWhateverItSolvedBefore) {
  DenseKkt k = test::random_kkt(30, 9, 110);
  DenseKkt other_values = k, other_pattern = test::random_kkt(30, 9, 111),
           other_size = test::random_kkt(12, 3, 112);
  other_values.A *= 3, other_values.J *= -2;
  const auto used = make_kkt_solver(GetParam());
  Vector x, y;
  for (const DenseKkt* before : {&k, &other_values, &other_pattern, &other_size}) {
    ASSERT_EQ(used->factorize(before->sparse()), SolveStatus::ok);
    ASSERT_EQ(used->solve(before->f, before->g, x, y).status, SolveStatus::ok);
  }
  for (const DenseKkt* now : {&other_values, &k}) {
    ASSERT_EQ(used->factorize(now->sparse()), SolveStatus::ok);
    ASSERT_EQ(used->solve(now->f, now->g, x, y).status, SolveStatus::ok);
    const Answer fresh = solve(*now);
    EXPECT_EQ(x, fresh.x);
    EXPECT_EQ(y, fresh.y);
  }
}

TEST_P(EveryKkt, RefusesWhatDoesNotFitAndFailsOnWhatIsNotANumber) {
  DenseKkt k = test::random_kkt(10, 3, 120);
  const auto solver = make_kkt_solver(GetParam());
  KktMatrix wrong = k.sparse();
  wrong.C.resize(2);
  EXPECT_THROW((void)solver->factorize(wrong), InputError);
  wrong = k.sparse();
  wrong.C[1] = -1;
  EXPECT_THROW((void)solver->factorize(wrong), InputError);
  ASSERT_EQ(solver->factorize(k.sparse()), SolveStatus::ok);
  Vector x, y;
  EXPECT_THROW((void)solver->solve(k.f, Vector::Zero(4), x, y), InputError);
  k.f[2] = std::nan("");
  EXPECT_EQ(solver->solve(k.f, k.g, x, y).status, SolveStatus::failed);
  k.A(3, 3) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(solver->factorize(k.sparse()), SolveStatus::failed);
  EXPECT_EQ(solver->solve(Vector::Zero(10), k.g, x, y).status, SolveStatus::failed);
}

INSTANTIATE_TEST_SUITE_P(Solvers, EveryKkt, testing::ValuesIn(test::built_kkt_solvers()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace pliant
