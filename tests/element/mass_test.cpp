#include <pliant/element/mass.hpp>
#include <pliant/element/shapes.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

const Vec3 kMassBox(1.5, 1, 1.2);

class EveryShape : public testing::TestWithParam<ElementType> {
 protected:
  NodeMatrix mass(bool lumped) {
    mesh = make_box(
        {.size = kMassBox,
         .cells = {3, 2, 2},
         .element = GetParam() == ElementType::hex8 ? ElementType::hex8 : ElementType::tet4});
    test::shake_interior(mesh, kMassBox, 0.08, 5);
    if (GetParam() == ElementType::tet10) mesh = make_quadratic(mesh);
    PatternBuilder builder(mesh.point_count());
    builder.add(mesh.blocks[0].nodes, nodes_per_element(GetParam()));
    NodeMatrix M(std::make_shared<const BlockPattern>(builder.build()));
    const std::vector<double> density = {900};
    add_mass({GetParam(), mesh.blocks[0].nodes, mesh.points, density, lumped}, M);
    return M;
  }
  // vᵀ M v for v = B x (a linear field).
  double quadratic(const NodeMatrix& M, const Mat3& B) const {
    Vector v(3 * mesh.point_count()), Mv(v.size());
    for (Index n = 0; n < mesh.point_count(); ++n) v.segment<3>(3 * n) = B * mesh.points[n];
    M.multiply(view(v), view(Mv));
    return v.dot(Mv);
  }
  Mesh mesh;
};

TEST_P(EveryShape, TheTotalMassIsDensityTimesVolume) {
  for (const bool lumped : {false, true}) {
    const NodeMatrix M = mass(lumped);
    double sum = 0;
    for (const double m : M.values()) sum += m;
    EXPECT_NEAR(sum, 900 * kMassBox.prod(), 1e-12 * 900 * kMassBox.prod());
  }
}

// ∫ ρ |B x|² over a box about its centre is ρ V Σ |B e_i|² L_i²/12.
TEST_P(EveryShape, TheConsistentMassIntegratesLinearFieldsExactly) {
  const NodeMatrix M = mass(false);
  Mat3 B;
  B << 1, 2, -1, 0.5, -1, 0.3, 0.2, 0.7, 2;
  double exact = 0;
  for (int i = 0; i < 3; ++i)
    exact += 900 * kMassBox.prod() * B.col(i).squaredNorm() * kMassBox[i] * kMassBox[i] / 12;
  EXPECT_NEAR(quadratic(M, B), exact, 1e-12 * exact);
}

TEST_P(EveryShape, TheLumpedMassIsPositiveAndDiagonal) {
  const NodeMatrix M = mass(true);
  for (Index i = 0; i < M.pattern().rows; ++i)
    for (Index k = M.pattern().row_start[i]; k < M.pattern().row_start[i + 1]; ++k) {
      if (M.pattern().column[k] == i)
        EXPECT_GT(M.values()[k], 0);
      else
        EXPECT_EQ(M.values()[k], 0);
    }
}

TEST_P(EveryShape, TheConsistentMassIsPositiveDefinite) {
  const NodeMatrix M = mass(false);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(test::dense(M)).eigenvalues().minCoeff(),
            0);
}

INSTANTIATE_TEST_SUITE_P(List, EveryShape,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8),
                         [](const auto& info) { return std::string(name_of(info.param)); });

template <class S>
class ShapeFunctions : public testing::Test {};
using Shapes = testing::Types<Tet4, Tet10, Hex8>;
TYPED_TEST_SUITE(ShapeFunctions, Shapes);

TYPED_TEST(ShapeFunctions, SumToOneAndHaveTheirGradients) {
  const Vec3 xi(0.21, 0.13, 0.37);
  const auto N = TypeParam::values(xi);
  EXPECT_NEAR(N.sum(), 1, 1e-14);
  const auto G = TypeParam::gradients(xi);
  for (int j = 0; j < 3; ++j) {
    const Vec3 d = 1e-5 * Vec3::Unit(j);
    const auto difference = ((TypeParam::values(xi + d) - TypeParam::values(xi - d)) / 2e-5).eval();
    EXPECT_LT((difference - G.col(j)).norm(), 1e-9);
    EXPECT_NEAR(G.col(j).sum(), 0, 1e-14);
  }
}

// ∫ ξ^a η^b ζ^c over the tetrahedron is a! b! c!/(a + b + c + 3)!.
TEST(Quadrature, TetrahedronRulesIntegrateTheirDegree) {
  const auto factorial = [](int n) { return std::tgamma(n + 1.0); };
  const std::pair<const Quadrature*, int> rules[] = {
      {&tet_rule_1(), 1}, {&tet_rule_4(), 2}, {&tet_rule_conical(), 7}};
  for (const auto& [rule, degree] : rules)
    for (int a = 0; a <= degree; ++a)
      for (int b = 0; a + b <= degree; ++b)
        for (int c = 0; a + b + c <= degree; ++c) {
          double sum = 0;
          for (const QuadraturePoint& p : *rule)
            sum += p.weight * std::pow(p.xi[0], a) * std::pow(p.xi[1], b) * std::pow(p.xi[2], c);
          EXPECT_NEAR(sum, factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3),
                      1e-15);
        }
}

TEST(Quadrature, CubeRulesIntegrateTheirDegree) {
  const std::pair<const Quadrature*, int> rules[] = {{&hex_rule_8(), 3}, {&hex_rule_27(), 5}};
  for (const auto& [rule, degree] : rules)
    for (int a = 0; a <= degree; ++a) {
      double sum = 0;
      for (const QuadraturePoint& p : *rule)
        sum +=
            p.weight * std::pow(p.xi[0], a) * std::pow(p.xi[1], degree - 1) * std::pow(p.xi[2], 2);
      const double exact = (a % 2 ? 0 : 2.0 / (a + 1)) * (degree % 2 ? 2.0 / degree : 0) * 2.0 / 3;
      EXPECT_NEAR(sum, exact, 1e-14);
    }
}

}  // namespace
}  // namespace pliant
