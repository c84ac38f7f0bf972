// Pairing, the acceptance test, DAC, the cache, and what is refused.
#include <pliant/coarsen/mode_cache.hpp>
#include <pliant/core/error.hpp>

#include "coarsen/coarse_beam.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace pliant {
namespace {

using testing::HasSubstr;

TEST(Pairing, FindsModesAgainThatHaveChangedPlaces) {
  Matrix overlap(3, 3);
  overlap << 0.1, -0.95, 0.2, 0.9, 0.05, -0.3, 0.25, 0.1, 0.9;
  const Pairing pairing = pair_modes(overlap);
  EXPECT_THAT(pairing.partner, testing::ElementsAre(1, 0, 2));
  EXPECT_EQ(pairing.crossed(), 2);
  EXPECT_EQ(pairing.in_words(), "1 <-> 2");
  EXPECT_TRUE(accept_modes(overlap).passed()) << "swaps alone pass CHEN's test";
}

TEST(Pairing, AcceptsHalfOfTheColumnsAndNoLess) {
  Matrix overlap = Matrix::Identity(4, 4);
  overlap(0, 0) = overlap(1, 1) = 0.59;
  EXPECT_EQ(accept_modes(overlap).known, 2);
  EXPECT_TRUE(accept_modes(overlap).passed());
  overlap(2, 2) = -0.59;
  EXPECT_FALSE(accept_modes(overlap).passed());
}

TEST(CoarsePlan, FindsTheSameShapesOnBothMeshesAndSofterOnesOnTheFine) {
  const test::CorrectedBeam beam = test::make_corrected(test::coarse_spec("linear"), {.modes = 6});
  EXPECT_EQ(beam.fit().acceptance.known, 6);
  for (Eigen::Index i = 0; i < 6; ++i) {
    EXPECT_LT(beam.fit().distances[i], 0.5) << i;
    EXPECT_LT(beam.fit().ratios[i], 1) << i << ": a finer mesh is softer, consistent mass";
  }
}

TEST(CoarsePlan, CountsTheModesThatMeshesAgreeOn) {
  const test::CorrectedBeam beam =
      test::make_corrected(test::coarse_spec("linear"), {.modes = std::nullopt});
  EXPECT_GE(beam.plan.modes, 4);
  EXPECT_LE(beam.plan.modes, 20);
  EXPECT_EQ(beam.fit().values.size(), beam.plan.subspace);
}

TEST(CoarsePlan, RefusesMoreModesThanThereAre) {
  test::BeamSpec spec = test::coarse_spec("linear");
  spec.cells = {1, 1, 1};
  const Model model = test::make_beam(spec);
  const std::vector<Pin> pins(model.system->pins().begin(), model.system->pins().end());
  try {
    make_coarse_plan(model, pins, {.modes = 30, .ratios = {1}, .where = "bodies/0/coarsen"}, {},
                     Log());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("bodies/0/coarsen: 30 modes are wanted, the coarse mesh has"));
  }
}

TEST(FineReference, MustBeOfTheSameShapeInTheSamePlace) {
  const test::BeamSpec spec = test::coarse_spec("linear");
  const Model coarse = test::make_beam(spec);
  EXPECT_THROW(
      try { test::make_fine(spec, coarse.bodies[0].mesh, 1.5); } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("does not lie where the coarse one does"));
        throw;
      },
      InputError);
}

TEST(Dac, MakesTheFirstFrequencyThatOfTheFineMesh) {
  const test::BeamSpec spec = test::coarse_spec("stable-neo-hookean");
  const test::CorrectedBeam beam = test::make_corrected(spec, {.modes = 6});
  const double factor = stiffness_factor(beam.fit(), 1);
  EXPECT_DOUBLE_EQ(factor, beam.fit().ratios[0]);
  test::BeamSpec softer = spec;
  softer.young *= factor;
  const test::CorrectedBeam scaled = test::make_corrected(softer, {.modes = 1, .ratios = {1.0}});
  EXPECT_NEAR(scaled.fit().values[0], beam.fit().fine_values[0], 1e-8 * beam.fit().fine_values[0]);
}

