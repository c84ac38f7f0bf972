// Elasticity as constraints: derivatives against central differences on random states, and energy,
// force and stiffness against the potential whose place they take.
#include <pliant/constraint/strain_rows.hpp>
#include <pliant/constraint/volume_row.hpp>
#include <pliant/element/cable.hpp>
#include <pliant/element/elastic_term.hpp>
#include <pliant/element/membrane.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/surface.hpp>

#include "constraint/row_values.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace pliant {
namespace {

using test::along, test::force, test::values;

struct Rows {
  std::vector<Vec3> rest;
  std::unique_ptr<ElasticTerm> term;
  ConstraintSet set;

  Vector rest_vector() const {
    Vector q(3 * static_cast<Eigen::Index>(rest.size()));
    for (std::size_t n = 0; n < rest.size(); ++n) node(view(q), static_cast<Index>(n)) = rest[n];
    return q;
  }
  void add_rows(StrainMeasure measure) {
    const Vector q = rest_vector();
    set.add(make_strain_rows("rows", dynamic_cast<const LocalElastic&>(*term), view(q), measure));
  }
};

enum class Kind { tet, hex, triangle, quad, segment };

std::string law_for(StrainMeasure measure) {
  return measure == StrainMeasure::green ? "stvk" : "corotated";
}

Rows make_rows(Kind kind, StrainMeasure measure) {
  Rows rows;
  MaterialConstants constants;
  constants.young = 30, constants.poisson = 0.3;
  if (kind == Kind::tet)
    rows.rest = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0}, {0.1, 0.2, 1.1}, {0.9, 1, 0.8}};
  if (kind == Kind::hex)
    rows.rest = {{0, 0, 0},   {1, 0, 0.1}, {1, 1.1, 0}, {0, 1, 0},
                 {0, 0.1, 1}, {1, 0, 1},   {1, 1, 1.2}, {0, 1, 1}};
  if (kind == Kind::quad) rows.rest = {{0, 0, 0}, {1, 0.1, 0}, {1.2, 0.2, 1}, {0.1, 0, 0.8}};
  if (kind == Kind::triangle || kind == Kind::segment)
    rows.rest = {{0, 0, 0}, {1, 0.1, 0.3}, {0.2, 0.9, -0.2}, {1.1, 1.2, 0.5}};
  const std::vector<Index> eight = {0, 1, 2, 3, 4, 5, 6, 7};
  switch (kind) {
    case Kind::tet:
      rows.term = make_elastic(
          {ElementType::tet4, law_for(measure), {0, 1, 2, 3, 1, 2, 3, 4}, {constants}}, rows.rest);
      break;
    case Kind::hex:
      rows.term =
          make_elastic({ElementType::hex8, law_for(measure), eight, {constants}}, rows.rest);
      break;
    case Kind::triangle:
      rows.term = make_membrane({ElementType::tri3, "stvk", {0, 1, 2, 2, 1, 3}, {constants}}, 0.1,
                                rows.rest);
      break;
    case Kind::quad:
      rows.term =
          make_membrane({ElementType::quad4, "stvk", {0, 1, 2, 3}, {constants}}, 0.1, rows.rest);
      break;
    case Kind::segment:
      rows.term = std::make_unique<CableStretch>(
          CableStretchInput{{0, 1, 1, 2, 2, 3}, {30, 30, 30}, 0.01}, rows.rest);
      break;
  }
  rows.add_rows(measure);
  return rows;
}

class Shaker {
 public:
  Vector around(const Vector& q, double size) {
    Vector x = q;
    for (double& value : x) value += size * uniform_(random_);
    return x;
  }
  Vector numbers(Eigen::Index n) { return around(Vector::Zero(n), 1); }

