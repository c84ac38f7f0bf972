#include <pliant/system/mass_solve.hpp>
#include <pliant/system/system.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Motion, HasTheVelocityAndAccelerationOfItsPath) {
  Motion turning;
  turning.velocity = Vec3(0.3, -0.1, 0.2);
  turning.angular_velocity = Vec3(1, 2, -0.5);
  turning.center = Vec3(0.2, 0.1, -0.3);
  Motion curved;
  curved.curve = Curve({0, 1, 3}, {Vec3(0, 0, 0), Vec3(1, 0.5, 0), Vec3(1.5, 2, -1)});
  const Vec3 anchor(1, 2, 3);
  for (const Motion& motion : {turning, curved}) {
    EXPECT_LT((motion.at(anchor, 0.4, 0.4).value - anchor).norm(), 1e-15);
    const double t = 0.83, h = 1e-4;
    const Curve::Sample s = motion.at(anchor, 0.4, t), a = motion.at(anchor, 0.4, t - h),
                        b = motion.at(anchor, 0.4, t + h);
    EXPECT_LT(((b.value - a.value) / (2 * h) - s.first).norm(), 1e-6);
    EXPECT_LT(((b.first - a.first) / (2 * h) - s.second).norm(), 1e-6);
    EXPECT_GT(s.first.norm(), 0.1);
  }
}

TEST(Motion, AFullTurnComesBack) {
  Motion motion;
  motion.angular_velocity = Vec3(0, 0, 2 * M_PI);
  EXPECT_LT((motion.at(Vec3(1, 2, 3), 0, 1).value - Vec3(1, 2, 3)).norm(), 1e-14);
  EXPECT_LT((motion.at(Vec3(1, 0, 0), 0, 0.25).value - Vec3(0, 1, 0)).norm(), 1e-14);
}

TEST(Motion, StopsWhereItIsAtItsEnd) {
  Motion motion;
  motion.velocity = Vec3(1, 0, 0);
  motion.angular_velocity = Vec3(0, 0, 3);
  motion.until = 0.5;
  const Vec3 anchor(1, 2, 3);
  const Curve::Sample end = motion.at(anchor, 0.1, 0.5), later = motion.at(anchor, 0.1, 2);
  EXPECT_GT((end.value - anchor).norm(), 0.4);
  EXPECT_GT(end.first.norm(), 1);  // it comes there at full speed
  EXPECT_EQ(later.value, end.value);
  EXPECT_EQ(later.first, Vec3::Zero());
  EXPECT_EQ(later.second, Vec3::Zero());
  // What takes hold after the end does not move at all.
  EXPECT_LT((motion.at(anchor, 0.7, 2).value - anchor).norm(), 1e-15);
}

TEST(Pins, TakeHoldWhereTheNodesAreAndLetGoAtTheNearestStep) {
  Model model = test::make_beam({.pin_left = false});
  System& system = *model.system;
  Pin pin = test::fixed({0, 1});
  pin.from = 0.1;
  pin.until = 0.3;
  pin.axes = {true, false, true};
  pin.motion.velocity = Vec3(1, 0, 0);
  system.add_pin(pin);
  State state = system.make_state();
  StepData data;
  DofMask mask;
  system.open_step(state, 0.04, data, mask);
  EXPECT_EQ(std::count(mask.begin(), mask.end(), 1), 0);
  state.t = 0.12;
  state.q.segment<3>(0) = Vec3(7, 8, 9);
  state.a_known = true;
  system.open_step(state, 0.04, data, mask);
  EXPECT_EQ(std::count(mask.begin(), mask.end(), 1), 4);
  EXPECT_FALSE(mask[1]);
  EXPECT_FALSE(state.a_known);
  Vector q = state.q, v = state.v, a = state.a;
  system.prescribe(state, 0.16, view(q), view(v), view(a));
  EXPECT_LT((q.segment<3>(0) - Vec3(7.04, 8, 9)).norm(), 1e-14);
  EXPECT_EQ(v[0], 1);
  state.t = 0.29;
  system.open_step(state, 0.04, data, mask);
  EXPECT_EQ(std::count(mask.begin(), mask.end(), 1), 0);
  EXPECT_FALSE(state.pins[0].active);
}

TEST(MassSolve, AgreesWithADenseSolveAndKeepsPrescribedAccelerations) {
  for (const auto& [lumped, method] :
       {std::pair(false, MassMethod::iterative), std::pair(true, MassMethod::iterative),
        std::pair(false, MassMethod::factorized), std::pair(true, MassMethod::factorized)}) {
    const Model model = test::make_beam({.cells = {5, 2, 2}, .lumped = lumped});
    const System& system = *model.system;
    DofMask mask(system.dofs(), 0);
    for (std::size_t i = 0; i < mask.size(); i += 7) mask[i] = 1;
    const Vector b = test::random_vector(system.dofs(), 1, 1);
    Vector a = test::random_vector(system.dofs(), 1, 2);
    const Vector given = a;
    MassSolve solve(method);
    ASSERT_TRUE(solve.solve(system.mass(), mask, view(b), view(a)));
    Vector Ma(system.dofs());
    system.mass().multiply(view(a), view(Ma));
    for (Eigen::Index i = 0; i < a.size(); ++i) {
      if (mask[i])
        EXPECT_EQ(a[i], given[i]);
      else
        EXPECT_NEAR(Ma[i], b[i], 1e-12);
    }
  }
}

// A pin that begins or ends changes what is solved for; the factors must follow.
TEST(MassSolve, FollowsTheMask) {
  const Model model = test::make_beam({.cells = {5, 2, 2}});
  const System& system = *model.system;
  const auto n = static_cast<std::size_t>(system.dofs());
  DofMask none(n, 0), some(n, 0), all(n, 1);
  for (std::size_t i = 0; i < n / 2; ++i) some[i] = 1;
  const Vector b = test::random_vector(system.dofs(), 1, 1);
  MassSolve solve(MassMethod::factorized);
  for (const DofMask* mask : {&none, &some, &none, &all}) {
    Vector a = Vector::Zero(system.dofs()), wanted = a;
    ASSERT_TRUE(solve.solve(system.mass(), *mask, view(b), view(a)));
    ASSERT_TRUE(MassSolve().solve(system.mass(), *mask, view(b), view(wanted)));
    EXPECT_LE((a - wanted).norm(), 1e-13 * wanted.norm());
  }
}

}  // namespace
}  // namespace pliant
