// A batch of triangles or quadrilaterals of one membrane law in flat arrays: cloth within its
// surface. With the rest element in its plane, F = Σ_a x_a ⊗ ∇N_a is 3×2 at each of its points (one
// of a triangle, four of a quadrilateral), and
//   U = Σ t A Ψ(e),   f_a = −t A F S ∇N_a,
//   K_ab = t A [ (∇N_a·S ∇N_b) I + B_aᵀ (∂S/∂e) B_b ],   δe = Σ_a B_a δx_a.
// Included only by the file that instantiates it and by tests.
#pragma once

#include <pliant/element/contraction.hpp>
#include <pliant/element/elastic_term.hpp>
#include <pliant/element/membrane_step.hpp>
#include <pliant/element/triangle_frame.hpp>
#include <pliant/material/stress_measures.hpp>
#include <pliant/sparse/assembly_plan.hpp>
#include <pliant/term/local_potential.hpp>

namespace pliant {

template <MembraneLaw L, int N>
class MembraneBatch final : public ElasticTerm, public LocalElastic {
 public:
  using Parameters = typename L::Parameters;
  static constexpr int G = N == 3 ? 1 : 4;  // points of an element

  // `warp` is the direction of the first axis of the material, laid into each element; one per
  // element or one for all.
  MembraneBatch(std::vector<Index> connectivity, std::vector<Parameters> parameters,
                double thickness, std::span<const Vec3> warp, std::span<const Vec3> rest)
      : count_(connectivity.size() / N),
        connectivity_(std::move(connectivity)),
        parameters_(std::move(parameters)),
        thickness_(thickness),
        plan_(connectivity_, N, static_cast<Index>(rest.size())) {
    for (std::size_t e = 0; e < count_; ++e) {
      const Vec3& along = warp[warp.size() == 1 ? 0 : e];
      Eigen::Matrix<double, 3, N> X;
      for (int a = 0; a < N; ++a) X.col(a) = rest[connectivity_[N * e + a]];
      if constexpr (N == 3) {
        frames_.push_back(make_triangle_frame(X.col(0), X.col(1), X.col(2), along));
      } else {
        const auto points = make_quad_frames(X, along);
        frames_.insert(frames_.end(), points.begin(), points.end());
      }
    }
  }

  std::string_view name() const override { return L::name; }
  Index elements() const override { return static_cast<Index>(count_); }
  std::span<const Index> connectivity() const override { return connectivity_; }
  bool needs_positive_det() const override { return false; }

  void add_stencils(PatternBuilder& builder) const override { builder.add(connectivity_, N); }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override {
    plan_.locate(connectivity_, *pattern);
  }

