// The eigenpairs of small bodies against Eigen's dense solver.
#include <pliant/solve/eigenpairs.hpp>

#include "support/beams.hpp"
#include "support/threads.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct Body {
  Model model;
  BlockMatrix K;
  DofMask mask;
  EigenProblem problem() const { return {K, model.system->mass(), mask}; }
  Eigen::Index dofs() const { return model.system->dofs(); }
};

// `squeeze` scales x: a compressed bar has modes of negative stiffness.
Body make_body(test::BeamSpec spec, double squeeze = 1) {
  Body body{test::make_beam(spec), {}, {}};
  const System& system = *body.model.system;
  Vector q = system.rest();
  for (Eigen::Index i = 0; i < q.size(); i += 3) q[i] *= squeeze;
  const Vector v = Vector::Zero(q.size());
  body.K = BlockMatrix(system.pattern());
  system.add_tangent({0, view(q), view(v), nullptr}, {.stiffness = 1}, body.K);
  body.mask.assign(static_cast<std::size_t>(q.size()), 0);
  for (const Pin& pin : system.pins())
    for (const Index n : pin.nodes)
      for (int i = 0; i < 3; ++i) body.mask[3 * n + i] = 1;
  return body;
}

test::BeamSpec bar(bool pinned) {
  test::BeamSpec spec;
  spec.size = Vec3(4, 1, 0.7);
  spec.cells = {8, 2, 2};
  spec.pin_left = pinned;
  return spec;
}

test::BeamSpec cube() {
  test::BeamSpec spec;
  spec.size = Vec3(1, 1, 1);
  spec.cells = {4, 4, 4};
  spec.element = ElementType::hex8;  // a split into tets would break the symmetry
  spec.pin_left = false;
  return spec;
}

struct Dense {
  Vector values;
  Eigen::MatrixXd vectors, M;  // on all coordinates
};

Dense dense_pairs(const Body& body) {
  std::vector<Eigen::Index> free;
  for (std::size_t i = 0; i < body.mask.size(); ++i)
    if (!body.mask[i]) free.push_back(static_cast<Eigen::Index>(i));
  Dense all{{},
            Eigen::MatrixXd::Zero(body.dofs(), static_cast<Eigen::Index>(free.size())),
            test::dense(body.model.system->mass())};
  const Eigen::MatrixXd K = test::dense(body.K)(free, free), M = all.M(free, free);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(K, M);
  all.values = eigen.eigenvalues();
  all.vectors(free, Eigen::all) = eigen.eigenvectors();
  return all;
}

// What both solvers may differ by is rounding of the largest eigenvalue.
void expect_pairs(const Body& body, const Eigenpairs& pairs, Index count) {
  ASSERT_TRUE(pairs.ok) << pairs.reason;
  ASSERT_EQ(pairs.values.size(), count);
  ASSERT_EQ(pairs.vectors.cols(), count);
  const Dense exact = dense_pairs(body);
  const double largest = exact.values.cwiseAbs().maxCoeff();
  for (Index k = 0; k < count; ++k)
    EXPECT_NEAR(pairs.values[k], exact.values[k], 1e-11 * largest) << k;
  const Eigen::MatrixXd I = pairs.vectors.transpose() * exact.M * pairs.vectors;
  EXPECT_LT((I - Eigen::MatrixXd::Identity(count, count)).cwiseAbs().maxCoeff(), 1e-12);
  for (std::size_t i = 0; i < body.mask.size(); ++i)
    if (body.mask[i]) {
      EXPECT_EQ(pairs.vectors.row(static_cast<Eigen::Index>(i)).norm(), 0);
    }
  for (Index k = 0; k < count; ++k) {
    EXPECT_GT(pairs.vectors.col(k).maxCoeff(), (1 - 1e-5) * -pairs.vectors.col(k).minCoeff());
    // A vector belongs to the eigenspace of its value: outside it the dense ones see nothing of it.
    const Vector c = exact.vectors.transpose() * exact.M * pairs.vectors.col(k);
    for (Eigen::Index j = 0; j < c.size(); ++j)
      if (std::abs(exact.values[j] - pairs.values[k]) > 1e-3 * largest) {
        EXPECT_LT(std::abs(c[j]), 1e-6) << k << " " << j;
      }
  }
}

