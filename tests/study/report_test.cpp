// What the studies leave in their folders.
#include <pliant/core/error.hpp>
#include <pliant/io/mesh_file.hpp>
#include <pliant/study/compare.hpp>
#include <pliant/study/converge.hpp>
#include <pliant/study/curve_report.hpp>
#include <pliant/study/figures.hpp>
#include <pliant/study/mode_report.hpp>

#include "../io/scratch_folder.hpp"
#include "scene_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pliant {
namespace {

using pliant::fixtures::names_in;
using pliant::fixtures::read_text;
using pliant::fixtures::ScratchFolder;

std::vector<std::string> with_figures(std::vector<std::string> files,
                                      const std::vector<std::string>& figures) {
  if (plots_built())
    for (const std::string& name : figures) {
      files.push_back(name + ".png");
      files.push_back(name + ".svg");
    }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(CurveReports, HoldEveryPointAndTheirFigures) {
  const ScratchFolder folder;
  const std::vector<double> places = log_spaced(0.01, 100, 5);
  const std::vector<DampingCurve> curves = {make_damping_curve("be", places),
                                            make_damping_curve("rk4", places)};
  const std::vector<std::string> figures = write_curves(folder.path(), curves);
  EXPECT_EQ(names_in(folder.path()), with_figures({"curves.csv"}, figures));
  const std::string csv = read_text(folder.path() / "curves.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 11);
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "integrator,h_omega,rho_abs,rho_arg,damping,dispersion");
  for (const std::string& name : usual_integrators())
    EXPECT_NO_THROW(make_stepper(std::string_view(name), {})) << name;
}

TEST(ModeReports, HoldAShapeForEachModeThatMovesByATwentiethOfTheScene) {
  const ScratchFolder folder;
  const BuiltScene built = build_scene(test::load_bar({}).scene, Log());
  const System& system = *built.model.system;
  const State about = system.make_state();
  const Modes modes = find_modes(system, about, 3);
  write_modes(folder.path(), built, about, modes);
  EXPECT_EQ(
      names_in(folder.path()),
      with_figures({"modes.csv", "mode_001.vtu", "mode_002.vtu", "mode_003.vtu"}, {"frequencies"}));
  const Mesh shape = read_mesh(folder.path() / "mode_001.vtu");
  double furthest = 0;
  for (Index n = 0; n < system.nodes(); ++n)
    furthest =
        std::max(furthest, (shape.points[n] - node(view(about.q), n)).lpNorm<Eigen::Infinity>());
  EXPECT_NEAR(furthest, 0.05 * system.size(), 1e-9);
  EXPECT_THAT(mode_table(modes, modes), ::testing::HasSubstr("+0.00 %"));
}

TEST(Compare, RunsEveryCombinationIntoAFolderOfItsOwn) {
  const ScratchFolder folder;
  CompareRequest request;
  request.folder = folder.path() / "study";
  request.variations = {parse_variation("integrator=be,sdirk2")};
  request.reference = "sdirk2";
  const CompareResult result = compare(test::load_bar, request, Log());
  ASSERT_EQ(result.runs.size(), 2u);
  EXPECT_TRUE(result.runs[1].is_reference);
  EXPECT_EQ(result.runs[1].error.probes_rms, 0);
  EXPECT_GT(result.runs[0].error.probes_rms, 0);
  EXPECT_EQ(result.runs[0].error.times, 9u);
  EXPECT_GT(result.runs[0].energy_lost(), result.runs[1].energy_lost());  // BE damps most
  const std::vector<std::string> figures = write_compare(request.folder, result);
  EXPECT_THAT(figures, ::testing::Contains("probe-tip"));
  EXPECT_EQ(names_in(request.folder),
            with_figures({"compare.csv", "integrator=be", "integrator=sdirk2"}, figures));
  EXPECT_TRUE(std::filesystem::exists(request.folder / "integrator=be" / "summary.json"));
  EXPECT_THAT(compare_table(result), ::testing::HasSubstr("reference"));

  // A result folder serves as well, and folders that are there are not replaced without a word.
  EXPECT_THROW(compare(test::load_bar, request, Log()), InputError);
  request.existing = ExistingResults::replace;
  request.reference = (request.folder / "integrator=be").string();
  request.variations = {parse_variation("integrator=sdirk2")};
  const CompareResult other = compare(test::load_bar, request, Log());
  EXPECT_EQ(other.runs[0].error.probes_rms, result.runs[0].error.probes_rms);
}

TEST(Compare, FindsMistakesBeforeTheFirstRun) {
  const ScratchFolder folder;
  CompareRequest request;
  request.folder = folder.path() / "study";
  request.variations = {parse_variation("integrator=be,sdrik2")};
  EXPECT_THROW(compare(test::load_bar, request, Log()), InputError);
  // Contact refuses rk4, and would do so only after the run with be.
  request.variations = {parse_variation("integrator=be,rk4"),
                        parse_variation("contact.method=barrier")};
  EXPECT_THROW(compare(test::load_bar, request, Log()), InputError);
  request.variations = {parse_variation("integrator=be")};
  request.reference = "nothing";
  EXPECT_THROW(compare(test::load_bar, request, Log()), InputError);
  EXPECT_FALSE(std::filesystem::exists(request.folder));
}

// Results of another study hold the second of the runs.
TEST(Compare, LooksForEarlierResultsBeforeTheFirstRun) {
  const ScratchFolder folder;
  CompareRequest request;
  request.folder = folder.path() / "study";
  request.variations = {parse_variation("integrator=sdirk2")};
  compare(test::load_bar, request, Log());
  request.variations = {parse_variation("integrator=be,sdirk2")};
  try {
    compare(test::load_bar, request, Log());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("--force"));
    EXPECT_THAT(error.what(), ::testing::Not(::testing::HasSubstr("--resume")));
  }
  EXPECT_FALSE(std::filesystem::exists(request.folder / "integrator=be"));
}

}  // namespace
}  // namespace pliant
