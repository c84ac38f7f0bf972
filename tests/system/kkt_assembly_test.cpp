// The matrix of constraints from its parts: against sums of dense matrices, over and over with the
// same assembly; and accelerations that are known.
#include <pliant/constraint/distance.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/system/constrained_acceleration.hpp>
#include <pliant/system/kkt_assembly.hpp>

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

constexpr Index kNodes = 5, kRows = 3;

// Numbers for given places: two couplings in A, two more blocks beside it, three rows.
struct Parts {
  BlockMatrix A;
  std::vector<NodeBlock> more;
  std::vector<JacobianEntry> J;
  DofMask mask = DofMask(3 * kNodes, 0);

  explicit Parts(unsigned seed) {
    PatternBuilder builder(kNodes);
    builder.add(std::vector<Index>{0, 1, 1, 3}, 2);
    A = BlockMatrix(std::make_shared<const BlockPattern>(builder.build()));
    for (const auto& [i, j] : {std::pair{0, 0}, {0, 3}, {3, 0}, {3, 3}, {4, 2}, {2, 4}, {0, 0}})
      more.push_back({i, j, Mat3::Zero()});
    for (const auto& [row, node] : {std::pair{0, 0}, {0, 3}, {1, 2}, {2, 4}, {2, 1}})
      J.push_back({row, node, Vec3::Zero()});
    mask[4] = mask[9] = mask[10] = mask[11] = 1;
    draw(seed);
  }
  void draw(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    for (double& x : A.values()) x = number(random);
    A.symmetrize();
    for (std::size_t k = 0; k < more.size(); ++k)
      for (double& x : more[k].block.reshaped()) x = number(random);
    more[0].block = (more[0].block + more[0].block.transpose()).eval();
    more[6].block = more[0].block;  // a place twice
    more[2].block = more[1].block.transpose();
    more[3].block = (more[3].block + more[3].block.transpose()).eval();
    more[5].block = more[4].block.transpose();
    for (JacobianEntry& entry : J) entry.gradient = Vec3(number(random), 2, number(random));
  }
};

void expect_dense_sums(KktAssembly& assembly, const Parts& parts) {
  const Index n = 3 * kNodes;
  Matrix A = Matrix::Zero(n, n), J = Matrix::Zero(kRows, n);
  const BlockPattern& pattern = parts.A.pattern();
  for (Index i = 0; i < kNodes; ++i)
    for (Index j = 0; j < kNodes; ++j)
      if (const Index k = pattern.find(i, j); k >= 0)
        A.block<3, 3>(3 * i, 3 * j) += Eigen::Map<const Mat3>(parts.A.block(k));
  for (const NodeBlock& b : parts.more) A.block<3, 3>(3 * b.row, 3 * b.column) += b.block;
  for (const JacobianEntry& e : parts.J) J.block<1, 3>(e.row, 3 * e.node) += e.gradient.transpose();
  std::vector<Index> kept;
  for (Index i = 0; i < n; ++i)
    if (!parts.mask[static_cast<std::size_t>(i)]) kept.push_back(i);
  assembly.matrix().C = Vector::Zero(kRows);
  assembly.fill(parts.A, parts.more, parts.J, parts.mask);
  const Matrix lower = Matrix(A(kept, kept)).triangularView<Eigen::Lower>();
  EXPECT_LT((Matrix(assembly.matrix().A) - lower).norm(), 1e-15);  // sums of three numbers
  EXPECT_EQ(Matrix(assembly.matrix().J), Matrix(J(Eigen::all, kept)));
}

TEST(KktAssembly, IsTheSumOfItsPartsWithoutPrescribedCoordinates) {
  KktAssembly assembly;
  for (const unsigned seed : {1u, 2u, 3u}) expect_dense_sums(assembly, Parts(seed));
}

TEST(KktAssembly, WritesOnlyNumbersWhileNothingElseChanges) {
  KktAssembly assembly;
  Parts parts(4);
  expect_dense_sums(assembly, parts);
  const double* values = assembly.matrix().A.valuePtr();
  parts.draw(5);
  expect_dense_sums(assembly, parts);
  EXPECT_EQ(assembly.matrix().A.valuePtr(), values);
}

TEST(KktAssembly, FollowsChangesOfAnyPattern) {
  KktAssembly assembly;
  Parts parts(6);
  expect_dense_sums(assembly, parts);
  parts.mask[4] = 0, parts.mask[5] = 1;
  expect_dense_sums(assembly, parts);
  std::swap(parts.J[1], parts.J[4]);
  expect_dense_sums(assembly, parts);
  parts.more.push_back({2, 2, Mat3::Identity()});
  expect_dense_sums(assembly, parts);
  const Parts other(7);
  parts.A = other.A;
  expect_dense_sums(assembly, parts);
}

TEST(KktAssembly, GathersAndScattersUnknowns) {
  KktAssembly assembly;
  const Parts parts(8);
  expect_dense_sums(assembly, parts);
  const Vector all = Vector::LinSpaced(3 * kNodes, 1, 3 * kNodes);
  Vector unknowns, back;
  assembly.gather(all, unknowns);
  EXPECT_EQ(unknowns.size(), 3 * kNodes - 4);
  assembly.scatter(unknowns, back);
  for (Index i = 0; i < 3 * kNodes; ++i)
    EXPECT_EQ(back[i], parts.mask[static_cast<std::size_t>(i)] ? 0 : all[i]);
}

// A particle on a rod: towards the pivot u²/ℓ and the part of gravity across the rod.
TEST(ConstrainedAcceleration, IsThatOfAPendulumHoweverOftenItIsAskedFor) {
  System system({Vec3(2, 0, 0)}, {});
  system.mass().values()[0] = 3;
  system.add_term(std::make_unique<Gravity>(Vec3(0, -9.81, 0), system.mass(), view(system.rest())));
  system.add_constraint(std::make_unique<DistanceConstraints>(
      std::vector<DistanceRow>{{.name = "rod", .a = MappedPoint::of_node(0), .rest = 2}}));
  ConstrainedAcceleration acceleration;
  for (const double angle : {0.0, 0.4, 1.1}) {
    const Vec3 out(std::cos(angle), -std::sin(angle), 0),
        along(-std::sin(angle), -std::cos(angle), 0);
    const double u = 1.5;
    const Vector q = 2 * out, v = u * along;
    Vector f(3), a = Vector::Zero(3);
    const Configuration c{0, view(q), view(v), nullptr};
    system.force(c, view(f));
    ASSERT_TRUE(acceleration.find(system, DofMask(3, 0), c, view(f), view(a)));
    const Vec3 expected = -u * u / 2 * out + 9.81 * std::cos(angle) * along;
    EXPECT_LT((a - expected).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace pliant
