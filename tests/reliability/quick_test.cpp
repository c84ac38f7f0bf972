// Every scene once with each method of contact that it is tried with, short, one integrator each in
// turn, with one of its steps, frictions and jitters: the whole product is for `make verify`.
#include <reliability/product.hpp>
#include <reliability/scenes.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

namespace pliant::reliability {

void PrintTo(const Combination& combination, std::ostream* out) { *out << name_of(combination); }

namespace {

constexpr int kStepsBeside = 20;  // of scenes that are tried by another method than a barrier

class Scenes : public ::testing::TestWithParam<Combination> {};

TEST_P(Scenes, KeepAllInvariants) {
  const std::vector<SceneEntry> scenes = all_scenes();
  const SceneEntry* entry = find_scene(scenes, GetParam().scene);
  ASSERT_NE(entry, nullptr);
  const SceneSpec spec = entry->make();
  const bool barrier = GetParam().contact == ContactMethod::barrier;
  const int most = barrier ? 2 * spec.quick_steps : std::min(2 * spec.quick_steps, kStepsBeside);
  const Outcome outcome = run_trial(spec, GetParam(), {.steps = most});
  EXPECT_EQ(outcome.failure, "") << name_of(GetParam());
  EXPECT_GT(outcome.steps, 0);
}

// Cubes whose edges come to weigh more while they press: backward Euler cannot lose that, however
// short the steps.
TEST(Reliability, EdgesThatComeToWeighMoreMakeNoEnergy) {
  const std::vector<SceneEntry> scenes = all_scenes();
  const Combination combination{"aligned-stack", "be", 1e-4, 0, 1};
  const Outcome outcome =
      run_trial(find_scene(scenes, combination.scene)->make(), combination, {.steps = 300});
  EXPECT_EQ(outcome.failure, "");
  EXPECT_EQ(outcome.steps, 300);
  EXPECT_EQ(outcome.retries, 0);
}

// A first stage that begins with the forces of gaps instead of the last acceleration is flung
// apart: three of these steps were made with backward Euler instead, and a step took 57 iterations.
TEST(Reliability, ChainsAreCarriedByAMethodWithAnExplicitStage) {
  const std::vector<SceneEntry> scenes = all_scenes();
  const Combination combination{"chain-5", "trbdf2", 0.04, 0, 0};
  const Outcome outcome =
      run_trial(find_scene(scenes, combination.scene)->make(), combination, {.steps = 12});
  EXPECT_EQ(outcome.failure, "");
  EXPECT_EQ(outcome.redone, 0);
  EXPECT_LT(outcome.newton, 30 * 12);
}

// Of all integrators, those that remember: by their own steps, or by their guard's account.
TEST(Reliability, ATrialThatRanOutOfTimeGoesOnAsIfItHadNot) {
  const std::vector<SceneEntry> scenes = all_scenes();
  const auto folder =
      std::filesystem::temp_directory_path() / ("pliant-trial-" + std::to_string(::getpid()));
  for (const char* integrator : {"bdf2", "esdirk43"}) {
    const Combination combination{"five-cubes", integrator, 0.025, 1, 2};
    const SceneSpec spec = find_scene(scenes, combination.scene)->make();
    const Outcome whole = run_trial(spec, combination, {.steps = 12});
    for (const int steps : {5, 12}) {
      int first = 0;  // step that this part made
      const auto note = [&first](int done, int, double) { first = first > 0 ? first : done; };
      const Outcome part = run_trial(
          spec, combination, {.steps = steps, .kept = folder, .kept_every = 0, .progress = note});
      EXPECT_EQ(first, steps < 12 ? 1 : 6);
      EXPECT_EQ(part.failure, "");
      EXPECT_EQ(part.steps, steps);
      if (steps < 12) continue;
      EXPECT_EQ(part.newton, whole.newton);
      EXPECT_EQ(part.stages, whole.stages);
      EXPECT_EQ(part.redone, whole.redone);
      EXPECT_EQ(part.min_gap, whole.min_gap);
      EXPECT_EQ(part.min_det, whole.min_det);
      EXPECT_EQ(part.energy_gain, whole.energy_gain);
    }
    std::filesystem::remove_all(folder);
  }
}

Outcome outcome_of(const Combination& combination, int steps) {
  const std::vector<SceneEntry> scenes = all_scenes();
  return run_trial(find_scene(scenes, combination.scene)->make(), combination, {.steps = steps});
}

// What rests is predicted to fall, and that fall is damped; what is corrected has not fallen. The
// account had the damping of the fall, and so 7 % of the largest energy from nothing in a step.
TEST(Reliability, WhatRestsIsNotDampedAsIfItFell) {
  const Outcome outcome =
      outcome_of({"rigid-five-cubes", "be", 0.01, 0, 0, ContactMethod::unilateral}, 12);
  EXPECT_EQ(outcome.failure, "");
  EXPECT_EQ(outcome.steps, 12);
}

// Where two tetrahedra jam, normals and friction hold against each other. Friction was said to have
// taken 1.8 times all the energy there was, from which the account had as much from nothing.
TEST(Reliability, FrictionTakesNoMoreThanContactDoes) {
  const Outcome outcome =
      outcome_of({"tets-edge-face", "sdirk2", 0.005, 1, 0, ContactMethod::unilateral}, 60);
  EXPECT_EQ(outcome.failure, "");
  EXPECT_LT(outcome.energy_gain, 0.01);
}

std::string test_name(const ::testing::TestParamInfo<Combination>& info) {
  std::string name = info.param.scene + "_" + info.param.integrator;
  if (info.param.contact != ContactMethod::barrier) name += "_by_" + name_of(info.param.contact);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Reliability, Scenes, ::testing::ValuesIn(quick_combinations()), test_name);

}  // namespace
}  // namespace pliant::reliability
