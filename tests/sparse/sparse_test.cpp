#include <pliant/sparse/assembly_plan.hpp>
#include <pliant/sparse/column_products.hpp>

#include "support/beams.hpp"
#include "support/threads.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

Mesh sample_mesh() { return make_box({.size = Vec3(3, 2, 1), .cells = {6, 4, 3}}); }

std::shared_ptr<const BlockPattern> pattern_of(const Mesh& mesh) {
  PatternBuilder builder(mesh.point_count());
  builder.add(mesh.blocks[0].nodes, 4);
  return std::make_shared<const BlockPattern>(builder.build());
}

BlockMatrix random_matrix(const std::shared_ptr<const BlockPattern>& pattern, unsigned seed) {
  BlockMatrix A(pattern);
  const Vector values = test::random_vector(9 * pattern->blocks(), 1, seed);
  std::copy(values.begin(), values.end(), A.values().begin());
  return A;
}

TEST(BlockPattern, HoldsEachPairOfAnElementOnceAndItsMirror) {
  const Mesh mesh = sample_mesh();
  const auto pattern = pattern_of(mesh);
  for (Index e = 0; e < mesh.blocks[0].size(); ++e)
    for (const Index i : mesh.blocks[0].element(e))
      for (const Index j : mesh.blocks[0].element(e)) {
        const Index k = pattern->find(i, j);
        ASSERT_GE(k, 0);
        EXPECT_EQ(pattern->column[k], j);
        EXPECT_EQ(pattern->mirror[k], pattern->find(j, i));
      }
  for (Index i = 0; i < pattern->rows; ++i) EXPECT_EQ(pattern->diagonal[i], pattern->find(i, i));
  EXPECT_LT(pattern->find(0, mesh.point_count() - 1), 0);
}

TEST(BlockPattern, KeepsTheDiagonalOfNodesThatNothingTouches) {
  const BlockPattern pattern = PatternBuilder(3).build();
  EXPECT_EQ(pattern.blocks(), 3);
  EXPECT_EQ(pattern.find(2, 2), pattern.diagonal[2]);
}

TEST(BlockMatrix, ProductsAgreeWithDenseOnes) {
  const auto pattern = pattern_of(sample_mesh());
  const BlockMatrix A = random_matrix(pattern, 1);
  const Eigen::MatrixXd D = test::dense(A);
  const Vector x = test::random_vector(D.cols(), 1, 2);
  Vector y(D.rows());
  A.multiply(view(x), view(y));
  EXPECT_LT((y - D * x).norm(), 1e-13 * y.norm());
  Vector z(D.rows());
  EXPECT_NEAR(A.multiply_dot(view(x), view(z)), x.dot(D * x), 1e-11);
  EXPECT_EQ(y, z);
  EXPECT_NEAR(A.quadratic_form(view(x)), x.dot(D * x), 1e-11);
  A.multiply_subtract(view(x), view(y));
  EXPECT_LT(y.norm(), 1e-12 * z.norm());
}

TEST(ColumnProducts, AreThoseOfEachColumn) {
  const auto pattern = pattern_of(sample_mesh());
  const BlockMatrix A = random_matrix(pattern, 3);
  NodeMatrix M(pattern);
  const Vector values = test::random_vector(pattern->blocks(), 1, 4);
  std::copy(values.begin(), values.end(), M.values().begin());
  const Eigen::Index n = 3 * pattern->rows;
  for (const Eigen::Index columns : {0, 1, 3, 4, 6, 13}) {
    Eigen::MatrixXd X(n, columns), AX, MX;
    for (Eigen::Index k = 0; k < columns; ++k)
      X.col(k) = test::random_vector(n, 1, static_cast<unsigned>(k));
    multiply(A, X, AX);
    multiply(M, X, MX);
    ASSERT_EQ(AX.cols(), columns);
    Vector y(n);
    for (Eigen::Index k = 0; k < columns; ++k) {
      const Vector x = X.col(k);
      A.multiply(view(x), view(y));
      EXPECT_LT((AX.col(k) - y).norm(), 1e-14 * y.norm()) << columns;
      M.multiply(view(x), view(y));
      EXPECT_LT((MX.col(k) - y).norm(), 1e-14 * y.norm()) << columns;
    }
  }
}

TEST(BlockMatrix, SymmetrizeTakesTheMeanWithTheTranspose) {
  BlockMatrix A = random_matrix(pattern_of(sample_mesh()), 3);
  const Eigen::MatrixXd D = test::dense(A);
  A.symmetrize();
  EXPECT_LT((test::dense(A) - 0.5 * (D + D.transpose())).norm(), 1e-14 * D.norm());
}

