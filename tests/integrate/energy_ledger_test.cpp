// The ledger closes: what it calls the method's own is what theory says that the method takes of a
// linear body, and where damping and friction are all that takes energy they have taken it all.
#include <pliant/integrate/advance.hpp>
#include <pliant/integrate/energy_guard.hpp>
#include <pliant/system/energy_ledger.hpp>

#include <integrate/contact_scene.hpp>
#include <integrate/halves.hpp>
#include <integrate/particles.hpp>

#include "support/beams.hpp"
#include "support/names.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

const SolverOptions kExactly = {.linear = "cholesky", .tolerance = 1e-13};

// A linear body that swings, with constant damping, f = −K (q − q₀) − D v + f₀.
struct LinearBeam {
  Model model = test::make_beam({.size = Vec3(3, 1, 1),
                                 .cells = {3, 1, 1},
                                 .law = "linear",
                                 .young = 2e4,
                                 .alpha = 0.7,
                                 .beta = 3e-3});
  const System& system = *model.system;
  State state = system.make_state();

  // ½ xᵀ K x, from the potential, which is quadratic but for what is linear in it.
  double strain_energy(const Vector& x) const {
    const Vector q0 = system.rest(), ahead = q0 + x, behind = q0 - x;
    const auto U = [&](const Vector& q) { return system.potential({0, view(q), view(q0)}); };
    return 0.5 * (U(ahead) + U(behind)) - U(q0);
  }
  double kinetic_energy(const Vector& v) const {
    Vector Mv(v.size());
    system.mass().multiply(view(v), view(Mv));
    return 0.5 * v.dot(Mv);
  }
  // What damping takes while everything moves by dq at the velocity v.
  double damping_takes(const Vector& v, const Vector& dq) const {
    ActingForces f;
    StepData data;
    DofMask mask;
    State open = system.make_state();
    system.open_step(open, 1, data, mask);
    find_taking_forces(system, {0, view(system.rest()), view(v), &data}, f);
    return -f.damping.dot(dq);
  }
};

// Of backward Euler the energy of what changes is lost: ½ ‖Δv‖²_M + ½ ‖Δq‖²_K.
TEST(EnergyLedger, GivesBackwardEulerWhatItTakesOfALinearBody) {
  LinearBeam beam;
  EnergyLedger ledger(beam.system, beam.state);
  const auto stepper = make_stepper("be", kExactly);
  double largest = 0, damped = 0;
  for (int k = 0; k < 60; ++k) {
    const State before = beam.state;
    const double was = ledger.sums().created;
    ASSERT_TRUE(stepper->step(beam.system, beam.state, 0.01).ok);
    const Energies energies = beam.system.energies(at(beam.state));
    ledger.add_step(beam.state, energies);
    const Vector dq = beam.state.q - before.q, dv = beam.state.v - before.v;
    const double lost = beam.kinetic_energy(dv) + beam.strain_energy(dq);
    largest = std::max(largest, energies.kinetic + energies.elastic);
    EXPECT_NEAR(was - ledger.sums().created, lost, 1e-6 * largest) << "step " << k;
    damped += beam.damping_takes(beam.state.v, dq);
  }
  EXPECT_NEAR(ledger.sums().damped, damped, 1e-9 * largest);
  EXPECT_GT(ledger.sums().damped, 0.02 * largest);
  EXPECT_LT(ledger.sums().created, -0.01 * largest);
  EXPECT_EQ(ledger.created().total, 0);
}

// The trapezoidal rule takes nothing, however long its steps: all goes into damping.
TEST(EnergyLedger, GivesTheTrapezoidalRuleNothingOfALinearBody) {
  for (const char* method : {"newmark", "trapezoidal"})
    for (const double h : {0.01, 0.2}) {
      LinearBeam beam;
      EnergyLedger ledger(beam.system, beam.state);
      const auto stepper = make_stepper(method, kExactly);
      const double first = beam.system.energies(at(beam.state)).total();
      double largest = 0;
      for (int k = 0; k < 40; ++k) {
        ASSERT_TRUE(stepper->step(beam.system, beam.state, h).ok);
        const Energies energies = beam.system.energies(at(beam.state));
        ledger.add_step(beam.state, energies);
        largest = std::max(largest, energies.kinetic + energies.elastic);
        EXPECT_NEAR(ledger.sums().created, 0, 1e-8 * largest) << method << ", " << h;
      }
      EXPECT_NEAR(first - beam.system.energies(at(beam.state)).total(), ledger.sums().damped,
                  1e-8 * largest);
      EXPECT_GT(ledger.sums().damped, 0.02 * largest);
    }
}

// With short steps no method takes or makes anything worth naming, whatever it tells of its stages,
// and with damping that is stiff for the step none is blamed for it.
class LedgerOf : public ::testing::TestWithParam<std::string> {};

