// Rigid bodies in motion, in both formulations: what theory says of free bodies and tops, and that
// every integrator takes them.
#include <integrate/rigid_bodies.hpp>

#include <pliant/constraint/linear_rows.hpp>
#include <pliant/core/error.hpp>
#include <pliant/integrate/stepper.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

using fixtures::axes_now;
using fixtures::rigid_box;
using fixtures::set_motion;

const Vec3 kRigidBox(0.3, 0.2, 0.1);

constexpr std::array kFormulations = {RigidFormulation::affine, RigidFormulation::se3};

std::unique_ptr<Stepper> rigid_stepper(std::string_view name) {
  SolverOptions options;
  options.tolerance = 1e-9;
  return make_stepper(name, options);
}

void advance_by(const System& system, Stepper& stepper, double h, State& state) {
  const StepReport report = stepper.step(system, state, h);
  ASSERT_TRUE(report.ok) << stepper.name() << " at " << state.t << " s: " << report.reason;
}

double largest_strain(const RigidFrame& frame, const State& state) {
  const Mat3 A = axes_now(frame, state);
  return 0.5 * (A.transpose() * A - Mat3::Identity()).cwiseAbs().maxCoeff();
}

TEST(RigidBodies, FourParticlesHaveTheMassCentreAndInertiaOfTheBody) {
  const SolidInput solid = rigid_box(kRigidBox, Vec3(1, 2, 3), RigidFormulation::affine);
  const RigidFrame frame = make_rigid_frame(*solid.rigid, 0);
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  for (const Vec3& x : frame.corners) {
    const Vec3 r = x - Vec3(1, 2, 3);
    centre += x / 4;
    inertia += 6.0 / 4 * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  EXPECT_NEAR(frame.mass, 6, 1e-12);  // 0.3 · 0.2 · 0.1 · 1000
  EXPECT_LT((centre - Vec3(1, 2, 3)).norm(), 1e-14);
  // m/12 (b² + c²)
  const Vec3 theory = 6.0 / 12 * Vec3(0.04 + 0.01, 0.09 + 0.01, 0.09 + 0.04);
  EXPECT_LT((inertia - Mat3(theory.asDiagonal())).norm(), 1e-14);
}

TEST(RigidBodies, TheFrameCarriesEveryPoint) {
  const SolidInput solid = rigid_box(kRigidBox, Vec3(1, 2, 3), RigidFormulation::affine);
  const Model model = make_model({solid});
  const State state = model.system->make_state();
  const Body& body = model.bodies[0];
  for (Index n = 0; n < body.mesh.point_count(); ++n)
    EXPECT_LT((node(view(state.q), n) - body.mesh.points[n]).norm(), 1e-14);
  const Vec3 outside(5, -3, 2);
  EXPECT_LT((body.rigid->point(outside).at(view(state.q)) - outside).norm(), 1e-13);
}

// About the middle axis a body turns over, at intervals that elliptic functions give (Landau and
// Lifshitz, Mechanics, §37): with I₁ < I₂ < I₃ and M² > 2 E I₂,
//   T = 4 K(k) √(I₁ I₂ I₃ / ((I₃ − I₂)(M² − 2 E I₁))),
//   k² = (I₂ − I₁)(2 E I₃ − M²)/((I₃ − I₂)(M² − 2 E I₁)).
TEST(RigidBodies, TurnOverAboutTheMiddleAxisInTheTimeOfTheory) {
  for (const RigidFormulation formulation : kFormulations) {
    const Model model = make_model({rigid_box(kRigidBox, Vec3::Zero(), formulation)});
    const RigidFrame& frame = *model.bodies[0].rigid;
    const Vec3 I = 6.0 / 12 * Vec3(0.05, 0.10, 0.13);  // ascending; axes x, y, z
    const Vec3 omega(0, 6, 0.3);
    const Vec3 M = I.cwiseProduct(omega);
    const double E2 = M.dot(omega), MM = M.squaredNorm();
    ASSERT_GT(MM, E2 * I[1]);
    const double a = (I[2] - I[1]) * (MM - E2 * I[0]);
    const double k = std::sqrt((I[1] - I[0]) * (E2 * I[2] - MM) / a);
    const double period = 4 * std::comp_ellint_1(k) * std::sqrt(I.prod() / a);
    State state = model.system->make_state();
    set_motion(frame, Vec3::Zero(), omega, *model.system, state);
    const auto stepper = rigid_stepper("trbdf2");
    const double h = 2e-3;
    std::vector<double> turns;  // when the middle axis is across the angular momentum
    double before = 1;
    while (turns.size() < 3 && state.t < 3 * period) {
      ASSERT_NO_FATAL_FAILURE(advance_by(*model.system, *stepper, h, state));
      const Vec3 L = model.system->momentum(view(state.q), view(state.v)).angular;
      const double now = axes_now(frame, state).col(1).dot(L);
      if (now * before < 0) turns.push_back(state.t - h * now / (now - before));
      before = now;
    }
    ASSERT_EQ(turns.size(), 3u);
    EXPECT_NEAR(turns[2] - turns[0], period, 0.01 * period);
  }
}

TEST(RigidBodies, FreeOnesKeepMomentumAndEnergyToTheOrderOfTheMethod) {
  for (const RigidFormulation formulation : kFormulations) {
    const Model model = make_model({rigid_box(kRigidBox, Vec3::Zero(), formulation)});
    const System& system = *model.system;
    const RigidFrame& frame = *model.bodies[0].rigid;
    std::vector<double> lost, turned;
    for (const int steps : {100, 200}) {
      State state = system.make_state();
      set_motion(frame, Vec3(1, 2, 0), Vec3(2, 3, 1), system, state);
      const double E0 = system.energies(at(state)).kinetic;
      const Momentum p0 = system.momentum(view(state.q), view(state.v));
      const auto stepper = rigid_stepper("trbdf2");
      for (int k = 0; k < steps; ++k)
        ASSERT_NO_FATAL_FAILURE(advance_by(system, *stepper, 1.0 / steps, state));
      const Momentum p = system.momentum(view(state.q), view(state.v));
      EXPECT_LT((p.linear - p0.linear).norm(), 1e-9 * p0.linear.norm());
      lost.push_back(std::abs(system.energies(at(state)).kinetic - E0) / E0);
      turned.push_back((p.angular - p0.angular).norm() / p0.angular.norm());
      EXPECT_LT(largest_strain(frame, state), 1e-6);
    }
    EXPECT_LT(lost[1], 2e-3);
    EXPECT_GT(std::log2(lost[0] / lost[1]), 1.7);
    EXPECT_GT(std::log2(turned[0] / turned[1]), 1.7);
  }
}

// Steady precession of a symmetric top: I₁ Ω² cos θ − I₃ ω₃ Ω + m g ℓ = 0, I₁ about the point of
// support.
TEST(RigidBodies, AHeavySymmetricTopPrecessesAtTheAnalyticRate) {
  const double g = 9.81, length = 0.2, theta = 0.5, spin = 120;
  for (const RigidFormulation formulation : kFormulations) {
    SolidInput solid = rigid_box(Vec3(0.2, 0.05, 0.2), Vec3(0, length, 0), formulation);
    const Mat3 tilt = Eigen::AngleAxisd(-theta, Vec3::UnitZ()).toRotationMatrix();  // towards +x
    for (Vec3& x : solid.mesh.points) x = tilt * x;
    RigidInput& rigid = *solid.rigid;
    rigid.centre = tilt * rigid.centre;
    rigid.inertia = tilt * rigid.inertia * tilt.transpose();
    const double m = rigid.mass;
    Model model = make_model({solid});
    System& system = *model.system;
    system.add_term(std::make_unique<Gravity>(Vec3(0, -g, 0), system.mass(), view(system.rest())));
    const RigidFrame& frame = *model.bodies[0].rigid;
    std::vector<LinearRow> rows;
    for (int i = 0; i < 3; ++i)
      rows.push_back({"tip", frame.point(Vec3::Zero()), {}, Vec3::Zero(), Vec3::Unit(i), 0});
    system.add_constraint(std::make_unique<LinearConstraints>(rows));
    const double I3 = m / 12 * (0.04 + 0.04), I1 = m / 12 * (0.04 + 0.0025) + m * length * length;
    const double b = I3 * spin, c = m * g * length;
    const double rate =
        (b - std::sqrt(b * b - 4 * I1 * std::cos(theta) * c)) / (2 * I1 * std::cos(theta));
    const Vec3 axis = tilt * Vec3::UnitY();
    const Vec3 omega = rate * Vec3::UnitY() + (spin - rate * std::cos(theta)) * axis;
    State state = system.make_state();
    set_motion(frame, omega.cross(frame.centre), omega, system, state);
    const auto stepper = rigid_stepper("trbdf2");
    const double h = 1e-3, duration = 0.5;
    for (int k = 0; k < std::lround(duration / h); ++k)
      ASSERT_NO_FATAL_FAILURE(advance_by(system, *stepper, h, state));
    const Vec3 now = frame.point(frame.centre).at(view(state.q));
    const double turned = std::atan2(-now.z(), now.x());
    EXPECT_NEAR(turned, rate * duration, 0.01 * rate * duration);
    EXPECT_NEAR(now.y(), length * std::cos(theta), 0.01 * length);
  }
}

// How far apart a tumbling box ends in the two formulations, over its size.
double difference_of_formulations(const char* name, double h) {
  std::array<Vec3, 2> ends;
  for (std::size_t f = 0; f < 2; ++f) {
    const Model model = make_model({rigid_box(kRigidBox, Vec3::Zero(), kFormulations[f])});
    State state = model.system->make_state();
    set_motion(*model.bodies[0].rigid, Vec3::Zero(), Vec3(1, 4, 2), *model.system, state);
    const auto stepper = rigid_stepper(name);
    for (int k = 0; k < std::lround(0.4 / h); ++k) advance_by(*model.system, *stepper, h, state);
    ends[f] = node(view(state.q), 0);
  }
  return (ends[0] - ends[1]).norm() / kRigidBox.norm();
}

// Methods that start from a known acceleration have it from other forces in the first step: there
// the formulations agree as steps become short.
TEST(RigidBodies, BothFormulationsMoveAlike) {
  for (const char* name : {"be", "bdf2"})
    EXPECT_LT(difference_of_formulations(name, 0.01), 1e-6) << name;
  for (const char* name : {"trbdf2", "esdirk43"}) {
    const double coarse = difference_of_formulations(name, 0.01);
    EXPECT_LT(coarse, 1e-3) << name;
    EXPECT_LT(difference_of_formulations(name, 0.005), 0.4 * coarse) << name;
  }
}

// Whatever a method does to the state, what follows is where its leaders are.
TEST(RigidBodies, EveryIntegratorMovesTheWholeBody) {
  for (const IntegratorInfo& info : integrators()) {
    SolidInput solid = rigid_box(kRigidBox, Vec3::Zero(), RigidFormulation::affine);
    solid.rigid->modulus = 1e6;  // explicit methods take it, too
    Model model = make_model({solid});
    System& system = *model.system;
    system.add_term(
        std::make_unique<Gravity>(Vec3(0, -9.81, 0), system.mass(), view(system.rest())));
    State state = system.make_state();
    const RigidFrame& frame = *model.bodies[0].rigid;
    set_motion(frame, Vec3(0.1, 0, 0), Vec3(0.2, 0.5, 0.1), system, state);
    IntegratorOptions options{std::string(info.name)};
    options.modes = 3;
    const auto stepper = make_stepper(options, {});
    for (int k = 0; k < 10; ++k) {
      const StepReport report = stepper->step(system, state, 1e-4);
      ASSERT_TRUE(report.ok) << info.name << ": " << report.reason;
    }
    Vector q = state.q, v = state.v;
    system.follow(view(q));
    system.follow(view(v));
    EXPECT_LT((q - state.q).norm(), 1e-13) << info.name;
    EXPECT_LT((v - state.v).norm(), 1e-11) << info.name;
    const Vec3 centre = frame.point(Vec3::Zero()).at(view(state.q));
    // Methods that follow modes know those of a free stiff body to some digits only.
    EXPECT_NEAR(centre.x(), 1e-4, 5e-8) << info.name;
    EXPECT_NEAR(centre.y(), -0.5 * 9.81 * 1e-6, 1.2e-6) << info.name;
  }
}

TEST(RigidBodies, PrescribedMotionCarriesTheWholeBody) {
  for (const char* name : {"be", "trbdf2", "rk4", "ros3pl"}) {
    Model model = make_model({rigid_box(kRigidBox, Vec3::Zero(), RigidFormulation::affine)});
    System& system = *model.system;
    Pin pin;
    for (Index a = 0; a < 4; ++a) pin.nodes.push_back(model.bodies[0].rigid->first + a);
    pin.motion.angular_velocity = Vec3(0, std::numbers::pi, 0);
    system.add_pin(pin);
    State state = system.make_state();
    const auto stepper = rigid_stepper(name);
    for (int k = 0; k < 50; ++k) ASSERT_NO_FATAL_FAILURE(advance_by(system, *stepper, 0.01, state));
    for (Index n = 0; n < model.bodies[0].mesh.point_count(); ++n) {  // a quarter turn
      const Vec3 x = model.bodies[0].mesh.points[n];
      EXPECT_LT((node(view(state.q), n) - Vec3(x.z(), x.y(), -x.x())).norm(), 1e-12) << name;
      EXPECT_LT(
          (node(view(state.v), n) - pin.motion.angular_velocity.cross(Vec3(node(view(state.q), n))))
              .norm(),
          1e-10)
          << name;
    }
  }
}

TEST(RigidBodies, AnInertiaThatNoBodyHasIsRefused) {
  EXPECT_NO_THROW(require_possible_inertia(Vec3(1, 2, 3).asDiagonal(), "x"));
  EXPECT_THROW(require_possible_inertia(Vec3(1, 2, 3.1).asDiagonal(), "x"), InputError);
  EXPECT_THROW(require_possible_inertia(Mat3::Zero(), "x"), InputError);
  Mat3 skew = Vec3(1, 1, 1).asDiagonal();
  skew(0, 1) = 0.1;
  EXPECT_THROW(require_possible_inertia(skew, "x"), InputError);
}

TEST(RigidBodies, PointMassesMoveTheCentreAndAddInertia) {
  RigidInput body;
  body.mass = 2, body.inertia = Vec3(0.1, 0.1, 0.1).asDiagonal();
  add_point_mass(2, Vec3(1, 0, 0), body);
  EXPECT_EQ(body.mass, 4);
  EXPECT_LT((body.centre - Vec3(0.5, 0, 0)).norm(), 1e-15);
  // The reduced mass 1 kg at a distance of 1 m.
  EXPECT_LT((body.inertia - Mat3(Vec3(0.1, 1.1, 1.1).asDiagonal())).norm(), 1e-14);
}

}  // namespace
}  // namespace pliant
