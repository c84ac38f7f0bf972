// The part of the exponential hybrids that is exponential, ASCHER §3.5.2: a few modes X of
// K x = λ M x move by their own exact flow over a step, everything else by an implicit stage that
// holds them. With ζ = Yᵀ(q − q_b) and w = Yᵀv, Y = M X, about a base point (t_b, q_b, v_b),
//   ζ' = w,   w' = Xᵀ F_b + τ r₁ − S ζ − Δ (w − w_b),   S = XᵀKX,  Δ = XᵀDX,
//   r₁ = Xᵀ F_t − XᵀK (I − P) v_b − XᵀD (I − P) M⁻¹ F_b.
// Δ is what (23) lacks for damped bodies. r₁ holds what changes with time alone and what the
// complement's motion does to the modes, to first order; it vanishes for exact modes without outer
// changes, and keeps order two where they have grown old.
#pragma once

#include <pliant/integrate/free_force.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/solve/eigenpairs.hpp>
#include <pliant/solve/small_exponential.hpp>

namespace pliant {

// Modal displacement from the base point and modal velocity.
struct ModalState {
  Vector displacement, velocity;  // √kg m, √kg m/s
};

class ModalFlow {
 public:
  ModalFlow(const IntegratorOptions& options, const Interruption& interrupted);

  // Modes where it is time for new ones, then the equation about the base point, for times up to h.
  // False with a reason where modes or forces could not be computed.
  [[nodiscard]] bool begin(const StepContext& context, const MotionPoint& base, double h,
                           std::string& reason);
  ModalState at(double tau);
  // Makes a stage keep the modes at `state`: q_p and the guess v get their modal part from it.
  void hold(const ModalState& state, Stage& stage, Vector& v);

  bool active() const { return subspace_.size() > 0; }
  const Subspace& subspace() const { return subspace_; }
  const Vector& base() const { return q_b_; }
  // After a step that was accepted, for `refresh`: counts it, and for `auto` measures the change of
  // the modes with the solver of its last stage.
  void end_step(StageSolver& solver, const Stage& stage);

  std::vector<double> memory() const;
  void restore(std::span<const double> memory);

 private:
  bool fits(const DofMask& mask) const;
  bool due() const;
  void assemble(const StepContext& context, const MotionPoint& base);
  bool find_modes(const StepContext& context, std::string& reason);
  void multiply_stiffness(const DofMask& mask);
  void set_probe();
  bool set_equation(const StepContext& context, const MotionPoint& base, double h);

  int count_, refresh_;
  EigenpairSolver eigen_;
  Subspace subspace_;
  Matrix guards_;                 // the modes after them, roughly: where the next search begins
  Matrix KX_, DX_, S_, damping_;  // KX, DX, XᵀKX, XᵀDX
  DofMask mask_;                  // that the modes were made for
  std::int64_t age_ = 0;          // steps since then
  // `auto`: a combination of the columns of K X − M X S for modes of age probe_age_ (0: none), and
  // the change to be expected of the modes by the next step.
  Vector probe_, signs_, solution_;
  std::int64_t probe_age_ = 0;
  double expected_change_ = 0;
  FreeForce force_{MassMethod::factorized};
  BlockMatrix K_, D_;
  LowRank dense_K_, dense_D_;  // the dense parts of both
  bool damped_ = false;
  Vector q_b_, w_b_, F_, F_t_, v_, a_, f_, q_;
  // y' = generator y in the time σ = τ/h, y = (ζ/h, w, σ, 1)
  Matrix generator_, scaled_;
  SmallExponential exponential_;
  double h_ = 0;
};

}  // namespace pliant
