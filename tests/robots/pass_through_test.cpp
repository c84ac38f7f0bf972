#include <pliant/robots/pass_through.hpp>

#include <gtest/gtest.h>

#include <random>

namespace pliant::robots {
namespace {

using Pairs = std::vector<std::vector<bool>>;

Pairs pairs_in(const std::vector<std::vector<int>>& groups, std::size_t count) {
  Pairs pairs(count, std::vector<bool>(count, false));
  for (const auto& group : groups)
    for (const int a : group)
      for (const int b : group)
        if (a != b) pairs[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = true;
  return pairs;
}

TEST(PassThrough, GroupsHoldThePairsAndNoOthers) {
  std::mt19937 random(7);
  for (const double density : {0.0, 0.1, 0.5, 0.9, 1.0})
    for (std::size_t count = 2; count < 14; ++count) {
      Pairs pairs(count, std::vector<bool>(count, false));
      std::bernoulli_distribution chosen(density);
      for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b) pairs[a][b] = pairs[b][a] = chosen(random);
      EXPECT_EQ(pairs_in(gather_groups(pairs), count), pairs);
    }
}

TEST(PassThrough, WhatIsAllPairedIsOneGroup) {
  Pairs pairs(5, std::vector<bool>(5, true));
  EXPECT_EQ(gather_groups(pairs), (std::vector<std::vector<int>>{{0, 1, 2, 3, 4}}));
}

}  // namespace
}  // namespace pliant::robots