TEST(BlockMatrix, RemovedCoordinatesKeepOnlyAPositiveDiagonal) {
  BlockMatrix A = random_matrix(pattern_of(sample_mesh()), 4);
  Eigen::MatrixXd D = test::dense(A);
  DofMask mask(D.rows(), 0);
  for (std::size_t i = 0; i < mask.size(); i += 5) mask[i] = 1;
  A.remove(mask);
  const Eigen::MatrixXd R = test::dense(A);
  for (Eigen::Index i = 0; i < D.rows(); ++i)
    for (Eigen::Index j = 0; j < D.cols(); ++j) {
      if (i == j && mask[i])
        EXPECT_GT(R(i, i), 0);
      else
        EXPECT_EQ(R(i, j), mask[i] || mask[j] ? 0 : D(i, j));
    }
}

TEST(NodeMatrix, IsTheSameAsItsBlocks) {
  const auto pattern = pattern_of(sample_mesh());
  NodeMatrix M(pattern);
  const Vector values = test::random_vector(pattern->blocks(), 1, 5);
  std::copy(values.begin(), values.end(), M.values().begin());
  BlockMatrix A(pattern);
  M.write_to(A);
  const Vector x = test::random_vector(3 * pattern->rows, 1, 6);
  Vector y(x.size()), z(x.size());
  M.multiply(view(x), view(y));
  A.multiply(view(x), view(z));
  EXPECT_LT((y - z).norm(), 1e-14 * y.norm());
  EXPECT_GT(y.norm(), 0);
}

TEST(AssemblyPlan, VisitsEveryElementOnceAndNoTwoOfAColourShareANode) {
  const Mesh mesh = make_box({.size = Vec3(3, 2, 1), .cells = {20, 10, 10}});
  const AssemblyPlan plan(mesh.blocks[0].nodes, 4, mesh.point_count());
  std::vector<int> visits(mesh.blocks[0].size(), 0);
  plan.for_each_element([&](std::size_t e) { ++visits[e]; });
  for (const int v : visits) ASSERT_EQ(v, 1);
  EXPECT_GT(plan.colours(), 1u);
  EXPECT_LT(plan.colours(), 40u);
}

TEST(AssemblyPlan, SumsHaveTheSameBitsWithOneTwoAndEightThreads) {
  const Mesh mesh = make_box({.size = Vec3(3, 2, 1), .cells = {24, 12, 10}});
  const AssemblyPlan plan(mesh.blocks[0].nodes, 4, mesh.point_count());
  const auto work = [&](int threads) {
    Vector f = Vector::Zero(mesh.point_count());
    double sum = 0;
    test::with_threads(threads, [&] {
      sum = plan.sum_over_elements([&](std::size_t e) {
        for (const Index n : mesh.blocks[0].element(static_cast<Index>(e)))
          f[n] += 1.0 / (3.0 + static_cast<double>(e));
        return std::sqrt(1.0 + static_cast<double>(e));
      });
    });
    return std::pair(f, sum);
  };
  const auto [f1, s1] = work(1);
  for (const int threads : {2, 8})
    for (int repeat = 0; repeat < 5; ++repeat) {
      const auto [f, s] = work(threads);
      EXPECT_EQ(f, f1);
      EXPECT_EQ(s, s1);
    }
}

TEST(ExtendPattern, AddsCouplingsAndKeepsTheOldBlocks) {
  PatternBuilder builder(6);
  const std::vector<Index> edges = {0, 1, 1, 2, 3, 4};
  builder.add(edges, 2);
  const BlockPattern old = builder.build();
  const PatternExtension extension = extend_pattern(old, {{4, 0}, {1, 0}, {5, 2}, {0, 4}, {3, 3}});
  // The same as if the couplings had been stencils from the start.
  builder.add(std::vector<Index>{4, 0, 5, 2}, 2);
  const BlockPattern expected = builder.build();
  EXPECT_EQ(extension.pattern.row_start, expected.row_start);
  EXPECT_EQ(extension.pattern.column, expected.column);
  EXPECT_EQ(extension.pattern.diagonal, expected.diagonal);
  EXPECT_EQ(extension.pattern.mirror, expected.mirror);
  for (Index i = 0; i < old.rows; ++i)
    for (Index k = old.row_start[i]; k < old.row_start[i + 1]; ++k)
      EXPECT_EQ(extension.place[k], expected.find(i, old.column[k]));
}

}  // namespace
}  // namespace pliant