// The factor of several modes is the least-squares one: no other is better.
TEST(Dac, OfSeveralModesIsTheBestCompromise) {
  const test::CorrectedBeam beam = test::make_corrected(test::coarse_spec("linear"), {.modes = 6});
  const auto misfit = [&](double r) {
    double sum = 0;
    for (Eigen::Index i = 0; i < 6; ++i)
      sum += std::pow(r * beam.fit().values[i] / beam.fit().fine_values[i] - 1, 2);
    return sum;
  };
  const double best = stiffness_factor(beam.fit(), 6);
  EXPECT_LT(misfit(best), misfit(1.001 * best));
  EXPECT_LT(misfit(best), misfit(0.999 * best));
}

TEST(Dac, ScalesEveryModulus) {
  SolidInput solid;
  MaterialConstants constants;
  constants.c10 = 4.0;
  constants.axial_shear = {1, 2, 3};
  solid.materials = {{"mooney-rivlin", constants}};
  solid.young = {10, 20};
  scale_stiffness(0.5, solid);
  EXPECT_EQ(solid.materials[0].constants.young, 5e4);
  EXPECT_EQ(*solid.materials[0].constants.c10, 2);
  EXPECT_EQ((*solid.materials[0].constants.axial_shear)[2], 1.5);
  EXPECT_THAT(solid.young, testing::ElementsAre(5, 10));
}

class ModeCacheTest : public testing::Test {
 protected:
  ModeCacheTest()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("pliant-modes-" +
                 std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::filesystem::remove_all(folder_);
    const test::BeamSpec spec = test::coarse_spec("linear");
    model_ = test::make_beam(spec);
  }
  ~ModeCacheTest() override { std::filesystem::remove_all(folder_); }

  ElasticModes find(Index count = 4, double stiffer = 1) {
    const BodyPart part(nodes_of(model_.bodies[0]), model_.system->mass());
    BlockMatrix workspace, K;
    const Vector v = Vector::Zero(model_.system->dofs());
    part.assemble({.q = view(model_.system->rest()), .v = view(v)}, workspace, K);
    for (double& x : K.values()) x *= stiffer;
    const DofMask mask(static_cast<std::size_t>(part.dofs()), 0);
    const EigenProblem problem{K, part.mass(), mask};
    const ModeCache cache(folder_);
    file_ = cache.file_of(problem, count);
    return cache.find(
        problem, count, Log([this](const LogEntry& entry) { said_ += entry.text; }), [&] {
          ++computed_;
          EigenpairSolver solver;
          return find_elastic_modes({problem, view(model_.system->rest()), count}, solver);
        });
  }

  std::filesystem::path folder_, file_;
  Model model_;
  std::string said_;
  int computed_ = 0;
};

TEST_F(ModeCacheTest, GivesBackTheSameBits) {
  const ElasticModes first = find(), second = find();
  EXPECT_EQ(computed_, 1);
  EXPECT_EQ(first.values, second.values);
  EXPECT_EQ(first.vectors, second.vectors);
  EXPECT_EQ(said_, "");
}

TEST_F(ModeCacheTest, KnowsOtherInputsApart) {
  find();
  find(5);
  find(4, 1.0000001);
  EXPECT_EQ(computed_, 3);
}

TEST_F(ModeCacheTest, ComputesAgainWhatIsDamagedAndSaysSo) {
  const ElasticModes first = find();
  const auto bytes = std::filesystem::file_size(file_);
  {
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(bytes / 2));
    file.put('\x5a').put('\x11');
  }
  const ElasticModes second = find();
  EXPECT_EQ(computed_, 2);
  EXPECT_THAT(said_, HasSubstr("computed again"));
  EXPECT_EQ(first.vectors, second.vectors);
  std::filesystem::resize_file(file_, 10);
  find();
  EXPECT_EQ(computed_, 3);
  said_.clear();
  find();
  EXPECT_EQ(computed_, 3) << "it was made whole again";
  EXPECT_EQ(said_, "");
}

TEST_F(ModeCacheTest, GoesOnWhereNothingCanBeKept) {
  { std::ofstream(folder_) << "a file in the way"; }
  EXPECT_TRUE(find().ok);
  EXPECT_THAT(said_, HasSubstr("not kept"));
}

}  // namespace
}  // namespace pliant
