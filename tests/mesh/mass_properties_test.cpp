// Mass properties against the formulas of mechanics for boxes, tetrahedra, spheres and tori, and
// against motion: what a rigid motion does to them is known.
#include <pliant/mesh/mass_properties.hpp>

#include "mesh_fixtures.hpp"

#include <Eigen/Geometry>

#include <random>

namespace pliant {
namespace {

using test::message_of;

struct Body {
  std::vector<Vec3> points;
  std::vector<std::array<Index, 3>> triangles;
  explicit Body(const Mesh& solid)
      : points(solid.points), triangles(make_surface(solid).triangles) {}
  MassProperties properties() const { return mass_properties(points, triangles, "body.obj"); }
  std::string refusal() const {
    return message_of<InputError>([&] { (void)properties(); });
  }
};

Body box(const Vec3& size) { return Body(make_box({size, {2, 3, 1}, ElementType::tet4, 5})); }

// One tetrahedron with its first corner at the origin and the others on the axes.
Body corner() {
  Mesh mesh;
  mesh.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 2, 0), Vec3(0, 0, 3)};
  mesh.blocks = {{ElementType::tet4, {0, 1, 2, 3}, {0}}};
  return Body(mesh);
}

TEST(MassProperties, OfABoxAreThoseOfMechanics) {
  const Vec3 size(2, 3, 0.5);
  const MassProperties p = box(size).properties();
  const double m = size.prod();
  EXPECT_NEAR(p.volume, m, 1e-14 * m);
  const Vec3 squares = size.cwiseProduct(size);
  const Mat3 expected =
      m / 12 *
      Vec3(squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]).asDiagonal();
  EXPECT_LT((p.inertia - expected).norm(), 1e-14 * expected.norm());
}

// ∫ over 0 ≤ x/a + y/b + z/c ≤ 1: the centre is a quarter of the edges, ∫ x² = V a²/10 and
// ∫ x y = V a b/20, all from the corner.
TEST(MassProperties, OfATetrahedronAreItsIntegrals) {
  const MassProperties p = corner().properties();
  const Vec3 e(1, 2, 3);
  EXPECT_NEAR(p.volume, 1, 1e-15);
  EXPECT_LT((p.centre - e / 4).norm(), 1e-15);
  Mat3 second = e * e.transpose() / 20;
  second.diagonal() = e.cwiseProduct(e) / 10;
  second -= e * e.transpose() / 16;
  EXPECT_LT((p.inertia - (second.trace() * Mat3::Identity() - second)).norm(), 1e-14);
}

TEST(MassProperties, OfASphereConvergeWithTheSquareOfTheSize) {
  const double exact_volume = 4 * std::numbers::pi / 3, exact = 0.4 * exact_volume;
  std::vector<double> errors;
  for (const double size : {0.4, 0.2, 0.1}) {
    const MassProperties p = Body(make_sphere({1, size, ElementType::tet4})).properties();
    errors.push_back(std::abs(p.inertia.trace() / 3 - exact) / exact);
    EXPECT_LT(p.centre.norm(), 1e-3 * size);
  }
  EXPECT_LT(errors[2], 0.01);
  for (const std::size_t k : {0u, 1u}) {  // second order: a quarter each time
    EXPECT_GT(errors[k] / errors[k + 1], 3);
    EXPECT_LT(errors[k] / errors[k + 1], 5.5);
  }
}

// A torus of radii R and r: about its axis m (R² + ¾ r²).
TEST(MassProperties, OfATorusAreThoseOfMechanics) {
  const MassProperties p = Body(make_torus({2, 0.7, 0.1, ElementType::tet10})).properties();
  const double about = p.volume * (4 + 0.75 * 0.49);
  const PrincipalAxes principal = principal_axes(p.inertia);
  EXPECT_NEAR(principal.moments[2], about, 0.005 * about);
  EXPECT_NEAR(principal.moments[0], principal.moments[1], 0.005 * about);
}

