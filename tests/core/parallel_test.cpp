#include <pliant/core/parallel.hpp>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace pliant {
namespace {

// Terms of very different size and sign, whose sum depends on the order of addition.
double term(std::size_t i) {
  return std::sin(static_cast<double>(i)) * std::pow(10, static_cast<double>(i % 13) - 6);
}
double range_sum(std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += term(i);
  return sum;
}
double sum_with_threads(std::size_t threads, std::size_t n, std::size_t block) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  return parallel_sum(n, block, range_sum);
}

TEST(Parallel, ASumHasTheSameBitsForAnyNumberOfThreads) {
  for (const std::size_t n : {7u, 1000u, 100'003u}) {
    const double one = sum_with_threads(1, n, 64);
    EXPECT_EQ(sum_with_threads(2, n, 64), one);
    EXPECT_EQ(sum_with_threads(8, n, 64), one);
  }
}

TEST(Parallel, ASumIsRightForAnyLengthAndBlock) {
  for (const std::size_t n : {0u, 1u, 63u, 64u, 65u, 255u, 256u, 257u, 20'000u})
    for (const std::size_t block : {1u, 2u, 64u, 100'000u}) {
      const double expected = static_cast<double>(n) * (static_cast<double>(n) - 1) / 2;
      const auto partial = [](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += static_cast<double>(i);
        return sum;
      };
      EXPECT_EQ(parallel_sum(n, block, partial), n == 0 ? 0 : expected) << n << " by " << block;
    }
}

TEST(Parallel, TheOrderOfAdditionMattersForTheseTerms) {
  double backwards = 0;
  for (std::size_t i = 100'003; i-- > 0;) backwards += term(i);
  EXPECT_NE(backwards, sum_with_threads(1, 100'003, 64));  // else the first test proves nothing
}

TEST(Parallel, EachItemIsVisitedOnceInRangesNoLongerThanTheBlock) {
  std::vector<std::atomic<int>> visits(1001);
  std::atomic<bool> too_long = false;
  parallel_ranges(visits.size(), 10, [&](std::size_t begin, std::size_t end) {
    if (end - begin > 10) too_long = true;
    for (std::size_t i = begin; i < end; ++i) ++visits[i];
  });
  EXPECT_FALSE(too_long);
  for (const auto& count : visits) EXPECT_EQ(count, 1);
  parallel_for_each(visits.size(), 7, [&](std::size_t i) { ++visits[i]; });
  for (const auto& count : visits) EXPECT_EQ(count, 2);
}

TEST(Parallel, WhatABlockThrowsReachesTheCaller) {
  for (const std::size_t bad : {0u, 1u, 2u, 99u})
    EXPECT_THROW(parallel_for_each(100, 1,
                                   [&](std::size_t k) {
                                     if (k == bad) throw std::runtime_error("a block");
                                   }),
                 std::runtime_error)
        << bad;
}

}  // namespace
}  // namespace pliant
