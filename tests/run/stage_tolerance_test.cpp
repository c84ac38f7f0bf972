// "tolerance": "auto" in whole runs: cheaper, and nothing that one could measure at that step is
// lost. What is lost is found by solving the same steps to 1e-12, and what one could measure by
// steps of an eighth.
#include <pliant/core/error.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>

#include <support/threads.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pliant {
namespace {

// A beam that is clamped and swings, and a block that hits the floor and slides.
Json swinging_beam(const char* changes = "{}") {
  Json scene = Json::parse(R"({
    "materials": {"rubber": {"model": "stable-neo-hookean", "young": 2e5, "density": 1000}},
    "bodies": [{"name": "beam", "material": "rubber",
                "mesh": {"box": {"size": [1, 0.2, 0.2], "cells": [8, 2, 2]}},
                "pin": [{"box": {"min": [-1, -1, -1], "max": [-0.49, 1, 1]}}]}],
    "integrator": "trbdf2",
    "time": {"dt": 0.02, "duration": 0.8}})");
  scene.merge_patch(Json::parse(changes));
  return scene;
}
Json sliding_block(const char* changes = "{}") {
  Json scene = Json::parse(R"({
    "materials": {"rubber": {"model": "stable-neo-hookean", "young": 2e5, "density": 1000}},
    "bodies": [{"name": "block", "material": "rubber",
                "mesh": {"box": {"size": [0.5, 0.3, 0.5], "cells": [3, 2, 3], "element": "hex8"}},
                "transform": {"translate": [0, 0.2, 0]}, "initial": {"velocity": [1.5, 0, 0]}}],
    "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}],
    "contact": {"method": "barrier", "friction": 0.3, "distance": 0.005},
    "integrator": "be",
    "time": {"dt": 0.01, "duration": 0.4}})");
  scene.merge_patch(Json::parse(changes));
  return scene;
}

struct Made {
  BuiltScene built;
  Vector q, v;
  long iterations = 0;
  std::vector<double> tolerances;
};

Made run(const Json& document, const Json& tolerance, double of_dt = 1,
         const std::function<void(const State&)>& after_step = {}) {
  Json scene = document;
  scene["solver"]["tolerance"] = tolerance;
  scene["time"]["dt"] = scene["time"]["dt"].get<double>() * of_dt;
  const SceneDescription described = describe(resolve(scene, built_vocabulary()), ".");
  Made out{.built = build_scene(described, Log())};
  Pace pace(described, {}, out.built.rules);
  State& state = out.built.start;
  for (std::int64_t step = 0; !pace.done(state, step); ++step) {
    const StepReport report = pace.advance(*out.built.model.system, state, step, Log());
    EXPECT_TRUE(report.ok) << report.reason;
    if (!report.ok) break;
    out.iterations += report.newton;
    out.tolerances.push_back(state.tolerance);
    if (after_step) after_step(state);
  }
  out.q = state.q, out.v = state.v;
  return out;
}

double distance(const Made& one, const Made& other) {
  return (one.q - other.q).norm() / std::sqrt(static_cast<double>(one.q.size() / 3));
}

TEST(AutoTolerance, CostsLessAndLosesNothingThatOneCouldMeasure) {
  for (const Json& scene : {swinging_beam(), sliding_block()}) {
    const Made usual = run(scene, 1e-8), chosen = run(scene, "auto"), exact = run(scene, 1e-12),
               finer = run(scene, 1e-10, 1.0 / 8);
    const double of_method = distance(exact, finer);
    EXPECT_GT(of_method, 1e-4);  // m
    EXPECT_LT(distance(chosen, exact), 0.01 * of_method);
    EXPECT_GT(distance(chosen, exact), 0);
    EXPECT_LT(chosen.iterations, usual.iterations);
    const auto [least, most] =
        std::minmax_element(chosen.tolerances.begin(), chosen.tolerances.end());
    EXPECT_EQ(*least, 1e-8);  // where it begins
    EXPECT_GT(*most, 1e-6);
    EXPECT_LE(*most, 1e-4);
  }
}

