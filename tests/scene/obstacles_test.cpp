// Obstacles in a built scene: what is drawn of them, and what they must not change.
#include <pliant/contact/barrier_term.hpp>
#include <pliant/core/error.hpp>
#include <pliant/mesh/surface.hpp>
#include <pliant/scene/build.hpp>
#include <pliant/scene/resolve.hpp>

#include "example.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <numbers>

namespace pliant::test {
namespace {

BuiltScene build_with(const std::string& obstacles, const std::string& contact = "") {
  const std::string text = fmt::format(R"json({{
    "materials": {{"jelly": {{"model": "stable-neo-hookean", "young": 1e5}}}},
    "bodies": [{{"name": "cube", "mesh": {{"box": {{"size": [1, 1, 1], "cells": [2, 2, 2]}}}},
                "material": "jelly"}}],
    "contact": {{"method": "barrier"{}}},
    "obstacles": [{}]}})json",
                                       contact, obstacles);
  const Vocabulary words = example_vocabulary();
  const SceneDescription scene = describe(resolve(parse_json(text, "s"), words, "s"), ".", "s");
  return build_scene(scene, Log());
}

const char* ball = R"({"name": "ball", "sphere": {"center": [0, -2, 0], "radius": 0.5}})";
const char* rod =
    R"({"name": "rod", "capsule": {"from": [3, -2, 0], "to": [3, -2, 2], "radius": 0.25}})";

TEST(DrawnObstacles, OfBallsAndRodsLieOnThemAndFaceOutwards) {
  const BuiltScene built = build_with(std::string(ball) + "," + rod);
  const DrawnObstacles& drawn = built.obstacles;
  const std::vector<Vec3> points = drawn.points(view(built.start.q));
  const DrawnObstacles::Part &first = drawn.parts()[0], &second = drawn.parts()[1];
  for (Index n = 0; n < first.points; ++n)
    EXPECT_NEAR((points[static_cast<std::size_t>(n)] - Vec3(0, -2, 0)).norm(), 0.5, 1e-12);
  for (Index n = 0; n < second.points; ++n) {
    const Vec3& x = points[static_cast<std::size_t>(second.first_point + n)];
    const Vec3 axis(3, -2, std::clamp(x.z(), 0.0, 2.0));
    EXPECT_NEAR((x - axis).norm(), 0.25, 1e-12);
  }
  std::array<std::vector<std::array<Index, 3>>, 2> triangles;
  for (std::size_t t = 0; t < drawn.triangles().size(); ++t)
    triangles[static_cast<std::size_t>(drawn.part_of(t))].push_back(drawn.triangles()[t]);
  // A polyhedron in a ball: smaller, by less than one in a hundred at that many triangles.
  const double pi = std::numbers::pi;
  const double of_ball = 4 * pi / 3 * 0.125, of_rod = pi * 0.0625 * 2 + 4 * pi / 3 * 0.015625;
  EXPECT_NEAR(enclosed_volume(points, triangles[0]), 0.995 * of_ball, 0.005 * of_ball);
  EXPECT_NEAR(enclosed_volume(points, triangles[1]), 0.995 * of_rod, 0.005 * of_rod);
}

TEST(DrawnObstacles, FollowTheirNodes) {
  const BuiltScene built = build_with(rod);
  Vector q = built.start.q;
  const Index first = built.model.system->body_nodes();
  node(view(q), first) = Vec3(1, 0, 0);  // from along z to along x
  node(view(q), first + 1) = Vec3(3, 0, 0);
  for (const Vec3& x : built.obstacles.points(view(q)))
    EXPECT_NEAR((x - Vec3(std::clamp(x.x(), 1.0, 3.0), 0, 0)).norm(), 0.25, 1e-12);
}

TEST(DrawnObstacles, OfAPlaneLiesInItUnderTheBodies) {
  const BuiltScene built =
      build_with(R"({"name": "slope", "plane": {"point": [50, -60, 7], "normal": [3, 4, 0]}})");
  const std::vector<Vec3> points = built.obstacles.points(view(built.start.q));
  ASSERT_EQ(points.size(), 4u);
  Vec3 middle = Vec3::Zero();
  for (const Vec3& x : points) {
    EXPECT_NEAR((x - Vec3(50, -60, 7)).dot(Vec3(0.6, 0.8, 0)), 0, 1e-12);
    middle += 0.25 * x;
  }
  // The foot of the perpendicular from the cube's centre.
  const double away = Vec3(-50, 60, -7).dot(Vec3(0.6, 0.8, 0));
  EXPECT_NEAR((middle + away * Vec3(0.6, 0.8, 0)).norm(), 0, 1e-12);
}