  double potential(const Configuration& c) const override {
    return parallel_sum(frames_.size(), 256, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t p = begin; p < end; ++p)
        sum += volume(p) * L::stress(membrane::strain(deformation(p, c.q)), parameters(p)).energy;
      return sum;
    });
  }
  void add_force(const Configuration& c, std::span<double> f) const override {
    add_force_and_potential(c, f);
  }
  double add_force_and_potential(const Configuration& c, std::span<double> f) const override {
    return plan_.sum_over_elements([&](std::size_t e) {
      double energy = 0;
      for (std::size_t p = G * e; p < G * (e + 1); ++p) {
        const Mat32 F = deformation(p, c.q);
        const MembraneStress stress = L::stress(membrane::strain(F), parameters(p));
        const Mat32 P = volume(p) * F * membrane::matrix(stress.S);
        for (int a = 0; a < N; ++a)
          node(f, connectivity_[N * e + a]) -= P * frames_[p].gradients.col(a);
        energy += volume(p) * stress.energy;
      }
      return energy;
    });
  }
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override {
    if (tangent.stiffness == 0) return;
    plan_.for_each_element([&](std::size_t e) {
      ElementMatrix<N> K;
      K.set_zero();
      for (std::size_t p = G * e; p < G * (e + 1); ++p) add_tangent_at(p, c.q, tangent, K);
      scatter(K, plan_.blocks(e), A);
    });
  }

  // Of the stress in the deformed sheet, σ = F S Fᵀ t A / (t' A'), with the thickness kept.
  void von_mises(const Configuration& c, std::span<double> out) const override {
    parallel_for_each(count_, 256, [&](std::size_t e) {
      out[e] = 0;
      for (std::size_t p = G * e; p < G * (e + 1); ++p) {
        const Mat32 F = deformation(p, c.q);
        const Mat2 S = membrane::matrix(L::stress(membrane::strain(F), parameters(p)).S);
        out[e] += pliant::von_mises(Mat3(F * S * F.transpose()) / area_ratio(F)) / G;
      }
    });
  }
  // Cloth cannot be turned inside out: this is the ratio of areas.
  void smallest_det(const Configuration& c, std::span<double> out) const override {
    parallel_for_each(count_, 256, [&](std::size_t e) {
      out[e] = std::numeric_limits<double>::infinity();
      for (std::size_t p = G * e; p < G * (e + 1); ++p)
        out[e] = std::min(out[e], area_ratio(deformation(p, c.q)));
    });
  }
  DeformationExtremes extremes(const Configuration& c) const override {
    DeformationExtremes result;
    for (std::size_t p = 0; p < frames_.size(); ++p)
      result.min_det = std::min(result.min_det, area_ratio(deformation(p, c.q)));
    return result;
  }

  // A part is a point of an element, its z the deformation gradient.
  LocalMaps local_maps() const override {
    LocalMaps maps{N, 2, {}, {}};
    for (std::size_t p = 0; p < frames_.size(); ++p) {
      const auto nodes = connectivity_.begin() + static_cast<std::ptrdiff_t>(N * (p / G));
      maps.connectivity.insert(maps.connectivity.end(), nodes, nodes + N);
      const double* g = frames_[p].gradients.data();
      maps.g.insert(maps.g.end(), g, g + 2 * N);
    }
    return maps;
  }
  double local_stiffness(std::size_t part, double) const override {
    double heavier = 1;
    if constexpr (requires { L::heavier; }) heavier = L::heavier;
    return heavier * volume(part) * L::tangent(Vec3::Zero(), parameters(part))(0, 0);
  }
  void local_gradient(const Configuration&, LocalRange range, std::span<const double> z,
                      std::span<double> gradient) const override {
    for (std::size_t e = range.begin; e < range.end; ++e) {
      const Mat32 F = Eigen::Map<const Mat32>(z.data() + 6 * e);
      Eigen::Map<Mat32>(gradient.data() + 6 * e) =
          volume(e) * F * membrane::matrix(L::stress(membrane::strain(F), parameters(e)).S);
    }
  }
  bool local_minimise(const Configuration&, LocalRange range, std::span<const double> weights,
                      std::span<const double> target, std::span<double> z) const override {
    bool found = true;
    for (std::size_t e = range.begin; e < range.end; ++e) {
      const Mat32 T = Eigen::Map<const Mat32>(target.data() + 6 * e);
      Mat32 F = Eigen::Map<const Mat32>(z.data() + 6 * e);
      found = membrane_step<L>(T, weights[e] / volume(e), parameters(e), F) && found;
      Eigen::Map<Mat32>(z.data() + 6 * e) = F;
    }
    return found;
  }
  bool turns() const override { return true; }
  LocalMatrix local_tangent(std::size_t part, const double* z) const override {
    return volume(part) *
           membrane::positive_tangent<L>(Eigen::Map<const Mat32>(z), parameters(part));
  }

 private:
  using Mat2 = Eigen::Matrix2d;

  // All of a point.
  const Parameters& parameters(std::size_t p) const {
    return parameters_[parameters_.size() == 1 ? 0 : p / G];
  }
  double volume(std::size_t p) const { return thickness_ * frames_[p].area; }  // m³
  Mat32 deformation(std::size_t p, std::span<const double> q) const {
    Mat32 F = Mat32::Zero();
    for (int a = 0; a < N; ++a)
      F += node(q, connectivity_[N * (p / G) + a]) * frames_[p].gradients.col(a).transpose();
    return F;
  }
  static double area_ratio(const Mat32& F) { return F.col(0).cross(F.col(1)).norm(); }
  // Both parts are made semi-definite on their own: pressure within the sheet and laws that soften.
  void add_tangent_at(std::size_t p, std::span<const double> q, Tangent tangent,
                      ElementMatrix<N>& K) const {
    const Mat32 F = deformation(p, q);
    const Vec3 strains = membrane::strain(F);
    Mat2 S = membrane::matrix(L::stress(strains, parameters(p)).S);
    Mat3 D = L::tangent(strains, parameters(p));
    if (tangent.projection == Projection::psd) membrane::clamp(S), membrane::clamp(D);
    const auto& dN = frames_[p].gradients;
    const double w = tangent.stiffness * volume(p);
    Mat3 B[N], DB[N];
    for (int a = 0; a < N; ++a) {
      B[a].row(0) = dN(0, a) * F.col(0).transpose();
      B[a].row(1) = dN(1, a) * F.col(1).transpose();
      B[a].row(2) = dN(1, a) * F.col(0).transpose() + dN(0, a) * F.col(1).transpose();
      DB[a] = w * D * B[a];
    }
    for (int a = 0; a < N; ++a)
      for (int b = a; b < N; ++b) {
        Eigen::Map<Mat3> block(K.block[K.pair(a, b)]);
        block += B[a].transpose() * DB[b];
        block.diagonal().array() += w * dN.col(a).dot(S * dN.col(b));
      }
  }

  std::size_t count_;
  std::vector<Index> connectivity_;
  std::vector<Parameters> parameters_;
  std::vector<SheetFrame<N>> frames_;  // of all points
  double thickness_;                   // m
  AssemblyPlan plan_;
};

}  // namespace pliant
