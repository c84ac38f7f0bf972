// Damping as terms of a system, over every kind of element.
#include <pliant/dissipation/damping_law.hpp>

#include "dissipation/damping_cases.hpp"
#include "dissipation/damping_checks.hpp"
#include "support/beams.hpp"
#include "support/threads.hpp"

#include <numeric>

namespace pliant {
namespace {

using test::random_vector;

Model make_damped(const DampingLaw& law, ElementType element) {
  return test::make_beam({.size = Vec3(2, 1, 1),
                          .cells = {2, 1, 1},
                          .element = element,
                          .damping = {law},
                          .pin_left = false,
                          .gravity = Vec3::Zero()});
}

class EveryElement : public testing::TestWithParam<std::tuple<test::DampingCase, ElementType>> {
 protected:
  const test::DampingCase& damping() const { return std::get<0>(GetParam()); }
  Model model = make_damped(damping().law, std::get<1>(GetParam()));
  const System& system = *model.system;
  const DissipationTerm& term = test::damping_of(system);
  // Stretched: near the rest shape eigenvalues change their sign from one difference to the next,
  // and raised to zero they have a kink.
  test::Point x{0, 1.25 * system.rest() + random_vector(system.dofs(), 0.03, 1),
                random_vector(system.dofs(), 1, 2), nullptr};
};

TEST_P(EveryElement, HasForceAndTangentsThatAreDerivatives) {
  test::expect_damping_has_derivatives(term, system, x);
}

// d/dv of R(q_p + γ v, v) − R(q_p + γ v, v̂) is what a stage takes for the force, with v̂ and
// without.
TEST_P(EveryElement, GivesTheStageTheDerivativeOfItsObjective) {
  const double gamma = 0.02;
  const Vector q_p = x.q - gamma * x.v, v_hat = x.v + random_vector(system.dofs(), 0.3, 8);
  const Vector d = random_vector(system.dofs(), 1, 3);
  for (const bool corrected : {false, true}) {
    const StageForm form{gamma, corrected ? view(v_hat) : std::span<const double>{}};
    Vector q, v;
    const auto along = [&](double s) {
      v = x.v + s * d;
      q = q_p + gamma * v;
      return Configuration{0, view(q), view(v), nullptr};
    };
    const double slope = test::derivative(
        [&](double s) {
          const Configuration c = along(s);
          return term.dissipation(c) + term.stage_excess(c, form);
        },
        1e-3);
    const Configuration c = along(0);
    Vector f = test::force_of(term, c, q.size());
    term.add_stage_force(c, form, view(f));
    EXPECT_NEAR(slope, -f.dot(d), 1e-7 * f.norm() * d.norm()) << corrected;
  }
}

// Net force and torque about any point, over the sum of their sizes.
TEST_P(EveryElement, KeepsMomentumWhereItSaysSo) {
  const Vector f = test::force_of(term, {0, view(x.q), view(x.v), nullptr}, x.q.size());
  const test::NetForce net(x.q, f);
  EXPECT_LT(net.force.norm(), 1e-12 * f.norm());
  if (damping().keeps_momentum)
    EXPECT_LT(net.torque.norm(), 1e-12 * net.sizes);
  else
    EXPECT_GT(net.torque.norm(), 1e-4 * net.sizes);
}

TEST_P(EveryElement, IsBlindToTheMotionOfTheWhole) {
  Vector v(system.dofs());
  for (Index n = 0; n < system.nodes(); ++n) v.segment<3>(3 * n) = Vec3(1, -2, 0.5);
  const Vector f = test::force_of(term, {0, view(x.q), view(v), nullptr}, v.size());
  const Vector other = test::force_of(term, {0, view(x.q), view(x.v), nullptr}, v.size());
  EXPECT_LT(f.norm(), 1e-9 * other.norm());
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryElement,
                         testing::Combine(testing::ValuesIn(test::damping_cases()),
                                          testing::Values(ElementType::tet4, ElementType::tet10,
                                                          ElementType::hex8)),
                         [](const auto& info) {
                           return std::get<0>(info.param).name + "_" +
                                  std::string(name_of(std::get<1>(info.param)));
                         });

TEST(Damping, WithPositiveTangentsHasNoNegativeDirection) {
  for (const test::DampingCase& damping : test::damping_cases()) {
    const Model model = make_damped(damping.law, ElementType::tet4);
    const System& system = *model.system;
    const Vector q = system.rest() + random_vector(system.dofs(), 0.4, 4);
    const Vector v = random_vector(system.dofs(), 3, 5);
    BlockMatrix A(system.pattern());
    test::damping_of(system).add_tangent(
        {0, view(q), view(v), nullptr},
        {.stiffness = 1, .damping = 1, .projection = Projection::psd}, A);
    const Eigen::MatrixXd D = test::dense(A);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(D);
    EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-9 * D.norm()) << damping.name;
    EXPECT_LT((D - D.transpose()).norm(), 1e-12 * D.norm()) << damping.name;
  }
}

// Twice the strength is twice the force, element by element where it is given so, and two laws on
// one body add up.
TEST(Damping, AddsUpAndVariesFromElementToElement) {
  DampingLaw field = test::strain_rate_damping();
  field.psi.assign(10, 40);  // 2 cells of five tetrahedra
  field.phi.assign(10, 60);
  const auto force = [](const std::vector<DampingLaw>& laws) {
    const Model model = test::make_beam({.size = Vec3(2, 1, 1),
                                         .cells = {2, 1, 1},
                                         .damping = laws,
                                         .pin_left = false,
                                         .gravity = Vec3::Zero()});
    const System& system = *model.system;
    const Vector q = system.rest() + random_vector(system.dofs(), 0.05, 1);
    const Vector v = random_vector(system.dofs(), 1, 2);
    Vector f = Vector::Zero(system.dofs());
    for (const auto& term : system.terms())
      if (term->kind() == TermKind::dissipation)
        term->add_force({0, view(q), view(v), nullptr}, view(f));
    return f;
  };
  const Vector one = force({test::strain_rate_damping()});
  EXPECT_EQ(force({field}), one);
  EXPECT_LT((force({test::strain_rate_damping(), field}) - 2 * one).norm(), 1e-13 * one.norm());
  field.psi[3] *= 2;
  field.phi[3] *= 2;
  const Vector uneven = force({field}) - one;
  EXPECT_EQ((uneven.array() != 0).count(), 12);  // the nodes of one tetrahedron
}

TEST(Damping, GivesTheSameBitsForAnyNumberOfThreads) {
  const Model model = test::make_beam({.cells = {24, 5, 5},
                                       .damping = {test::conserving(test::rayleigh_damping())},
                                       .gravity = Vec3::Zero()});
  const System& system = *model.system;
  const Vector q = system.rest() + random_vector(system.dofs(), 0.02, 1);
  const Vector v = random_vector(system.dofs(), 1, 2);
  const Configuration c{0, view(q), view(v), nullptr};
  const DissipationTerm& term = test::damping_of(system);
  std::vector<Vector> forces;
  std::vector<double> values;
  for (const int threads : {1, 2, 8})
    test::with_threads(threads, [&] {
      forces.push_back(test::force_of(term, c, v.size()));
      values.push_back(term.dissipation(c));
    });
  EXPECT_EQ(forces[0], forces[1]);
  EXPECT_EQ(forces[0], forces[2]);
  EXPECT_EQ(values[0], values[1]);
  EXPECT_EQ(values[0], values[2]);
}

TEST(Damping, OfPrincipalStrainsIsRefusedWhereThereAreNone) {
  for (const std::string law : {"linear", "orthotropic"}) try {
      test::make_beam({.law = law, .damping = {test::principal_damping()}});
      ADD_FAILURE() << law << " was accepted";
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("principal"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace pliant