 private:
  std::mt19937 random_{5};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

void check_derivatives(const ConstraintSet& set, const Vector& rest, double far, Shaker& shaker) {
  const double h = 1e-6;
  for (int k = 0; k < 10; ++k) {
    const Vector q = shaker.around(rest, far), u = shaker.numbers(rest.size());
    const Vector slope = (values(set, q + h * u) - values(set, q - h * u)) / (2 * h);
    EXPECT_LT((slope - along(set, q, u)).norm(), 1e-7 * (1 + slope.norm()));
    Vector curvature;
    set.curvature(0, view(q), view(u), curvature);
    const Vector bent = (along(set, q + h * u, u) - along(set, q - h * u, u)) / (2 * h);
    EXPECT_LT((bent - curvature).norm(), 1e-5 * (1 + bent.norm()));
    const Vector lambda = shaker.numbers(set.rows());
    std::vector<NodeBlock> blocks;
    set.geometric_stiffness(view(q), lambda, 1, GeometricStiffness::exact, blocks);
    Vector Ku = Vector::Zero(q.size());
    for (const NodeBlock& b : blocks)
      node(view(Ku), b.row) += b.block * Vec3(node(view(u), b.column));
    const Vector change = (force(set, q + h * u, lambda) - force(set, q - h * u, lambda)) / (2 * h);
    EXPECT_LT((change + Ku).norm(), 1e-5 * (1 + change.norm()));
    set.geometric_stiffness(view(q), lambda, 1, GeometricStiffness::positive, blocks);
    double form = 0;
    for (const NodeBlock& b : blocks)
      form += Vec3(node(view(u), b.row)).dot(b.block * Vec3(node(view(u), b.column)));
    EXPECT_GE(form, -1e-12);
  }
}

class StrainTest : public ::testing::TestWithParam<std::tuple<Kind, StrainMeasure>> {};

TEST_P(StrainTest, DerivativesAreThoseOfTheValue) {
  const auto [kind, measure] = GetParam();
  const Rows rows = make_rows(kind, measure);
  Shaker shaker;
  check_derivatives(rows.set, rows.rest_vector(), 0.25, shaker);
}

TEST_P(StrainTest, RigidMotionsAreNoStrain) {
  const auto [kind, measure] = GetParam();
  const Rows rows = make_rows(kind, measure);
  const Mat3 R = Eigen::AngleAxisd(1.2, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  Vector q = rows.rest_vector();
  for (Index n = 0; n < static_cast<Index>(rows.rest.size()); ++n)
    node(view(q), n) = R * Vec3(node(view(q), n)) + Vec3(3, -1, 2);
  EXPECT_LT(values(rows.set, q).norm(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, StrainTest,
                         ::testing::Combine(::testing::Values(Kind::tet, Kind::hex, Kind::triangle,
                                                              Kind::quad, Kind::segment),
                                            ::testing::Values(StrainMeasure::green,
                                                              StrainMeasure::corotational,
                                                              StrainMeasure::principal)));

// λ = −φ/C gives the energy and force of the law that is quadratic in the same strain.
TEST(Strain, IsTheSameElasticityAsThePotential) {
  Shaker shaker;
  for (const auto& [kind, measure] :
       {std::pair(Kind::tet, StrainMeasure::green), std::pair(Kind::hex, StrainMeasure::green),
        std::pair(Kind::triangle, StrainMeasure::green),
        std::pair(Kind::quad, StrainMeasure::green),
        std::pair(Kind::segment, StrainMeasure::corotational)}) {
    const Rows rows = make_rows(kind, measure);
    const Vector q = shaker.around(rows.rest_vector(), 0.2), v = Vector::Zero(q.size());
    const Configuration c{.t = 0, .q = view(q), .v = view(v)};
    Vector f = Vector::Zero(q.size());
    rows.term->add_force(c, view(f));
    const Vector lambda = -values(rows.set, q).cwiseQuotient(rows.set.compliance());
    EXPECT_LT((force(rows.set, q, lambda) - f).norm(), 1e-11 * f.norm());
    EXPECT_NEAR(rows.set.energy(0, view(q)), rows.term->potential(c),
                1e-11 * rows.term->potential(c));
  }
}

// Three rows of principal stretches are as good as six of the whole strain.
TEST(Strain, PrincipalStretchesGiveTheEnergyOfTheCorotationalStrain) {
  Shaker shaker;
  for (const Kind kind : {Kind::tet, Kind::hex, Kind::triangle}) {
    const Rows six = make_rows(kind, StrainMeasure::corotational);
    const Rows three = make_rows(kind, StrainMeasure::principal);
    EXPECT_LT(three.set.rows(), six.set.rows());
    const Vector q = shaker.around(six.rest_vector(), 0.2);
    const double E = six.set.energy(0, view(q));
    EXPECT_NEAR(three.set.energy(0, view(q)), E, 1e-11 * E);
  }
}

TEST(Strain, IsFiniteWhereElementsAreFlat) {
  for (const StrainMeasure measure :
       {StrainMeasure::green, StrainMeasure::corotational, StrainMeasure::principal}) {
    const Rows rows = make_rows(Kind::tet, measure);
    Vector q = rows.rest_vector();
    for (const bool point : {false, true}) {
      for (Index n = 0; n < static_cast<Index>(rows.rest.size()); ++n)
        if (point)
          node(view(q), n).setZero();
        else
          node(view(q), n).z() = 0;
      const Vector lambda = Vector::Ones(rows.set.rows());
      EXPECT_TRUE(values(rows.set, q).allFinite());
      EXPECT_TRUE(force(rows.set, q, lambda).allFinite());
      std::vector<NodeBlock> blocks;
      rows.set.geometric_stiffness(view(q), lambda, 1, GeometricStiffness::exact, blocks);
      for (const NodeBlock& b : blocks) EXPECT_TRUE(b.block.allFinite());
    }
  }
}

struct Ball {
  Mesh mesh = make_box({{2, 1, 1}, {4, 2, 2}, ElementType::tet4});
  Surface surface = make_surface(mesh);
  Vector rest = Vector::Zero(3 * mesh.point_count());
  Ball() {
    for (Index n = 0; n < mesh.point_count(); ++n) node(view(rest), n) = mesh.points[n];
  }
  ConstraintSet rows(std::optional<Target> volume = {}) const {
    ConstraintSet set;
    set.add(std::make_unique<VolumeConstraint>(
        VolumeInput{"ball", surface.triangles, 1e-3, 0, std::move(volume)}, view(rest)));
    return set;
  }
};

TEST(Volume, DerivativesAreThoseOfTheValue) {
  Shaker shaker;
  const Ball ball;
  check_derivatives(ball.rows(), ball.rest, 0.1, shaker);
}

TEST(Volume, IsThatOfTheBody) {
  const Ball ball;
  EXPECT_NEAR(values(ball.rows(), ball.rest)[0], 0, 1e-15);
  // 2 × 1 × 1, with an area of 10: a tenth wider along x.
  Vector q = ball.rest;
  for (Index n = 0; n < ball.mesh.point_count(); ++n) node(view(q), n).x() *= 1.1;
  EXPECT_NEAR(values(ball.rows(), q)[0], 0.2 / 10, 1e-14);
  EXPECT_NEAR(values(ball.rows(Target{.start = 3, .curve = {}}), q)[0], (2.2 - 3) / 10, 1e-14);
}

}  // namespace
}  // namespace pliant
