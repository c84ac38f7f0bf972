// A law that a program brings along is the law of the list where it computes the same.
#include <pliant/element/custom_batch.hpp>

#include <pliant/material/laws.hpp>

#include "support/beams.hpp"
#include "support/term_checks.hpp"
#include "support/threads.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::random_vector;

// A law of the list, point by point; its tangent by differences where that is wanted.
template <class L>
class Listed final : public BatchLaw {
 public:
  explicit Listed(bool differences) : differences_(differences) {}
  std::string_view name() const override { return L::name; }
  bool needs_positive_det() const override { return L::promises.needs_positive_det; }
  void energy(std::span<const double> F, std::span<double> psi) const override {
    for (std::size_t p = 0; p < psi.size(); ++p) psi[p] = L::energy(at(F, p), parameters_);
  }
  void stress(std::span<const double> F, std::span<double> P) const override {
    for (std::size_t p = 0; p < P.size() / 9; ++p)
      Eigen::Map<Mat3>(P.data() + 9 * p) = L::stress(at(F, p), parameters_);
  }
  void tangent(std::span<const double> F, std::span<double> C) const override {
    if (differences_) return BatchLaw::tangent(F, C);
    for (std::size_t p = 0; p < F.size() / 9; ++p)
      Eigen::Map<Mat9>(C.data() + 81 * p) = L::tangent(at(F, p), parameters_);
  }

 private:
  static Mat3 at(std::span<const double> F, std::size_t p) {
    return Eigen::Map<const Mat3>(F.data() + 9 * p);
  }
  bool differences_;
  typename L::Parameters parameters_ = L::make_parameters(MaterialConstants{});
};

struct Pair {  // the law of the list, and the same brought along
  std::unique_ptr<ElasticTerm> listed, custom;
  std::shared_ptr<const BlockPattern> pattern;
  Vector q, v;
  Configuration c() const { return {0, view(q), view(v), nullptr}; }
};

template <class L>
Pair make_pair(ElementType type, bool differences) {
  Mesh mesh =
      make_box({.size = Vec3(1.5, 1, 1.2),
                .cells = {3, 2, 2},
                .element = type == ElementType::hex8 ? ElementType::hex8 : ElementType::tet4});
  if (type == ElementType::tet10) mesh = make_quadratic(mesh);
  const ElasticBatchInput input{type, L::name, mesh.blocks[0].nodes, {MaterialConstants{}}};
  Pair pair{make_elastic(input, mesh.points),
            make_custom_elastic(input, std::make_shared<Listed<L>>(differences), mesh.points),
            {},
            Vector(3 * mesh.point_count()),
            Vector::Zero(3 * mesh.point_count())};
  PatternBuilder builder(mesh.point_count());
  pair.custom->add_stencils(builder);
  pair.pattern = std::make_shared<const BlockPattern>(builder.build());
  pair.listed->locate(pair.pattern);
  pair.custom->locate(pair.pattern);
  for (Index n = 0; n < mesh.point_count(); ++n) pair.q.segment<3>(3 * n) = mesh.points[n];
  pair.q += random_vector(pair.q.size(), 0.05, 3);
  return pair;
}

BlockMatrix tangent_of(const Term& term, const Pair& pair, Projection projection) {
  BlockMatrix A(pair.pattern);
  A.set_zero();
  term.add_tangent(pair.c(), {.stiffness = 1, .projection = projection}, A);
  return A;
}

double difference(const BlockMatrix& a, const BlockMatrix& b) {
  return (as_vector(a.values()) - as_vector(b.values())).norm() / as_vector(b.values()).norm();
}

template <class L>
void expect_the_same(ElementType type, bool differences) {
  const Pair pair = make_pair<L>(type, differences);
  const Eigen::Index n = pair.q.size();
  const Vector wanted = test::force_of(*pair.listed, pair.c(), n);
  EXPECT_GT(wanted.norm(), 1);
  EXPECT_LT((test::force_of(*pair.custom, pair.c(), n) - wanted).norm(), 1e-12 * wanted.norm());
  const double U = pair.listed->potential(pair.c());
  EXPECT_NEAR(pair.custom->potential(pair.c()), U, 1e-12 * U);
  const double tolerance = differences ? 1e-8 : 1e-12;
  for (const Projection projection : {Projection::none, Projection::psd})
    EXPECT_LT(difference(tangent_of(*pair.custom, pair, projection),
                         tangent_of(*pair.listed, pair, projection)),
              tolerance);
  const auto elements = static_cast<std::size_t>(pair.listed->elements());
  std::vector<double> ours(elements), theirs(elements);
  pair.custom->von_mises(pair.c(), ours);
  pair.listed->von_mises(pair.c(), theirs);
  for (std::size_t e = 0; e < elements; ++e) EXPECT_NEAR(ours[e], theirs[e], 1e-9 * theirs[e]);
  EXPECT_EQ(pair.custom->extremes(pair.c()).min_det, pair.listed->extremes(pair.c()).min_det);
}

TEST(CustomBatch, IsTheLawOfTheListThatItComputes) {
  for (const ElementType type : {ElementType::tet4, ElementType::tet10, ElementType::hex8})
    for (const bool differences : {false, true}) {
      expect_the_same<Stvk>(type, differences);
      expect_the_same<StableNeoHookean>(type, differences);
      expect_the_same<NeoHookean>(type, differences);
    }
}

TEST(CustomBatch, ForcesAndTangentsAreDerivatives) {
  const Pair pair = make_pair<StableNeoHookean>(ElementType::hex8, true);
  const test::Point x{0, pair.q, pair.v};
  const Vector d = random_vector(pair.q.size(), 1, 5);
  test::expect_force_is_gradient(*pair.custom, x, d, 1e-4, 1e-8);
  BlockMatrix A(pair.pattern);
  test::expect_tangent_is_derivative(*pair.custom, x, d, 1e-4, 1e-7, A);
}

TEST(CustomBatch, DoesNotDependOnTheNumberOfThreads) {
  const Pair pair = make_pair<Stvk>(ElementType::tet4, false);
  Vector one, four;
  test::with_threads(1, [&] { one = test::force_of(*pair.custom, pair.c(), pair.q.size()); });
  test::with_threads(4, [&] { four = test::force_of(*pair.custom, pair.c(), pair.q.size()); });
  EXPECT_EQ(one, four);
}

TEST(CustomBatch, RefusesOtherShapes) {
  const std::vector<Vec3> rest = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  EXPECT_ANY_THROW(make_custom_elastic({ElementType::tri3, "stvk", {0, 1, 2}, {}},
                                       std::make_shared<Listed<Stvk>>(false), rest));
}

}  // namespace
}  // namespace pliant
