// A matrix in single precision, but for the blocks that it keeps.
#include <pliant/sparse/single_matrix.hpp>

#include "support/beams.hpp"
#include "support/threads.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

// M + K of a beam, with a spring of the given stiffness between two nodes that share an element.
BlockMatrix beam_matrix(double spring) {
  test::BeamSpec spec;
  spec.cells = {24, 4, 4};
  const Model model = test::make_beam(spec);
  const System& system = *model.system;
  BlockMatrix A(system.pattern());
  system.mass().write_to(A);
  const Vector v = Vector::Zero(system.dofs());
  system.add_tangent({0, view(system.rest()), view(v), nullptr}, {.stiffness = 1e-4}, A);
  const BlockPattern& pattern = *system.pattern();
  const Index i = 100, k = pattern.row_start[i], j = pattern.column[k];
  const Vec3 n = Vec3(1, 2, -3).normalized();
  const Mat3 K = spring * n * n.transpose();
  Eigen::Map<Mat3>(A.block(pattern.diagonal[i])) += K;
  Eigen::Map<Mat3>(A.block(pattern.diagonal[j])) += K;
  Eigen::Map<Mat3>(A.block(k)) -= K;
  Eigen::Map<Mat3>(A.block(pattern.mirror[k])) -= K;
  return A;
}

// The smallest eigenvalue of each diagonal block.
std::vector<double> softness_of(const BlockMatrix& A) {
  std::vector<double> out;
  for (Index i = 0; i < A.pattern().rows; ++i) {
    const Mat3 block = Eigen::Map<const Mat3>(A.block(A.pattern().diagonal[i]));
    out.push_back(Eigen::SelfAdjointEigenSolver<Mat3>(block).eigenvalues()[0]);
  }
  return out;
}

struct Products {
  Vector exact, single;
  double dot = 0;
};

Products products(const SingleMatrix& single, const BlockMatrix& A, const Vector& x) {
  std::vector<float> rounded(static_cast<std::size_t>(x.size()) + 1, 0.0f);
  for (Eigen::Index i = 0; i < x.size(); ++i) rounded[i] = static_cast<float>(x[i]);
  Products out{Vector(x.size()), Vector(x.size())};
  A.multiply(view(x), view(out.exact));
  out.dot = single.multiply_dot(view(x), rounded, view(out.single));
  return out;
}

TEST(SingleMatrix, MultipliesToSinglePrecision) {
  const BlockMatrix A = beam_matrix(0);
  SingleMatrix single;
  ASSERT_TRUE(single.copy(A, softness_of(A)));
  EXPECT_EQ(single.kept(), 0u);
  const Vector x = test::random_vector(3 * A.pattern().rows, 1, 5);
  const Products y = products(single, A, x);
  EXPECT_LT((y.single - y.exact).norm(), 1e-6 * y.exact.norm());
  EXPECT_GT((y.single - y.exact).norm(), 1e-9 * y.exact.norm());  // else nothing was rounded
  EXPECT_NEAR(y.dot, x.dot(y.exact), 1e-6 * std::abs(y.dot));
}

// Along a motion that the spring does not feel, what it is rounded by must not show.
TEST(SingleMatrix, KeepsBlocksThatAreFarStifferThanTheirNeighbours) {
  const BlockMatrix soft = beam_matrix(0), A = beam_matrix(1e9);
  SingleMatrix single;
  ASSERT_TRUE(single.copy(A, softness_of(A)));
  EXPECT_EQ(single.kept(), 4u);  // two diagonal blocks, and two between them
  Vector x = test::random_vector(3 * A.pattern().rows, 1, 5);
  const BlockPattern& pattern = A.pattern();
  const Index i = 100, j = pattern.column[pattern.row_start[i]];
  x.segment<3>(3 * j) = x.segment<3>(3 * i);
  const Products y = products(single, A, x);
  Vector without(x.size());
  soft.multiply(view(std::as_const(x)), view(without));
  EXPECT_LT((y.single - without).norm(), 2e-6 * without.norm());
}

TEST(SingleMatrix, GivesTheSameBitsForAnyNumberOfThreads) {
  const BlockMatrix A = beam_matrix(1e9);
  const std::vector<double> softness = softness_of(A);
  const Vector x = test::random_vector(3 * A.pattern().rows, 1, 5);
  Products one, four;
  for (auto [threads, out] : {std::pair{1, &one}, {4, &four}})
    test::with_threads(threads, [&, out = out] {
      SingleMatrix single;
      EXPECT_TRUE(single.copy(A, softness));
      *out = products(single, A, x);
    });
  EXPECT_EQ(one.single, four.single);
  EXPECT_EQ(one.dot, four.dot);
}

TEST(SingleMatrix, RefusesNumbersThatDoNotFit) {
  BlockMatrix A = beam_matrix(0);
  for (double& value : A.values()) value *= 1e36;
  EXPECT_FALSE(SingleMatrix().copy(A, softness_of(A)));
  for (double& value : A.values()) value *= 1e-72;
  EXPECT_FALSE(SingleMatrix().copy(A, softness_of(A)));
}

}  // namespace
}  // namespace pliant
