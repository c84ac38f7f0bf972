// Obstacles in a built scene: what is drawn of them, and what they must not change.
#include <pliant/contact/barrier_term.hpp>
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
