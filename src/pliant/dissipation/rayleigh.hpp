// Rayleigh damping, R(v) = ½ vᵀ D v with D = α M + β K(q_n) for each body, K taken at the start of
// the step and projected to positive semi-definite, so that R ≥ 0 always. ASCHER (2) with
// LOESCHNER's names: α belongs to the mass, β to the stiffness. Lagging K makes every method first
// order.
#pragma once

#include <pliant/term/term.hpp>

namespace pliant {

// The part of one body: its nodes [first, end), and the elastic terms that make its K.
struct RayleighPart {
  double alpha = 0;  // 1/s
  double beta = 0;   // s
  Index first = 0, end = 0;
  std::vector<const Term*> elastic;
};

class Rayleigh final : public Term {
 public:
  Rayleigh(std::vector<RayleighPart> parts, const NodeMatrix& M);
  std::span<const RayleighPart> parts() const { return parts_; }

  std::string_view name() const override { return "rayleigh"; }
  TermKind kind() const override { return TermKind::dissipation; }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override;
  bool lags() const override { return has_stiffness_; }
  void lag(const Configuration& c, Lagged& out) const override;

  double dissipation(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

 private:
  void add_mass_part(BlockMatrix& D) const;
  void add_stiffness_part(const Configuration& c, BlockMatrix& D) const;
  const BlockMatrix& matrix(const Configuration& c, BlockMatrix& here) const;

  std::vector<RayleighPart> parts_;
  const NodeMatrix* M_;
  bool has_stiffness_ = false;
  BlockMatrix constant_;  // α M, used alone where no β is given
};

}  // namespace pliant
