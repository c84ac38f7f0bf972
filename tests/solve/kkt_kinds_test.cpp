// What single solvers of systems with constraints do beside what all of them must: names, inertia,
// indefinite matrices, limited iterations, size.
#include "kkt_fixtures.hpp"

#include <pliant/core/error.hpp>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

namespace pliant {
namespace {

using test::DenseKkt;

TEST(KktSolver, RefusesUnknownNamesInWords) {
  try {
    (void)make_kkt_solver("shcur");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"schur\""), std::string::npos);
  }
}

TEST(KktSolver, SaysWhereMumpsIsNotBuilt) {
  if (mumps_built()) {
    EXPECT_EQ(make_kkt_solver("mumps")->name(), "mumps");
  } else {
    EXPECT_THROW((void)make_kkt_solver("mumps"), InputError);
  }
}

// A negative along a direction that a row holds: an answer exists, and only pivoting finds it.
TEST(KktSolver, MumpsTakesAnIndefiniteMatrixAndCountsItsInertia) {
  if (!mumps_built()) return;
  DenseKkt k = test::random_kkt(30, 6, 130);
  k.A -= 200 * k.J.row(2).transpose() * k.J.row(2) / k.J.row(2).squaredNorm();
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(k.whole()).eigenvalues();
  const auto solver = make_kkt_solver("mumps");
  ASSERT_EQ(solver->factorize(k.sparse()), SolveStatus::ok);
  Vector x, y, dense_x, dense_y;
  const KktReport report = solver->solve(k.f, k.g, x, y);
  EXPECT_EQ(report.status, SolveStatus::ok);
  EXPECT_EQ(report.negative, (eigenvalues.array() < 0).count());
  EXPECT_EQ(report.negative, 6);
  k.solve(dense_x, dense_y);
  EXPECT_LT((x - dense_x).norm(), 1e-11 * dense_x.norm());
  EXPECT_LT((y - dense_y).norm(), 1e-11 * dense_y.norm());
  const auto schur = make_kkt_solver("schur");
  EXPECT_EQ(schur->factorize(k.sparse()), SolveStatus::not_positive_definite);
  EXPECT_EQ(schur->solve(k.f, k.g, x, y).status, SolveStatus::not_positive_definite);
}

// A is indefinite or nearly so, and definite where rows let it move: elimination without pivoting
// does not do, or not well.
TEST(KktSolver, AutoAnswersWhereOnlyPivotingDoes) {
  if (!mumps_built()) return;
  for (const double left : {-170.0, -1e-13, 0.0, 1e-15, 1e-13, 1e-9}) {
    DenseKkt k = test::random_kkt(30, 6, 132);
    const Vector n = k.J.row(2).transpose().normalized();
    const Vector An = k.A * n;
    k.A += left * n * n.transpose() - An * An.transpose() / n.dot(An);  // nᵀ A n = left
    const auto solver = make_kkt_solver("auto");
    ASSERT_EQ(solver->factorize(k.sparse()), SolveStatus::ok) << left;
    Vector x, y, dense_x, dense_y;
    const KktReport report = solver->solve(k.f, k.g, x, y);
    EXPECT_EQ(report.status, SolveStatus::ok) << left;
    EXPECT_EQ(report.negative, 6) << left;
    k.solve(dense_x, dense_y);
    EXPECT_LT((x - dense_x).norm(), 1e-10 * dense_x.norm()) << left;
    EXPECT_LT((y - dense_y).norm(), 1e-10 * dense_y.norm()) << left;
  }
}

TEST(KktSolver, MumpsCountsNegativeCurvatureThatNoRowHolds) {
  if (!mumps_built()) return;
  DenseKkt k = test::random_kkt(30, 6, 131);
  k.A(29, 29) -= 100;
  k.J.col(29).setZero();
  const auto solver = make_kkt_solver("mumps");
  ASSERT_EQ(solver->factorize(k.sparse()), SolveStatus::ok);
  Vector x, y;
  EXPECT_EQ(solver->solve(k.f, k.g, x, y).negative, 7);
}

// Residuals fall from one number of iterations to the next, and 60 of 46 unknowns and rows suffice.
TEST(KktSolver, MinresEndsAfterSoManyIterationsAndSaysWhatIsLeft) {
  const DenseKkt k = test::random_kkt(36, 10, 133);
  Vector x, y, dense_x, dense_y;
  double before = 1;
  for (const int iterations : {2, 5, 10, 20}) {
    const auto solver = make_kkt_solver("minres", iterations);
    ASSERT_EQ(solver->factorize(k.sparse()), SolveStatus::ok);
    const KktReport report = solver->solve(k.f, k.g, x, y);
    EXPECT_EQ(report.status, SolveStatus::ok);
    EXPECT_EQ(report.iterations, iterations);
    EXPECT_LT(report.residual, before);
    EXPECT_GT(report.residual, 0);
    before = report.residual;
  }
  const auto solver = make_kkt_solver("minres", 60);
  ASSERT_EQ(solver->factorize(k.sparse()), SolveStatus::ok);
  EXPECT_LT(solver->solve(k.f, k.g, x, y).iterations, 60);
  k.solve(dense_x, dense_y);
  EXPECT_LT((x - dense_x).norm(), 1e-9 * dense_x.norm());
  EXPECT_LT((y - dense_y).norm(), 1e-9 * dense_y.norm());
}

// Free to move without inertia: no answer, and said so.
TEST(KktSolver, FailsWhereAnUnknownIsNeitherHeldNorInert) {
  DenseKkt k = test::random_kkt(12, 3, 140);
  k.A.row(5).setZero(), k.A.col(5).setZero(), k.J.col(5).setZero();
  for (const std::string& name : test::built_kkt_solvers()) {
    const auto solver = make_kkt_solver(name);
    EXPECT_NE(solver->factorize(k.sparse()), SolveStatus::ok) << name;
    Vector x, y;
    EXPECT_NE(solver->solve(k.f, k.g, x, y).status, SolveStatus::ok) << name;
  }
}

// Beyond the size where the order changes from minimum degree to nested dissection.
TEST(KktSolver, DirectSolversAgreeOnALargeChain) {
  constexpr Index n = 4000;
  KktMatrix m;
  m.A.resize(n, n), m.J.resize(n - 1, n), m.C = Vector::Zero(n - 1);
  for (Index i = 0; i < n; ++i) m.A.insert(i, i) = 1 + i % 7;
  for (Index i = 0; i + 1 < n; ++i) m.J.insert(i, i) = -1, m.J.insert(i, i + 1) = 1;
  m.A.makeCompressed(), m.J.makeCompressed();
  const Vector f = test::random_matrix(n, 1, 150), g = Vector::Zero(n - 1);
  const double together = f.sum() / m.A.diagonal().sum();
  for (const std::string& name : test::built_kkt_solvers()) {
    if (name == "minres") continue;  // many steps: a chain's condition grows with n²
    const auto solver = make_kkt_solver(name);
    ASSERT_EQ(solver->factorize(m), SolveStatus::ok);
    Vector x, y;
    const KktReport report = solver->solve(f, g, x, y);
    EXPECT_EQ(report.status, SolveStatus::ok);
    EXPECT_LT((x.array() - together).abs().maxCoeff(), 1e-10) << name;
  }
}

}  // namespace
}  // namespace pliant
