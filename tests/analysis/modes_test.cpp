// Natural frequencies of bars against beam theory.
#include <pliant/analysis/modes.hpp>
#include <pliant/core/error.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

constexpr double kLength = 2, kHeight = 0.1, kWidth = 0.15;  // m
constexpr double kYoung = 1e7, kDensity = 1000;              // Pa, kg/m³

Model make_bar(bool clamped, Index cells = 24) {
  test::BeamSpec spec;
  spec.size = Vec3(kLength, kHeight, kWidth);
  spec.cells = {cells, 1, 1};
  spec.element = ElementType::tet10;
  spec.split = 6;
  spec.law = "linear";
  spec.young = kYoung;
  spec.poisson = 0.3;
  spec.density = kDensity;
  spec.pin_left = clamped;
  spec.gravity.setZero();
  return test::make_beam(spec);
}

// Euler and Bernoulli: f = κ²/(2π L²) √(E I/ρA) with I/A = t²/12 for the thickness t.
double bending(double kappa_squared, double thickness) {
  return kappa_squared / (2 * std::numbers::pi * kLength * kLength) *
         std::sqrt(kYoung / kDensity * thickness * thickness / 12);
}

// Shear and the coarse mesh move slender bars' frequencies by a percent or two.
TEST(Modes, OfACantileverAreThoseOfBeamTheory) {
  const Model model = make_bar(true);
  const Modes modes = find_modes(*model.system, model.system->make_state(), 8);
  ASSERT_EQ(modes.list.size(), 8u);
  EXPECT_NEAR(modes.list[0].frequency / bending(3.516015, kHeight), 1, 0.02);
  EXPECT_NEAR(modes.list[1].frequency / bending(3.516015, kWidth), 1, 0.02);
  EXPECT_NEAR(modes.list[2].frequency / bending(22.03449, kHeight), 1, 0.03);
  // The first bending modes carry 61.3 % of the mass across the bar, and nothing along it.
  EXPECT_NEAR(modes.list[0].mass_fraction.y(), 0.613, 0.01);
  EXPECT_NEAR(modes.list[1].mass_fraction.z(), 0.613, 0.01);
  EXPECT_LT(modes.list[0].mass_fraction.x(), 1e-3);
  for (const Mode& mode : modes.list) EXPECT_EQ(mode.kind, ModeKind::oscillating);
}

// A quarter wave along the bar: f = √(E/ρ)/4L, with 8/π² of the mass.
TEST(Modes, OfACantileverHoldTheAxialOne) {
  const Model model = make_bar(true, 12);
  const Modes modes = find_modes(*model.system, model.system->make_state(), 16);
  const auto axial = std::max_element(
      modes.list.begin(), modes.list.end(),
      [](const Mode& a, const Mode& b) { return a.mass_fraction.x() < b.mass_fraction.x(); });
  EXPECT_NEAR(axial->frequency / (std::sqrt(kYoung / kDensity) / (4 * kLength)), 1, 0.01);
  EXPECT_NEAR(axial->mass_fraction.x(), 8 / (std::numbers::pi * std::numbers::pi), 0.01);
}

TEST(Modes, OfAFreeBarBeginWithSixRigidOnes) {
  const Model model = make_bar(false);
  const Modes modes = find_modes(*model.system, model.system->make_state(), 8);
  Vec3 carried = Vec3::Zero();
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(modes.list[k].kind, ModeKind::rigid) << modes.list[k].lambda;
    EXPECT_EQ(modes.list[k].frequency, 0);
    carried += modes.list[k].mass_fraction;
  }
  EXPECT_LT((carried - Vec3::Ones()).norm(), 1e-9);  // all of the mass moves with them
  EXPECT_EQ(modes.list[6].kind, ModeKind::oscillating);
  EXPECT_NEAR(modes.list[6].frequency / bending(22.37329, kHeight), 1, 0.03);
}

// The string of a guitar: pulled taut, its first mode is higher than at rest; pushed together
// beyond its buckling load, it is unstable.
TEST(Modes, DependOnTheStateTheyAreAbout) {
  test::BeamSpec spec;
  spec.size = Vec3(kLength, kHeight, kWidth);
  spec.cells = {12, 1, 1};
  spec.law = "stable-neo-hookean";
  spec.pin_right = true;
  spec.gravity.setZero();
  const Model model = test::make_beam(spec);
  const auto first = [&](double stretch) {
    State state = model.system->make_state();
    for (Eigen::Index i = 0; i < state.q.size(); i += 3) state.q[i] *= stretch;
    return find_modes(*model.system, state, 1).list[0];
  };
  EXPECT_GT(first(1.1).frequency, first(1).frequency);
  EXPECT_EQ(first(0.8).kind, ModeKind::unstable);
  EXPECT_LT(first(0.8).frequency, 0);
}

TEST(Modes, OfAStateThatIsNotFiniteAreRefused) {
  test::BeamSpec spec;
  spec.cells = {12, 2, 2};
  const Model nonlinear = test::make_beam(spec);
  State broken = nonlinear.system->make_state();
  broken.q[30] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(find_modes(*nonlinear.system, broken, 3), CannotContinue);
}

}  // namespace
}  // namespace pliant
