#include <pliant/core/parallel.hpp>
#include <pliant/core/plain3.hpp>
#include <pliant/solve/pcg_solver.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr std::size_t kNodesPerTask = 1024;

}  // namespace

void PcgSolver::analyze(const std::shared_ptr<const BlockPattern>& pattern) {
  const Eigen::Index n = 3 * pattern->rows;
  for (Vector* x : {&r_, &z_, &p_, &Ap_}) x->setZero(n);
  inverse_.assign(6 * static_cast<std::size_t>(pattern->rows), 0.0);
}

SolveStatus PcgSolver::factorize(const BlockMatrix& A) {
  if (r_.size() != 3 * A.pattern().rows) analyze(A.shared_pattern());
  A_ = &A;
  const auto n = static_cast<std::size_t>(A.pattern().rows);
  const double bad = parallel_sum(n, kNodesPerTask, [&](std::size_t begin, std::size_t end) {
    double count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double* d = A.block(A.pattern().diagonal[i]);  // symmetric, column by column
      const Symmetric3Of<double> D = {d[0], d[4], d[8], d[3], d[6], d[7]};
      const Symmetric3Of<double> adj = adjugate(D);
      const double det = determinant(D), inverse = 1 / det;
      const bool positive =
          D.xx > 0 && adj.zz > 0 && det > 0 && std::isfinite(det) && std::isfinite(inverse);
      if (!positive) ++count;
      double* out = inverse_.data() + 6 * i;
      out[0] = inverse * adj.xx, out[1] = inverse * adj.yy, out[2] = inverse * adj.zz;
      out[3] = inverse * adj.xy, out[4] = inverse * adj.xz, out[5] = inverse * adj.yz;
    }
    return count;
  });
  return bad == 0 ? SolveStatus::ok : SolveStatus::not_positive_definite;
}

double PcgSolver::multiply_dot() {
  const double pAp = A_->multiply_dot(view(p_), view(Ap_));
  if (!update_ || update_->empty()) return pAp;
  Ap_.noalias() += update_->Y * (update_->Z.transpose() * p_);
  return p_.dot(Ap_);
}

inline double PcgSolver::precondition(std::size_t i) {
  const double* d = inverse_.data() + 6 * i;
  const double* r = r_.data() + 3 * i;
  double* z = z_.data() + 3 * i;
  z[0] = d[0] * r[0] + d[3] * r[1] + d[4] * r[2];
  z[1] = d[3] * r[0] + d[1] * r[1] + d[5] * r[2];
  z[2] = d[4] * r[0] + d[5] * r[1] + d[2] * r[2];
  return r[0] * z[0] + r[1] * z[1] + r[2] * z[2];
}

double PcgSolver::precondition() {
  return parallel_sum(inverse_.size() / 6, kNodesPerTask, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += precondition(i);
    return sum;
  });
}

double PcgSolver::advance(double alpha, std::span<double> x) {
  return parallel_sum(inverse_.size() / 6, kNodesPerTask, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
        x[k] += alpha * p_[k];
        r_[k] -= alpha * Ap_[k];
      }
      sum += precondition(i);
    }
    return sum;
  });
}

long PcgSolver::iterate(std::span<double> x, double target, SolveStatus& status) {
  const auto n = static_cast<std::size_t>(r_.size());
  double rz = precondition();
  target *= target * rz;  // r·P⁻¹r is the square of the norm we stop by
  p_ = z_;
  for (long k = 1; k <= limit_; ++k) {
    const double pAp = multiply_dot();
    if (!(pAp > 0)) {
      status = std::isfinite(pAp) ? SolveStatus::not_positive_definite : SolveStatus::failed;
      return k;
    }
    const double alpha = rz / pAp;
    const double rz_new = advance(alpha, x);
    if (rz_new <= target) return k;
    const double beta = rz_new / rz;
    rz = rz_new;
    parallel_for_each(n, 3 * kNodesPerTask, [&](std::size_t i) { p_[i] = z_[i] + beta * p_[i]; });
  }
  status = SolveStatus::not_converged;
  return limit_;
}

SolveStatus PcgSolver::solve(std::span<const double> b, std::span<double> x,
                             SolveAccuracy accuracy) {
  std::fill(x.begin(), x.end(), 0.0);
  r_ = as_vector(b);
  last_ = 0;
  if (r_.isZero(0)) return SolveStatus::ok;
  SolveStatus status = SolveStatus::ok;
  last_ = iterate(x, accuracy.relative, status);
  iterations_ += last_;
  return status;
}

}  // namespace pliant
