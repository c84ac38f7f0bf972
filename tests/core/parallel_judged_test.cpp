// That the thread sanitizer sees what blocks of a loop do to each other; built for it alone.
#include <pliant/core/parallel.hpp>

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <cstdlib>
#include <thread>
#include <vector>

namespace pliant {
namespace {

TEST(JudgedParallel, NeighbouringBlocksAreOnDifferentThreads) {
  for (const std::size_t n : {2u, 3u, 7u, 1000u}) {
    std::vector<std::thread::id> by(n);
    parallel_for_each(n, 1, [&](std::size_t k) { by[k] = std::this_thread::get_id(); });
    for (std::size_t k = 1; k < n; ++k) EXPECT_NE(by[k], by[k - 1]) << k << " of " << n;
  }
}

TEST(JudgedParallel, AFewItemsAreSpreadOverThreadsWhateverTheBlock) {
  std::vector<std::thread::id> by(3);
  tbb::task_arena(1).execute([&] {
    parallel_for_each(by.size(), 4096, [&](std::size_t k) { by[k] = std::this_thread::get_id(); });
  });
  EXPECT_NE(by[0], by[1]);
  EXPECT_NE(by[1], by[2]);
}

TEST(JudgedParallel, AskingAgainHowLongABlockIsChangesNothing) {
  for (std::size_t n = 0; n < 1000; n += 7)
    for (const std::size_t asked : {1u, 5u, 64u, 4096u}) {
      const std::size_t size = items_per_block(n, asked);
      EXPECT_GE(size, 1u);
      EXPECT_LE(size, asked);
      EXPECT_EQ(items_per_block(n, size), size) << n << ' ' << asked;
    }
}

// Without it all other tests under this sanitizer would prove nothing.
TEST(JudgedParallelDeathTest, BlocksThatAddToOneNumberAreReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto race = [] {
    double total = 0;
    parallel_for_each(2, 1, [&](std::size_t k) { total += static_cast<double>(k); });
    std::exit(total < 0);
  };
  constexpr int kReported = 66;  // the sanitizer's own exit code
  EXPECT_EXIT(race(), testing::ExitedWithCode(kReported), "data race");
}

// Nor must it complain of what is in order.
TEST(JudgedParallelDeathTest, ALoopAfterALoopIsNot) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto in_order = [] {
    std::vector<double> x(100, 1.0), y(100);
    parallel_for_each(x.size(), 1, [&](std::size_t k) { y[k] = x[k]; });
    parallel_for_each(x.size(), 1, [&](std::size_t k) { x[k] = y[99 - k]; });
    std::exit(x[3] != 1);
  };
  EXPECT_EXIT(in_order(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace pliant