TEST(Eigenpairs, OfAPinnedBarAgreeWithADenseSolve) {
  const Body body = make_body(bar(true));
  EigenpairSolver solver;
  const Eigenpairs pairs = solver.solve(body.problem(), 12);
  EXPECT_EQ(pairs.method, EigenMethod::cold);
  expect_pairs(body, pairs, 12);
  EXPECT_GT(pairs.values[0], 0);
}

TEST(Eigenpairs, OfAFreeBarBeginWithSixRigidModes) {
  const Body body = make_body(bar(false));
  EigenpairSolver solver;
  const Eigenpairs pairs = solver.solve(body.problem(), 10);
  expect_pairs(body, pairs, 10);
  for (int k = 0; k < 6; ++k) EXPECT_LT(std::abs(pairs.values[k]), 1e-8 * pairs.values[6]);
  EXPECT_GT(pairs.values[6], 0);
}

TEST(Eigenpairs, OfAnIndefiniteStiffnessBeginWithTheNegativeOnes) {
  const Body body = make_body(bar(true), 0.6);
  EigenpairSolver solver;
  const Eigenpairs pairs = solver.solve(body.problem(), 8);
  EXPECT_GT(pairs.factorizations, 1);  // the first shift was too small
  expect_pairs(body, pairs, 8);
  EXPECT_LT(pairs.values[0], 0);
}

// Lanczos alone sees one vector of each repeated eigenvalue; the cut lies inside a triple at 7 too.
TEST(Eigenpairs, OfACubeHoldEveryCopyOfARepeatedValue) {
  const Body body = make_body(cube());
  EigenpairSolver solver;
  for (const Index count : {7, 9, 20}) {
    const Eigenpairs pairs = solver.solve(body.problem(), count);
    expect_pairs(body, pairs, count);
  }
  const Vector values = solver.solve(body.problem(), 20).values;
  int repeated = 0;
  for (int k = 7; k < 20; ++k) repeated += values[k] - values[k - 1] < 1e-9 * values[k];
  EXPECT_GE(repeated, 5);
}

TEST(Eigenpairs, FromAWarmStartAreThoseOfAColdOneForFewerSolves) {
  const Body body = make_body(bar(true)), bent = make_body(bar(true), 1.0001);
  EigenpairSolver solver({.tolerance = 1e-6});
  const Eigenpairs before = solver.solve(body.problem(), 10);
  const Eigenpairs cold = solver.solve(bent.problem(), 10);
  const Eigenpairs warm = solver.solve(bent.problem(), 10, before.vectors);
  EXPECT_EQ(warm.method, EigenMethod::warm);
  EXPECT_LT(warm.solves, cold.solves);
  expect_pairs(bent, warm, 10);
  for (int k = 0; k < 10; ++k)  // what a residual of 1e-6 leaves, over gaps of some percent
    EXPECT_LT((warm.vectors.col(k) - cold.vectors.col(k)).norm(), 1e-4 * cold.vectors.col(k).norm())
        << k;
}

TEST(Eigenpairs, FallBackToLanczosWhereAWarmStartIsOfLittleUse) {
  const Body body = make_body(bar(true)), bent = make_body(bar(true), 0.7);
  EigenpairSolver solver;
  const Eigenpairs before = solver.solve(body.problem(), 10);
  const Eigenpairs pairs = solver.solve(bent.problem(), 10, before.vectors);
  EXPECT_EQ(pairs.method, EigenMethod::cold);
  expect_pairs(bent, pairs, 10);
}

