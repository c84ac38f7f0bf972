// Bending of cloth and cables: derivatives, and the energies of cylinders and circles, which theory
// gives.
#include <pliant/element/bending.hpp>
#include <pliant/element/cable.hpp>
#include <pliant/mesh/generators.hpp>

#include "element/thin_checks.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

constexpr double kStiffness = 3e-3;  // N·m

BendingInput input_of(const Mesh& mesh) {
  BendingInput input{find_hinges(mesh.blocks[0].nodes), {}};
  input.stiffness.assign(input.hinges.size(), kStiffness);
  return input;
}

// A sheet rolled onto a cylinder of radius R along x, without stretch.
std::vector<Vec3> rolled(const Mesh& mesh, double R) {
  std::vector<Vec3> points;
  for (const Vec3& x : mesh.points)
    points.emplace_back(R * std::sin(x.x() / R), R * (1 - std::cos(x.x() / R)), x.z());
  return points;
}

Vector flat(std::span<const Vec3> points) {
  Vector q(3 * static_cast<Eigen::Index>(points.size()));
  for (std::size_t n = 0; n < points.size(); ++n)
    q.segment<3>(3 * static_cast<Eigen::Index>(n)) = points[n];
  return q;
}
double energy_of(const Term& term, std::span<const Vec3> points) {
  const Vector q = flat(points), v = Vector::Zero(q.size());
  return term.potential({0, view(q), view(v), nullptr});
}

TEST(Hinge, AngleHasTheSignOfTheFoldAndItsDerivativesAreRight) {
  HingePoints x;
  x << 0, 1, 0.4, 0.6, 0, 0, 1, -0.8, 0, 0.1, 0.3, 0.25;
  const auto at = [&](const HingePoints& d, double s) { return HingePoints(x + s * d); };
  HingePoints d = HingePoints::Random();
  const double slope = test::derivative([&](double s) { return hinge_angle(at(d, s)); }, 1e-4);
  EXPECT_NEAR(slope, hinge_gradient(x).cwiseProduct(d).sum(), 1e-9);
  const HingePoints change =
      test::derivative([&](double s) { return HingePoints(hinge_gradient(at(d, s))); }, 1e-4);
  const Eigen::Map<const Eigen::Matrix<double, 12, 1>> direction(d.data()), wanted(change.data());
  EXPECT_LT((hinge_hessian(x) * direction - wanted).norm(), 1e-7 * wanted.norm());
  x.col(2)[2] = x.col(3)[2] = 0, x.col(1)[2] = 0;
  EXPECT_EQ(hinge_angle(x), 0);
  x.col(2)[2] = 0.1;  // a valley seen from +z
  EXPECT_LT(hinge_angle(x), 0);
}

TEST(Bending, ForceAndTangentAreDerivatives) {
  Mesh mesh = make_sheet({{1, 0.8}, {4, 3}});
  test::expect_consistent(
      test::locate(std::make_unique<QuadraticBending>(input_of(mesh), mesh.points), mesh.points),
      0.1, 1e-3, 1e-9);
  test::expect_consistent(
      test::locate(std::make_unique<ShellBending>(input_of(mesh), mesh.points), mesh.points), 0.02,
      1e-4, 1e-6);
  mesh.points = rolled(mesh, 0.5);
  test::expect_consistent(
      test::locate(std::make_unique<ShellBending>(input_of(mesh), mesh.points), mesh.points), 0.02,
      1e-4, 1e-6);
}

// Equilateral triangles in a parallelogram, turned in its plane.
Mesh equilateral(Index n, double edge, double degrees) {
  Mesh mesh;
  const double a = degrees * std::numbers::pi / 180;
  for (Index j = 0; j <= n; ++j)
    for (Index i = 0; i <= n; ++i) {
      const double x = edge * (i + 0.5 * j), z = edge * std::sqrt(0.75) * j;
      mesh.points.emplace_back(std::cos(a) * x + std::sin(a) * z, 0,
                               std::cos(a) * z - std::sin(a) * x);
    }
  ElementBlock& block = mesh.blocks.emplace_back();
  block.type = ElementType::tri3;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const Index o = i + (n + 1) * j, up = o + n + 1;
      block.nodes.insert(block.nodes.end(), {o, up, o + 1, o + 1, up, up + 1});
    }
  return mesh;
}

// ½ k κ² per area in whichever direction it is rolled.
TEST(Bending, OfACylinderIsThatOfAPlate) {
  constexpr Index n = 40;
  constexpr double edge = 0.02, R = 2;
  const double area = n * n * edge * edge * std::sqrt(0.75), plate = 0.5 * kStiffness / (R * R);
  for (const double turn : {0.0, 17.0, 30.0, 45.0}) {
    const Mesh mesh = equilateral(n, edge, turn);
    const QuadraticBending quadratic(input_of(mesh), mesh.points);
    const ShellBending shell(input_of(mesh), mesh.points);
    const std::vector<Vec3> points = rolled(mesh, R);
    const double q = energy_of(quadratic, points), s = energy_of(shell, points);
    EXPECT_NEAR(q / (plate * area), 1, 2.0 / n) << turn;  // the border has no hinges
    EXPECT_NEAR(s, q, 1e-3 * q) << turn;
    EXPECT_LT(energy_of(quadratic, mesh.points), 1e-20);
  }
}

