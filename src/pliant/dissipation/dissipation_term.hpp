// Damping as a term of the system, f = −∂R/∂v(q, v), and what an implicit stage may do with it.
// Where R depends on q, the objective with γq R(q, v) in it has a derivative that is off by
// γq ∂R/∂q; BROWN (19) accepts that, BROWN (26) takes R(q, v̂) with a fixed v̂ off again, which
// leaves an error of second order, and Newton's method on the force itself has none.
#pragma once

#include <pliant/term/term.hpp>

namespace pliant {

enum class StageTreatment {
  force,        // the true force; the stage has no objective
  objective,    // BROWN (19), (28): first order in the damping
  second_order  // BROWN (26), (30)
};

// The stage q = q_p + γq v that an objective is made for.
struct StageForm {
  double gamma_q = 0;             // s
  std::span<const double> v_hat;  // of BROWN (26), m/s; empty: (19)
};

class DissipationTerm : public Term {
 public:
  explicit DissipationTerm(StageTreatment treatment) : treatment_(treatment) {}
  TermKind kind() const override { return TermKind::dissipation; }
  bool has_potential() const override { return treatment_ != StageTreatment::force; }
  bool symmetric() const override { return has_potential(); }
  StageTreatment treatment() const { return treatment_; }

  // What the stage's objective has beyond R itself, W; and its part of force and tangent, of which
  // those of R stay with add_force and add_tangent:
  //   f −= γq (∂R/∂q(q, v) − ∂R/∂q(q, v̂)),   A += scale γq ∂²R/∂q∂v
  virtual double stage_excess(const Configuration& c, const StageForm& form) const = 0;
  virtual void add_stage_force(const Configuration& c, const StageForm& form,
                               std::span<double> f) const = 0;
  virtual void add_stage_tangent(const Configuration& c, const StageForm& form, Tangent scale,
                                 BlockMatrix& A) const = 0;

 private:
  StageTreatment treatment_;
};

}  // namespace pliant