// Turned by a quarter about z, twice as large, and moved: where that is seen of each shape.
TEST(Obstacles, AreWhereTheirTransformPutsThem) {
  const std::string placed =
      R"("transform": {"scale": 2, "rotate": [0, 0, 90], "translate": [0, -9, 0]})";
  const auto points = [&](const std::string& shape) {
    const BuiltScene built = build_with("{\"name\": \"it\", " + shape + ", " + placed + "}");
    return built.obstacles.points(view(built.start.q));
  };
  Eigen::AlignedBox3d box;
  for (const Vec3& x : points(R"("box": {"center": [1, 0, 0], "size": [1, 0.5, 0.25]})"))
    box.extend(x);
  EXPECT_LT((box.min() - Vec3(-0.5, -8, -0.25)).norm(), 1e-12);
  EXPECT_LT((box.max() - Vec3(0.5, -6, 0.25)).norm(), 1e-12);
  for (const Vec3& x : points(R"("sphere": {"center": [1, 0, 0], "radius": 0.25})"))
    EXPECT_NEAR((x - Vec3(0, -7, 0)).norm(), 0.5, 1e-12);
  for (const Vec3& x : points(R"("capsule": {"from": [0, 0, 0], "to": [1, 0, 0], "radius": 0.1})"))
    EXPECT_NEAR((x - Vec3(0, std::clamp(x.y(), -9.0, -7.0), 0)).norm(), 0.2, 1e-12);
  for (const Vec3& x : points(R"("plane": {"point": [1, 0, 0], "normal": [1, 0, 0]})"))
    EXPECT_NEAR(x.y(), -7, 1e-12);
}

TEST(Obstacles, MayBePointsAndWires) {
  const BuiltScene built = build_with(
      R"({"name": "nails", "points": [[0, -2, 0], [0.2, -2, 0]]},
         {"name": "wires", "segments": [[[-1, -3, 0], [1, -3, 0]], [[0, -3, -1], [0, -3, 1]]], "radius": 0.05})");
  const ContactSurface& surface = built.model.system->contact()->surface();
  const Index first = built.model.system->body_nodes();
  std::vector<std::array<Index, 2>> wires;
  for (const Index e : surface.wires) wires.push_back(surface.edges[static_cast<std::size_t>(e)]);
  EXPECT_EQ(surface.lone_points.size(), 2U);
  ASSERT_EQ(wires.size(), 2U);
  EXPECT_EQ(wires[1], (std::array<Index, 2>{first + 4, first + 5}));
  const std::vector<Vec3> points = built.obstacles.points(view(built.start.q));
  const DrawnObstacles::Part& part = built.obstacles.parts()[1];
  for (Index n = 0; n < part.points; ++n) {
    const Vec3& x = points[static_cast<std::size_t>(part.first_point + n)];
    const double one = (x - Vec3(std::clamp(x.x(), -1.0, 1.0), -3, 0)).norm();
    const double other = (x - Vec3(0, -3, std::clamp(x.z(), -1.0, 1.0))).norm();
    EXPECT_NEAR(std::min(one, other), 0.05, 1e-12);
  }
  for (const auto& triangle : built.obstacles.triangles())
    for (const Index corner : triangle) EXPECT_LT(corner, static_cast<Index>(points.size()));
}

TEST(Obstacles, ThatAreRoundStayRound) {
  EXPECT_THROW(build_with(R"({"name": "egg", "sphere": {"center": [0, -2, 0], "radius": 0.5},
                              "transform": {"scale": [1, 2, 1]}})"),
               InputError);
}

TEST(Obstacles, HoweverLargeOrFarDoNotChangeTheSizeOfTheScene) {
  const BuiltScene far =
      build_with(R"({"name": "moon", "sphere": {"center": [0, -4e8, 0], "radius": 1.7e6}})");
  EXPECT_DOUBLE_EQ(far.model.system->size(), std::sqrt(3.0));
  EXPECT_EQ(far.model.system->body_nodes(), 27);
  EXPECT_EQ(far.model.system->nodes(), 28);
  EXPECT_DOUBLE_EQ(far.model.system->contact()->delta(), 1e-3 * std::sqrt(3.0));
}

}  // namespace
}  // namespace pliant::test
