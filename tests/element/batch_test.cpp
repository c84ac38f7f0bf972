// Every law on every shape: patch test, rigid motions, derivatives, projection, threads.
#include <pliant/element/contraction.hpp>
#include <pliant/element/elastic_term.hpp>
#include <pliant/element/shapes.hpp>
#include <pliant/material/laws.hpp>

#include "support/beams.hpp"
#include "support/term_checks.hpp"
#include "support/threads.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::random_vector;

const Vec3 kSize(1.5, 1, 1.2);

struct Sample {
  Mesh mesh;
  std::unique_ptr<ElasticTerm> term;
  std::shared_ptr<const BlockPattern> pattern;
  Vector rest;
};

Sample make_sample(ElementType type, std::string_view law, std::array<Index, 3> cells = {3, 2, 2}) {
  Sample s;
  s.mesh = make_box({.size = kSize,
                     .cells = cells,
                     .element = type == ElementType::hex8 ? type : ElementType::tet4});
  test::shake_interior(s.mesh, kSize, 0.15 / cells[0], 7);
  if (type == ElementType::tet10) s.mesh = make_quadratic(s.mesh);
  ElasticBatchInput input{type, law, s.mesh.blocks[0].nodes, {MaterialConstants{}}};
  s.term = make_elastic(std::move(input), s.mesh.points);
  PatternBuilder builder(s.mesh.point_count());
  s.term->add_stencils(builder);
  s.pattern = std::make_shared<const BlockPattern>(builder.build());
  s.term->locate(s.pattern);
  s.rest.resize(3 * s.mesh.point_count());
  for (Index n = 0; n < s.mesh.point_count(); ++n) s.rest.segment<3>(3 * n) = s.mesh.points[n];
  return s;
}

Vector moved(const Vector& rest, const Mat3& F, const Vec3& shift) {
  Vector q(rest.size());
  for (Eigen::Index n = 0; n < rest.size() / 3; ++n)
    q.segment<3>(3 * n) = F * rest.segment<3>(3 * n) + shift;
  return q;
}

bool interior(const Vec3& x) { return (0.5 * kSize - x.cwiseAbs()).minCoeff() > 1e-9; }

using Case = std::tuple<ElementType, std::string>;
class EveryElement : public testing::TestWithParam<Case> {
 protected:
  ElementType type() const { return std::get<0>(GetParam()); }
  const std::string& law() const { return std::get<1>(GetParam()); }
  Promises promises() const {
    for (const LawInfo& info : law_infos)
      if (info.name == law()) return info.promises;
    return {};
  }
};

TEST_P(EveryElement, PassesThePatchTest) {
  const Sample s = make_sample(type(), law());
  Mat3 F;
  F << 1.1, 0.05, -0.02, 0.03, 0.93, 0.08, -0.06, 0.02, 1.04;
  const Vector q = moved(s.rest, F, Vec3(0.3, -0.2, 0.1)), v = Vector::Zero(q.size());
  const Vector f = test::force_of(*s.term, {0, view(q), view(v), nullptr}, q.size());
  double largest = 0, inside = 0;
  for (Index n = 0; n < s.mesh.point_count(); ++n) {
    largest = std::max(largest, f.segment<3>(3 * n).norm());
    if (interior(s.mesh.points[n])) inside = std::max(inside, f.segment<3>(3 * n).norm());
  }
  EXPECT_GT(largest, 1);
  EXPECT_LT(inside, 1e-11 * largest);
}

TEST_P(EveryElement, RigidMotionsAreFreeOfForce) {
  if (!promises().frame_indifferent && law() == "linear") {
    // The linear law promises no such thing: it must fail here, or the promise is wrong.
    const Sample s = make_sample(type(), law());
    const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    const Vector q = moved(s.rest, R, Vec3::Zero()), v = Vector::Zero(q.size());
    EXPECT_GT(test::force_of(*s.term, {0, view(q), view(v), nullptr}, q.size()).norm(), 1e3);
    return;
  }
  const Sample s = make_sample(type(), law());
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Vector q = moved(s.rest, R, Vec3(0.5, 0.1, 2)), v = Vector::Zero(q.size());
  const Configuration c{0, view(q), view(v), nullptr};
  // 1e5 Pa on faces of a tenth of a square metre are 1e4 N; rounding is 1e-16 of the stiffness.
  EXPECT_LT(test::force_of(*s.term, c, q.size()).norm(), 1e-8);
  EXPECT_LT(std::abs(s.term->potential(c)), 1e-8);
}

