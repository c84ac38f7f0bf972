// Springs, tendons and muscles: U = Σ_p W_p(t, L_p(q)) over a batch of paths, f = −T ∂L/∂q with the
// tension T = ∂W/∂L, and
//   ∂²U/∂q² = T ∂²L/∂q² + T' ∂L/∂q ∂L/∂qᵀ,   T' = ∂²W/∂L².
// ∂²L/∂q² is positive semi-definite, L being convex, and so is any product of a gradient with
// itself: with max(0, T) and max(0, T') in place of T and T' the tangent is, too.
//
// Paths are few and couple all nodes along them: they are gone through one after the other.
#pragma once

#include <pliant/load/path.hpp>
#include <pliant/term/local_potential.hpp>

namespace pliant {

class PathForce final : public Term, public LocalPotential {
 public:
  // What stores energy of its own is `elastic`; what is driven is `external`.
  PathForce(TermKind kind, std::vector<Path> paths) : kind_(kind), paths_(std::move(paths)) {}

  std::string_view name() const override { return "springs, tendons and muscles"; }
  TermKind kind() const override { return kind_; }
  bool time_dependent() const override;
  void add_stencils(PatternBuilder& builder) const override;
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override;

  double potential(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override {
    add_force_and_potential(c, f);
  }
  double add_force_and_potential(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

  // A part is a path, its z the vectors along its segments without what the world adds to them.
  // Parts have as many nodes and segments as the largest; those that a path lacks have no weight.
  LocalMaps local_maps() const override;
  double local_stiffness(std::size_t part, double gamma) const override;
  void local_gradient(const Configuration& c, LocalRange range, std::span<const double> z,
                      std::span<double> gradient) const override;
  bool local_minimise(const Configuration& c, LocalRange range, std::span<const double> weights,
                      std::span<const double> target, std::span<double> z) const override;

 private:
  std::size_t most_nodes() const;
  std::size_t most_segments() const;

  TermKind kind_;
  std::vector<Path> paths_;
};

}  // namespace pliant
