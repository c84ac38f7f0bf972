// A batch of elements of one shape and one law in flat arrays. Included only by the files that
// instantiate it (elastic_laws_0.cpp and its kin) and by tests.
#pragma once

#include <pliant/element/contraction.hpp>
#include <pliant/element/elastic_term.hpp>
#include <pliant/element/local_step.hpp>
#include <pliant/element/rest_geometry.hpp>
#include <pliant/element/tet4_lanes.hpp>
#include <pliant/material/isotropic.hpp>
#include <pliant/material/stress_measures.hpp>
#include <pliant/sparse/assembly_plan.hpp>
#include <pliant/term/local_potential.hpp>

#include <pliant/core/svd3.hpp>

#include <cmath>

namespace pliant {

// Laws whose tangent and its correction come from one singular value decomposition.
template <class L>
concept PrincipalTangentLaw = PlainLaw<L> && L::tangent_is_principal;

template <Shape S, MaterialLaw L>
class ElasticBatch final : public ElasticTerm, public LocalElastic {
 public:
  static constexpr int N = S::nodes, G = S::points;
  // Tetrahedra of an invariant law have a shorter way (tet4_lanes.hpp).
  static constexpr bool fast_path = S::type == ElementType::tet4 && InvariantLaw<L>;
  using Parameters = typename L::Parameters;

  ElasticBatch(std::vector<Index> connectivity, std::vector<Parameters> parameters,
               std::span<const Vec3> rest);

  std::string_view name() const override { return L::name; }
  Index elements() const override { return static_cast<Index>(count_); }
  std::span<const Index> connectivity() const override { return connectivity_; }
  bool needs_positive_det() const override { return L::promises.needs_positive_det; }
  bool is_linear() const override { return L::promises.linear; }

  void add_stencils(PatternBuilder& builder) const override { builder.add(connectivity_, N); }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override {
    plan_.locate(connectivity_, *pattern);
  }
  bool lags() const override { return L::promises.frozen_rotation; }
  void lag(const Configuration& c, Lagged& out) const override;