TEST(MassProperties, MoveWithTheBody) {
  const Body body = corner();
  const MassProperties before = body.properties();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int k = 0; k < 5; ++k) {
    const Eigen::Quaterniond turn =
        Eigen::Quaterniond(uniform(random), uniform(random), uniform(random), uniform(random))
            .normalized();
    const Mat3 R = turn.toRotationMatrix();
    const Vec3 shift = 1000 * Vec3(uniform(random), uniform(random), uniform(random));
    Body moved = body;
    for (Vec3& x : moved.points) x = R * x + shift;
    const MassProperties after = moved.properties();
    // Points 1000 m away are known to 1e-13 m.
    EXPECT_NEAR(after.volume, before.volume, 1e-11);
    EXPECT_LT((after.centre - (R * before.centre + shift)).norm(), 1e-11);
    EXPECT_LT((after.inertia - R * before.inertia * R.transpose()).norm(), 1e-11);
    EXPECT_LT(
        (principal_axes(after.inertia).moments - principal_axes(before.inertia).moments).norm(),
        1e-11);
  }
}

TEST(MassProperties, OfTwoBodiesAddUp) {
  Body two = box(Vec3(1, 1, 1));
  const MassProperties one = two.properties();
  const Body other = box(Vec3(1, 1, 1));
  const auto first = static_cast<Index>(two.points.size());
  for (const Vec3& x : other.points) two.points.push_back(x + Vec3(4, 0, 0));
  for (const auto& [a, b, c] : other.triangles)
    two.triangles.push_back({a + first, b + first, c + first});
  const MassProperties p = two.properties();
  EXPECT_NEAR(p.volume, 2, 1e-13);
  EXPECT_LT((p.centre - one.centre - Vec3(2, 0, 0)).norm(), 1e-13);
  EXPECT_NEAR(p.inertia(0, 0), 2.0 / 6, 1e-13);
  EXPECT_NEAR(p.inertia(1, 1), 2.0 / 6 + 2 * 4, 1e-12);  // each two metres from the centre
}

TEST(PrincipalAxes, AreARotationThatGivesTheTensorBack) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int k = 0; k < 10; ++k) {
    Mat3 A = Mat3::NullaryExpr([&] { return uniform(random); });
    const Mat3 inertia = A * A.transpose();
    const PrincipalAxes p = principal_axes(inertia);
    EXPECT_LT((p.axes * p.moments.asDiagonal() * p.axes.transpose() - inertia).norm(), 1e-14 * 10);
    EXPECT_NEAR(p.axes.determinant(), 1, 1e-14);
    EXPECT_LE(p.moments[0], p.moments[1]);
    EXPECT_LE(p.moments[1], p.moments[2]);
  }
}

TEST(MassProperties, RefuseAnOpenSurfaceNamingItsEdges) {
  Body body = corner();
  body.triangles.pop_back();
  const std::string message = body.refusal();
  EXPECT_NE(message.find("body.obj: the surface is open"), std::string::npos) << message;
  EXPECT_NE(message.find("3 in all"), std::string::npos) << message;
}

TEST(MassProperties, RefuseTrianglesThatDisagreeAndSurfacesInsideOut) {
  Body body = corner();
  std::swap(body.triangles[1][0], body.triangles[1][1]);
  EXPECT_NE(body.refusal().find("not consistently oriented"), std::string::npos);
  body = corner();
  for (auto& t : body.triangles) std::swap(t[0], t[1]);
  const std::string message = body.refusal();
  EXPECT_NE(message.find("inside out"), std::string::npos) << message;
  EXPECT_NE(message.find("at edge"), std::string::npos) << message;
}

TEST(MassProperties, RefuseWhatEnclosesNothing) {
  Body body = corner();
  body.triangles.clear();
  EXPECT_NE(body.refusal().find("no triangles"), std::string::npos);
  body = corner();
  body.triangles[0][0] = 99;
  EXPECT_NE(body.refusal().find("names point 99"), std::string::npos);
  body = corner();
  body.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)};  // flat
  const std::string message = body.refusal();
  EXPECT_NE(message.find("must enclose a volume"), std::string::npos) << message;
}

}  // namespace
}  // namespace pliant
