// Every linear solver with a dense correction of few columns, against a dense solve.
#include <pliant/solve/linear_solver.hpp>
#include <pliant/solve/low_rank_columns.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct UpdatedProblem {
  BlockMatrix A;
  LowRank update;  // Y C Yᵀ, positive definite
  Vector b;
};

UpdatedProblem make_problem(int rank) {
  const Model model = test::make_beam({.cells = {6, 2, 2}});
  const System& system = *model.system;
  UpdatedProblem p{BlockMatrix(system.pattern()), {}, test::random_vector(system.dofs(), 1, 3)};
  system.mass().write_to(p.A);
  const Vector v = Vector::Zero(system.dofs());
  system.add_tangent({0, view(system.rest()), view(v), nullptr}, {.stiffness = 1e-3}, p.A);
  p.update.Y.resize(system.dofs(), rank);
  for (int k = 0; k < rank; ++k)
    p.update.Y.col(k) = test::random_vector(system.dofs(), 2, 10 + static_cast<unsigned>(k));
  p.update.Z = p.update.Y * Vector::LinSpaced(rank, 1, 30).asDiagonal();
  return p;
}

// By a solver that has seen no other problem.
void expect_solved(const std::string& name, const UpdatedProblem& p) {
  const auto solver = make_linear_solver(name);
  solver->analyze(p.A.shared_pattern());
  solver->set_update(&p.update);
  ASSERT_EQ(solver->factorize(p.A), SolveStatus::ok);
  Vector x(p.b.size());
  ASSERT_EQ(solver->solve(view(p.b), view(x), {1e-13}), SolveStatus::ok);
  const Matrix dense = test::dense(p.A) + p.update.Y * p.update.Z.transpose();
  const Vector exact = dense.ldlt().solve(p.b);
  EXPECT_LT((x - exact).norm(), 1e-8 * exact.norm());
}

class LowRankUpdate : public testing::TestWithParam<std::string> {};

TEST_P(LowRankUpdate, AgreesWithADenseSolve) {
  for (const int rank : {0, 1, 7}) {
    const UpdatedProblem p = make_problem(rank);
    SCOPED_TRACE(rank);
    expect_solved(GetParam(), p);
  }
}

TEST_P(LowRankUpdate, EndsWhenItIsTakenAway) {
  const UpdatedProblem p = make_problem(3);
  const auto solver = make_linear_solver(GetParam());
  solver->analyze(p.A.shared_pattern());
  Vector x(p.b.size()), plain(p.b.size());
  ASSERT_EQ(solver->factorize(p.A), SolveStatus::ok);
  ASSERT_EQ(solver->solve(view(p.b), view(plain), {1e-13}), SolveStatus::ok);
  solver->set_update(&p.update);
  ASSERT_EQ(solver->factorize(p.A), SolveStatus::ok);
  ASSERT_EQ(solver->solve(view(p.b), view(x), {1e-13}), SolveStatus::ok);
  EXPECT_GT((x - plain).norm(), 1e-3 * plain.norm());
  solver->set_update(nullptr);
  ASSERT_EQ(solver->factorize(p.A), SolveStatus::ok);
  ASSERT_EQ(solver->solve(view(p.b), view(x), {1e-13}), SolveStatus::ok);
  EXPECT_LT((x - plain).norm(), 1e-9 * plain.norm());  // auto may have changed its mind
}

// A matrix that comes again is not factorised again; another one, or another update, is not taken
// for it.
TEST_P(LowRankUpdate, OfAnotherUpdateOrMatrixIsItsOwn) {
  UpdatedProblem p = make_problem(3);
  const auto solver = make_linear_solver(GetParam());
  solver->analyze(p.A.shared_pattern());
  solver->set_update(&p.update);
  const auto expect_solved = [&](const char* what) {
    Vector x(p.b.size());
    ASSERT_EQ(solver->factorize(p.A), SolveStatus::ok);
    ASSERT_EQ(solver->solve(view(p.b), view(x), {1e-13}), SolveStatus::ok);
    const Matrix dense = test::dense(p.A) + p.update.Y * p.update.Z.transpose();
    const Vector exact = dense.ldlt().solve(p.b);
    EXPECT_LT((x - exact).norm(), 1e-8 * exact.norm()) << what;
  };
  expect_solved("at first");
  expect_solved("again");
  p.update.Z *= 3;
  expect_solved("with another update");
  p.A.block(p.A.pattern().diagonal[2])[4] *= 5;
  expect_solved("with another matrix");
  p.update.Y.col(1).setZero();
  p.A.block(p.A.pattern().diagonal[2])[4] /= 2;
  expect_solved("with both");
}

// Symmetric as a whole, but no column of Y is a multiple of Z's.
TEST_P(LowRankUpdate, MayCrossItsColumns) {
  UpdatedProblem p = make_problem(4);
  const Matrix swapped = p.update.Y * Matrix::Identity(4, 4).rowwise().reverse();
  p.update.Z = p.update.Y * 20;
  p.update.Y += 0.1 * swapped;
  const Matrix whole = p.update.Y * p.update.Z.transpose();
  ASSERT_LT((whole - whole.transpose()).norm(), 1e-13 * whole.norm());
  expect_solved(GetParam(), p);
}

INSTANTIATE_TEST_SUITE_P(List, LowRankUpdate, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const LinearSolverInfo& info : linear_solvers())
                             names.emplace_back(info.name);
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

TEST(LowRankColumns, KnowWhatTheyAreMultiplesOf) {
  LowRank update;
  update.Z = Matrix::Random(12, 3);
  update.Y = update.Z * Vec3(2, -0.5, 0).asDiagonal();
  ASSERT_TRUE(multiples(update));
  EXPECT_LT((*multiples(update) - Vec3(2, -0.5, 0)).norm(), 1e-14);
  update.Y(3, 1) += 1e-6;
  EXPECT_FALSE(multiples(update));
}

TEST(LowRankColumns, BecomeTheirSymmetricPart) {
  LowRank update;
  update.Y = Matrix::Random(12, 4);
  update.Z = Matrix::Random(12, 4);
  update.Z.col(1) = -0.3 * update.Y.col(1);  // symmetric as it is
  update.Z.col(3).setZero();
  const Matrix whole = update.Y * update.Z.transpose();
  symmetrize(update);
  EXPECT_EQ(update.Y.cols(), 6);
  const Matrix wanted = 0.5 * (whole + whole.transpose());
  EXPECT_LT((update.Y * update.Z.transpose() - wanted).norm(), 1e-14 * wanted.norm());
  const LowRank before = update;
  EXPECT_EQ(append_columns(2, update), 6);
  EXPECT_EQ(update.Y.leftCols(6), before.Y);
  EXPECT_TRUE(update.Z.rightCols(2).isZero(0));
}

}  // namespace
}  // namespace pliant
