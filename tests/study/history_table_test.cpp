#include <pliant/core/error.hpp>
#include <pliant/study/compare.hpp>

#include "../io/scratch_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using pliant::fixtures::ScratchFolder;
using pliant::fixtures::write_text;

HistoryTable table(const std::string& rows) {
  return HistoryTable::parse(
      "step,time,total,kinetic,elastic,min_gap,tip.x,tip.y,tip.z,\"a,b\"\n" + rows, "history.csv");
}

TEST(HistoryTables, GoByTheNamesOfTheirColumns) {
  const HistoryTable t = table("0,0,1.5,1,0.5,,1,2,3,7\n1,0.1,1e-3,0,0,0.2,1,2,3,8\n");
  EXPECT_EQ(t.rows(), 2u);
  EXPECT_THAT(t.column("total"), ::testing::ElementsAre(1.5, 1e-3));
  EXPECT_TRUE(std::isnan(t.column("min_gap")[0]));
  EXPECT_THAT(t.column("a,b"), ::testing::ElementsAre(7, 8));
  EXPECT_THAT(t.probes(), ::testing::ElementsAre("tip"));
  EXPECT_THROW(t.column("none"), InputError);
}

TEST(HistoryTables, ThatAreDamagedAreRefusedWithTheirRow) {
  for (const char* rows : {"0,0,1\n", "0,0,x,1,1,,1,2,3,7\n", "0,0,1.5z,1,1,,1,2,3,7\n"}) {
    try {
      table(rows);
      FAIL() << rows;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("row 1"), std::string::npos);
    }
  }
  EXPECT_THROW(HistoryTable::parse("", "empty"), InputError);
  EXPECT_THROW(HistoryTable::parse("a,b\n1,2\n", "other"), InputError);
  EXPECT_THROW(HistoryTable::read("/nowhere/history.csv"), InputError);
}

// Only times that both have count; here 0 and 0.2.
TEST(CompareErrors, AreTakenAtCommonTimes) {
  const HistoryTable reference =
      table("0,0,5,0,0,,0,0,0,0\n1,0.1,4,0,0,,1,0,0,0\n2,0.2,3,0,0,,2,0,0,0\n");
  const HistoryTable run =
      table("0,0,5,0,0,,0,0,0,0\n1,0.15,9,0,0,,9,9,9,0\n2,0.2,2.5,0,0,,2,3,4,0\n");
  const CompareError error = error_against(reference, run);
  EXPECT_EQ(error.times, 2u);
  EXPECT_DOUBLE_EQ(error.probes_final.value(), 5);
  EXPECT_DOUBLE_EQ(error.probes_rms.value(), 5 / std::sqrt(2.0));
  EXPECT_FALSE(error.forces_rms || error.torques_rms);
  EXPECT_DOUBLE_EQ(error.energy, 0.5);
  EXPECT_EQ(error_against(reference, reference).energy, 0);
}

// Metres, newtons and newton metres are not added up.
TEST(CompareErrors, KeepTheUnitsOfProbesApart) {
  const ScratchFolder folder;
  const auto run = [&](const std::string& numbers) {
    write_text(folder.path() / "history.csv",
               "time,total,tip.x,tip.y,tip.z,push.x,push.y,push.z,turn.x,turn.y,"
               "turn.z,rope\n0,1," +
                   numbers + "\n");
    return HistoryTable::of_run(folder.path());
  };
  write_text(folder.path() / "scene.json",
             R"({"probes": [{"name": "tip", "body": "b", "point": [0, 0, 0]},
                  {"name": "push", "force_on": "b"}, {"name": "turn", "torque_of": "hinge"},
                  {"name": "rope", "tension_of": "rope"}]})");
  const HistoryTable reference = run("0,0,0,0,0,0,0,0,0,0");
  EXPECT_THAT(reference.probes(), ::testing::ElementsAre("tip", "push", "turn", "rope"));
  EXPECT_EQ(unit_of(reference.kind("tip")), "m");
  EXPECT_EQ(unit_of(reference.kind("turn")), "N·m");
  EXPECT_EQ(quantity_of(reference.kind("rope")), "tension");
  const CompareError error = error_against(reference, run("3,4,0,0,600,800,0,0,7,100"));
  EXPECT_DOUBLE_EQ(error.probes_rms.value(), 5);
  EXPECT_DOUBLE_EQ(error.forces_rms.value(), std::sqrt((1000.0 * 1000 + 100 * 100) / 2));
  EXPECT_DOUBLE_EQ(error.torques_rms.value(), 7);
  // A scene that cannot be read says nothing of its probes.
  write_text(folder.path() / "scene.json", "{");
  EXPECT_EQ(run("0,0,0,0,0,0,0,0,0,0").kind("push"), ProbeKind::point);
}

TEST(CompareRuns, CountStepsButNotTheStart) {
  CompareRun run;
  run.history = table("0,0,5,3,4,,0,0,0,100\n1,0.1,4,1,1,,0,0,0,2\n2,0.2,2,0,1,,0,0,0,4\n");
  EXPECT_DOUBLE_EQ(run.per_step("a,b"), 3);
  EXPECT_DOUBLE_EQ(run.energy_lost(), 3);
  EXPECT_DOUBLE_EQ(run.energy_scale(), 7);
}

}  // namespace
}  // namespace pliant
