#include <pliant/solve/kkt_minres.hpp>

#include <pliant/solve/minres.hpp>

#include <cmath>

namespace pliant {
namespace {

constexpr double kWanted = 1e-13;  // of a residual over the right-hand side
constexpr double kUsable = 1e-9;
constexpr int kRestarts =
    6;  // each from the true residual, which rounding parts from the known one

}  // namespace

SolveStatus MinresKkt::factorize(const KktMatrix& matrix) {
  const bool fresh = system_.set(matrix);
  unit_ = matrix.unit;
  if (!system_.finite()) return status_ = SolveStatus::failed;
  if (iterations_ > 0) return status_ = SolveStatus::ok;
  const Index n = system_.unknowns();
  const Vector diagonal = matrix.A.diagonal();
  if (n > 0 && !(diagonal.minCoeff() > 0)) return status_ = SolveStatus::not_positive_definite;
  if (fresh) {
    diagonal_.A.resize(n, n);
    diagonal_.A.setIdentity();
  }
  for (Index i = 0; i < n; ++i) diagonal_.A.valuePtr()[i] = diagonal[i];
  diagonal_.J = matrix.J, diagonal_.C = matrix.C;
  status_ = rows_.factorize(diagonal_);
  if (status_ != SolveStatus::ok || n == 0) return status_;
  const SparseLower A = system_.K().topLeftCorner(n, n);
  if (fresh) A_.analyzePattern(A);
  A_.factorize(A);
  if (A_.info() != Eigen::Success) status_ = SolveStatus::failed;
  return status_;
}

void MinresKkt::precondition(const Vector& r, Vector& z) {
  const Index n = system_.unknowns(), m = system_.rows();
  if (n > 0) z.head(n) = A_.solve(r.head(n));
  if (m == 0) return;
  const auto scale = system_.scale().tail(m);
  // With nothing pulling at the unknowns, [D Jᵀ; J −C] (x, y) = (0, −r) has y = (J D⁻¹ Jᵀ + C)⁻¹ r.
  const Vector g = -r.tail(m).cwiseQuotient(scale);
  if (rows_.solve(no_force_, g, ignored_, y_).status != SolveStatus::ok)
    y_.setConstant(std::nan(""));
  z.tail(m) = y_.cwiseQuotient(scale);
}

// From nothing: with the last step's multipliers as a guess, inextensible sheets gained energy.
void MinresKkt::iterate_briefly(const Vector& b, Vector& z, KktReport& report) {
  const VectorOperator K = [&](const Vector& in, Vector& out) { system_.multiply(in, out); };
  const VectorOperator same = [](const Vector& in, Vector& out) { out = in; };
  const MinresReport done =
      solve_minres(K, same, b, z, {.relative = kWanted, .max_iterations = iterations_});
  report.iterations = done.iterations, report.residual = done.residual;
  if (!z.allFinite()) report.status = SolveStatus::failed;
}

KktReport MinresKkt::solve(const Vector& f, const Vector& g, Vector& x, Vector& y) {
  KktReport report;
  report.negative = -1;
  report.status = status_;
  if (!system_.begin_solve({f, g}, x, y)) report.status = SolveStatus::failed;
  if (report.status != SolveStatus::ok || system_.size() == 0) return report;
  if (iterations_ > 0) {
    Vector z = Vector::Zero(system_.size());
    iterate_briefly(system_.scaled(f, g), z, report);
    system_.unscale(z, x, y);
    return report;
  }
  no_force_.setZero(f.size());
  const Vector b = system_.scaled(f, without_contradiction(rows_.null_space(), g, unit_, report));
  Vector z = Vector::Zero(b.size()), Kz(b.size());
  const double size = b.lpNorm<Eigen::Infinity>();
  if (size == 0) return report;
  report.residual = 1;
  Vector trial = z;
  const VectorOperator K = [&](const Vector& in, Vector& out) { system_.multiply(in, out); };
  const VectorOperator inverse = [&](const Vector& in, Vector& out) { precondition(in, out); };
  const MinresOptions options = {.relative = 1e-12, .max_iterations = 1000 + 2 * system_.size()};
  for (int k = 0; k < kRestarts && report.residual > kWanted; ++k) {
    report.iterations += solve_minres(K, inverse, b, trial, options).iterations;
    system_.multiply(trial, Kz);
    const double residual = (b - Kz).lpNorm<Eigen::Infinity>() / size;
    if (!(residual < report.residual)) break;
    report.residual = residual;
    z = trial;
  }
  if (report.residual > kUsable) report.status = SolveStatus::not_converged;
  system_.unscale(z, x, y);
  shorten(rows_.null_space(), y);
  return report;
}

}  // namespace pliant
