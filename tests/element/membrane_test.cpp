// Cloth within its surface: derivatives, patch test, rigid motions, warp, mass.
#include <pliant/element/mass.hpp>
#include <pliant/element/membrane.hpp>
#include <pliant/material/membrane_laws.hpp>
#include <pliant/mesh/generators.hpp>

#include "element/thin_checks.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

constexpr double kThickness = 2e-3;

std::unique_ptr<ElasticTerm> membrane(const Mesh& mesh, std::string_view law,
                                      const MaterialConstants& constants = {}) {
  return make_membrane({mesh.blocks[0].type, law, mesh.blocks[0].nodes, {constants}}, kThickness,
                       mesh.points);
}

constexpr std::array kElements = {ElementType::tri3, ElementType::quad4};

Mesh uneven_sheet(ElementType element) {
  Mesh mesh = make_sheet({{1.2, 0.9}, {4, 3}, element});
  const Vector shift = test::random_vector(3 * mesh.point_count(), 0.04, 3);
  for (Index n = 0; n < mesh.point_count(); ++n) {
    Vec3& x = mesh.points[static_cast<std::size_t>(n)];
    if (std::abs(x.x()) < 0.59 && std::abs(x.z()) < 0.44)
      x += Vec3(shift[3 * n], 0, shift[3 * n + 2]);
  }
  return mesh;
}

class Membranes : public testing::TestWithParam<std::tuple<std::string, ElementType>> {
 protected:
  std::string law = std::get<0>(GetParam());
  Mesh mesh = uneven_sheet(std::get<1>(GetParam()));
};

TEST_P(Membranes, ForceAndTangentAreDerivatives) {
  test::expect_consistent(test::locate(membrane(mesh, law), mesh.points), 0.03, 1e-6, 2e-4);
}

TEST_P(Membranes, PassThePatchTest) {
  const auto term = membrane(mesh, law);
  Mat3 F;
  F << 1.02, 0.01, -0.02, 0.3, 0.93, 0.08, -0.01, 0.02, 1.03;
  Vector q(3 * mesh.point_count());
  for (Index n = 0; n < mesh.point_count(); ++n)
    q.segment<3>(3 * n) = F * mesh.points[static_cast<std::size_t>(n)];
  const Vector v = Vector::Zero(q.size());
  const Vector f = test::force_of(*term, {0, view(q), view(v), nullptr}, q.size());
  for (Index n = 0; n < mesh.point_count(); ++n) {
    const Vec3& x = mesh.points[static_cast<std::size_t>(n)];
    if (std::abs(x.x()) < 0.59 && std::abs(x.z()) < 0.44) {
      EXPECT_LT(f.segment<3>(3 * n).norm(), 1e-11 * f.norm());
    }
  }
  EXPECT_GT(f.norm(), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Laws, Membranes,
                         testing::Combine(testing::Values("stvk", "stable-neo-hookean",
                                                          "orthotropic", "strain-limited"),
                                          testing::ValuesIn(kElements)),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param) + "_" +
                                              std::string(name_of(std::get<1>(info.param)));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Turned by 90 degrees in its plane, the stiff axis is the other one.
TEST(Membrane, WarpLiesAlongTheFirstAxisOfTheMaterial) {
  MaterialConstants c;
  c.axial_young = {{4e5, 1e5, 1e5}};
  c.axial_poisson = {{0.0, 0.0, 0.0}};
  c.axial_shear = {{1e5, 1e5, 1e5}};
  for (const ElementType element : kElements) {
    c.axes.setIdentity();
    const Mesh mesh = make_sheet({{1, 1}, {2, 2}, element});
    const auto energy = [&](const Vec3& stretch) {
      Vector q(3 * mesh.point_count());
      for (Index n = 0; n < mesh.point_count(); ++n)
        q.segment<3>(3 * n) = stretch.cwiseProduct(mesh.points[static_cast<std::size_t>(n)]);
      const Vector v = Vector::Zero(q.size());
      return membrane(mesh, "orthotropic", c)->potential({0, view(q), view(v), nullptr});
    };
    const double strain = 0.5 * (1.1 * 1.1 - 1);
    EXPECT_NEAR(energy(Vec3(1.1, 1, 1)), 0.5 * 4e5 * strain * strain * kThickness, 1e-9);
    EXPECT_NEAR(energy(Vec3(1, 1, 1.1)), 0.5 * 1e5 * strain * strain * kThickness, 1e-9);
    c.axes.col(0) = Vec3::UnitZ(), c.axes.col(1) = Vec3::UnitX(), c.axes.col(2) = Vec3::UnitY();
    EXPECT_NEAR(energy(Vec3(1.1, 1, 1)), 0.5 * 1e5 * strain * strain * kThickness, 1e-9);
  }
}

TEST(Membrane, MassIsThatOfTheSheet) {
  for (const ElementType element : kElements)
    for (const bool lumped : {false, true}) {
      const Mesh mesh = make_sheet({{2, 3}, {5, 4}, element});
      PatternBuilder builder(mesh.point_count());
      builder.add(mesh.blocks[0].nodes, nodes_per_element(element));
      NodeMatrix M(std::make_shared<const BlockPattern>(builder.build()));
      const std::array density = {0.25};
      add_thin_mass({element, mesh.blocks[0].nodes, mesh.points, density, lumped}, M);
      double sum = 0, moment = 0;
      for (Index i = 0; i < mesh.point_count(); ++i)
        for (Index k = M.pattern().row_start[i]; k < M.pattern().row_start[i + 1]; ++k) {
          const Index j = M.pattern().column[k];
          sum += M.values()[k];
          moment += M.values()[k] * mesh.points[i].x() * mesh.points[j].x();
        }
      EXPECT_NEAR(sum, 0.25 * 6, 1e-12);
      if (!lumped) {  // ∫ ρ x² over the sheet
        EXPECT_NEAR(moment, 0.25 * 3 * 8 / 12, 1e-12);
      }
    }
}

}  // namespace
}  // namespace pliant
