#include <pliant/contact/separate.hpp>
#include <pliant/mesh/generators.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

constexpr double kDistance = 1e-3, kNear = 1e-9;

// Unit cubes at given places over a floor at y = 0.
struct Cubes {
  Vector q;
  ContactSurface surface;
  std::vector<MovablePatch> patches;
  std::vector<char> held;

  explicit Cubes(const std::vector<Vec3>& places) {
    const Mesh box = make_box({Vec3(1, 1, 1), {2, 2, 2}, ElementType::hex8});
    const Index n = box.point_count(), all = n * static_cast<Index>(places.size());
    q = Vector::Zero(3 * all + 3);  // the last: of the floor
    for (std::size_t b = 0; b < places.size(); ++b)
      for (Index k = 0; k < n; ++k)
        node(view(q), n * static_cast<Index>(b) + k) =
            box.points[static_cast<std::size_t>(k)] + places[b];
    for (std::size_t b = 0; b < places.size(); ++b) {
      const Index first = n * static_cast<Index>(b);
      surface.add({.name = std::to_string(b), .modulus = 1}, make_surface(box), first, view(q));
      patches.push_back({first, first + n, true});
    }
    surface.planes.push_back({"floor", all, Vec3::UnitY()});
    surface.finish();
    held.assign(static_cast<std::size_t>(all) + 1, 0);
  }
  Separation run() { return separate(surface, patches, held, {kDistance, kNear}, view(q)); }
  bool free() const { return find_intersections(surface, view(q), kNear).empty(); }
};

TEST(Separate, LiftsACubeThatStandsExactlyOnTheFloorByTheDistance) {
  Cubes one({Vec3(0, 0.5, 0)});
  EXPECT_FALSE(one.free());
  const Vector before = one.q;
  const Separation result = one.run();
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(one.free());
  EXPECT_NEAR(result.moved[0], kDistance, 1e-15);
  for (Index n = 0; n < 27; ++n)
    EXPECT_NEAR((node(view(one.q), n) - node(view(before), n) - Vec3(0, kDistance, 0)).norm(), 0,
                1e-15);
}

TEST(Separate, EndsFreeForStacksThatTouchAndForCubesThatOverlapALittle) {
  for (const std::vector<Vec3>& places :
       {std::vector<Vec3>{{0, 0.5, 0}, {0, 1.5, 0}, {0, 2.5, 0}, {0, 3.5, 0}},
        {{0, 0.49, 0}, {0.2, 1.45, 0.1}},
        {{0, 2, 0}, {0.97, 2.3, 0.2}},
        {{0, 0.5, 0}, {1, 0.5, 0}, {0.5, 1.5, 0}}}) {
    Cubes cubes(places);
    EXPECT_FALSE(cubes.free());
    const Separation result = cubes.run();
    EXPECT_TRUE(result.ok()) << places.size();
    EXPECT_TRUE(cubes.free()) << places.size();
    for (const double moved : result.moved) EXPECT_LT(moved, 0.12);
  }
}

TEST(Separate, GoesTheShortWay) {
  // They overlap by 0.03 along x and by 0.7 and more along the others.
  Cubes cubes({{0, 2, 0}, {0.97, 2.3, 0.2}});
  const Vector before = cubes.q;
  ASSERT_TRUE(cubes.run().ok());
  const Vec3 way = node(view(cubes.q), 0) - node(view(before), 0);
  EXPECT_NEAR(way.x(), -0.5 * (0.03 + kDistance), 1e-12);
  EXPECT_NEAR(way.y(), 0, 1e-12);
  EXPECT_NEAR(way.z(), 0, 1e-12);
}

TEST(Separate, NeverMovesWhatIsHeld) {
  Cubes cubes({{0, 2, 0}, {0.97, 2.3, 0.2}});
  cubes.patches[1].whole = false;
  for (Index n = 27; n < 54; ++n) cubes.held[static_cast<std::size_t>(n)] = 1;
  const Vector before = cubes.q;
  ASSERT_TRUE(cubes.run().ok());
  EXPECT_EQ(Vector(cubes.q.tail(84)), Vector(before.tail(84)));
  EXPECT_NEAR(cubes.q[0] - before[0], -(0.03 + kDistance), 1e-12);
}

TEST(Separate, LeavesEverythingAsItWasWhereItCannotSucceed) {
  Cubes deep({{0, 2, 0}, {0.3, 2.3, 0.2}});
  const Vector before = deep.q;
  const Separation result = deep.run();
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(result.left.empty());
  EXPECT_EQ(deep.q, before);
  Cubes pinned({{0, 0.45, 0}});
  pinned.patches[0].whole = false;
  std::fill(pinned.held.begin(), pinned.held.end(), char{1});
  EXPECT_FALSE(pinned.run().ok());
}

// A sheet with a skin of 0.01 on both sides, its plane 2 mm under the top of a cube: it has to come
// up by 2 mm and the skin.
TEST(Separate, LiftsAThickSheetWhosePlaneIsWithinABody) {
  Cubes cubes({{0, 2, 0}});
  const Index first = static_cast<Index>(cubes.q.size() / 3);
  const std::vector<std::array<Index, 3>> triangles = {{0, 4, 1}, {1, 4, 2}, {2, 4, 3}, {3, 4, 0}};
  cubes.q.conservativeResize(cubes.q.size() + 15);
  cubes.q.tail<15>() << -2, 2.498, -2, 2, 2.498, -2, 2, 2.498, 2, -2, 2.498, 2, 0.13, 2.498, 0.17;
  cubes.surface.add({.name = "sheet", .radius = 0.01, .modulus = 1},
                    {.triangles = triangles, .edges = unique_edges(triangles)}, first,
                    view(cubes.q));
  cubes.surface.finish();
  cubes.patches[0].whole = false;
  cubes.held.assign(cubes.held.size() + 5, 1);
  std::fill(cubes.held.end() - 5, cubes.held.end(), char{0});
  cubes.patches.push_back({first, first + 5, true});
  ASSERT_FALSE(cubes.free());
  const Separation result = cubes.run();
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(cubes.free());
  EXPECT_NEAR(result.moved[1], 0.002 + 0.01 + kDistance, 1e-9);
}

// Depths from the picture: the cube is sunk by 0.05, and its edges end that far behind the floor.
TEST(Intersections, KnowTheirDepth) {
  const Cubes sunk({{0, 0.45, 0}});
  const auto found = find_intersections(sunk.surface, view(sunk.q));
  ASSERT_EQ(found.size(), 9u);
  for (const Intersection& one : found) EXPECT_NEAR(one.depth, 0.05, 1e-15);
  const Cubes two({{0, 2, 0}, {0.97, 2.3, 0.2}});
  const auto meeting = find_intersections(two.surface, view(two.q));
  const std::vector<Meeting> pairs = gather_meetings(two.surface, meeting, view(two.q));
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_NEAR(pairs[0].depth, 0.03, 1e-12);
  EXPECT_NEAR(std::abs(pairs[0].away.x()), 1, 1e-12);
}

}  // namespace
}  // namespace pliant