TEST(AutoTolerance, HasTheSameBitsForAnyNumberOfThreads) {
  Made one, four;
  test::with_threads(1, [&] { one = run(sliding_block(), "auto"); });
  test::with_threads(4, [&] { four = run(sliding_block(), "auto"); });
  EXPECT_EQ(one.q, four.q);
  EXPECT_EQ(one.v, four.v);
  EXPECT_EQ(one.tolerances, four.tolerances);
}

TEST(AutoTolerance, LeavesNumbersAsTheyAre) {
  const Made usual = run(swinging_beam(), 1e-8);
  for (const double told : usual.tolerances) EXPECT_EQ(told, 0);
  const Made after =
      run(swinging_beam(), 1e-8, 1, [](const State& state) { EXPECT_EQ(state.tolerance, 0); });
  EXPECT_EQ(usual.q, after.q);
}

// On a slope a little flatter than friction holds, while something else swings fast in the scene:
// the largest velocity is what tolerances are relative to.
TEST(AutoTolerance, LetsNothingCreepThatFrictionHolds) {
  const double tangent = 0.27, g = 9.81 / std::sqrt(1 + tangent * tangent);
  Json scene = sliding_block();
  scene["gravity"] = {g * tangent, -g, 0};
  scene["bodies"][0]["initial"]["velocity"] = {0, 0, 0};
  scene["bodies"][0]["transform"]["translate"] = {0, 0.153, 0};
  Json flail = swinging_beam()["bodies"][0];
  flail["transform"] = {{"translate", {0, 3, 0}}};
  flail["pin"][0]["box"] = {{"min", {-1, 2, -1}}, {"max", {-0.49, 4, 1}}};
  flail["initial"] = {{"angular_velocity", {0, 0, 20}}};
  scene["bodies"].push_back(flail);
  scene["time"]["duration"] = 3.0;
  double fastest = 0;  // m/s, in the last second
  const auto places_with = [&](const Json& tolerance) {
    std::vector<double> places;
    run(scene, tolerance, 1, [&](const State& state) {
      constexpr Index nodes = 4 * 3 * 4;
      double x = 0;
      for (Index n = 0; n < nodes; ++n) x += node(view(state.q), n).x() / nodes;
      places.push_back(x);
      if (state.t > 2) fastest = std::max(fastest, state.v.lpNorm<Eigen::Infinity>());
    });
    places.resize(300);
    return places;
  };
  const std::vector<double> chosen = places_with("auto"), exact = places_with(1e-12);
  EXPECT_GT(fastest, 0.4);
  // It lands where it should, to a part of what friction holds within (5e-6 m)...
  EXPECT_LT(std::abs(chosen[99] - exact[99]), 1e-6);
  // ...gives way with what is left of the landing, and holds.
  EXPECT_NEAR(chosen[199] - chosen[99], exact[199] - exact[99], 1e-8);
  EXPECT_LT(std::abs(chosen[299] - chosen[199]), 1e-8);
}

TEST(AutoTolerance, IsRefusedWhereNewtonsMethodSolvesNoStage) {
  for (const char* changes :
       {R"({"solver": {"type": "admm"}})", R"({"solver": {"type": "linear"}})",
        R"({"integrator": "rk4"})", R"({"integrator": "si"})", R"({"integrator": "ros3pl"})"}) {
    Json scene = swinging_beam(changes);
    scene["solver"]["tolerance"] = "auto";
    const SceneDescription described = describe(resolve(scene, built_vocabulary()), ".", "s.json");
    try {
      const Pace pace(described);
      FAIL() << changes;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("s.json#/solver/tolerance: \"auto\"", 0), 0)
          << error.what();
    }
  }
}

TEST(AutoTolerance, IsOneWord) {
  for (const char* word : {"automatic", "1e-4"}) {
    Json scene = swinging_beam();
    scene["solver"]["tolerance"] = word;
    EXPECT_THROW(resolve(scene, built_vocabulary()), InputError) << word;
  }
}

}  // namespace
}  // namespace pliant
