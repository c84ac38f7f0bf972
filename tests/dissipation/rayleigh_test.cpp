#include <pliant/dissipation/rayleigh.hpp>

#include "support/beams.hpp"
#include "support/term_checks.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::random_vector;

const Term& damping_of(const System& system) {
  for (const auto& term : system.terms())
    if (term->kind() == TermKind::dissipation) return *term;
  throw std::logic_error("no damping");
}

class RayleighTest : public testing::TestWithParam<std::pair<double, double>> {
 protected:
  RayleighTest() {
    data.lagged.resize(system.terms().size());
    State state = system.make_state();
    state.q += random_vector(system.dofs(), 0.03, 9);
    DofMask mask;
    system.open_step(state, 0.01, data, mask);
    x = {0, system.rest() + random_vector(system.dofs(), 0.03, 1),
         random_vector(system.dofs(), 1, 2), &data};
  }
  Model model = test::make_beam({.size = Vec3(2, 1, 1),
                                 .cells = {3, 2, 1},
                                 .alpha = GetParam().first,
                                 .beta = GetParam().second,
                                 .gravity = Vec3::Zero()});
  const System& system = *model.system;
  StepData data;
  test::Point x;
};

TEST_P(RayleighTest, ForceIsTheDerivativeOfTheDissipationAndTheTangentOfTheForce) {
  const Term& damping = damping_of(system);
  const Vector d = random_vector(system.dofs(), 1, 3);
  test::expect_force_is_gradient(damping, x, d, 1e-2, 1e-9, true);
  BlockMatrix A(system.pattern());
  test::expect_tangent_is_derivative(damping, x, d, 1e-2, 1e-9, A, true);
}

TEST_P(RayleighTest, NeverAddsEnergy) {
  const Term& damping = damping_of(system);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Vector v = random_vector(system.dofs(), 1, seed);
    const Configuration c{0, view(x.q), view(v), &data};
    EXPECT_GT(damping.dissipation(c), 0);
    EXPECT_LT(test::force_of(damping, c, v.size()).dot(v), 0);
  }
}

TEST_P(RayleighTest, DoesNotDependOnPositionWithinAStep) {
  const Term& damping = damping_of(system);
  const Vector other = system.rest() + random_vector(system.dofs(), 0.1, 8);
  EXPECT_EQ(test::force_of(damping, {0, view(x.q), view(x.v), &data}, x.q.size()),
            test::force_of(damping, {0, view(other), view(x.v), &data}, x.q.size()));
}

INSTANTIATE_TEST_SUITE_P(Kinds, RayleighTest,
                         testing::Values(std::pair(2.0, 0.0), std::pair(0.0, 1e-3),
                                         std::pair(1.0, 1e-3)));

TEST(Rayleigh, AtRestIsAlphaTimesMassPlusBetaTimesStiffness) {
  const Model model =
      test::make_beam({.cells = {3, 1, 1}, .alpha = 2, .beta = 0.01, .gravity = Vec3::Zero()});
  const System& system = *model.system;
  const Vector v = random_vector(system.dofs(), 1, 2);
  const Configuration c{0, view(system.rest()), view(v), nullptr};
  BlockMatrix K(system.pattern());
  model.bodies[0].batches[0].term->add_tangent(c, {.stiffness = 1}, K);
  const Vector wanted = -(2 * test::dense(system.mass()) + 0.01 * test::dense(K)) * v;
  const Vector f = test::force_of(damping_of(system), c, v.size());
  EXPECT_LT((f - wanted).norm(), 1e-10 * wanted.norm());
}

}  // namespace
}  // namespace pliant
