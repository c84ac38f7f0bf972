// Cables: segments that stretch and, where two of them meet, bend. Twist is left out: a cable of
// round cross-section that nobody twists at its ends has none.
//   stretch:  U = ½ E A L (l/L − 1)²
//   bending:  U = ½ E I / L̄ (c − c₀)²,  c = 2 tan(φ/2), φ the angle between the segments
// (the curvature of Bergou et al. 2008), L̄ the mean length of both segments at rest.
#pragma once

#include <pliant/element/elastic_term.hpp>
#include <pliant/element/local_stencil.hpp>
#include <pliant/sparse/assembly_plan.hpp>
#include <pliant/term/local_potential.hpp>

namespace pliant {

struct CableStretchInput {
  std::vector<Index> connectivity;  // two nodes of the system per segment
  std::vector<double> young;        // Pa, one per segment
  double area = 0;                  // m²
};

class CableStretch final : public ElasticTerm, public LocalElastic {
 public:
  CableStretch(CableStretchInput input, std::span<const Vec3> rest);

  std::string_view name() const override { return "cable"; }
  Index elements() const override { return static_cast<Index>(length_.size()); }
  std::span<const Index> connectivity() const override { return connectivity_; }
  bool needs_positive_det() const override { return false; }
  void add_stencils(PatternBuilder& builder) const override { builder.add(connectivity_, 2); }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override {
    plan_.locate(connectivity_, *pattern);
  }
  double potential(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override {
    add_force_and_potential(c, f);
  }
  double add_force_and_potential(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

  void von_mises(const Configuration& c, std::span<double> out) const override;     // |E ε|
  void smallest_det(const Configuration& c, std::span<double> out) const override;  // l/L
  DeformationExtremes extremes(const Configuration& c) const override;

  // N, of a segment: E A ε, negative under pressure.
  double tension(std::size_t e, std::span<const double> q) const {
    return young_[e] * area_ * strain(e, q);
  }

  // A part is a segment, its z the segment as a vector.
  LocalMaps local_maps() const override;
  double local_stiffness(std::size_t part, double) const override { return stiffness(part); }
  void local_gradient(const Configuration& c, LocalRange range, std::span<const double> z,
                      std::span<double> gradient) const override;
  bool local_minimise(const Configuration& c, LocalRange range, std::span<const double> weights,
                      std::span<const double> target, std::span<double> z) const override;
  LocalMatrix local_tangent(std::size_t part, const double* z) const override;
  bool turns() const override { return true; }

 private:
  Vec3 along(std::size_t e, std::span<const double> q) const {
    return node(q, connectivity_[2 * e + 1]) - node(q, connectivity_[2 * e]);
  }
  double stiffness(std::size_t e) const { return young_[e] * area_ / length_[e]; }  // E A/L, N/m
  // ∂²U/∂x² of a segment x: E A/L n nᵀ along it, tension/l across it, which is negative under
  // pressure.
  Mat3 tangent(std::size_t e, const Vec3& x, Projection projection) const;
  double strain(std::size_t e, std::span<const double> q) const {
    return along(e, q).norm() / length_[e] - 1;
  }

  std::vector<Index> connectivity_;
  std::vector<double> young_, length_;  // Pa, m
  double area_;
  AssemblyPlan plan_;
};

struct CableBendingInput {
  std::vector<std::array<Index, 3>> joints;  // before, at, behind
  std::vector<double> stiffness;             // E I, N·m², one per joint
};
// Where two segments of a cable meet, and no more than two.
std::vector<std::array<Index, 3>> find_joints(std::span<const Index> segments);

class CableBending final : public LocalStencil<CableBending, 3> {
 public:
  CableBending(CableBendingInput input, std::span<const Vec3> rest);

  std::string_view name() const override { return "cable bending"; }
  double potential(const Configuration& c) const override;
  double add_force_and_potential(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

  // Of one joint (local_stencil.hpp).
  double energy_at(std::size_t e, const Points& x) const;
  Points gradient_at(std::size_t e, const Points& x) const;
  Hessian hessian_at(std::size_t e, const Points& x, Projection projection) const;

 private:
  Points points_at(std::size_t e, std::span<const double> q) const;

  std::vector<double> stiffness_, rest_;  // E I/L̄, N·m; c₀
};

}  // namespace pliant
