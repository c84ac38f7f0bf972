// Strain that stays: derivatives, the energy of St. Venant–Kirchhoff about the offset, and the
// flow.
#include <pliant/element/elastic_term.hpp>
#include <pliant/element/plasticity.hpp>
#include <pliant/mesh/generators.hpp>

#include "support/beams.hpp"
#include "support/term_checks.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct PlasticSample {
  Mesh mesh;
  std::unique_ptr<ElasticTerm> elastic;
  std::unique_ptr<PlasticTerm> term;
  std::shared_ptr<const BlockPattern> pattern;
  Vector rest;

  PlasticSample(ElementType element, const PlasticLaw& law)
      : mesh(make_box({.size = Vec3(2, 1, 1), .cells = {2, 1, 1}, .element = element})) {
    MaterialConstants constants;
    constants.young = 10, constants.poisson = 0.3;
    elastic = make_elastic({element, "stvk", mesh.blocks[0].nodes, {constants}}, mesh.points);
    rest.resize(3 * mesh.point_count());
    for (Index n = 0; n < mesh.point_count(); ++n) node(view(rest), n) = mesh.points[n];
    term =
        std::make_unique<PlasticTerm>(dynamic_cast<const LocalElastic&>(*elastic), view(rest), law);
    PatternBuilder builder(mesh.point_count());
    term->add_stencils(builder);
    pattern = std::make_shared<const BlockPattern>(builder.build());
    term->locate(pattern);
  }
  Vector numbers() const { return Vector::Zero(static_cast<Eigen::Index>(term->numbers())); }
  Vector stretched(const Mat3& F) const {
    Vector q = rest;
    for (Index n = 0; n < mesh.point_count(); ++n) node(view(q), n) = F * mesh.points[n];
    return q;
  }
};

class PlasticityTest : public ::testing::TestWithParam<ElementType> {};

TEST_P(PlasticityTest, ForceAndTangentAreDerivatives) {
  const PlasticSample s(GetParam(), {.yield = 0});
  StepData data;
  data.plastic = std::make_shared<const Vector>(
      test::random_vector(static_cast<Eigen::Index>(s.term->numbers()), 0.2, 4));
  BlockMatrix A(s.pattern);
  for (unsigned seed = 1; seed <= 3; ++seed) {
    test::Point x;
    x.q = s.rest + test::random_vector(s.rest.size(), 0.2, seed);
    x.v = Vector::Zero(x.q.size());
    x.step = &data;
    const Vector d = test::random_vector(x.q.size(), 1, 10 + seed);
    test::expect_force_is_gradient(*s.term, x, d, 1e-3, 1e-9);
    test::expect_tangent_is_derivative(*s.term, x, d, 1e-3, 1e-9, A);
    A.set_zero();
    s.term->add_tangent({0, view(x.q), view(x.v), &data},
                        {.stiffness = 1, .projection = Projection::psd}, A);
    Vector Ad(d.size());
    A.multiply(view(d), view(Ad));
    EXPECT_GE(d.dot(Ad), -1e-12);
  }
}

// With all of the strain made permanent the body is at rest where it is.
TEST_P(PlasticityTest, ABodyThatHasFlowedIsFreeOfStress) {
  const PlasticSample s(GetParam(), {.yield = 0});
  Mat3 F;  // no change of volume in the strain: tr E = 0
  F << 1, 0.4, 0, 0, 1, 0, 0, 0, 1;
  const double trace = (F.transpose() * F - Mat3::Identity()).trace() / 2;
  F.col(2) *= std::sqrt(1 - 2 * trace);
  const Vector q = s.stretched(F), v = Vector::Zero(q.size());
  Vector plastic = s.numbers();
  EXPECT_TRUE(s.term->flow(view(q), 1, view(plastic)));
  const Configuration c{.t = 0, .q = view(q), .v = view(v), .plastic = &plastic};
  Vector f = Vector::Zero(q.size());
  s.elastic->add_force(c, view(f));
  const double before = f.norm();
  s.term->add_force(c, view(f));
  EXPECT_LT(f.norm(), 1e-12 * before);
  EXPECT_NEAR(s.elastic->potential(c) + s.term->potential(c), 0, 1e-12 * s.elastic->potential(c));
  std::vector<double> whole(static_cast<std::size_t>(s.elastic->elements())), left = whole;
  s.elastic->von_mises(c, whole);
  s.elastic->von_mises_without(s.term->offset_stresses(c), c, left);
  for (std::size_t e = 0; e < left.size(); ++e) {
    EXPECT_GT(whole[e], 1);
    EXPECT_LT(left[e], 1e-12 * whole[e]);
  }
}

TEST_P(PlasticityTest, FlowStopsAtTheYieldLimitAndAtTheLargestStrain) {
  const Mat3 F = Vec3(1.3, 1, 1).asDiagonal();
  // E = ½ (1.69 − 1) = 0.345 along x; without its change of volume ‖e‖ = 0.345 √(2/3).
  const double size = 0.345 * std::sqrt(2.0 / 3);
  const auto left = [&](const PlasticLaw& law, double h) {
    const PlasticSample s(GetParam(), law);
    Vector plastic = s.numbers();
    s.term->flow(view(s.stretched(F)), h, view(plastic));
    return plastic.head<6>().norm();
  };
  EXPECT_NEAR(left({.yield = 0.1}, 0.01), size - 0.1, 1e-12);
  EXPECT_EQ(left({.yield = 0.3}, 0.01), 0);
  EXPECT_NEAR(left({.yield = 0.1, .creep = 5}, 0.01), (1 - std::exp(-0.05)) * (size - 0.1), 1e-12);
  EXPECT_NEAR(left({.yield = 0.1, .most = 0.05}, 0.01), 0.05, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Elements, PlasticityTest,
                         ::testing::Values(ElementType::tet4, ElementType::tet10,
                                           ElementType::hex8));

}  // namespace
}  // namespace pliant
