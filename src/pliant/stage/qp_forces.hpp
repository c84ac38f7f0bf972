// Normal and friction forces in turn until they agree (staggered projections, Kaufman, Sueda, James
// and Pai 2008), each by a quadratic program with the other's forces held; friction is bounded by
// the disc, not by a polygon. LOESCHNER §4, with the friction that the paper leaves out.
#pragma once

#include <pliant/solve/cholmod_solver.hpp>
#include <pliant/solve/qp.hpp>
#include <pliant/stage/contact_forces.hpp>

namespace pliant {

class QpForces final : public ContactForces {
 public:
  explicit QpForces(double margin, bool fast = false);  // m, a size that rows may have
  void open(const StepContext& context, double h, const Prediction& predicted) override;
  bool balance(const ContactRows& rows, ContactAnswer& answer, ContactReport& report) override;

 private:
  // y are the multipliers of the program, of the other sign.
  bool solve(const QpProblem& problem, QpSolver& solver, Vector& x, Vector& y,
             ContactReport& report) const;

  double margin_;
  QpSolver normal_solver_, friction_solver_;
  void set_dense(const StepContext& context, double h, const Prediction& predicted);
  bool is_positive_definite();

  BlockMatrix A_;
  LowRank dense_;        // of A
  CholmodSolver check_;  // whether A with it is positive definite
  std::shared_ptr<const BlockPattern> checked_;
  QpProblem normal_, friction_;  // the same rows along the normals and across
};

}  // namespace pliant
