#include <pliant/scene/description.hpp>
#include <pliant/scene/resolve.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scene/example.hpp"

namespace pliant {
namespace {

using test::message_of;
using testing::HasSubstr;

SceneDescription described(const Json& scene) {
  return describe(resolve(scene, test::example_vocabulary()), "/scenes/demo");
}

SceneDescription full() { return described(parse_json(test::full_scene(), "t")); }

std::string refusal(const char* pointer, const char* value) {
  Json scene = parse_json(test::full_scene(), "scene.json");
  scene[Json::json_pointer(pointer)] = Json::parse(value);
  return message_of([&] { described(scene); });
}

TEST(Describe, CarriesTheRun) {
  const SceneDescription scene = full();
  EXPECT_EQ(scene.name, "everything");
  EXPECT_EQ(scene.time.dt, 0.01);
  EXPECT_EQ(scene.time.duration, 2);
  EXPECT_EQ(scene.time.output_dt, 0.04);
  EXPECT_EQ(scene.time.min_dt, 1e-5);
  EXPECT_EQ(scene.gravity, Vec3(0, -9.81, 0));
  EXPECT_EQ(scene.integrator.type, "be");
  EXPECT_EQ(scene.solver.type, "newton");
  EXPECT_EQ(scene.solver.tolerance, 1e-6);
  EXPECT_EQ(scene.solver.max_iterations, 20);
  EXPECT_EQ(scene.solver.linear, "pcg");
  EXPECT_TRUE(scene.solver.fast);
  EXPECT_EQ(scene.contact.method, "none");
  EXPECT_EQ(described(parse_json(test::small_scene(), "t")).integrator.type, "sdirk2");
}

TEST(Describe, CarriesSpringsTendonsAndMuscles) {
  const SceneDescription scene = full();
  const auto path = [&](std::size_t k) { return std::get<PathDescription>(scene.forces[k].load); };
  const PathDescription spring = path(6);
  EXPECT_EQ(spring.law.kind, PathKind::spring);
  ASSERT_EQ(spring.points.size(), 2u);
  ASSERT_EQ(spring.points[0].carried_by.size(), 1u);
  EXPECT_EQ(spring.points[0].carried_by[0].body, "ball");
  EXPECT_TRUE(spring.points[1].carried_by.empty());
  EXPECT_EQ(spring.points[1].point, Vec3(0, 2, 0));
  EXPECT_EQ(spring.points[1].where, "scene.json#/forces/6/spring/between/3");
  EXPECT_EQ(spring.law.stiffness, 50);
  EXPECT_EQ(spring.law.damping, 0.2);
  EXPECT_EQ(spring.law.driven_at(3), 1.5);
  EXPECT_TRUE(spring.length_given);
  EXPECT_EQ(path(7).law.kind, PathKind::tension);
  EXPECT_EQ(path(7).points.size(), 3u);
  EXPECT_EQ(path(7).law.driven_at(3), 12);
  EXPECT_EQ(path(8).law.kind, PathKind::elastic_tendon);
  EXPECT_EQ(path(8).law.driven_at(3), 0.5);
  EXPECT_NEAR(path(9).law.driven_at(0.5), 0.75, 1e-12);
  const PathDescription muscle = path(10);
  EXPECT_EQ(muscle.law.kind, PathKind::muscle);
  EXPECT_EQ(muscle.law.strength, 300);
  EXPECT_EQ(muscle.law.optimal, 0.9);
  EXPECT_EQ(muscle.law.width, 0.4);
  EXPECT_EQ(muscle.law.passive, 20);
  EXPECT_EQ(path(11).law.driven_at(0.25), 0.25);
  EXPECT_EQ(path(11).law.width, 0.45);
  EXPECT_FALSE(path(11).length_given);
}

TEST(Describe, CarriesVertexCaches) {
  Json scene = parse_json(test::full_scene(), "scene.json");
  scene["/bodies/0/pin/1/motion"_json_pointer] = {
      {"cache", "walk.pc2"}, {"dt", 0.04}, {"start", 0.5}, {"speed", 2}};
  const auto pins = described(scene).bodies[0].pins;
  EXPECT_FALSE(pins[0].cache);
  ASSERT_TRUE(pins[1].cache);
  EXPECT_EQ(pins[1].cache->file.resolved, "/scenes/demo/walk.pc2");
  EXPECT_EQ(pins[1].cache->where, "scene.json#/bodies/0/pin/1/motion");
  EXPECT_EQ(pins[1].cache->dt, 0.04);
  EXPECT_EQ(pins[1].cache->start, 0.5);
  EXPECT_EQ(pins[1].cache->speed, 2);
  EXPECT_EQ(refusal("/bodies/0/pin/1/motion", R"({"cache": "a.mdd", "velocity": [1, 0, 0]})"),
            "scene.json#/bodies/0/pin/1/motion/cache: a cache and a curve or a velocity exclude "
            "each other");
  EXPECT_EQ(refusal("/bodies/0/pin/1/motion", R"({"start": 1})"),
            "scene.json#/bodies/0/pin/1/motion/start: goes with a \"cache\"");
}

TEST(Describe, RefusesPathsOfNoUse) {
  EXPECT_EQ(refusal("/forces/7/tendon/path/2/0", "\"baem\""),
            "scene.json#/forces/7/tendon/path/2/0: unknown body \"baem\", did you mean \"beam\"?");
  EXPECT_EQ(refusal("/forces/6/spring/between/0", "\"bal\""),
            "scene.json#/forces/6/spring/between/0: unknown body \"bal\", did you mean \"ball\"?");
  EXPECT_EQ(refusal("/forces/6/spring/between", R"([[0, 0, 0], "ball", "world", [0, 1, 0]])"),
            "scene.json#/forces/6/spring/between: must be [body or \"world\", [x, y, z], body or "
            "\"world\", [x, y, z]]");
  EXPECT_EQ(refusal("/forces/7/tendon/path/1", R"([[0, 2, 0], "world"])"),
            "scene.json#/forces/7/tendon/path/1: must be [body or \"world\", [x, y, z]]");
  EXPECT_EQ(refusal("/forces/7/tendon/path", R"([["world", [0, 2, 0]], ["world", [0, 0, 0]]])"),
            "scene.json#/forces/7/tendon/path: all its points are in the world: at least one must "
            "be on a body");
  EXPECT_EQ(refusal("/forces/11/muscle/curve/1/1", "1.5"),
            "scene.json#/forces/11/muscle/curve/1/1: must be at most 1, got 1.5");
  EXPECT_EQ(refusal("/forces/9/tendon/rest_curve/1/1", "-0.5"),
            "scene.json#/forces/9/tendon/rest_curve/1/1: must be at least 0, got -0.5");
  EXPECT_EQ(refusal("/forces/9/tendon/rest_curve/1/0", "0"),
            "scene.json#/forces/9/tendon/rest_curve/1/0: must be above the one before, 0, got 0");
  EXPECT_EQ(refusal("/forces/9/tendon/rest_length", "1"),
            "scene.json#/forces/9/tendon/rest_curve: and \"rest_length\" exclude each other: give "
            "one of them");
}

TEST(Describe, CarriesMaterials) {
  const SceneDescription scene = full();
  const MaterialDescription& jelly = scene.materials.at("jelly");
  EXPECT_EQ(jelly.model, "stable-neo-hookean");
  EXPECT_EQ(jelly.where, "scene.json#/materials/jelly");
  EXPECT_EQ(jelly.constants.young, 1e5);
  EXPECT_EQ(jelly.constants.poisson, 0.4);
  EXPECT_EQ(jelly.constants.density, 1000);
  EXPECT_FALSE(jelly.young_field);
  const MaterialDescription& graded = scene.materials.at("graded");
  ASSERT_TRUE(graded.young_field);
  EXPECT_EQ((*graded.young_field)(Vec3(1, 0, 0)), 1.1e5);
  EXPECT_EQ((*graded.young_field)(Vec3(-1, 0, 0)), 1e4);
  const MaterialConstants& rubber = scene.materials.at("rubber").constants;
  EXPECT_EQ(*rubber.c10, 1e4);
  EXPECT_EQ(*rubber.c01, 2e3);
  EXPECT_EQ(*rubber.bulk, 1e6);
  const MaterialConstants& wood = scene.materials.at("wood").constants;
  EXPECT_EQ((*wood.axial_young)[0], 1e9);
  EXPECT_EQ((*wood.axial_poisson)[2], 0.1);
  EXPECT_EQ(wood.axes.col(0), Vec3(0, 1, 0));  // rows of the scene, of unit length, as columns
  EXPECT_EQ(wood.axes.col(1), Vec3(-1, 0, 0));
  EXPECT_TRUE(scene.materials.at("shaped").constants.curves);
}

TEST(Describe, CarriesMeshes) {
  const SceneDescription scene = full();
  const auto& box = std::get<BoxSpec>(scene.bodies[0].mesh);
  EXPECT_EQ(box.size, Vec3(8, 1, 1));
  EXPECT_EQ(box.cells, (std::array<Index, 3>{8, 2, 2}));
  EXPECT_EQ(box.element, ElementType::hex8);
  const auto& sphere = std::get<SphereSpec>(scene.bodies[1].mesh);
  EXPECT_EQ(sphere.radius, 0.3);
  EXPECT_EQ(sphere.size, 0.1);
  EXPECT_EQ(std::get<CylinderSpec>(scene.bodies[2].mesh).length, 2);
  EXPECT_EQ(std::get<CapsuleSpec>(scene.bodies[3].mesh).length, 1);
  EXPECT_EQ(std::get<TorusSpec>(scene.bodies[4].mesh).tube, 0.3);
  const auto& sdf = std::get<SdfMesh>(scene.bodies[7].mesh);
  EXPECT_EQ(sdf.element, ElementType::tet10);
  ASSERT_EQ(sdf.body.children.size(), 2u);
  EXPECT_LT(distance(sdf.body, Vec3(-0.4, 0, 0)), 0);
  EXPECT_GT(distance(sdf.body, Vec3(0.4, 0, 0)), 0);  // carved out by the ball
}

TEST(Describe, ResolvesPathsAgainstTheScenesFolder) {
  const SceneDescription scene = full();
  const auto& file = std::get<FileMesh>(scene.bodies[5].mesh);
  EXPECT_EQ(file.file.written, "meshes/part.msh");
  EXPECT_EQ(file.file.resolved, "/scenes/demo/meshes/part.msh");
  EXPECT_EQ(file.element, ElementType::tet10);
  EXPECT_EQ(std::get<SurfaceMesh>(scene.bodies[6].mesh).surface.resolved, "/scenes/hare.off");
  EXPECT_EQ(scene.bodies[0].initial.positions->resolved, "/scenes/demo/start.vtu");
  Json absolute = parse_json(test::full_scene(), "t");
  absolute["bodies"][5]["mesh"]["file"] = "/meshes/part.msh";
  EXPECT_EQ(std::get<FileMesh>(described(absolute).bodies[5].mesh).file.resolved,
            "/meshes/part.msh");
}

TEST(Describe, CarriesPlacementAndStart) {
  const SceneDescription scene = full();
  const BodyDescription& beam = scene.bodies[0];
  EXPECT_EQ(beam.transform.scale, Vec3(1, 2, 1));
  EXPECT_EQ(beam.transform.rotate, Vec3(0, 90, 0));
  EXPECT_EQ(beam.transform.translate, Vec3(0, 1, 0));
  EXPECT_EQ(scene.bodies[1].transform.scale, Vec3(2, 2, 2));
  EXPECT_EQ(beam.initial.velocity, Vec3(1, 0, 0));
  EXPECT_EQ(beam.initial.angular_velocity, Vec3(0, 0, 6));
  EXPECT_EQ(beam.initial.deform(0, 1), 0.1);
  EXPECT_EQ(beam.initial.deform(1, 0), 0);
  EXPECT_TRUE(beam.lumped_mass);
  EXPECT_FALSE(scene.bodies[1].lumped_mass);
  EXPECT_EQ(beam.damping.at(0).alpha, 0.1);
  EXPECT_EQ(beam.damping.at(0).beta, 1e-4);
  EXPECT_EQ(beam.point_masses.at(0).mass, 2);
  EXPECT_EQ(beam.material.standard, "jelly");
  EXPECT_EQ(beam.material.regions.at("core"), "rubber");
  EXPECT_EQ((*scene.bodies[1].material.young)(Vec3(0, 2, 0)), 5e5);
}

TEST(Describe, CarriesPins) {
  const std::vector<PinDescription> pins = full().bodies[0].pins;
  ASSERT_EQ(pins.size(), 3u);
  EXPECT_EQ(std::get<SelectBox>(pins[0].selection).max, Vec3(1, 1, 1));
  EXPECT_EQ(pins[0].axes, (std::array<bool, 3>{true, true, true}));
  EXPECT_EQ(pins[0].until, std::numeric_limits<double>::infinity());
  EXPECT_EQ(pins[1].where, "scene.json#/bodies/0/pin/1");
  EXPECT_EQ(std::get<SelectSphere>(pins[1].selection).radius, 0.5);
  EXPECT_EQ(pins[1].axes, (std::array<bool, 3>{true, false, true}));
  EXPECT_EQ(pins[1].motion.velocity, Vec3(0.1, 0, 0));
  EXPECT_EQ(pins[1].motion.angular_velocity, Vec3(1, 0, 0));
  EXPECT_EQ(pins[1].motion.center, Vec3(0, 1, 0));
  EXPECT_EQ(pins[1].from, 0.5);
  EXPECT_EQ(pins[1].until, 1.0);
  EXPECT_EQ(std::get<SelectRegion>(pins[2].selection).name, "core");
  ASSERT_TRUE(pins[2].motion.curve);
  EXPECT_EQ(pins[2].motion.curve->at(1).value, Vec3(0, 0.5, 0));
}

TEST(Describe, CarriesLoadsAndProbes) {
  const SceneDescription scene = full();
  ASSERT_EQ(scene.forces.size(), 12u);
  const auto& wind = std::get<WindDescription>(scene.forces[0].load);
  EXPECT_EQ(wind.velocity.at(7).value, Vec3(3, 0, 0));
  EXPECT_EQ(wind.drag, 1.5);
  EXPECT_EQ(std::get<WindDescription>(scene.forces[1].load).velocity.at(1).value, Vec3(5, 0, 0));
  const auto& point = std::get<PointForceDescription>(scene.forces[2].load);
  EXPECT_EQ(point.body, "ball");
  EXPECT_EQ(std::get<SelectNodes>(point.selection).ids, (std::vector<Index>{0, 3}));
  EXPECT_EQ(point.force.at(0).value, Vec3(0, 10, 0));
  EXPECT_TRUE(std::holds_alternative<SelectAll>(
      std::get<PointForceDescription>(scene.forces[3].load).selection));
  const auto& pressure = std::get<PressureDescription>(scene.forces[4].load);
  EXPECT_EQ(std::get<SelectPlane>(pressure.selection).normal, Vec3(0, 1, 0));
  EXPECT_EQ(pressure.pressure.at(0).value[0], 100);
  const auto& rising = std::get<PressureDescription>(scene.forces[5].load);
  EXPECT_EQ(std::get<SelectNodeSet>(rising.selection).name, "top");
  EXPECT_EQ(rising.pressure.at(1).value[0], 100);
  EXPECT_EQ(scene.forces[5].where, "scene.json#/forces/5/pressure");
  EXPECT_EQ(scene.probes.at(0).name, "mid");
  EXPECT_EQ(scene.probes.at(0).of, "beam");
}

TEST(Describe, ChecksNamesAcrossTheScene) {
  EXPECT_EQ(refusal("/bodies/2/material", "\"wodo\""),
            "scene.json#/bodies/2/material: unknown material \"wodo\", did you mean \"wood\"?");
  EXPECT_EQ(refusal("/bodies/0/material/regions/core", "\"ruber\""),
            "scene.json#/bodies/0/material/regions/core: unknown material \"ruber\", did you mean "
            "\"rubber\"?");
  EXPECT_EQ(refusal("/probes/0/body", "\"baem\""),
            "scene.json#/probes/0/body: unknown body \"baem\", did you mean \"beam\"?");
  EXPECT_EQ(refusal("/forces/2/point/body", "\"bal\""),
            "scene.json#/forces/2/point/body: unknown body \"bal\", did you mean \"ball\"?");
  EXPECT_THAT(refusal("/forces/4/pressure/body", "\"bean\""), HasSubstr("did you mean \"beam\"?"));
  EXPECT_EQ(refusal("/bodies/1/name", "\"beam\"").substr(0, 67),
            "scene.json#/bodies/1/name: \"beam\" is taken: names must be unique\nsc");
  EXPECT_EQ(refusal("/probes/1", R"({"name": "mid", "body": "ball", "point": [0, 0, 0]})"),
            "scene.json#/probes/1/name: \"mid\" is taken: names must be unique");
}

TEST(Describe, ChecksTimes) {
  EXPECT_EQ(refusal("/time/output_dt", "0.001"),
            "scene.json#/time/output_dt: must be at least dt, 0.01, got 0.001");
  EXPECT_EQ(refusal("/time/min_dt", "0.1"),
            "scene.json#/time/min_dt: must be at most dt, 0.01, got 0.1");
  EXPECT_EQ(refusal("/time/duration", "1e300"),
            "scene.json#/time/duration: must be at most 1e+09 steps of dt, 0.01, got 1e+300");
  EXPECT_EQ(refusal("/bodies/0/pin/1/until", "0.5"),
            "scene.json#/bodies/0/pin/1/until: must be above from, 0.5, got 0.5");
  EXPECT_EQ(refusal("/bodies/0/pin/2/motion/curve/1/0", "0"),
            "scene.json#/bodies/0/pin/2/motion/curve/1/0: must be above the one before, 0, got 0");
  EXPECT_EQ(refusal("/forces/5/pressure/curve/1/0", "-1"),
            "scene.json#/forces/5/pressure/curve/1/0: must be above the one before, 0, got -1");
  EXPECT_EQ(refusal("/bodies/0/pin/1/motion/curve", "[[0, 0, 0, 0]]"),
            "scene.json#/bodies/0/pin/1/motion/curve: a curve and a velocity exclude each other");
}

TEST(Describe, RefusesACameraThatLooksAtItself) {
  EXPECT_THAT(refusal("/camera", R"({"eye": [1, 2, 3], "target": [1, 2, 3]})"),
              HasSubstr("/camera/target"));
  EXPECT_EQ(refusal("/camera", R"({"eye": [1, 2, 3], "target": [0, 0, 0]})"), "");
}

TEST(Describe, ChecksShapes) {
  EXPECT_EQ(refusal("/bodies/0/pin/0/box/max/1", "-2"),
            "scene.json#/bodies/0/pin/0/box/max/1: must be at least min, -1, got -2");
  EXPECT_EQ(refusal("/forces/4/pressure/plane/normal", "[0, 0, 0]"),
            "scene.json#/forces/4/pressure/plane/normal: must not be zero");
  EXPECT_EQ(refusal("/bodies/4/mesh/torus/tube", "2"),
            "scene.json#/bodies/4/mesh/torus/tube: must be below radius, 1, got 2");
  Json nested = Json::parse(R"({"sphere": {"radius": 1}})");
  for (int i = 0; i < 40; ++i) nested = {{"union", Json::array({nested})}};
  EXPECT_THAT(refusal("/bodies/7/mesh/sdf", nested.dump().c_str()),
              HasSubstr("scene.json#/bodies/7/mesh/sdf: "));
}

TEST(Describe, ChecksConstantsTogether) {
  EXPECT_THAT(refusal("/materials/wood/poisson", "[0.9, 0.9, 0.9]"),
              HasSubstr("scene.json#/materials/wood/poisson: "));
  EXPECT_THAT(refusal("/materials/wood/axes", "[[1, 0, 0], [1, 1, 0], [0, 0, 1]]"),
              HasSubstr("scene.json#/materials/wood/axes: "));
  EXPECT_THAT(refusal("/materials/wood/axes", "[[0, 0, 0], [0, 1, 0], [0, 0, 1]]"),
              HasSubstr("scene.json#/materials/wood/axes: "));
  EXPECT_THAT(
      refusal("/materials/rubber", R"({"model": "mooney-rivlin", "c10": 0, "c01": 0, "bulk": 1})"),
      HasSubstr("scene.json#/materials/rubber: c10 + c01: must be above 0"));
  EXPECT_THAT(refusal("/materials/shaped/f", "[[1, 0], [1, 1]]"),
              HasSubstr("scene.json#/materials/shaped/f: "));
  EXPECT_EQ(refusal("/bodies/1/material/name", "\"wood\""),
            "scene.json#/bodies/1/material/young: needs a material with a single Young's modulus");
}

TEST(Describe, ReadsTheOptionsOfAnIntegrator) {
  Vocabulary words = test::example_vocabulary();
  for (Name& name : words.integrators) name.available = true;
  const auto with = [&](const char* integrator) {
    Json scene = parse_json(test::small_scene(), "t");
    scene["integrator"] = Json::parse(integrator);
    return describe(resolve(scene, words), ".").integrator;
  };
  const IntegratorDescription siere = with(R"({"type": "siere", "modes": 4, "refresh": "auto"})");
  EXPECT_EQ(siere.type, "siere");
  EXPECT_EQ(siere.modes, 4);
  EXPECT_EQ(std::get<std::string>(siere.refresh), "auto");
  EXPECT_EQ(std::get<int>(with(R"({"type": "siere", "refresh": 3})").refresh), 3);
  EXPECT_EQ(with(R"({"type": "newmark", "beta": 0.3, "gamma": 0.6})").gamma, 0.6);
  EXPECT_THROW(with(R"({"type": "newmark", "beta": 0})"), InputError);
  EXPECT_THROW(with(R"({"type": "newmark", "modes": 3})"), InputError);
  EXPECT_THROW(with(R"({"type": "siere", "refresh": 0})"), InputError);
}

TEST(Describe, TakesAToleranceWithChosenStepsOnly) {
  const auto with = [&](const char* time) {
    Json scene = parse_json(test::small_scene(), "t");
    scene["time"] = Json::parse(time);
    return described(scene).time;
  };
  const TimeDescription chosen = with(R"({"dt": "auto", "duration": 2})");
  EXPECT_TRUE(chosen.chosen());
  EXPECT_EQ(chosen.tolerance, 1e-3);
  EXPECT_EQ(chosen.output_dt, 0.04);
  EXPECT_GT(chosen.min_dt, 0);
  EXPECT_EQ(with(R"({"dt": "auto", "tolerance": 1e-5})").tolerance, 1e-5);
  EXPECT_FALSE(with(R"({"dt": 0.01})").chosen());
  EXPECT_THROW(with(R"({"dt": 0.01, "tolerance": 1e-5})"), InputError);
}

}  // namespace
}  // namespace pliant