TEST_P(EveryElement, ForceAndTangentAreDerivativesOfTheEnergy) {
  const Sample s = make_sample(type(), law());
  test::Point x;
  x.q = s.rest + random_vector(s.rest.size(), 0.03, 11);
  x.v = Vector::Zero(x.q.size());
  StepData step;
  step.lagged.resize(1);
  if (s.term->lags()) {  // frozen at another configuration, as in a step
    const Vector before = s.rest + random_vector(s.rest.size(), 0.03, 12);
    s.term->lag({0, view(before), view(x.v), nullptr}, step.lagged[0]);
    x.step = &step;
  }
  BlockMatrix A(s.pattern);
  for (unsigned seed : {1u, 2u}) {
    const Vector d = random_vector(s.rest.size(), 1, seed);
    test::expect_force_is_gradient(*s.term, x, d, 1e-4, 1e-7);
    test::expect_tangent_is_derivative(*s.term, x, d, 1e-4, 1e-6, A);
  }
}

TEST_P(EveryElement, ForcesOfEnergyAndOfBothTogetherAgree) {
  const Sample s = make_sample(type(), law());
  const Vector q = s.rest + random_vector(s.rest.size(), 0.03, 11), v = Vector::Zero(q.size());
  const Configuration c{0, view(q), view(v), nullptr};
  Vector f = Vector::Zero(q.size());
  const double U = s.term->add_force_and_potential(c, view(f));
  EXPECT_NEAR(U, s.term->potential(c), 1e-12 * std::abs(U));
  EXPECT_EQ(f, test::force_of(*s.term, c, q.size()));
}

TEST_P(EveryElement, TheProjectedTangentIsPositiveSemidefiniteAndAboveThePlainOne) {
  const Sample s = make_sample(type(), law(), {2, 1, 1});
  // Pressed flat: indefinite for the laws that can be.
  const Vector q = moved(s.rest, Vec3(1, 0.55, 1).asDiagonal(), Vec3::Zero()) +
                   random_vector(s.rest.size(), 0.02, 3);
  const Vector v = Vector::Zero(q.size());
  const Configuration c{0, view(q), view(v), nullptr};
  BlockMatrix plain(s.pattern), projected(s.pattern);
  s.term->add_tangent(c, {.stiffness = 1}, plain);
  s.term->add_tangent(c, {.stiffness = 1, .projection = Projection::psd}, projected);
  const Eigen::MatrixXd K = test::dense(plain), P = test::dense(projected);
  EXPECT_LT((K - K.transpose()).norm(), 1e-13 * K.norm());
  const double scale = K.norm();
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(P).eigenvalues().minCoeff(),
            -1e-10 * scale);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(P - K).eigenvalues().minCoeff(),
            -1e-10 * scale);
}

