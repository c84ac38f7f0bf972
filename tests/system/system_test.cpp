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

TEST(Model, PointMassesAddToTheMassAndToTheMoment) {
  SolidInput solid;
  solid.name = "box";
  solid.mesh = make_box({.size = Vec3(1, 1, 1), .cells = {3, 3, 3}});
  solid.materials = {{"stvk", {}}};
  solid.point_masses = {{Vec3(0.21, -0.3, 0.4), 50}};
  std::vector<SolidInput> solids{solid};
  const Model model = make_model(std::move(solids));
  EXPECT_NEAR(model.bodies[0].mass, 1050, 1e-9);
  const System& system = *model.system;
  Vector v(system.dofs());
  for (Index n = 0; n < system.nodes(); ++n) v.segment<3>(3 * n) = Vec3(1, 0, 0);
  const Vec3 l = system.momentum(view(system.rest()), view(v)).angular;
  EXPECT_LT((l - Vec3(0.21, -0.3, 0.4).cross(Vec3(50, 0, 0))).norm(), 1e-9);
}

TEST(Model, SeveralBodiesShareOneSystemWithoutTouching) {
  std::vector<SolidInput> solids(2);
  for (int k = 0; k < 2; ++k) {
    solids[k].name = k ? "b" : "a";
    solids[k].mesh = make_box({.size = Vec3(1, 1, 1),
                               .cells = {2, 2, 2},
                               .element = k ? ElementType::hex8 : ElementType::tet4});
    solids[k].materials = {{k ? "stvk" : "arap", {}}};
  }
  const Model model = make_model(std::move(solids));
  const BlockPattern& pattern = *model.system->pattern();
  EXPECT_EQ(model.bodies[1].first_node, 27);
  for (Index i = 0; i < 27; ++i)
    for (Index k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k)
      EXPECT_LT(pattern.column[k], 27);
  EXPECT_NEAR(model.bodies[0].mass, 1000, 1e-9);
  EXPECT_NEAR(model.bodies[1].mass, 1000, 1e-9);
}

}  // namespace
}  // namespace pliant
