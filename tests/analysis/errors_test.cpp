#include <pliant/analysis/errors.hpp>
#include <pliant/analysis/oscillator.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

TEST(StateErrors, AreRelativeToHowFarAndHowFastTheReferenceIs) {
  const auto system = make_oscillator({});
  State start = system->make_state(), reference = start, state = start;
  reference.q = Vector::Constant(3, 2);
  reference.v = Vector::Constant(3, 4);
  state.q = Vector::Constant(3, 2.2);
  state.v = Vector::Constant(3, 3);
  const StateError error = state_error(system->mass(), start, reference, state);
  EXPECT_NEAR(error.q, 0.1, 1e-14);
  EXPECT_NEAR(error.v, 0.25, 1e-14);
  EXPECT_EQ(state_error(system->mass(), start, start, start).v, 0);  // rests: absolute
}

TEST(MeasuredOrders, AreThoseOfPowers) {
  const std::vector<double> h = {0.1, 0.05, 0.02}, errors = {3e-3, 3e-3 / 8, 3e-3 / 125};
  const std::vector<double> orders = measured_orders(h, errors);
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_NEAR(orders[0], 3, 1e-12);
  EXPECT_NEAR(orders[1], 3, 1e-12);
  EXPECT_TRUE(std::isnan(measured_orders(h, std::vector<double>{1, 0, 0})[0]));
}

}  // namespace
}  // namespace pliant
