#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/io/obstacle_series.hpp>
#include <pliant/io/thread_series.hpp>

#include <io/scratch_folder.hpp>

#include <gtest/gtest.h>

#include <fstream>

namespace pliant {
namespace {

using fixtures::ScratchFolder;

VtpSurface two_triangles(double height) {
  VtpSurface surface;
  surface.points = {{0, height, 0}, {1, height, 0}, {0, height, 1}, {1, height, 1.0 / 3}};
  surface.triangles = {{0, 1, 2}, {2, 1, 3}};
  surface.labels = {{"pair", {4, 5}}, {obstacle_label, {0, 1}}};
  return surface;
}

TEST(Vtp, GivesBackEveryBitOfWhatWasWritten) {
  const ScratchFolder folder;
  const VtpSurface written = two_triangles(0.1);
  write_vtp(folder.path() / "a.vtp", written);
  const VtpSurface read = read_vtp(folder.path() / "a.vtp", "pair");
  EXPECT_EQ(read.points, written.points);
  EXPECT_EQ(read.triangles, written.triangles);
  EXPECT_EQ(read.labels[0].values, written.labels[0].values);
}

TEST(Vtp, CutAnywhereIsRefused) {
  const ScratchFolder folder;
  write_vtp(folder.path() / "a.vtp", two_triangles(0));
  const std::string whole = read_text(folder.path() / "a.vtp");
  for (std::size_t length = 0; length + 40 < whole.size(); length += 7) {
    std::ofstream(folder.path() / "b.vtp", std::ios::binary) << whole.substr(0, length);
    EXPECT_THROW(read_vtp(folder.path() / "b.vtp", "pair"), InputError) << length;
  }
}

VtpLines two_lines(double height) {
  return {{{0, height, 0}, {1, height, 0}, {0, height, 1}, {1, height, 1.0 / 3}, {2, 0, 0}},
          {{0, 1, 2}, {3, 4}},
          {2, 4},
          {0.1, -3}};
}

TEST(Vtp, GivesBackEveryBitOfLines) {
  const ScratchFolder folder;
  const VtpLines written = two_lines(0.1);
  write_vtp(folder.path() / "a.vtp", written);
  const VtpLines read = read_vtp_lines(folder.path() / "a.vtp");
  EXPECT_EQ(read.points, written.points);
  EXPECT_EQ(read.lines, written.lines);
  EXPECT_EQ(read.kind, written.kind);
  EXPECT_EQ(read.tension, written.tension);
  const std::string whole = read_text(folder.path() / "a.vtp");
  for (std::size_t length = 0; length + 40 < whole.size(); length += 7) {
    std::ofstream(folder.path() / "b.vtp", std::ios::binary) << whole.substr(0, length);
    EXPECT_THROW(read_vtp_lines(folder.path() / "b.vtp"), InputError) << length;
  }
}

TEST(ThreadSeries, HasAFileForEveryFrameAndDropsThoseAfterAResume) {
  const ScratchFolder folder;
  ThreadSeries series(folder.path());
  for (const double t : {0.0, 0.1, 0.2}) series.add(t, two_lines(t));
  const auto last = ThreadSeries::file_of(folder.path(), 2);
  ASSERT_TRUE(last);
  EXPECT_EQ(read_vtp_lines(*last).points, two_lines(0.2).points);
  const std::array<double, 2> times = {0.0, 0.1};
  const ThreadSeries resumed(folder.path(), times);
  EXPECT_FALSE(is_file(*last));
  EXPECT_EQ(read_text(folder.path() / threads_file).find("threads_000002"), std::string::npos);
}

TEST(ObstacleSeries, HasOneFileWhereNothingMovesAndOnePerFrameElse) {
  const ScratchFolder folder;
  const auto file = [&](std::size_t k) {
    return folder.path() / obstacles_folder / obstacle_file_name(k);
  };
  ObstacleSeries still(folder.path());
  for (const double t : {0.0, 0.1, 0.2}) still.add(t, two_triangles(0), false);
  EXPECT_TRUE(is_file(file(0)));
  EXPECT_FALSE(is_file(file(1)));
  EXPECT_EQ(ObstacleSeries::file_of(folder.path(), 2), file(0));

  ObstacleSeries moving(folder.path());
  for (const double t : {0.0, 0.1, 0.2}) moving.add(t, two_triangles(t), true);
  EXPECT_EQ(ObstacleSeries::file_of(folder.path(), 2), file(2));
  // A run that goes on after its second frame drops what came later.
  const std::array<double, 2> times = {0.0, 0.1};
  const ObstacleSeries resumed(folder.path(), times);
  EXPECT_TRUE(is_file(file(1)));
  EXPECT_FALSE(is_file(file(2)));
  EXPECT_EQ(read_text(folder.path() / obstacles_file).find("obstacles_000002"), std::string::npos);
}

}  // namespace
}  // namespace pliant
