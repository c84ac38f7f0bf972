// Element geometry, statistics, transforms and the order of numbers.
#include "mesh_fixtures.hpp"

#include <pliant/mesh/locality.hpp>
#include <pliant/mesh/statistics.hpp>
#include <pliant/mesh/transform.hpp>
#include <pliant/mesh/validate.hpp>

#include <random>

namespace pliant {
namespace {

using test::message_of;

TEST(ElementGeometry, RegularTetrahedronHasItsAngles) {
  const std::array<Vec3, 4> x = {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)};
  const AngleRange angles = dihedral_angles(x);
  const double exact = std::acos(1.0 / 3) * 180 / std::numbers::pi;
  EXPECT_NEAR(angles.min, exact, 1e-12);
  EXPECT_NEAR(angles.max, exact, 1e-12);
}

TEST(ElementGeometry, ScaledJacobianIsOneForABoxAndTheSineForAShear) {
  const Mesh mesh = make_box({Vec3(1, 2, 3), {1, 1, 1}, ElementType::hex8, 5});
  std::vector<Vec3> x;
  for (const Index n : mesh.blocks[0].nodes) x.push_back(mesh.points[static_cast<std::size_t>(n)]);
  EXPECT_NEAR(scaled_jacobian(x), 1, 1e-15);
  for (Vec3& p : x) p.x() += p.y();  // 45°
  EXPECT_NEAR(scaled_jacobian(x), std::sqrt(0.5), 1e-15);
}

TEST(ElementGeometry, HexVolumeEqualsTheVolumeUnderItsBentFaces) {
  // Divergence theorem over bilinear faces, each cut ever finer, against the Jacobian's integral.
  std::mt19937 random(1);
  std::uniform_real_distribution<double> jitter(-0.2, 0.2);
  const Mesh mesh = make_box({Vec3::Ones(), {1, 1, 1}, ElementType::hex8, 5});
  std::vector<Vec3> x;
  for (const Index n : mesh.blocks[0].nodes)
    x.push_back(mesh.points[static_cast<std::size_t>(n)] +
                Vec3(jitter(random), jitter(random), jitter(random)));
  const std::array<std::array<std::size_t, 4>, 6> faces = {
      {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
  const int n = 200;
  double volume = 0;
  for (const auto& f : faces)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const double u = (i + 0.5) / n, v = (j + 0.5) / n;
        const Vec3 p =
            (1 - v) * ((1 - u) * x[f[0]] + u * x[f[1]]) + v * ((1 - u) * x[f[3]] + u * x[f[2]]);
        const Vec3 du = (1 - v) * (x[f[1]] - x[f[0]]) + v * (x[f[2]] - x[f[3]]);
        const Vec3 dv = (1 - u) * (x[f[3]] - x[f[0]]) + u * (x[f[2]] - x[f[1]]);
        volume += p.dot(du.cross(dv)) / (3.0 * n * n);
      }
  EXPECT_NEAR(measure(ElementType::hex8, x), volume, 1e-5);  // midpoint rule with h = 1/200
}

TEST(ElementGeometry, CurvedTet10HasTheVolumeOfItsImage) {
  // x ↦ x + a (y², 0, 0) + … with a quadratic map of constant Jacobian keeps the volume of 1/6.
  const Mesh mesh = make_quadratic([] {
    Mesh tet;
    tet.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
    tet.blocks = {{ElementType::tet4, {0, 1, 2, 3}, {0}}};
    return tet;
  }());
  std::vector<Vec3> x;
  for (const Index n : mesh.blocks[0].nodes) x.push_back(mesh.points[static_cast<std::size_t>(n)]);
  for (Vec3& p : x) p += Vec3(0.3 * p.y() * p.y() + 0.2 * p.y() * p.z(), 0.4 * p.z() * p.z(), 0);
  EXPECT_NEAR(measure(ElementType::tet10, x), 1.0 / 6, 1e-15);
  // ∫ (1 + 2 c x) over the tetrahedron for x ↦ x + c x²: 1/6 + 2c/24.
  for (std::size_t n = 0; n < x.size(); ++n) {
    const Vec3& p = mesh.points[static_cast<std::size_t>(mesh.blocks[0].nodes[n])];
    x[n] = p + Vec3(0.5 * p.x() * p.x(), 0, 0);
  }
  EXPECT_NEAR(measure(ElementType::tet10, x), 1.0 / 6 + 1.0 / 24, 1e-15);
}

TEST(Statistics, CountAndMeasureAShearedBlockOfTwoRegions) {
  Mesh mesh = make_box({Vec3(2, 1, 1), {2, 1, 1}, ElementType::hex8, 5});
  mesh.region_names = {"left", "right"};
  mesh.blocks[0].region = {0, 1};
  for (Vec3& x : mesh.points) x.y() += x.x();
  const MeshStatistics s = statistics_of(mesh);
  EXPECT_EQ(s.points, 12);
  EXPECT_EQ(s.elements, 2);
  EXPECT_EQ(s.per_region, (std::vector<std::pair<std::string, Index>>{{"left", 1}, {"right", 1}}));
  EXPECT_NEAR(s.measure, 2, 1e-14);
  EXPECT_LT(s.centroid.norm(), 1e-14);
  EXPECT_EQ(s.min, Vec3(-1, -1.5, -0.5));
  EXPECT_EQ(s.max, Vec3(1, 1.5, 0.5));
  EXPECT_NEAR(s.edge_min, 1, 1e-15);
  EXPECT_NEAR(s.edge_max, std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(s.edge_mean, (8 * std::sqrt(2.0) + 12) / 20, 1e-14);
  EXPECT_NEAR(*s.scaled_jacobian, std::sqrt(0.5), 1e-15);
  EXPECT_FALSE(s.dihedral.has_value());
}

TEST(Statistics, CentroidIsThatOfTheVolumeNotOfThePoints) {
  // A unit-height frustum of hexahedra: area (1 − z/2)², centroid at ∫ z A / ∫ A.
  Mesh mesh = make_box({Vec3::Ones(), {1, 1, 1}, ElementType::hex8, 5});
  for (Vec3& x : mesh.points)
    if (x.z() > 0) x = Vec3(x.x() / 2, x.y() / 2, x.z());
  const double volume = 7.0 / 12, moment = 11.0 / 48;  // of z from the base
  const MeshStatistics s = statistics_of(mesh);
  EXPECT_NEAR(s.measure, volume, 1e-15);
  EXPECT_NEAR(s.centroid.z(), moment / volume - 0.5, 1e-15);
}

TEST(Transform, ScalesThenRotatesAboutXYZThenTranslates) {
  Transform t;
  t.scale = Vec3(2, 1, 1);
  t.rotate = Vec3(90, 0, 90);
  t.translate = Vec3(10, 0, 0);
  // (1, 1, 0) → (2, 1, 0) → about x: (2, 0, 1) → about z: (0, 2, 1) → (10, 2, 1), exactly.
  EXPECT_EQ(apply(t, Vec3(1, 1, 0)), Vec3(10, 2, 1));
  Mesh mesh = make_box({Vec3::Ones(), {2, 2, 2}, ElementType::tet4, 5});
  apply(t, mesh);
  EXPECT_NEAR(statistics_of(mesh).measure, 2, 1e-14);
}

TEST(Transform, RotationsAreProperForAnyAngle) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> angle(-720, 720);
  for (int i = 0; i < 50; ++i) {
    const Mat3 R = rotation_matrix(Vec3(angle(random), angle(random), angle(random)));
    EXPECT_LT((R * R.transpose() - Mat3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(R.determinant(), 1, 1e-14);
  }
  const Mat3 R = rotation_matrix(Vec3(0, 30, 0));
  EXPECT_NEAR(R(0, 2), 0.5, 1e-15);  // z turns towards x
}

TEST(Transform, RefusesScalesNotAboveZero) {
  for (const double s : {0.0, -1.0}) {
    Transform t;
    t.scale.y() = s;
    EXPECT_EQ(message_of<InputError>([&] { require_valid(t, "transform"); }),
              fmt::format("transform/scale: must be above 0, got {}", s));
  }
}

TEST(Locality, HilbertNeighboursAreNeighboursInSpace) {
  // Sort an 8³ lattice at the bottom corner by the curve: every step must go to an adjacent point.
  std::map<std::uint64_t, std::array<std::uint32_t, 3>> along;
  for (std::uint32_t x = 0; x < 8; ++x)
    for (std::uint32_t y = 0; y < 8; ++y)
      for (std::uint32_t z = 0; z < 8; ++z) along[hilbert_index({x, y, z})] = {x, y, z};
  ASSERT_EQ(along.size(), 512u);
  EXPECT_EQ(along.rbegin()->first - along.begin()->first, 511u);
  const std::array<std::uint32_t, 3>* last = nullptr;
  for (const auto& [index, at] : along) {
    if (last) {
      int steps = 0;
      for (std::size_t k = 0; k < 3; ++k)
        steps += std::abs(static_cast<int>(at[k]) - static_cast<int>((*last)[k]));
      EXPECT_EQ(steps, 1);
    }
    last = &at;
  }
}

// Mean difference between the numbers of an element's first and other nodes.
double spread(const Mesh& mesh) {
  double sum = 0;
  for (Index e = 0; e < mesh.blocks[0].size(); ++e) {
    const auto n = mesh.blocks[0].element(e);
    for (const Index m : n) sum += std::abs(m - n[0]);
  }
  return sum / static_cast<double>(mesh.blocks[0].nodes.size());
}

TEST(Locality, KeepsTheMeshAndBringsNeighboursTogether) {
  const Mesh ordered = make_box({Vec3(1, 1, 1), {12, 12, 12}, ElementType::tet4, 5});
  std::vector<Index> number(ordered.points.size());
  for (std::size_t n = 0; n < number.size(); ++n) number[n] = static_cast<Index>(n);
  std::shuffle(number.begin(), number.end(), std::mt19937(3));
  Mesh shuffled = ordered;
  for (std::size_t n = 0; n < number.size(); ++n)
    shuffled.points[static_cast<std::size_t>(number[n])] = ordered.points[n];
  for (Index& n : shuffled.blocks[0].nodes) n = number[static_cast<std::size_t>(n)];
  shuffled.node_sets["corner"] = {number[0]};

  Mesh renumbered = shuffled;
  const Renumbering map = renumber_for_locality(renumbered);
  for (std::size_t n = 0; n < map.point.size(); ++n)
    EXPECT_EQ(renumbered.points[static_cast<std::size_t>(map.point[n])], shuffled.points[n]);
  for (Index e = 0; e < renumbered.element_count(); ++e) {
    const auto now = renumbered.blocks[0].element(e);
    const auto then = shuffled.blocks[0].element(map.element[0][static_cast<std::size_t>(e)]);
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_EQ(now[k], map.point[static_cast<std::size_t>(then[k])]);
  }
  EXPECT_EQ(renumbered.points[static_cast<std::size_t>(renumbered.node_sets.at("corner")[0])],
            ordered.points[0]);
  EXPECT_LT(spread(renumbered), 0.2 * spread(shuffled));
}

TEST(Locality, ForgetsTheOrderItStartedFrom) {
  Mesh a = make_sphere({1, 0.4}), b = a;
  renumber_for_locality(a);
  renumber_for_locality(b);
  renumber_for_locality(b);
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(a.blocks[0].nodes, b.blocks[0].nodes);
}

}  // namespace
}  // namespace pliant
