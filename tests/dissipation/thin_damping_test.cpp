// Damping of cloth and cables by the rate of strain: values that can be worked out by hand,
// derivatives, momentum, and what is refused.
#include <pliant/body/solid.hpp>
#include <pliant/core/error.hpp>
#include <pliant/mesh/generators.hpp>

#include "dissipation/damping_cases.hpp"
#include "dissipation/damping_checks.hpp"
#include "support/beams.hpp"

#include <numbers>

namespace pliant {
namespace {

using test::random_vector;

constexpr double kDepth = 0.01;  // m, thickness or radius

Model make_thin_body(Mesh mesh, std::vector<DampingLaw> damping) {
  SolidInput solid;
  solid.name = "thin";
  solid.mesh = std::move(mesh);
  solid.materials = {{"stvk", {}}};
  solid.thin = ThinInput{kDepth, 0.0};
  solid.damping = std::move(damping);
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  return make_model(std::move(solids));
}

Mesh sheet(ElementType type) {
  Mesh mesh = make_sheet({{1.2, 0.8}, {3, 2}, type});
  for (Vec3& x : mesh.points) x.y() = 0.1 * x.x() * x.x();  // not flat at rest
  return mesh;
}
Mesh rope() { return make_cable({Vec3(-1, 0.2, 0), Vec3(1, 0, 0.5), 6}); }

class ThinDamping : public testing::TestWithParam<std::tuple<test::DampingCase, ElementType>> {
 protected:
  static Mesh mesh() {
    const ElementType type = std::get<1>(GetParam());
    return type == ElementType::segment2 ? rope() : sheet(type);
  }
  Model model = make_thin_body(mesh(), {std::get<0>(GetParam()).law});
  const System& system = *model.system;
  const DissipationTerm& term = test::damping_of(system);
  test::Point x{0, 1.2 * system.rest() + random_vector(system.dofs(), 0.02, 1),
                random_vector(system.dofs(), 1, 2), nullptr};
};

TEST_P(ThinDamping, HasForceAndTangentsThatAreDerivatives) {
  test::expect_damping_has_derivatives(term, system, x);
}

TEST_P(ThinDamping, MakesNeitherForceNorTorqueAndNeverDrives) {
  const Configuration c{0, view(x.q), view(x.v), nullptr};
  const Vector f = test::force_of(term, c, x.q.size());
  const test::NetForce net(x.q, f);
  EXPECT_GT(f.norm(), 0);
  EXPECT_LT(net.force.norm(), 1e-12 * f.norm());
  EXPECT_LT(net.torque.norm(), 1e-12 * net.sizes);
  EXPECT_LT(f.dot(x.v), 0);
  EXPECT_GT(term.dissipation(c), 0);
}

std::vector<test::DampingCase> thin_cases() {
  std::vector<test::DampingCase> out;
  for (test::DampingCase& damping : test::damping_cases())
    if (damping.law.base == DampingLaw::Base::strain_rate) out.push_back(std::move(damping));
  return out;
}

INSTANTIATE_TEST_SUITE_P(Cases, ThinDamping,
                         testing::Combine(testing::ValuesIn(thin_cases()),
                                          testing::Values(ElementType::segment2, ElementType::tri3,
                                                          ElementType::quad4)),
                         [](const auto& info) {
                           return std::get<0>(info.param).name + "_" +
                                  std::string(name_of(std::get<1>(info.param)));
                         });

// A cable stretched to λ that gets longer at the rate λ̇: Ė = λ λ̇ along it, R = (ψ + φ/2) Ė² V.
TEST(ThinDampingValues, OfAStretchedCableIsThatOfItsLength) {
  const double psi = 40, phi = 60, stretch = 1.3, rate = 0.7;
  const Model model = make_thin_body(rope(), {test::strain_rate_damping(psi, phi)});
  const System& system = *model.system;
  const Vector q = stretch * system.rest(), v = rate * system.rest();
  const double length = (Vec3(1, 0, 0.5) - Vec3(-1, 0.2, 0)).norm();
  const double volume = std::numbers::pi * kDepth * kDepth * length, E = stretch * rate;
  EXPECT_NEAR(test::damping_of(system).dissipation({0, view(q), view(v), nullptr}),
              (psi + 0.5 * phi) * E * E * volume, 1e-12);
}

// A sheet stretched alike in both directions: Ė = λ λ̇ I in the sheet, tr Ė = 2 λ λ̇.
TEST(ThinDampingValues, OfAStretchedSheetIsThatOfItsTwoDirections) {
  const double psi = 40, phi = 60, stretch = 0.8, rate = -0.4, E = stretch * rate;
  for (const ElementType type : {ElementType::tri3, ElementType::quad4}) {
    const Model model = make_thin_body(make_sheet({{1.2, 0.8}, {3, 2}, type}),
                                       {test::strain_rate_damping(psi, phi)});
    const System& system = *model.system;
    const Vector q = stretch * system.rest(), v = rate * system.rest();
    EXPECT_NEAR(test::damping_of(system).dissipation({0, view(q), view(v), nullptr}),
                (2 * psi + 2 * phi) * E * E * 1.2 * 0.8 * kDepth, 1e-12);
  }
}

// A curve over strain looks at the stretches of the sheet, not across it, where there is none.
TEST(ThinDampingValues, ACurveOverStrainDoesNotLookAcrossTheSheet) {
  DampingLaw law = test::strain_rate_damping();
  const std::vector<SplineCurve::Knot> knots = {{0.5, 100}, {0.9, 1}, {2, 1}};
  law.over.over_strain = std::make_shared<const FactorCurve>(knots, "knots");
  for (const Mesh& mesh : {sheet(ElementType::tri3), rope()}) {
    const Model with = make_thin_body(mesh, {law}),
                without = make_thin_body(mesh, {test::strain_rate_damping()});
    const Vector q = 1.2 * with.system->rest(), v = with.system->rest();
    const Configuration c{0, view(q), view(v), nullptr};
    EXPECT_NEAR(test::damping_of(*with.system).dissipation(c),
                test::damping_of(*without.system).dissipation(c), 1e-12);
  }
}

TEST(ThinDampingValues, WhatNeedsALawOfSolidsIsRefusedInWords) {
  for (const DampingLaw& law : {test::principal_damping(), test::rayleigh_damping()})
    for (const Mesh& mesh : {sheet(ElementType::tri3), rope()}) try {
        make_thin_body(mesh, {law});
        ADD_FAILURE() << "was accepted";
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("acts on solids alone"), std::string::npos)
            << error.what();
      }
}

}  // namespace
}  // namespace pliant