  double potential(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override {
    add_force_and<false>(c, f);
  }
  double add_force_and_potential(const Configuration& c, std::span<double> f) const override {
    return add_force_and<true>(c, f);
  }
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

  void von_mises(const Configuration& c, std::span<double> out) const override {
    von_mises_without({}, c, out);
  }
  void von_mises_without(std::span<const Mat3> less, const Configuration& c,
                         std::span<double> out) const override;
  void smallest_det(const Configuration& c, std::span<double> out) const override;
  DeformationExtremes extremes(const Configuration& c) const override;

  // A part is a quadrature point, its z the deformation gradient.
  LocalMaps local_maps() const override { return at_rest_.local_maps(connectivity_); }
  double local_stiffness(std::size_t part, double gamma) const override;
  void local_gradient(const Configuration& c, LocalRange range, std::span<const double> z,
                      std::span<double> gradient) const override;
  bool local_minimise(const Configuration& c, LocalRange range, std::span<const double> weights,
                      std::span<const double> target, std::span<double> z) const override;
  LocalMatrix local_tangent(std::size_t part, const double* z) const override;
  bool turns() const override { return L::promises.frame_indifferent; }

 private:
  using Gradients = typename RestGeometry<S>::Gradients;

  const Parameters& parameters(std::size_t e) const {
    return parameters_[parameters_.size() == 1 ? 0 : e];
  }
  auto gradients(std::size_t e, int g) const { return at_rest_.gradients(e, g); }
  double weight(std::size_t e, int g) const { return at_rest_.weight(e, g); }  // m³
  Gradients positions(std::size_t e, std::span<const double> q) const {
    return gather<S>(connectivity_, e, q);
  }
  // F = Σ_a x_a ⊗ ∇N_a
  static Mat3 deformation(const Gradients& x, const Eigen::Map<const Gradients>& dN) {
    return x * dN.transpose();
  }
  double smallest_det(std::size_t e, std::span<const double> q) const {
    const Gradients x = positions(e, q);
    double smallest = std::numeric_limits<double>::infinity();
    for (int g = 0; g < G; ++g)
      smallest = std::min(smallest, deformation(x, gradients(e, g)).determinant());
    return smallest;
  }

  // The law at quadrature point g, with the rotation frozen at the start of the step where it wants
  // one (outside a step, the rotation of F itself).
  Mat3 rotation(const Lagged* lagged, std::size_t e, int g, const Mat3& F) const {
    if (!lagged || lagged->numbers.size() == 0) return rotation_of(F);
    return Eigen::Map<const Mat3>(lagged->numbers.data() + 9 * (e * G + g));
  }
  double energy(const Lagged* lagged, std::size_t e, int g, const Mat3& F) const {
    if constexpr (PlainLaw<L>)
      return L::energy(F, parameters(e));
    else
      return L::energy(F, rotation(lagged, e, g, F), parameters(e));
  }
  Mat3 stress(const Lagged* lagged, std::size_t e, int g, const Mat3& F) const {
    if constexpr (PlainLaw<L>)
      return L::stress(F, parameters(e));
    else
      return L::stress(F, rotation(lagged, e, g, F), parameters(e));
  }
  auto tet4_arrays() const {
    return Tet4Arrays<L>{connectivity_.data(), at_rest_.all_gradients(), metrics_.data(),
                         at_rest_.all_weights(), parameters_};
  }
  template <bool potential>
  double add_force_and(const Configuration& c, std::span<double> f) const;  // U, or zero
  void add_element_tangent(const Configuration& c, Tangent tangent, std::size_t e,
                           ElementMatrix<N>& K) const;

  std::size_t count_;
  std::vector<Index> connectivity_;
  std::vector<Parameters> parameters_;
  RestGeometry<S> at_rest_;
  std::vector<Tet4Metric<double>> metrics_;  // where there is a fast path
  AssemblyPlan plan_;
};

template <Shape S, MaterialLaw L>
ElasticBatch<S, L>::ElasticBatch(std::vector<Index> connectivity,
                                 std::vector<Parameters> parameters, std::span<const Vec3> rest)
    : count_(connectivity.size() / N),
      connectivity_(std::move(connectivity)),
      parameters_(std::move(parameters)),
      at_rest_(connectivity_, rest),
      plan_(connectivity_, N, static_cast<Index>(rest.size())) {
  if constexpr (fast_path) {
    metrics_.resize(count_);
    for (std::size_t e = 0; e < count_; ++e)
      metrics_[e] = metric_of(gradients(e, 0).template rightCols<3>());
  }
}

template <Shape S, MaterialLaw L>
void ElasticBatch<S, L>::lag(const Configuration& c, Lagged& out) const {
  if constexpr (!PlainLaw<L>) {
    out.numbers.resize(static_cast<Eigen::Index>(9 * G * count_));
    parallel_for_each(count_, 256, [&](std::size_t e) {
      const Gradients x = positions(e, c.q);
      for (int g = 0; g < G; ++g)
        Eigen::Map<Mat3>(out.numbers.data() + 9 * (e * G + g)) =
            rotation_of(deformation(x, gradients(e, g)));
    });
  } else {
    (void)c, (void)out;
  }
}

template <Shape S, MaterialLaw L>
double ElasticBatch<S, L>::potential(const Configuration& c) const {
  const Lagged* lagged = this->lagged(c);
  return parallel_sum(count_, 256, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t e = begin; e < end; ++e) {
      const Gradients x = positions(e, c.q);
      for (int g = 0; g < G; ++g)
        sum += weight(e, g) * energy(lagged, e, g, deformation(x, gradients(e, g)));
    }
    return sum;
  });
}