// Along the cells of a grid it is exact, too; across their diagonals hinges are up to half too
// stiff.
TEST(Bending, OnAGridOfSquaresIsExactAlongTheCells) {
  Mesh mesh = make_sheet({{1, 1}, {24, 24}});
  const double R = 2, plate = 0.5 * kStiffness / (R * R);
  const QuadraticBending along(input_of(mesh), mesh.points);
  EXPECT_NEAR(energy_of(along, rolled(mesh, R)) / plate, 1, 1.5 / 24);
  const double c = std::sqrt(0.5);
  for (Vec3& x : mesh.points) x = Vec3(c * (x.x() + x.z()), 0, c * (x.z() - x.x()));
  const QuadraticBending across(input_of(mesh), mesh.points);
  EXPECT_NEAR(energy_of(across, rolled(mesh, R)) / plate, 1.5, 1.5 * 1.5 / 24);
}

TEST(Bending, KeepsACurvedRestShapeWithoutEffort) {
  Mesh mesh = make_sheet({{1, 1}, {6, 4}});
  mesh.points = rolled(mesh, 0.4);
  EXPECT_FALSE(is_flat(find_hinges(mesh.blocks[0].nodes), mesh.points));
  const ShellBending shell(input_of(mesh), mesh.points);
  EXPECT_LT(energy_of(shell, mesh.points), 1e-25);
  const Vector q = flat(mesh.points), v = Vector::Zero(q.size());
  EXPECT_LT(test::force_of(shell, {0, view(q), view(v), nullptr}, q.size()).norm(), 1e-12);
}

TEST(Cable, ForceAndTangentAreDerivatives) {
  const Mesh mesh = make_cable({Vec3(0, 0, 0), Vec3(1, 0.2, 0), 5});
  const auto& nodes = mesh.blocks[0].nodes;
  test::expect_consistent(
      test::locate(std::make_unique<CableStretch>(
                       CableStretchInput{nodes, std::vector<double>(5, 1e5), 1e-4}, mesh.points),
                   mesh.points),
      0.03, 1e-5, 1e-8);
  test::expect_consistent(
      test::locate(
          std::make_unique<CableBending>(
              CableBendingInput{find_joints(nodes), std::vector<double>(4, 2e-3)}, mesh.points),
          mesh.points),
      0.03, 1e-5, 1e-7);
}

// ½ E I κ² per length for a circle, up to the two half segments at the ends.
TEST(Cable, BentToACircleHasTheEnergyOfARod) {
  const Index n = 200;
  const Mesh mesh = make_cable({Vec3(0, 0, 0), Vec3(1, 0, 0), n});
  const double EI = 2e-3, R = 0.3;
  const CableBending bending({find_joints(mesh.blocks[0].nodes), std::vector<double>(n - 1, EI)},
                             mesh.points);
  const double wanted = 0.5 * EI / (R * R) * (1 - 1.0 / n);
  EXPECT_NEAR(energy_of(bending, rolled(mesh, R)), wanted, 1e-4 * wanted);
}

TEST(Cable, StretchesByHookesLaw) {
  const Mesh mesh = make_cable({Vec3(0, 0, 0), Vec3(2, 0, 0), 4});
  const CableStretch stretch({mesh.blocks[0].nodes, std::vector<double>(4, 1e6), 1e-4},
                             mesh.points);
  std::vector<Vec3> points = mesh.points;
  for (Vec3& x : points) x *= 1.05;
  const Vector q = flat(points), v = Vector::Zero(q.size());
  const Vector f = test::force_of(stretch, {0, view(q), view(v), nullptr}, q.size());
  EXPECT_NEAR(f[0], 1e6 * 1e-4 * 0.05, 1e-9);
  EXPECT_NEAR(f[12], -1e6 * 1e-4 * 0.05, 1e-9);
  EXPECT_NEAR(stretch.potential({0, view(q), view(v), nullptr}), 0.5 * 100 * 2 * 0.0025, 1e-9);
}

TEST(Hinges, AreTheEdgesBetweenTwoTriangles) {
  const Mesh mesh = make_sheet({{1, 1}, {3, 2}});
  // Euler: V = 12, F = 12, so E = V + F − 1 = 23, of which 10 lie on the border.
  EXPECT_EQ(find_hinges(mesh.blocks[0].nodes).size(), 13u);
}

}  // namespace
}  // namespace pliant
