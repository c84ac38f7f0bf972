// Spline damping of single modes of a body on top of its full motion, BROWN §8 with the curve of
// BROWN (57) over the amplitude:
//   R(q, v) = ½ Σ_k c_k s(z_k) ż_k²,   c_k = 2 ζ_k ω_k,
//   z_k = y_kᵀ q − y_kᵀ X,   ż_k = w_k(q)ᵀ v,   y_k = R_b M φ_k,
// with the mass-normalised elastic modes φ_k of the body at rest under its pins and R_b what it has
// turned by at the start of the step. A body that cannot turn has R_b = I and w_k = y_k. Else w_k
// is y_k without what acts on rigid motions at q,
//   w_k = y_k − m (a_k × r),   a_k = I(q)⁻¹ Σ q × y_k,   r = q − center,
// so that neither spin nor flight is damped and the force has no moment, in every stage. The
// tangent is dense and of low rank, but for a skew block −m [Σ c s ż a]ₓ at each node.
#pragma once

#include <pliant/coarsen/modal_set.hpp>
#include <pliant/dissipation/dense_dissipation.hpp>

namespace pliant {

struct ModalDampingInput {
  std::string body;
  PartNodes nodes;
  std::vector<Pin> pins;  // of the body, in the system
  ModalLaw law;
};

class ModalDamping final : public DenseDissipation {
 public:
  // `rest` holds the whole system. Throws InputError, starting with the name of what is wrong.
  ModalDamping(ModalDampingInput input, const NodeMatrix& system_mass, const Vector& rest);
  std::span<const std::shared_ptr<const ModalSet>> sets() const { return sets_; }

  std::string_view name() const override { return "modal"; }
  // ∂R/∂q = 0 without a curve and without turns.
  bool has_potential() const override { return !depends_on_q_ || treatment_has_potential(); }
  bool remembers() const override { return true; }
  std::shared_ptr<const TermMemory> remember(const StepStart& step,
                                             const TermMemory* before) const override;
  std::shared_ptr<const TermMemory> recall(std::span<const double> numbers) const override;
  bool lags() const override { return turns_; }
  void lag(const Configuration& c, Lagged& out) const override;

  double dissipation(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;
  void add_low_rank(const Configuration& c, Tangent tangent, LowRank& out) const override;

  double stage_excess(const Configuration& c, const StageForm& form) const override;
  void add_stage_force(const Configuration& c, const StageForm& form,
                       std::span<double> f) const override;
  void add_stage_tangent(const Configuration& c, const StageForm& form, Tangent scale,
                         BlockMatrix& A) const override;
  void add_stage_low_rank(const Configuration& c, const StageForm& form, Tangent scale,
                          LowRank& out) const override;

 private:
  struct Motion;  // of the modes at a configuration
  bool treatment_has_potential() const { return DissipationTerm::has_potential(); }
  const ModalSet& set_of(const Configuration& c) const;
  void turn(const ModalSet& set, std::span<const double> q, Vector& Y) const;
  // `here` is where y goes outside a step.
  Motion motion(const Configuration& c, Vector& here) const;
  void set_rigid_motion(const Configuration& c, Motion& x) const;
  void set_modes(const Configuration& c, Motion& x) const;
  Vec3 arm(const Configuration& c, const Motion& x, Index n) const;  // r
  bool depends_on_q(const Configuration& c, Tangent tangent) const;
  void add_skew_blocks(const Motion& x, double scale, BlockMatrix& A) const;
  void fill_columns(const Configuration& c, const Motion& x, Tangent tangent, Eigen::Ref<Matrix> Y,
                    Eigen::Ref<Matrix> Z) const;
  void subtract_position_gradient(const Configuration& c, double scale, std::span<double> f) const;

  std::string body_;
  std::vector<Pin> pins_;
  ModalLaw law_;
  BodyPart part_;
  Vector rest_;                 // of the body, m
  std::vector<double> masses_;  // lumped, per node, kg
  double mass_ = 0;
  std::vector<std::shared_ptr<const ModalSet>> sets_;
  bool turns_ = false, depends_on_q_ = false;
};

}  // namespace pliant
