// What CHEN's cases compare motions by: errors and phases from a moment on, and at every moment.
#include <pliant/reproduce/coarse_runs.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

CoarseMotion motion_of_errors(std::vector<double> error) {
  CoarseMotion motion;
  for (std::size_t k = 0; k < error.size(); ++k) motion.t.push_back(0.1 * static_cast<double>(k));
  motion.error = std::move(error);
  return motion;
}

TEST(CoarseMotion, ErrorsCountFromTheMomentAskedFor) {
  const CoarseMotion motion = motion_of_errors({0, 9, 2, 4, 3});
  EXPECT_EQ(motion.largest_error(), 9);
  EXPECT_EQ(motion.largest_error(0.2), 4);
  EXPECT_EQ(motion.largest_error(5), 0);
}

TEST(Throughout, IsBrokenByASingleMomentAndLeavesOutTheStart) {
  const CoarseMotion other = motion_of_errors({0, 2, 2, 2});
  const Throughout always = compare_throughout(motion_of_errors({0, 1, 1.5, 1}), other);
  EXPECT_TRUE(always.always());
  EXPECT_EQ(always.of, 3);
  EXPECT_DOUBLE_EQ(always.most, 0.75);
  const Throughout broken = compare_throughout(motion_of_errors({0, 0.1, 2.5, 0.1}), other);
  EXPECT_FALSE(broken.always());
  EXPECT_EQ(broken.below, 2);
  EXPECT_DOUBLE_EQ(broken.most, 1.25);
  EXPECT_FALSE(compare_throughout(motion_of_errors({0}), other).always());  // nothing to compare
}

// In phase at first, out of phase afterwards.
TEST(Correlation, CountsFromTheMomentAskedFor) {
  FineMotion fine;
  CoarseMotion coarse;
  for (int k = 0; k <= 40; ++k) {
    const double t = 0.1 * k, wave = std::sin(3.14159265358979 * t);
    fine.t.push_back(t);
    fine.signal.push_back(5 + wave);
    coarse.signal.push_back(t < 2 ? 2 * wave : -wave);
  }
  EXPECT_NEAR(correlation(fine, coarse, 2), -1, 1e-12);
  EXPECT_GT(correlation(fine, coarse), 0.2);
  fine.signal = coarse.signal;
  EXPECT_NEAR(correlation(fine, coarse), 1, 1e-12);
  EXPECT_EQ(correlation(fine, coarse, 100), 0);
}

}  // namespace
}  // namespace pliant