TEST_P(LedgerOf, BlamesNoMethodWhereStepsAreShort) {
  LinearBeam beam;
  EnergyLedger ledger(beam.system, beam.state);
  const auto stepper = make_stepper(GetParam(), {.linear = "cholesky"});
  double largest = 0;
  for (int k = 0; k < 600; ++k) {
    ASSERT_TRUE(stepper->step(beam.system, beam.state, 5e-4).ok);
    const Energies energies = beam.system.energies(at(beam.state));
    ledger.add_step(beam.state, energies);
    largest = std::max(largest, energies.kinetic + energies.elastic);
  }
  const std::vector<IntegratorInfo> all = integrators();
  const auto info = std::find_if(all.begin(), all.end(),
                                 [](const IntegratorInfo& one) { return one.name == GetParam(); });
  const double own = info->order == 1 ? 0.1 : 2e-3;
  EXPECT_NEAR(ledger.sums().created, 0, own * largest);
  EXPECT_GT(ledger.sums().damped, 0.05 * largest);
  EXPECT_LT(ledger.created().total, 2e-3 * largest);
}

// The same, on a step that is made in parts.
TEST(EnergyLedger, AddsUpWhatPartsOfAStepTook) {
  fixtures::Halves halves(make_stepper("newmark", kExactly), 0.006);
  LinearBeam beam;
  EnergyLedger ledger(beam.system, beam.state);
  double largest = 0;
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(advance(halves, beam.system, beam.state, 0.02, {}, {}).ok);
    ASSERT_TRUE(beam.state.taken);
    const Energies energies = beam.system.energies(at(beam.state));
    ledger.add_step(beam.state, energies);
    largest = std::max(largest, energies.kinetic + energies.elastic);
    EXPECT_NEAR(ledger.sums().created, 0, 1e-8 * largest);
  }
}

// A stiff block that slides to a stop: friction has taken all.
TEST(EnergyLedger, GivesFrictionWhatSlidingTook) {
  constexpr double mu = 0.3, g = 9.81, young = 1e7;
  fixtures::ContactScene scene({fixtures::block(Vec3(0, 0.254, 0), ElementType::tet4, young)},
                               Vec3(0, -g, 0), young);
  scene.add_friction(mu, {});
  const System& system = scene.system();
  for (Index n = 0; n + 1 < system.nodes(); ++n) node(view(scene.state.v), n) = Vec3(1, 0, 0);
  const double first = system.energies(scene.now()).kinetic;
  EnergyLedger ledger(system, scene.state);
  const auto stepper = make_guarded_stepper("trbdf2", {});
  for (int k = 0; k < 60; ++k) {
    ASSERT_TRUE(advance(*stepper, system, scene.state, 0.01, {}, {}).ok);
    ASSERT_TRUE(scene.state.taken);
    ledger.add_step(scene.state, system.energies(scene.now()));
  }
  EXPECT_LT(scene.state.v.lpNorm<Eigen::Infinity>(), 0.05);
  EXPECT_NEAR(ledger.sums().rubbed, first, 0.05 * first);
  EXPECT_LT(ledger.created().total, 5e-3 * first);
}

// A pendulum on a hard rod by a method that no theory allows for it: half of the last velocity is
// added at every step. All of it is found.
TEST(EnergyLedger, FindsWhatAWrongMethodMakes) {
  const auto system = fixtures::make_particles({{Vec3(1, 0, 0), 2}});
  State state = system->make_state();
  EnergyLedger ledger(*system, state);
  double first = system->energies(at(state)).total(), made = 0;
  for (int k = 0; k < 10; ++k) {
    state.t += 0.1;
    node(view(state.v), 0) += Vec3(0.5, 0, 0);
    const Energies energies = system->energies(at(state));
    ledger.add_step(state, energies);
    made = energies.total() - first;
  }
  EXPECT_NEAR(ledger.sums().created, made, 1e-12 * made);
  EXPECT_NEAR(ledger.created().total, made, 1e-6 * made);
  EXPECT_NEAR(ledger.created().time, 1, 1e-12);  // the last step made most
  EXPECT_NEAR(ledger.created().worst_step, 0.5 * 2 * (25 - 4.5 * 4.5), 1e-6);
}

// A step as short as those that are chosen by error where something hits says nothing of how much
// energy there is.
TEST(EnergyLedger, IsNotBlindedByAShortStep) {
  const auto system = fixtures::make_particles({{Vec3(1, 0, 0), 2}, {Vec3(2, 0, 0), 2}});
  State state = system->make_state();
  EnergyLedger ledger(*system, state);
  const auto step = [&](double h, double faster) {
    state.t += h;
    node(view(state.v), 0) += Vec3(faster, 0, 0);
    ledger.add_step(state, system->energies(at(state)));
  };
  step(0.01, 3);
  EXPECT_NEAR(ledger.created().scale, 9, 1e-9);
  step(1e-9, 0);
  EXPECT_NEAR(ledger.created().scale, 9, 1e-9);
}

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) names.emplace_back(info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, LedgerOf, ::testing::ValuesIn(all_methods()),
                         test::method_name<std::string>);

}  // namespace
}  // namespace pliant
