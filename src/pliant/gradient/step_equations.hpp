// The equations of one step, exactly, and their derivatives. With q = q_p + γ v on free
// coordinates, what pins prescribe at the stage's time on the others, a stage is
//   r(v; q_p, v_p) = M (v − v_p) − γ f(t, q, v) = 0,
// and the acceleration at the start M a − f = 0. Newton's method may solve them with whatever
// matrix it likes; a gradient needs the true ones, K = −∂f/∂q and D = −∂f/∂v, unprojected, and
// their transposes.
#pragma once

#include <pliant/gradient/row_equations.hpp>
#include <pliant/stage/contact_detector.hpp>
#include <pliant/stage/stage.hpp>

namespace pliant {

struct StagePoint {
  double t = 0, gamma = 0;  // s; gamma 0: the acceleration at the start, for which x below is a
  const Vector &q_p, &v_p;  // at the start: q_n, v_n
  const Vector& lambda;     // N, multipliers of the solution; empty where there are no constraints
};
// What the equations of a stage are multiplied by: w, zero outside of free coordinates, and y of
// the constraints.
struct EquationWeights {
  Vector w, y;
};

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
    return {.t = t, .q = view(q_), .v = view(v_), .step = &data_};
  }

  // wᵀ r + yᵀ g at the placed solution x.
  double weighted_residual(const StagePoint& stage, const Vector& x,
                           const EquationWeights& weights);

  // K and D at the placed solution, over a pattern with blocks for contacts.
  void linearize(const StagePoint& stage);
  // y += scale Kᵀ w, Dᵀ w
  void add_stiffness_transposed(double scale, const Vector& w, Vector& y) const;
  void add_damping_transposed(double scale, const Vector& w, Vector& y) const;
  // The weights with Aᵀ w = b on free coordinates, A = M + γ D + γ² K, and what constraints add to
  // that; M alone for the acceleration. False where there are none.
  [[nodiscard]] bool solve_transposed(const StagePoint& stage, const Vector& b,
                                      EquationWeights& weights);
  void leave_rows(const EquationWeights& weights, Vector& q_bar) const {
    if (rows_.any()) rows_.leave(weights.w, weights.y, q_bar);
  }
  const std::shared_ptr<const BlockPattern>& pattern() const { return K_.shared_pattern(); }
  bool has_contacts() const { return contacts_; }

  void clear_fixed(Vector& x) const;  // zero outside of free coordinates

 private:
  bool solve_by_cholesky(const Vector& b, Vector& w);

  const System& system_;
  State start_;
  StepData data_;
  DofMask mask_;
  std::optional<ContactDetector> detector_;
  bool contacts_ = false;
  Vector q_, v_, a_fixed_, f_, w_, Mw_;
  BlockMatrix mass_, base_K_, base_D_, K_, D_, A_;
  RowEquations rows_;
  std::unique_ptr<LinearSolver> cholesky_;
  std::shared_ptr<const BlockPattern> analyzed_;
};

}  // namespace pliant
