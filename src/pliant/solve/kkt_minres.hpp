// Constraints by minimal residuals. The preconditioner is block diagonal: an incomplete Cholesky
// factorisation of A, and the Schur complement J D⁻¹ Jᵀ + C of A's diagonal D, which is solved with
// by DirectKkt. Where A is diagonal (lumped masses) three steps suffice. The null space of Jᵀ does
// not depend on A: it is that of the matrix with D too, and is taken from there.
// With a number of iterations given, so many are made and no more, nothing is factorised before
// them, and what they are left with is the answer: rough, and cheap (TOURNIER §4.1).
#pragma once

#include <pliant/solve/kkt_direct.hpp>

#include <Eigen/IterativeLinearSolvers>

namespace pliant {

class MinresKkt final : public KktSolver {
 public:
  explicit MinresKkt(int iterations = 0)
      : rows_("schur", make_schur_factors()), iterations_(iterations) {}
  std::string_view name() const override { return "minres"; }
  SolveStatus factorize(const KktMatrix& matrix) override;
  KktReport solve(const Vector& f, const Vector& g, Vector& x, Vector& y) override;

 private:
  void precondition(const Vector& r, Vector& z);
  void iterate_briefly(const Vector& b, Vector& z, KktReport& report);

  KktSystem system_;
  DirectKkt rows_;  // of [D Jᵀ; J −C]
  KktMatrix diagonal_;
  Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::AMDOrdering<int>> A_;
  SolveStatus status_ = SolveStatus::failed;
  double unit_ = 0;
  int iterations_;
  Vector no_force_, ignored_, y_;
};

}  // namespace pliant
