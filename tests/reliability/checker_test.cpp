// The checker finds what is put in each other's way, and nothing else.
#include <reliability/checker.hpp>

#include <gtest/gtest.h>

namespace pliant::reliability {
namespace {

SceneSpec cube_over(const Wall& wall) {
  return {.pieces = {{.mesh = make_cube(1, 1)}}, .walls = {wall}};
}

std::string found_in(const SceneSpec& spec) {
  const World world(spec, 0, 0);
  return SurfaceChecker(world).find_contact(view(world.start().q));
}

TEST(SurfaceChecker, SeesWhichSideOfAPlaneABodyIsOnToTheLastBit) {
  EXPECT_EQ(found_in(cube_over(make_floor(std::nextafter(-0.5, -1)))), "");
  EXPECT_NE(found_in(cube_over(make_floor(-0.5))), "");
  EXPECT_NE(found_in(cube_over(make_floor(-0.4))), "");
}

TEST(SurfaceChecker, FindsThinObstaclesWithinABody) {
  EXPECT_EQ(found_in(cube_over(make_ball(Vec3(0, -0.6, 0), 0.09))), "");
  EXPECT_NE(found_in(cube_over(make_ball(Vec3(0, -0.6, 0), 0.11))), "");
  EXPECT_EQ(found_in(cube_over(make_rod(Vec3(0.1, -2, 0.2), Vec3(0.1, -0.501, 0.2), 0))), "");
  EXPECT_NE(found_in(cube_over(make_rod(Vec3(0.1, -2, 0.2), Vec3(0.1, -0.499, 0.2), 0))), "");
  Sheet blade;
  blade.add_quad({0.1, -2, -1}, {0.1, -2, 1}, {0.1, -0.499, 1}, {0.1, -0.499, -1});
  EXPECT_NE(found_in(cube_over(make_wall(blade))), "");
}

TEST(SurfaceChecker, FindsBodiesThatTouchInOnePoint) {
  const auto two = [](double gap) {
    SceneSpec spec{.pieces = {{.mesh = make_spike()}, {.mesh = make_cube(1, 1)}}};
    move(spec.pieces[1].mesh, Vec3(0.1, -0.5 - gap, 0.05));
    return found_in(spec);
  };
  EXPECT_NE(two(0), "");
  EXPECT_EQ(two(1e-15), "");
}

TEST(SurfaceChecker, MeasuresCablesByTheirRadius) {
  const auto over = [](double height, const Wall& wall) {
    Piece rope{.mesh = make_cable({Vec3(-1, height, 0), Vec3(1, height, 0), 5})};
    rope.thin = ThinInput{0.01};
    return found_in({.pieces = {rope}, .walls = {wall}});
  };
  const Wall rod = make_rod(Vec3(0.1, 0, -1), Vec3(0.1, 0, 1), 0.02);
  EXPECT_EQ(over(0.0301, rod), "");
  EXPECT_NE(over(0.0299, rod), "");
  EXPECT_EQ(over(0.0101, make_wall(flat_sheet(2, 2))), "");
  EXPECT_NE(over(0.0099, make_wall(flat_sheet(2, 2))), "");
  EXPECT_EQ(over(0.0201, make_ball(Vec3(0.1, 0, 0), 0.01)), "");
  EXPECT_NE(over(0.0199, make_ball(Vec3(0.1, 0, 0), 0.01)), "");
  EXPECT_NE(over(-0.1, make_floor()), "");
}

TEST(SurfaceChecker, FindsCablesThatCross) {
  const auto two = [](double gap) {
    Piece one{.mesh = make_cable({Vec3(-1, 0, 0), Vec3(1, 0, 0), 5})};
    Piece other{.mesh = make_cable({Vec3(0, gap, -1), Vec3(0, gap, 1), 5})};
    one.thin = other.thin = ThinInput{0.01};
    return found_in({.pieces = {one, other}});
  };
  EXPECT_EQ(two(0.0201), "");
  EXPECT_NE(two(0.0199), "");
}

// From above what is at most at `height` to so far below; the ends may both be clear.
std::string passage(const Wall& wall, double height, double down) {
  const World world(cube_over(wall), 0, 0);
  Vector from = world.start().q;
  for (Index n = 0; n < world.system().body_nodes(); ++n) node(view(from), n).y() += height;
  Vector to = from;
  for (Index n = 0; n < world.system().body_nodes(); ++n) node(view(to), n).y() -= down;
  return SurfaceChecker(world).find_passage(view(from), view(to));
}

TEST(SurfaceChecker, FindsPointsThatGoThroughASheetThoughBothEndsAreClear) {
  const Wall sheet = make_wall(flat_sheet(2, 2));
  EXPECT_EQ(passage(sheet, 2, 1.4), "");
  EXPECT_NE(passage(sheet, 2, 3), "");
  EXPECT_EQ(passage(sheet, 2, -3), "");
}

TEST(SurfaceChecker, FindsPointsThatEndBehindPlanesAndInsideOfRoundThings) {
  EXPECT_EQ(passage(make_floor(), 2, 1.49), "");
  EXPECT_NE(passage(make_floor(), 2, 1.51), "");
  const Vec3 under(0.5, 0, 0.5);  // a corner of the cube
  EXPECT_EQ(passage(make_ball(under, 0.2), 2, 1.29), "");
  EXPECT_NE(passage(make_ball(under, 0.2), 2, 1.31), "");
  const Wall rod = make_rod(under - Vec3(1, 0, 0), under + Vec3(1, 0, 0), 0.2);
  EXPECT_EQ(passage(rod, 2, 1.29), "");
  EXPECT_NE(passage(rod, 2, 1.31), "");
}

// Two outer points of one body change places: it passes through itself.
TEST(SurfaceChecker, FindsABodyThatPassesThroughItself) {
  const World world({.pieces = {{.mesh = make_cube(1, 2)}}}, 0, 0);
  Vector q = world.start().q;
  node(view(q), 0) = Vec3(2, 2, 2);
  EXPECT_NE(SurfaceChecker(world).find_contact(view(q)), "");
  EXPECT_EQ(SurfaceChecker(world).find_contact(view(world.start().q)), "");
}

}  // namespace
}  // namespace pliant::reliability