template <Shape S, MaterialLaw L>
template <bool potential>
double ElasticBatch<S, L>::add_force_and(const Configuration& c, std::span<double> f) const {
  if constexpr (fast_path) {
    const auto arrays = tet4_arrays();
    return plan_.sum_over_chunks([&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t e = begin; e < end; e += kLanes)
        Tet4Lanes<L>(arrays, e, end, c.q).add_force(f, sum);
      return sum;
    });
  }
  const Lagged* lagged = this->lagged(c);
  return plan_.sum_over_elements([&](std::size_t e) {
    const Gradients x = positions(e, c.q);
    Gradients fe = Gradients::Zero();
    double sum = 0;
    for (int g = 0; g < G; ++g) {
      const auto dN = gradients(e, g);
      const Mat3 F = deformation(x, dN);
      if constexpr (potential) sum += weight(e, g) * energy(lagged, e, g, F);
      const Mat3 P = weight(e, g) * stress(lagged, e, g, F);
      fe -= P * dN;  // −∂U/∂x_a = −w P ∇N_a
    }
    for (int a = 0; a < N; ++a) node(f, connectivity_[e * N + a]) += fe.col(a);
    return sum;
  });
}

template <Shape S, MaterialLaw L>
void ElasticBatch<S, L>::add_element_tangent(const Configuration& c, Tangent tangent, std::size_t e,
                                             ElementMatrix<N>& K) const {
  [[maybe_unused]] const Lagged* lagged = this->lagged(c);
  const Gradients x = positions(e, c.q);
  const bool project = tangent.projection == Projection::psd;
  for (int g = 0; g < G; ++g) {
    const auto dN = gradients(e, g);
    const Mat3 F = deformation(x, dN);
    const double w = tangent.stiffness * weight(e, g);
    const Parameters& p = parameters(e);
    if constexpr (InvariantLaw<L>) {
      add_contraction<N>(L::tangent(invariants_of(F), p), w, F, dN, K);
      if (project) add_contraction<N>(L::psd_correction(F, p), w, dN, K);
    } else if constexpr (PrincipalTangentLaw<L>) {
      const Svd3 f = svd(F);
      const PrincipalTangent t = L::principal(f.sigma, p);
      add_contraction<N>(tangent_from(f, t), w, dN, K);
      if (project) add_contraction<N>(psd_correction_from(f, t), w, dN, K);
    } else if constexpr (PlainLaw<L>) {
      add_contraction<N>(L::tangent(F, p), w, dN, K);
      if (project) add_contraction<N>(L::psd_correction(F, p), w, dN, K);
    } else {
      const Mat3 R = rotation(lagged, e, g, F);
      add_contraction<N>(L::tangent(F, R, p), w, dN, K);
      if (project) add_contraction<N>(L::psd_correction(F, R, p), w, dN, K);
    }
  }
}

template <Shape S, MaterialLaw L>
void ElasticBatch<S, L>::add_tangent(const Configuration& c, Tangent tangent,
                                     BlockMatrix& A) const {
  if (tangent.stiffness == 0) return;
  if constexpr (fast_path) {
    const auto arrays = tet4_arrays();
    return plan_.for_each_chunk([&](std::size_t begin, std::size_t end) {
      for (std::size_t e = begin; e < end; e += kLanes)
        Tet4Lanes<L>(arrays, e, end, c.q).add_tangent(tangent, plan_, A);
    });
  }
  plan_.for_each_element([&](std::size_t e) {
    ElementMatrix<N> K;
    K.set_zero();
    add_element_tangent(c, tangent, e, K);
    scatter(K, plan_.blocks(e), A);
  });
}

template <Shape S, MaterialLaw L>
void ElasticBatch<S, L>::von_mises_without(std::span<const Mat3> less, const Configuration& c,
                                           std::span<double> out) const {
  const Lagged* lagged = this->lagged(c);
  parallel_for_each(count_, 256, [&](std::size_t e) {
    const Gradients x = positions(e, c.q);
    double sum = 0, volume = 0;
    for (int g = 0; g < G; ++g) {
      const Mat3 F = deformation(x, gradients(e, g));
      Mat3 P = stress(lagged, e, g, F);
      if (!less.empty()) P -= F * less[e * G + static_cast<std::size_t>(g)] / weight(e, g);
      sum += weight(e, g) * pliant::von_mises(cauchy_from_first_piola(F, P));
      volume += weight(e, g);
    }
    out[e] = sum / volume;
  });
}

