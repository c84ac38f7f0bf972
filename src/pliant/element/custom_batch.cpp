#include <pliant/element/custom_batch.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/symmetric.hpp>
#include <pliant/element/contraction.hpp>
#include <pliant/element/rest_geometry.hpp>
#include <pliant/material/stress_measures.hpp>
#include <pliant/sparse/assembly_plan.hpp>

#include <cmath>

namespace pliant {
namespace {

// The nearest symmetric positive semi-definite matrix: a law of which nothing is known has no
// shorter way to it.
Mat9 positive_tangent_of(const Mat9& C) { return positive_part<Mat9>(0.5 * (C + C.transpose())); }

// Deformation gradients of all points are gathered first, then the law is asked once, then its
// answers are spread: what is parallel is ours.
template <Shape S>
class CustomBatch final : public ElasticTerm {
 public:
  static constexpr int N = S::nodes, G = S::points;

  CustomBatch(std::vector<Index> connectivity, std::shared_ptr<const BatchLaw> law,
              std::span<const Vec3> rest)
      : law_(std::move(law)),
        name_(law_->name()),
        count_(connectivity.size() / N),
        connectivity_(std::move(connectivity)),
        at_rest_(connectivity_, rest),
        plan_(connectivity_, N, static_cast<Index>(rest.size())) {}

  std::string_view name() const override { return name_; }
  Index elements() const override { return static_cast<Index>(count_); }
  std::span<const Index> connectivity() const override { return connectivity_; }
  bool needs_positive_det() const override { return law_->needs_positive_det(); }
  void add_stencils(PatternBuilder& builder) const override { builder.add(connectivity_, N); }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override {
    plan_.locate(connectivity_, *pattern);
  }

  double potential(const Configuration& c) const override { return energy(deformations(c.q)); }
  void add_force(const Configuration& c, std::span<double> f) const override {
    add_force(deformations(c.q), f);
  }
  double add_force_and_potential(const Configuration& c, std::span<double> f) const override {
    const std::vector<double> F = deformations(c.q);
    add_force(F, f);
    return energy(F);
  }
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override {
    if (tangent.stiffness == 0) return;
    const std::vector<double> F = deformations(c.q);
    std::vector<double> C(9 * F.size());
    law_->tangent(F, C);
    plan_.for_each_element([&](std::size_t e) {
      ElementMatrix<N> K;
      K.set_zero();
      for (int g = 0; g < G; ++g) {
        const Eigen::Map<const Mat9> own(C.data() + 81 * (e * G + g));
        // Differences are not quite symmetric, and a matrix of stiffness is scattered as such.
        const Mat9 even = tangent.projection == Projection::psd
                              ? positive_tangent_of(own)
                              : Mat9(0.5 * (own + own.transpose()));
        add_contraction<N>(even, tangent.stiffness * at_rest_.weight(e, g),
                           at_rest_.gradients(e, g), K);
      }
      scatter(K, plan_.blocks(e), A);
    });
  }

  void von_mises(const Configuration& c, std::span<double> out) const override {
    const std::vector<double> F = deformations(c.q);
    std::vector<double> P(F.size());
    law_->stress(F, P);
    parallel_for_each(count_, 256, [&](std::size_t e) {
      double sum = 0, volume = 0;
      for (int g = 0; g < G; ++g) {
        const double w = at_rest_.weight(e, g);
        sum += w * pliant::von_mises(cauchy_from_first_piola(at(F, e, g), at(P, e, g)));
        volume += w;
      }
      out[e] = sum / volume;
    });
  }
  void smallest_det(const Configuration& c, std::span<double> out) const override {
    const std::vector<double> F = deformations(c.q);
    parallel_for_each(count_, 256, [&](std::size_t e) {
      out[e] = std::numeric_limits<double>::infinity();
      for (int g = 0; g < G; ++g) out[e] = std::min(out[e], at(F, e, g).determinant());
    });
  }
  DeformationExtremes extremes(const Configuration& c) const override {
    std::vector<double> det(count_);
    smallest_det(c, det);
    DeformationExtremes result;
    for (const double smallest : det) {
      result.min_det = std::min(result.min_det, smallest);
      result.inverted += smallest <= 0;
    }
    return result;
  }

 private:
  static Mat3 at(std::span<const double> all, std::size_t e, int g) {
    return Eigen::Map<const Mat3>(all.data() + 9 * (e * G + static_cast<std::size_t>(g)));
  }
  // F = Σ_a x_a ⊗ ∇N_a at every point.
  std::vector<double> deformations(std::span<const double> q) const {
    std::vector<double> F(9 * G * count_);
    parallel_for_each(count_, 256, [&](std::size_t e) {
      const auto x = gather<S>(connectivity_, e, q);
      for (int g = 0; g < G; ++g)
        Eigen::Map<Mat3>(F.data() + 9 * (e * G + static_cast<std::size_t>(g))) =
            x * at_rest_.gradients(e, g).transpose();
    });
    return F;
  }
  double energy(std::span<const double> F) const {
    std::vector<double> psi(F.size() / 9);
    law_->energy(F, psi);
    const double* w = at_rest_.all_weights();
    return parallel_sum(psi.size(), 1024, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t k = begin; k < end; ++k) sum += w[k] * psi[k];
      return sum;
    });
  }
  // −∂U/∂x_a = −Σ_g w P ∇N_a
  void add_force(std::span<const double> F, std::span<double> f) const {
    std::vector<double> P(F.size());
    law_->stress(F, P);
    plan_.for_each_element([&](std::size_t e) {
      Eigen::Matrix<double, 3, N> fe = Eigen::Matrix<double, 3, N>::Zero();
      for (int g = 0; g < G; ++g)
        fe -= at_rest_.weight(e, g) * at(P, e, g) * at_rest_.gradients(e, g);
      for (int a = 0; a < N; ++a) node(f, connectivity_[e * N + a]) += fe.col(a);
    });
  }

  std::shared_ptr<const BatchLaw> law_;
  std::string name_;
  std::size_t count_;
  std::vector<Index> connectivity_;
  RestGeometry<S> at_rest_;
  AssemblyPlan plan_;
};

}  // namespace

std::unique_ptr<ElasticTerm> make_custom_elastic(ElasticBatchInput input,
                                                 std::shared_ptr<const BatchLaw> law,
                                                 std::span<const Vec3> rest) {
  std::unique_ptr<ElasticTerm> term;
  const bool solid = visit_shape(input.type, [&]<class S>(S) {
    term = std::make_unique<CustomBatch<S>>(std::move(input.connectivity), law, rest);
  });
  if (!solid)
    throw InputError("elements of type " + std::string(name_of(input.type)) +
                     " cannot be of a law that a program brings; tet4, tet10 and hex8 can");
  return term;
}

}  // namespace pliant