TEST_P(EveryElement, GivesTheSameBitsWithOneTwoAndEightThreads) {
  const Sample s = make_sample(type(), law(), {8, 5, 5});
  const Vector q = s.rest + random_vector(s.rest.size(), 0.005, 21), v = Vector::Zero(q.size());
  const auto evaluate = [&](int threads) {
    BlockMatrix A(s.pattern);
    Vector f = Vector::Zero(q.size());
    double U = 0;
    test::with_threads(threads, [&] {
      const Configuration c{0, view(q), view(v), nullptr};
      U = s.term->add_force_and_potential(c, view(f)) + s.term->potential(c);
      s.term->add_tangent(c, {.stiffness = 1}, A);
    });
    return std::tuple(U, f, std::vector<double>(A.values().begin(), A.values().end()));
  };
  const auto one = evaluate(1);
  EXPECT_TRUE(std::isfinite(std::get<0>(one)));
  EXPECT_TRUE(evaluate(2) == one);
  EXPECT_TRUE(evaluate(8) == one);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const ElementType type : {ElementType::tet4, ElementType::tet10, ElementType::hex8})
    for (const LawInfo& info : law_infos) cases.emplace_back(type, std::string(info.name));
  return cases;
}
INSTANTIATE_TEST_SUITE_P(List, EveryElement, testing::ValuesIn(all_cases()), [](const auto& info) {
  std::string name = std::string(name_of(std::get<0>(info.param))) + "_" + std::get<1>(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(ElasticTerm, HeterogeneousConstantsActElementByElement) {
  const Mesh mesh = make_box({.size = kSize, .cells = {2, 2, 2}});
  std::vector<MaterialConstants> constants(mesh.blocks[0].size());
  for (std::size_t e = 0; e < constants.size(); ++e)
    constants[e].young = 1e4 * (1.0 + static_cast<double>(e));
  const auto mixed =
      make_elastic({ElementType::tet4, "stvk", mesh.blocks[0].nodes, constants}, mesh.points);
  Vector q(3 * mesh.point_count());
  for (Index n = 0; n < mesh.point_count(); ++n) q.segment<3>(3 * n) = 1.1 * mesh.points[n];
  const Vector v = Vector::Zero(q.size());
  double sum = 0;
  for (Index e = 0; e < mesh.blocks[0].size(); ++e) {
    const auto nodes = mesh.blocks[0].element(e);
    const auto single = make_elastic(
        {ElementType::tet4, "stvk", {nodes.begin(), nodes.end()}, {constants[e]}}, mesh.points);
    sum += single->potential({0, view(q), view(v), nullptr});
  }
  EXPECT_GT(sum, 0);
  EXPECT_NEAR(mixed->potential({0, view(q), view(v), nullptr}), sum, 1e-12 * sum);
}

// The projected matrix of a sample by the general contraction of dense tangents.
Eigen::MatrixXd general_matrix(const Sample& s, const Vector& q) {
  const auto parameters = StableNeoHookean::make_parameters({});
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(q.size(), q.size());
  for (Index e = 0; e < s.term->elements(); ++e) {
    const auto nodes = s.mesh.blocks[0].element(e);
    Eigen::Matrix<double, 3, 4> X, x;
    for (int a = 0; a < 4; ++a)
      X.col(a) = s.mesh.points[nodes[a]], x.col(a) = node(view(q), nodes[a]);
    const Mat3 J = X * Tet4::gradients(Vec3::Zero());
    const Eigen::Matrix<double, 3, 4> dN =
        J.inverse().transpose() * Tet4::gradients(Vec3::Zero()).transpose();
    const Mat3 F = x * dN.transpose();
    ElementMatrix<4> K;
    K.set_zero();
    add_contraction<4>(StableNeoHookean::tangent(F, parameters), J.determinant() / 6, dN, K);
    add_contraction<4>(StableNeoHookean::psd_correction(F, parameters), J.determinant() / 6, dN, K);
    for (int a = 0; a < 4; ++a)
      for (int b = a; b < 4; ++b) {
        const Mat3 block = Eigen::Map<const Mat3>(K.block[K.pair(a, b)]);
        A.block<3, 3>(3 * nodes[a], 3 * nodes[b]) += block;
        if (a != b) A.block<3, 3>(3 * nodes[b], 3 * nodes[a]) += block.transpose();
      }
  }
  return A;
}

TEST(Tet4Lanes, EqualTheGeneralContractionAlsoWhereElementsAreInvertedOrFlat) {
  const Sample s = make_sample(ElementType::tet4, "stable-neo-hookean");
  const Vector v = Vector::Zero(s.rest.size());
  const Mat3 flat = Vec3(1.1, 0, 0.9).asDiagonal(), line = Vec3(1.3, 0, 0).asDiagonal();
  const Vector states[] = {s.rest,
                           s.rest + random_vector(s.rest.size(), 0.05, 31),
                           s.rest + random_vector(s.rest.size(), 0.4, 32),
                           moved(s.rest, flat, Vec3::Zero()),
                           moved(s.rest, line, Vec3::Zero()),
                           moved(s.rest, -Mat3::Identity(), Vec3::Zero())};
  for (const Vector& q : states) {
    BlockMatrix A(s.pattern);
    s.term->add_tangent({0, view(q), view(v), nullptr},
                        {.stiffness = 1, .projection = Projection::psd}, A);
    const Eigen::MatrixXd wanted = general_matrix(s, q);
    // Corrections are proportional to eigenvalues known to some roundings of the largest one.
    EXPECT_LT((test::dense(A) - wanted).norm(), 1e-12 * wanted.norm());
  }
}

// The elements of a cell taken apart, so that no two share a node, each with constants of its own.
struct Loose {
  Mesh mesh = make_box({.size = kSize, .cells = {1, 1, 1}});
  std::vector<Vec3> points;
  std::vector<Index> nodes;
  std::vector<MaterialConstants> constants;

  Loose() {
    for (Index e = 0; e < mesh.blocks[0].size(); ++e) {
      for (const Index n : mesh.blocks[0].element(e)) {
        nodes.push_back(static_cast<Index>(points.size()));
        points.push_back(mesh.points[n]);
      }
      constants.emplace_back().young = 1e4 * (1 + e);
    }
  }
  std::tuple<double, Vector, std::vector<double>> evaluate(std::string_view law, std::size_t first,
                                                           std::size_t count, const Vector& q) {
    const auto part = [&](const auto& list, std::size_t stride) {
      const auto begin = list.begin() + static_cast<std::ptrdiff_t>(stride * first);
      return std::decay_t<decltype(list)>(begin,
                                          begin + static_cast<std::ptrdiff_t>(stride * count));
    };
    const auto term =
        make_elastic({ElementType::tet4, law, part(nodes, 4), part(constants, 1)}, points);
    PatternBuilder builder(static_cast<Index>(points.size()));
    builder.add(nodes, 4);
    const auto pattern = std::make_shared<const BlockPattern>(builder.build());
    term->locate(pattern);
    const Vector v = Vector::Zero(q.size());
    const Configuration c{0, view(q), view(v), nullptr};
    Vector f = Vector::Zero(q.size());
    BlockMatrix A(pattern);
    const double U = term->add_force_and_potential(c, view(f));
    term->add_tangent(c, {.stiffness = 1, .projection = Projection::psd}, A);
    return {U, f, {A.values().begin(), A.values().end()}};
  }
};

TEST(Tet4Lanes, GiveAnElementTheSameBitsWhereverItStands) {
  Loose loose;
  const std::size_t count = loose.constants.size();
  ASSERT_EQ(count % kLanes, 1u);  // the last one stands alone
  for (const double size : {0.01, 0.2}) {
    Vector q = random_vector(static_cast<Eigen::Index>(3 * loose.points.size()), size, 41);
    for (std::size_t n = 0; n < loose.points.size(); ++n)
      q.segment<3>(static_cast<Eigen::Index>(3 * n)) += loose.points[n];
    for (const std::string_view law : {"stable-neo-hookean", "neo-hookean"}) {
      const auto all = loose.evaluate(law, 0, count, q);
      double energy = 0;
      Vector force = Vector::Zero(q.size());
      std::vector<double> matrix(std::get<2>(all).size());
      for (std::size_t e = 0; e < count; ++e) {
        const auto [U, f, A] = loose.evaluate(law, e, 1, q);
        energy += U;
        force += f;
        for (std::size_t i = 0; i < A.size(); ++i) matrix[i] += A[i];
      }
      EXPECT_EQ(std::get<0>(all), energy);
      EXPECT_EQ(std::get<1>(all), force);
      EXPECT_EQ(std::get<2>(all), matrix);
      EXPECT_GT(force.norm(), 1);
    }
  }
}

TEST(ElasticTerm, OfNoElementsHasNoExtremes) {
  const std::vector<Vec3> points(4, Vec3::Zero());
  const auto term =
      make_elastic({ElementType::tet4, "stable-neo-hookean", {}, {MaterialConstants{}}}, points);
  const Vector q = Vector::Zero(12);
  const DeformationExtremes extremes = term->extremes({0, view(q), view(q), nullptr});
  EXPECT_EQ(extremes.inverted, 0);
  EXPECT_EQ(extremes.min_det, std::numeric_limits<double>::infinity());
}

TEST(ElasticTerm, CountsInvertedElementsAndFindsTheSmallestDeterminant) {
  const Sample s = make_sample(ElementType::tet4, "stable-neo-hookean");
  const Vector v = Vector::Zero(s.rest.size());
  const Vector mirrored = moved(s.rest, Vec3(1, -0.5, 1).asDiagonal(), Vec3::Zero());
  const DeformationExtremes extremes = s.term->extremes({0, view(mirrored), view(v), nullptr});
  EXPECT_NEAR(extremes.min_det, -0.5, 1e-12);
  EXPECT_EQ(extremes.inverted, s.term->elements());
  EXPECT_EQ(s.term->extremes({0, view(s.rest), view(v), nullptr}).inverted, 0);
  std::vector<double> det(static_cast<std::size_t>(s.term->elements()));
  s.term->smallest_det({0, view(mirrored), view(v), nullptr}, det);
  for (const double one : det) EXPECT_NEAR(one, -0.5, 1e-12);
}

TEST(ElasticTerm, StressOfAStretchedBarIsYoungTimesStrain) {
  const Sample s = make_sample(ElementType::hex8, "linear");
  const double strain = 1e-6, poisson = 0.4, young = 1e5;
  const Vec3 stretch(1 + strain, 1 - poisson * strain, 1 - poisson * strain);
  const Vector q = moved(s.rest, stretch.asDiagonal(), Vec3::Zero()), v = Vector::Zero(q.size());
  std::vector<double> stress(s.term->elements());
  s.term->von_mises({0, view(q), view(v), nullptr}, stress);
  for (const double sigma : stress) EXPECT_NEAR(sigma, young * strain, 1e-5 * young * strain);
}

}  // namespace
}  // namespace pliant