template <Shape S, MaterialLaw L>
void ElasticBatch<S, L>::smallest_det(const Configuration& c, std::span<double> out) const {
  parallel_for_each(count_, 256, [&](std::size_t e) { out[e] = smallest_det(e, c.q); });
}

template <Shape S, MaterialLaw L>
DeformationExtremes ElasticBatch<S, L>::extremes(const Configuration& c) const {
  constexpr std::size_t kParts = 64;
  std::array<DeformationExtremes, kParts> parts;
  const std::size_t size = std::max<std::size_t>(1, (count_ + kParts - 1) / kParts);
  parallel_ranges(count_, size, [&](std::size_t begin, std::size_t end) {
    DeformationExtremes& part = parts[begin / size];
    for (std::size_t e = begin; e < end; ++e) {
      const double smallest = smallest_det(e, c.q);
      part.min_det = std::min(part.min_det, smallest);
      part.inverted += smallest <= 0;
    }
  });
  DeformationExtremes result;
  for (const DeformationExtremes& part : parts) {
    result.min_det = std::min(result.min_det, part.min_det);
    result.inverted += part.inverted;
  }
  return result;
}

// By the modulus of stretching in one direction, λ + 2 μ, twice: laws that soften under pressure
// would have several minima with less.
template <Shape S, MaterialLaw L>
double ElasticBatch<S, L>::local_stiffness(std::size_t part, double) const {
  const std::size_t e = part / G;
  const Mat3 I = Mat3::Identity();
  if constexpr (PlainLaw<L>)
    return 2 * at_rest_.all_weights()[part] * L::tangent(I, parameters(e))(0, 0);
  else
    return 2 * at_rest_.all_weights()[part] * L::tangent(I, I, parameters(e))(0, 0);
}

template <Shape S, MaterialLaw L>
void ElasticBatch<S, L>::local_gradient(const Configuration& c, LocalRange range,
                                        std::span<const double> z,
                                        std::span<double> gradient) const {
  const Lagged* lagged = this->lagged(c);
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Mat3 F = Eigen::Map<const Mat3>(z.data() + 9 * k);
    Eigen::Map<Mat3>(gradient.data() + 9 * k) =
        at_rest_.all_weights()[k] * stress(lagged, k / G, static_cast<int>(k % G), F);
  }
}

template <Shape S, MaterialLaw L>
bool ElasticBatch<S, L>::local_minimise(const Configuration& c, LocalRange range,
                                        std::span<const double> weights,
                                        std::span<const double> target, std::span<double> z) const {
  [[maybe_unused]] const Lagged* lagged = this->lagged(c);
  bool found = true;
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Mat3 T = Eigen::Map<const Mat3>(target.data() + 9 * k);
    const double w = weights[k] / at_rest_.all_weights()[k];
    Mat3 F = Eigen::Map<const Mat3>(z.data() + 9 * k);
    if constexpr (PlainLaw<L>)
      found = local_step<L>(T, w, parameters(k / G), F) && found;
    else
      found = local_step<L>(T, w, rotation(lagged, k / G, static_cast<int>(k % G), T),
                            parameters(k / G), F) &&
              found;
    Eigen::Map<Mat3>(z.data() + 9 * k) = F;
  }
  return found;
}

template <Shape S, MaterialLaw L>
LocalMatrix ElasticBatch<S, L>::local_tangent(std::size_t part, const double* z) const {
  Mat9 C;
  positive_tangent<L>(Eigen::Map<const Mat3>(z), parameters(part / G), C);
  return at_rest_.all_weights()[part] * C;
}

}  // namespace pliant
