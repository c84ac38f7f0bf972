// The equations of one step, exactly, and their derivatives. With q = q_p + γq v on free
// coordinates, what pins prescribe at the stage's time on the others, a stage is
//   r(v; q_p, v_p) = M (v − v_p) − γv f(t, q, v) = 0,
// and the acceleration at the start M a − f = 0. Newton's method may solve them with whatever
// matrix it likes; a gradient needs the true ones, K = −∂f/∂q and D = −∂f/∂v, unprojected, and
// their transposes. Friction whose normal forces are those of the solution depends on q through
// them.
#pragma once

#include <pliant/gradient/friction_lag.hpp>
#include <pliant/gradient/row_equations.hpp>
#include <pliant/gradient/start_rows.hpp>
#include <pliant/stage/contact_detector.hpp>
#include <pliant/stage/stage.hpp>

namespace pliant {

class StepEquations {
 public:
  explicit StepEquations(const System& system);

  // The step of length h from a state; its pins go on from those of the step before.
  void begin(const State& state, double h);
  const State& start() const { return start_; }
  const StepData& data() const { return data_; }
  const DofMask& mask() const { return mask_; }
  const System& system() const { return system_; }

  // Places and velocities at the solution x of a stage, all coordinates.
  void place(const StagePoint& stage, const Vector& x);
  const Vector& q() const { return q_; }
  const Vector& v() const { return v_; }
  Configuration configuration(double t) const {
    return {.t = t,
            .q = view(q_),
            .v = view(v_),
            .step = &data_,
            .friction = renewed_ ? &friction_ : nullptr};
  }
  // Are the normal forces of friction those at q, not those of the step's start?
  bool renews_friction() const { return renewed_; }

  // wᵀ r + yᵀ g at the placed solution x.
  double weighted_residual(const StagePoint& stage, const Vector& x,
                           const EquationWeights& weights);
  // How well the placed solution x solves its stage without constraints, by the masses: over the
  // velocities themselves.
  double relative_residual(const StagePoint& stage, const Vector& x);

  // Multipliers that are at a bound.
  void find_held(const Vector& lambda, std::vector<char>& held) const {
    rows_.find_held(lambda, held);
  }
  // K and D at the placed solution, over a pattern with blocks for contacts. Those of constraints
  // at the start need the acceleration there and find their multipliers; false where they cannot.
  [[nodiscard]] bool linearize(const StagePoint& stage, const Vector& x);
  const Vector& start_multipliers() const { return start_rows_.lambda(); }
  // The weights with Aᵀ w = b on free coordinates, A = M + γv D + γq γv K, and what constraints add
  // to that; M alone for the acceleration. False where there are none.
  [[nodiscard]] bool solve_transposed(const StagePoint& stage, const Vector& b,
                                      EquationWeights& weights) {
    return solve(stage, b, true, weights);
  }
  // One step of Newton's method with these matrices, without constraints: x −= A⁻¹ r. Returns how
  // large it was over x; nothing where A is singular.
  std::optional<double> correct(const StagePoint& stage, Vector& x);
  // What the equations with these weights pass on to q_p; at the start to q_n and v_n.
  // Felt is what the weights were found for.
  void leave(const StagePoint& stage, const EquationWeights& weights, const Vector& felt,
             Vector& q_bar, Vector& v_bar);
  const std::shared_ptr<const BlockPattern>& pattern() const { return K_.shared_pattern(); }
  bool has_contacts() const { return contacts_; }

  void clear_fixed(Vector& x) const;  // zero outside of free coordinates

 private:
  void find_residual(const StagePoint& stage, const Vector& x);  // into r_, with Mw_ of w_
  void add_contact(const StagePoint& stage);
  bool solve(const StagePoint& stage, const Vector& b, bool transposed, EquationWeights& weights);
  bool solve_by_cholesky(const Vector& b, Vector& w);
  StartRows::Start start_of(const StagePoint& stage) const { return {stage.t, q_, v_, w_}; }

  const System& system_;
  State start_;
  StepData data_;
  DofMask mask_;
  std::optional<ContactDetector> detector_;
  bool contacts_ = false, renewed_ = false;
  FrictionSet friction_;
  Vector q_, v_, a_fixed_, f_, r_;
  Vector w_, Mw_;  // what M is multiplied by: v − v_p, or the acceleration
  BlockMatrix mass_, base_K_, base_D_, K_, D_, A_;
  std::vector<NodeBlock> lagged_, scaled_;  // −∂f/∂q of friction through its normal forces
  FrictionLag friction_lag_;
  RowEquations rows_;
  StartRows start_rows_;
  std::unique_ptr<LinearSolver> cholesky_;
  std::shared_ptr<const BlockPattern> analyzed_;
};

}  // namespace pliant
