#include <pliant/contact/edge_shares.hpp>

#include <contact/stack.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

using fixtures::Stack;

// The upper block turned a little about an axis at its bottom, which edges see as beyond their
// normals.
Vector tilted(const Stack& stack, double angle) {
  Vector q = stack.q;
  const Eigen::AngleAxisd turn(angle, Vec3(1, 0, 0.3).normalized());
  const Vec3 centre(0.11, 0.5 + 0.016, 0.07);
  for (Index n = 0; n < stack.upper_nodes; ++n)
    node(view(q), n) = centre + turn * (node(view(q), n) - centre);
  return q;
}

struct Change {  // a step from a tilted start to where both are flat on each other
  Stack stack{0.004, 0.02, {4, 1, 3}, false};
  Vector start = tilted(stack, 0.02);
  Candidates candidates;
  ContactSet ended, next;

  Change() {
    BroadPhase(stack.term->surface()).find(view(stack.q), {}, 0.02, candidates);
    find({view(start)}, ended);
    find({view(stack.q)}, next);
  }
  void find(const WeightsFrom& from, ContactSet& out) const {
    stack.term->finder().find(candidates, view(stack.q), from, out);
  }
  double potential(const ContactSet& set) const {
    Configuration c = stack.at(stack.q);
    c.contacts = &set;
    return stack.term->potential(c);
  }
  EdgeRise rise() const { return {ended, next, view(stack.q), stack.term->delta()}; }
};

TEST(EdgeShares, PairsThatAreNotListedHaveAllOfTheirWeight) {
  const EdgeShares shares{{{{0, 1, 4, 5}, 0.25}, {{0, 1, 6, 7}, 0.5}, {{2, 3, 4, 5}, 0}}};
  EXPECT_EQ(shares.of({0, 1, 4, 5}), 0.25);
  EXPECT_EQ(shares.of({0, 1, 6, 7}), 0.5);
  EXPECT_EQ(shares.of({2, 3, 4, 5}), 0);
  EXPECT_EQ(shares.of({0, 1, 4, 6}), 1);
  EXPECT_EQ(shares.of({8, 9, 10, 11}), 1);
  EXPECT_EQ(EdgeShares().of({0, 1, 4, 5}), 1);
}

// The potential of the next step is at most that of the last one where nothing pays, and grows with
// what is paid by just that.
TEST(EdgeShares, ANewStepBeginsWithTheEnergyThatTheLastOneEndedWithAndWhatWasPaid) {
  const Change change;
  const EdgeRise rise = change.rise();
  const double before = change.potential(change.ended), after = change.potential(change.next);
  ASSERT_GT(after, 1.01 * before);  // else there is nothing to see
  const EdgeShares none = rise.shares(0);
  ASSERT_FALSE(none.pairs.empty());
  ContactSet set;
  change.find({view(change.stack.q), &none}, set);
  const double low = change.potential(set);
  EXPECT_LE(low, before * (1 + 1e-12));
  EXPECT_NEAR(low + rise.total(), after, 1e-12 * after);
  for (const double paid : {0.2, 0.7}) {
    const EdgeShares some = rise.shares(paid);
    change.find({view(change.stack.q), &some}, set);
    EXPECT_NEAR(change.potential(set), low + paid * rise.total(), 1e-12 * after);
  }
  EXPECT_TRUE(rise.shares(1).pairs.empty());
}

TEST(EdgeShares, WhatLosesWeightLosesItAtOnce) {
  Change change;
  std::swap(change.ended, change.next);
  EXPECT_LT(change.rise().total(), 1e-3 * change.potential(change.ended));
}

// A configuration carries its shares with it, and so does a step.
TEST(EdgeShares, ActOnThePotentialOfAConfigurationAndOfAStep) {
  const Change change;
  const auto shares = std::make_shared<const EdgeShares>(change.rise().shares(0));
  Configuration c = change.stack.at(change.stack.q);
  const double all = change.stack.term->potential(c);
  c.shares = shares.get();
  const double some = change.stack.term->potential(c);
  EXPECT_NEAR(all - some, change.rise().total(), 1e-12 * all);
  StepData step;
  step.lagged.resize(1);
  step.shares = shares;
  Configuration within = change.stack.at(change.stack.q);
  within.step = &step;
  EXPECT_EQ(change.stack.term->potential(within), some);
}

}  // namespace
}  // namespace pliant