// Starts that lack a mode: other modes, a rank of one, a vector on pinned coordinates only.
// The factors of a body that was a little shorter serve; those of one that was half as long do not,
// and say so.
TEST(Eigenpairs, AreFoundWithTheFactorsOfAProblemNearby) {
  Body body = make_body(bar(true));
  const System& system = *body.model.system;
  const auto squeezed = [&](double squeeze) {
    Vector q = system.rest();
    for (Eigen::Index i = 0; i < q.size(); i += 3) q[i] *= squeeze;
    const Vector v = Vector::Zero(q.size());
    BlockMatrix K(system.pattern());
    system.add_tangent({0, view(q), view(v), nullptr},
                       {.stiffness = 1, .projection = Projection::psd}, K);
    return K;
  };
  const BlockMatrix near = squeezed(0.97), far = squeezed(0.2);
  EigenpairSolver solver(EigenOptions{.tolerance = 1e-3, .angle = 1e-3, .semidefinite = true});
  EXPECT_FALSE(solver.follow(body.problem(), 5, Eigen::MatrixXd::Ones(3, 1)).ok);
  const Eigenpairs first = solver.solve({near, system.mass(), body.mask}, 5);
  ASSERT_TRUE(first.ok);
  const Eigenpairs pairs = solver.follow(body.problem(), 5, first.vectors);
  ASSERT_TRUE(pairs.ok);
  EXPECT_EQ(pairs.factorizations, 0);
  const Dense dense = dense_pairs(body);
  for (Eigen::Index k = 0; k < 5; ++k)
    EXPECT_NEAR(pairs.values[k], dense.values[k], 1e-5 * dense.values[k]) << k;
  ASSERT_TRUE(solver.factorize({far, system.mass(), body.mask}));
  EigenpairSolver exact;
  const Eigen::MatrixXd poor = exact.solve({far, system.mass(), body.mask}, 5).vectors;
  EXPECT_FALSE(solver.follow(body.problem(), 5, poor.leftCols(1)).ok);
}

TEST(Eigenpairs, AreFoundFromAnyStart) {
  const Body body = make_body(bar(true));
  EigenpairSolver solver;
  const Eigenpairs many = solver.solve(body.problem(), 16);
  expect_pairs(body, solver.solve(body.problem(), 6, many.vectors.rightCols(6)), 6);
  expect_pairs(body, solver.solve(body.problem(), 6, many.vectors.col(2).replicate(1, 6)), 6);
  Eigen::MatrixXd pinned = Eigen::MatrixXd::Zero(body.dofs(), 1);
  for (std::size_t i = 0; i < body.mask.size(); ++i) pinned(i, 0) = body.mask[i];
  expect_pairs(body, solver.solve(body.problem(), 6, pinned), 6);
  Eigen::MatrixXd wrong = many.vectors;
  wrong(0, 0) = std::numeric_limits<double>::quiet_NaN();
  expect_pairs(body, solver.solve(body.problem(), 6, wrong), 6);
}

TEST(Eigenpairs, MayBeNoneOrAll) {
  test::BeamSpec small = bar(true);
  small.cells = {3, 1, 1};
  const Body body = make_body(small);
  EigenpairSolver solver;
  const Eigenpairs none = solver.solve(body.problem(), 0);
  EXPECT_TRUE(none.ok);
  EXPECT_EQ(none.vectors.rows(), body.dofs());
  EXPECT_EQ(none.vectors.cols(), 0);
  const Index free = static_cast<Index>(std::count(body.mask.begin(), body.mask.end(), 0));
  expect_pairs(body, solver.solve(body.problem(), free), free);
  expect_pairs(body, solver.solve(body.problem(), 10 * free), free);
  const Body larger = make_body(bar(true));
  const Index half = static_cast<Index>(larger.dofs() / 2);
  expect_pairs(larger, solver.solve(larger.problem(), half), half);
  const DofMask everything(body.mask.size(), 1);
  EXPECT_EQ(solver.solve({body.K, body.model.system->mass(), everything}, 3).values.size(), 0);
}

TEST(Eigenpairs, AreTheSameBitForBitForAnyNumberOfThreadsAndAnyCallsBefore) {
  const Body body = make_body(bar(false));
  Eigenpairs first, second;
  test::with_threads(1, [&] {
    EigenpairSolver solver;
    first = solver.solve(body.problem(), 9);
  });
  test::with_threads(4, [&] {
    EigenpairSolver solver;
    ASSERT_TRUE(solver.solve(body.problem(), 3).ok);
    second = solver.solve(body.problem(), 9);
  });
  EXPECT_EQ(first.values, second.values);
  EXPECT_EQ(first.vectors, second.vectors);
}

TEST(Eigenpairs, OfAMatrixThatIsNotFiniteAreRefusedInWords) {
  Body body = make_body(bar(true));
  body.K.values()[9 * 40] = std::numeric_limits<double>::quiet_NaN();
  EigenpairSolver solver;
  const Eigenpairs pairs = solver.solve(body.problem(), 5);
  EXPECT_FALSE(pairs.ok);
  EXPECT_FALSE(pairs.reason.empty());
}

}  // namespace
}  // namespace pliant
