#include <pliant/system/system.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(System, EnergiesAreZeroAtRestAndKineticEnergyIsThatOfARigidBody) {
  const Model model = test::make_beam({.cells = {4, 2, 2}});
  const System& system = *model.system;
  State state = system.make_state();
  const Energies rest = system.energies({0, view(state.q), view(state.v), nullptr});
  EXPECT_EQ(rest.total(), 0);
  for (Index n = 0; n < system.nodes(); ++n) state.v.segment<3>(3 * n) = Vec3(1, 2, 3);
  EXPECT_NEAR(system.energies({0, view(state.q), view(state.v), nullptr}).kinetic, 0.5 * 8000 * 14,
              1e-8);
}

TEST(System, MomentaAreThoseOfATurningBox) {
  const Model model = test::make_beam({.cells = {4, 2, 2}});
  const System& system = *model.system;
  State state = system.make_state();
  const Vec3 omega(0.5, -1, 2), shift(1, 2, 3), velocity(3, 0, -1);
  for (Index n = 0; n < system.nodes(); ++n) {
    const Vec3 x = system.rest().segment<3>(3 * n);
    state.q.segment<3>(3 * n) = x + shift;
    state.v.segment<3>(3 * n) = velocity + omega.cross(x);
  }
  const Momentum momentum = system.momentum(view(state.q), view(state.v));
  const double m = 8000;
  EXPECT_LT((momentum.linear - m * velocity).norm(), 1e-8);
  const Vec3 inertia = m / 12 * Vec3(1 + 1, 64 + 1, 64 + 1);
  EXPECT_LT((momentum.angular - (inertia.cwiseProduct(omega) + shift.cross(m * velocity))).norm(),
            1e-7);
}

}  // namespace
}  // namespace pliant
