// Damping of springs and tendons: R = Σ_p R_p(t, L_p(q), L̇_p(q, v)) with L̇ = g·v, g = ∂L/∂q. With
// τ = ∂R/∂L̇, H = ∂²L/∂q² and r = H v = ∂L̇/∂q,
//   ∂R/∂v = τ g,   ∂²R/∂v² = ∂τ/∂L̇ g gᵀ,   ∂R/∂q = ∂R/∂L g + τ r,
//   ∂²R/∂v∂q = ∂τ/∂L g gᵀ + ∂τ/∂L̇ g rᵀ + τ H.
#pragma once

#include <pliant/dissipation/dissipation_term.hpp>
#include <pliant/load/path.hpp>

namespace pliant {

class PathDamping final : public DissipationTerm {
 public:
  explicit PathDamping(std::vector<Path> paths)
      : DissipationTerm(StageTreatment::force), paths_(std::move(paths)) {}

  std::string_view name() const override { return "damping of springs and tendons"; }
  bool time_dependent() const override;
  void add_stencils(PatternBuilder& builder) const override;
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override;

  double dissipation(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  // ∂²R/∂v∂q is left out where the tangent must be positive semi-definite.
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

  double stage_excess(const Configuration& c, const StageForm& form) const override;
  void add_stage_force(const Configuration& c, const StageForm& form,
                       std::span<double> f) const override;
  void add_stage_tangent(const Configuration& c, const StageForm& form, Tangent scale,
                         BlockMatrix& A) const override;

 private:
  static ViscousTension respond(const Path& path, const Configuration& c) {
    return viscous_tension_of(path.law(), c.t, path.length(c.q), path.rate(c.q, c.v));
  }
  void add_position_force(const Configuration& c, double scale, std::span<double> f) const;

  std::vector<Path> paths_;
};

}  // namespace pliant
