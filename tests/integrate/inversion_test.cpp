// Bodies whose elements are turned inside out find back to their shape, by Newton's method and by
// the local–global one, with the laws whose energy is finite there.
#include <pliant/body/solid.hpp>
#include <pliant/integrate/advance.hpp>
#include <pliant/mesh/generators.hpp>

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

constexpr double kSide = 0.5, kLong = 0.02;  // m, s

struct Case {
  std::string law, solver;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.law << " by " << c.solver; }

SolidInput cube(const std::string& law, double poisson = 0.4) {
  SolidInput solid;
  solid.mesh = make_box({Vec3(kSide, kSide, kSide), {3, 3, 3}, ElementType::tet4});
  MaterialConstants constants;
  constants.young = 1e5, constants.poisson = poisson, constants.density = 1000;
  solid.materials = {{law, constants}};
  return solid;
}

class Inversion : public ::testing::TestWithParam<Case> {
 protected:
  Model make(bool clamped, double poisson = 0.4) const {
    std::vector<SolidInput> solids;
    solids.push_back(cube(GetParam().law, poisson));
    Model model = make_model(std::move(solids));
    if (clamped) {
      Pin pin;
      for (Index n = 0; n < model.system->nodes(); ++n)
        if (node(view(model.system->rest()), n).x() < -0.499 * kSide) pin.nodes.push_back(n);
      model.system->add_pin(std::move(pin));
    }
    return model;
  }

  // Backward Euler loses what the start holds, so that what is left is the shape it settles in.
  // `iterations` of admm: so many, converged or not; 0: until it has.
  void settle(const System& system, State& state, int steps, int iterations) const {
    SolverOptions options;
    options.type = GetParam().solver;
    options.admm.iterations = iterations;
    if (options.type == "admm") options.max_iterations = 2000;
    options.tolerance = 1e-6;
    const auto stepper = make_stepper({"be"}, options);
    for (int k = 0; k < steps; ++k) {
      const StepReport report = advance(*stepper, system, state, kLong, {}, Log());
      ASSERT_TRUE(report.ok) << report.reason;
      ASSERT_TRUE(state.q.allFinite());
    }
  }

  // Of the elastic energy that it began with: 1e-4 is a strain of a hundredth of the first one.
  void expect_recovery(const System& system, State state) const {
    const double before = system.energies(at(state)).elastic;
    ASSERT_GT(before, 0);
    settle(system, state, 150, 40);
    EXPECT_LT(system.energies(at(state)).elastic, 1e-4 * before);
  }
};

// At ν = 0.3: a tangle whose elements resist compression more strongly may be an equilibrium of its
// own, whichever way it is solved.
TEST_P(Inversion, ABodyShrunkToNearlyOnePointUnfolds) {
  const Model model = make(false, 0.3);
  State state = model.system->make_state();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-1e-3, 1e-3);
  for (double& x : state.q) x = place(random);
  expect_recovery(*model.system, state);
}

// From seed 8 admm comes to such a tangle with fixed-corotated, 3.5 % of the energy, where Newton's
// method stays, too; from these, and from 12 and 13, both unfold.
TEST_P(Inversion, ABodyWithRandomVerticesUnfolds) {
  for (const unsigned seed : {9u, 10u, 11u}) {
    const Model model = make(false, 0.3);
    State state = model.system->make_state();
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-0.5 * kSide, 0.5 * kSide);
    for (double& x : state.q) x = place(random);
    expect_recovery(*model.system, state);
  }
}

TEST_P(Inversion, AMirroredBodyTurnsBackFromItsClampedFace) {
  const Model model = make(true);
  State state = model.system->make_state();
  for (Index n = 0; n < model.system->nodes(); ++n)
    node(view(state.q), n).x() = -kSide - node(view(state.q), n).x();
  expect_recovery(*model.system, state);
}

TEST_P(Inversion, ABodyFlattenedToAPlaneRises) {
  const Model model = make(false);
  State state = model.system->make_state();
  std::mt19937 random(9);
  std::uniform_real_distribution<double> place(-1e-6, 1e-6);
  for (Index n = 0; n < model.system->nodes(); ++n) node(view(state.q), n).y() = place(random);
  expect_recovery(*model.system, state);
}

// One corner of a single tetrahedron goes through the opposite face and back, while another is
// free.
TEST_P(Inversion, ATetrahedronPushedThroughItselfAndBackIsAsItWas) {
  SolidInput solid = cube(GetParam().law, 0.499);
  solid.mesh = Mesh();
  solid.mesh.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(0.3, 1, 0.3)};
  solid.mesh.blocks = {{ElementType::tet4, {0, 2, 1, 3}, {0}}};
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  Model model = make_model(std::move(solids));
  System& system = *model.system;
  Pin base, tip;
  base.nodes = {0, 1};
  tip.nodes = {3};
  tip.motion.curve = Curve({0, 0.5, 1}, {Vec3::Zero(), Vec3(0, -2, 0), Vec3::Zero()});
  system.add_pin(std::move(base));
  system.add_pin(std::move(tip));
  State state = system.make_state();
  settle(system, state, 25, 0);
  EXPECT_NEAR(node(view(state.q), 3).y(), -1, 1e-9);
  settle(system, state, 150, 0);
  EXPECT_LT((state.q - system.rest()).lpNorm<Eigen::Infinity>(), 1e-3);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* law : {"stable-neo-hookean", "fixed-corotated", "arap"})
    for (const char* solver : {"newton", "admm"}) all.push_back({law, solver});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Laws, Inversion, ::testing::ValuesIn(cases()));

}  // namespace
}  // namespace pliant
