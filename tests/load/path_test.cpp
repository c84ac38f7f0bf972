// Springs, tendons and muscles along paths: derivatives at random and degenerate states, tensions
// by their laws, and motions that theory knows.
#include <pliant/dissipation/path_damping.hpp>
#include <pliant/load/path_force.hpp>

#include "integrate/rigid_bodies.hpp"
#include "load/path_laws.hpp"
#include "support/beams.hpp"
#include "support/term_checks.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

namespace pliant {
namespace {

using test::constant;
using test::elastic_tendon;
using test::flat;
using test::muscle;
using test::pulling;
using test::ramp;
using test::random_vector;
using test::spring;

// Two bars, one above the other, and a rigid box; paths through all of them and the world.
struct PathFixture {
  static std::vector<PathPoint> points(std::span<const Body> bodies) {
    return {{bodies[0].find(Vec3(-0.7, 0.1, 0.2)).point, {}},
            {bodies[0].find(Vec3(0.6, -0.2, 0.1)).point, {}},
            {{}, Vec3(1.5, 0.7, 0)},
            {bodies[1].find(Vec3(0.3, 2.1, 0)).point, {}},
            {bodies[2].find(Vec3(3.1, 0.1, 0.2)).point, {}}};
  }

  explicit PathFixture(const std::vector<PathLaw>& laws) {
    std::vector<SolidInput> solids;
    for (const double y : {0.0, 2.0}) {
      SolidInput solid;
      solid.name = y == 0 ? "low" : "high";
      solid.mesh = make_box({Vec3(2, 1, 1), {2, 1, 1}, ElementType::tet4});
      for (Vec3& x : solid.mesh.points) x.y() += y;
      MaterialConstants constants;
      constants.young = 1e5, constants.poisson = 0.3, constants.density = 1000;
      solid.materials = {{"stable-neo-hookean", constants}};
      solids.push_back(solid);
    }
    solids.push_back(
        fixtures::rigid_box(Vec3(0.6, 0.5, 0.4), Vec3(3, 0, 0), RigidFormulation::affine));
    model = make_model(solids, {}, [&](std::span<const Body> bodies, std::span<const Vec3> rest) {
      std::vector<Path> paths;
      for (const PathLaw& law : laws) paths.emplace_back(points(bodies), law, flat(rest));
      std::vector<std::unique_ptr<Term>> terms;
      terms.push_back(std::make_unique<PathForce>(TermKind::external, paths));
      terms.push_back(std::make_unique<PathDamping>(paths));
      force = terms[0].get(), damping = terms[1].get();
      return terms;
    });
  }
  test::Point point(double shake = 0.2) const {
    const System& system = *model.system;
    return {0.3, system.rest() + random_vector(system.dofs(), shake, 1),
            random_vector(system.dofs(), 1, 2), nullptr};
  }

  Model model;
  const Term *force = nullptr, *damping = nullptr;
};

double rest_length() {
  const PathFixture f({spring(1, 1)});
  return Path(PathFixture::points(f.model.bodies), spring(1, 1), view(f.model.system->rest()))
      .law()
      .rest;
}

std::vector<PathLaw> all_laws() {
  const double L = rest_length();
  return {spring(300, 0.8 * L, 20), pulling(ramp(40, 90), 5),
          elastic_tendon(500, ramp(0.7 * L, 0.5 * L), 15), muscle(200, ramp(0.2, 1), 0.8 * L, 150),
          muscle(200, constant(0.6), 1.3 * L, 0)};
}

TEST(Path, HasTheLengthOfItsSegments) {
  const std::array<PathPoint, 3> points = {
      {{MappedPoint::of_node(0), {}}, {{}, Vec3(3, 4, 0)}, {MappedPoint::of_node(1), {}}}};
  const Vector q{{0, 0, 0, 3, 4, 12}};
  EXPECT_NEAR(Path(points, spring(1, 1), view(q)).law().rest, 17, 1e-12);
  EXPECT_NEAR(Path(points, spring(1, 1), view(q)).length(view(q)), 17, 17e-9);
}

TEST(PathForce, HasItsForceAndTangent) {
  for (const PathLaw& law : all_laws()) {
    const PathFixture f({law});
    const test::Point x = f.point();
    const Vector d = random_vector(x.q.size(), 1, 5);
    test::expect_force_is_gradient(*f.force, x, d, 1e-3, 1e-7);
    BlockMatrix A(f.model.system->pattern());
    test::expect_tangent_is_derivative(*f.force, x, d, 1e-3, 1e-6, A);
    const Eigen::MatrixXd K = test::dense(A);
    EXPECT_LT((K - K.transpose()).norm(), 1e-12 * K.norm());
  }
}

TEST(PathForce, ProjectedHasNoNegativeDirection) {
  const double L = rest_length();
  // Pressed together, and past the best length: both parts of the tangent are negative.
  for (const PathLaw& law : {spring(300, 3 * L), muscle(200, constant(1), 0.8 * L, 0)}) {
    const PathFixture f({law});
    const test::Point x = f.point();
    const Configuration c{x.t, view(x.q), view(x.v), nullptr};
    BlockMatrix A(f.model.system->pattern()), B(f.model.system->pattern());
    f.force->add_tangent(c, {.stiffness = 1}, A);
    f.force->add_tangent(c, {.stiffness = 1, .projection = Projection::psd}, B);
    const auto least = [](const BlockMatrix& M) {
      return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(test::dense(M)).eigenvalues()[0];
    };
    EXPECT_LT(least(A), -1);
    EXPECT_GT(least(B), -1e-9 * test::dense(B).norm());
    EXPECT_GT(test::dense(B).norm(), 1);
  }
}

// Two points of the path in one place, and a step of differences that sees how it is rounded there.
TEST(PathForce, HasItsDerivativesWherePointsMeet) {
  const std::array<PathPoint, 3> points = {
      {{MappedPoint::of_node(0), {}}, {MappedPoint::of_node(1), {}}, {{}, Vec3(0, 2, 0)}}};
  const Vector rest{{0, 0, 0, 1, 0, 0}};
  Vector met{{0.5, 0.5, 0, 0.5, 0.5, 0}};
  PatternBuilder builder(2);
  builder.add(std::array<Index, 2>{0, 1}, 2);
  const auto pattern = std::make_shared<const BlockPattern>(builder.build());
  for (const PathLaw& law : {spring(10, 2), pulling(constant(5)), elastic_tendon(9, constant(1))}) {
    PathForce force(TermKind::elastic, {Path(points, law, view(rest))});
    force.locate(pattern);
    const test::Point x{0, met, Vector::Zero(6), nullptr};
    BlockMatrix A(pattern);
    const Vector d = random_vector(6, 1, 3);
    test::expect_force_is_gradient(force, x, d, 1e-6, 1e-4);
    test::expect_tangent_is_derivative(force, x, d, 1e-6, 1e-3, A);
    EXPECT_TRUE(test::dense(A).allFinite());
  }
}

TEST(PathForce, OfASpringWithoutLengthIsQuadratic) {
  const std::array<PathPoint, 2> points = {{{MappedPoint::of_node(0), {}}, {{}, Vec3(1, 2, 3)}}};
  Vector q{{1, 2, 3}};
  PatternBuilder builder(1);
  PathForce force(TermKind::elastic, {Path(points, spring(40, 0), view(q))});
  const auto pattern = std::make_shared<const BlockPattern>(builder.build());
  force.locate(pattern);
  const Vector v = Vector::Zero(3);
  BlockMatrix A(pattern);
  force.add_tangent({0, view(q), view(v), nullptr}, {.stiffness = 1}, A);
  EXPECT_LT((test::dense(A) - 40 * Mat3::Identity()).norm(), 1e-9);
  q[1] += 0.5;
  const Vector f = test::force_of(force, {0, view(q), view(v), nullptr}, 3);
  EXPECT_LT((f - Vec3(0, -20, 0)).norm(), 1e-9);
}

TEST(PathForce, PullsWithTheTensionOfItsLaw) {
  const double L = 2;
  const PathLaw best = muscle(120, constant(1), L, 0);
  EXPECT_DOUBLE_EQ(tension_of(best, 0, L).tension, 120);
  EXPECT_NEAR(tension_of(best, 0, 1.45 * L).tension, 120 * std::exp(-1), 1e-9);
  EXPECT_EQ(tension_of(muscle(120, constant(0), L, 0), 0, L).tension, 0);
  EXPECT_DOUBLE_EQ(tension_of(muscle(120, constant(0), L, 70), 0, 2 * L).tension, 70);
  EXPECT_EQ(tension_of(elastic_tendon(50, constant(L)), 0, 0.9 * L).tension, 0);
  EXPECT_NEAR(tension_of(elastic_tendon(50, constant(L)), 0, 1.1 * L).tension, 10, 1e-12);
  EXPECT_NEAR(tension_of(elastic_tendon(50, ramp(L, 0)), 0.5, L).tension, 50, 1e-12);
  EXPECT_NEAR(tension_of(spring(50, L), 0, 0.9 * L).tension, -10, 1e-12);
  EXPECT_EQ(tension_of(pulling(ramp(0, 8)), 0.25, 7).tension, 2);
}

TEST(PathForce, OfTensionsAndMusclesHasNoEnergyInTheUndeformedState) {
  const double L = rest_length();
  const PathFixture f({pulling(constant(80)), muscle(100, constant(1), 0.7 * L, 50)});
  const Vector v = Vector::Zero(f.model.system->dofs());
  EXPECT_NEAR(f.force->potential({0, view(f.model.system->rest()), view(v), nullptr}), 0, 1e-6);
}

TEST(PathDamping, HasItsForceAndTangents) {
  const double L = rest_length();
  std::vector<PathLaw> laws = all_laws();
  laws.push_back(elastic_tendon(500, constant(0.99999 * L), 15));  // where damping sets in
  for (const PathLaw& law : laws) {
    if (law.damping == 0) continue;
    for (const double pace : {1.0, -1.0, -60.0}) {
      const PathFixture f({law});
      test::Point x = f.point(law.drive.constant() && law.kind != PathKind::spring ? 1e-4 : 0.2);
      const Path path(PathFixture::points(f.model.bodies), law, view(f.model.system->rest()));
      // Along the path, so that it becomes longer or shorter.
      Vector g = Vector::Zero(x.q.size());
      path.add_gradient(view(x.q), 1, view(g));
      x.v = 0.02 * x.v + pace * g;
      const Vector d = random_vector(x.q.size(), 1, 5);
      test::expect_force_is_gradient(*f.damping, x, d, 1e-3, 1e-6, true);
      BlockMatrix A(f.model.system->pattern());
      const double h = 1e-6;
      if (viscous_tension_of(law, x.t, path.length(view(x.q)), path.rate(view(x.q), view(x.v)))
              .by_rate > 0)
        test::expect_tangent_is_derivative(*f.damping, x, d, 1e-3, 1e-6, A, true);
      test::expect_tangent_is_derivative(*f.damping, x, d, h, 1e-5, A);
    }
  }
}

// f of the stage −= γ (∂R/∂q(v) − ∂R/∂q(v̂)), against differences of its excess.
TEST(PathDamping, HasAStageFormThatIsItsDerivative) {
  const double L = rest_length();
  for (const PathLaw& law : {spring(300, 0.8 * L, 20), elastic_tendon(50, constant(0.7 * L), 30)}) {
    const PathFixture f({law});
    const auto& damping = dynamic_cast<const DissipationTerm&>(*f.damping);
    const test::Point x = f.point();
    const Vector v_hat = random_vector(x.q.size(), 1, 9), d = random_vector(x.q.size(), 1, 5);
    const StageForm form{0.01, view(v_hat)};
    Vector q, v;
    const double slope = test::derivative(
        [&](double s) {
          const Configuration c = x.along(q, v, d, s, false);
          return damping.dissipation(c) + damping.stage_excess(c, form);
        },
        1e-4);
    Vector force = Vector::Zero(x.q.size());
    damping.add_stage_force(x.along(q, v, d, 0, false), form, view(force));
    EXPECT_NEAR(0.01 * slope, -force.dot(d), 1e-7 * std::abs(force.dot(d)));
    EXPECT_NE(force.dot(d), 0);
    BlockMatrix A(f.model.system->pattern());
    damping.add_stage_tangent(x.along(q, v, d, 0, false), form, {.damping = 1}, A);
    const Vector wanted = -test::derivative(
        [&](double s) {
          Vector out = Vector::Zero(x.q.size());
          damping.add_stage_force(x.along(q, v, d, s, true), form, view(out));
          return out;
        },
        1e-4);
    Vector product(x.q.size());
    A.multiply(view(d), view(product));
    EXPECT_LT((product - wanted).norm(), 1e-6 * wanted.norm());
  }
}

TEST(PathDamping, NeverMakesATendonPush) {
  const double L = 1;
  for (const double rate : {-50.0, -1.0, 0.0, 3.0})
    for (const double length : {0.5, 0.999, 1.0001, 1.01, 1.2}) {
      const PathLaw law = elastic_tendon(100, constant(L), 40);
      const double T =
          tension_of(law, 0, length).tension + viscous_tension_of(law, 0, length, rate).tension;
      EXPECT_GE(T, 0);
      if (length < L) {
        EXPECT_EQ(T, 0);
      }
    }
  EXPECT_NEAR(viscous_tension_of(elastic_tendon(100, constant(L), 40), 0, 1.2, 0.1).tension, 4,
              1e-12);
}

TEST(PathForce, BetweenBodiesKeepsMomentum) {
  const double L = rest_length();
  const auto among_bodies = [](std::span<const Body> bodies) {
    return std::array<PathPoint, 3>{{{bodies[0].find(Vec3(-0.7, 0.1, 0.2)).point, {}},
                                     {bodies[1].find(Vec3(0.3, 2.1, 0)).point, {}},
                                     {bodies[2].find(Vec3(3.1, 0.1, 0.2)).point, {}}}};
  };
  const PathFixture f({spring(1, L)});
  for (const PathLaw& law : all_laws()) {
    const Path path(among_bodies(f.model.bodies), law, view(f.model.system->rest()));
    const PathForce force(TermKind::elastic, {path});
    const PathDamping damping({path});
    const test::Point x = f.point();
    const Configuration c{x.t, view(x.q), view(x.v), nullptr};
    for (const Term* term :
         {static_cast<const Term*>(&force), static_cast<const Term*>(&damping)}) {
      const Vector out = test::force_of(*term, c, x.q.size());
      Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
      for (Index n = 0; n < f.model.system->nodes(); ++n) {
        sum += out.segment<3>(3 * n);
        moment += x.q.segment<3>(3 * n).cross(out.segment<3>(3 * n));
      }
      EXPECT_LT(sum.norm(), 1e-12 * (1 + out.norm()));
      EXPECT_LT(moment.norm(), 1e-11 * (1 + out.norm()));
      if (term == &force) {
        EXPECT_GT(out.norm(), 1);
      }
    }
  }
}

}  // namespace
}  // namespace pliant
