#include <pliant/solve/minres.hpp>

#include <cmath>

namespace pliant {
namespace {

// The Lanczos recurrence in the metric of the preconditioner: v the residual-like vectors, z their
// preconditioned images, gamma their lengths √(z·v).
struct Lanczos {
  Vector v, v_before, v_next, z, Kz;
  double gamma = 0, gamma_before = 1;
};

double length(const Vector& z, const Vector& v) {
  const double square = z.dot(v);
  return square >= 0 ? std::sqrt(square) : std::nan("");
}

// Advances to the next pair; returns the diagonal entry δ of the tridiagonal matrix.
double advance(Lanczos& l, const VectorOperator& K) {
  l.z /= l.gamma;
  K(l.z, l.Kz);
  const double delta = l.Kz.dot(l.z);
  l.v_next = l.Kz - (delta / l.gamma) * l.v - (l.gamma / l.gamma_before) * l.v_before;
  l.v_before.swap(l.v);
  l.v.swap(l.v_next);
  l.gamma_before = l.gamma;
  return delta;
}

}  // namespace

MinresReport solve_minres(const VectorOperator& K, const VectorOperator& precondition,
                          const Vector& b, Vector& x, const MinresOptions& options) {
  MinresReport report;
  Lanczos l;
  const auto n = b.size();
  l.Kz.resize(n), l.z.resize(n), l.v_before.setZero(n);
  K(x, l.Kz);
  l.v = b - l.Kz;
  precondition(l.v, l.z);
  l.gamma = length(l.z, l.v);
  const double first = l.gamma;
  if (first == 0) return report;
  Vector w = Vector::Zero(n), w_before = w, w_next(n), z_next(n);
  double eta = first, c = 1, c_before = 1, s = 0, s_before = 0;
  for (int k = 1; k <= options.max_iterations; ++k) {
    if (!std::isfinite(l.gamma)) break;
    const double gamma = l.gamma;
    const double delta = advance(l, K);
    precondition(l.v, z_next);
    l.gamma = length(z_next, l.v);
    const double a0 = c * delta - c_before * s * gamma, a1 = std::hypot(a0, l.gamma);
    const double a2 = s * delta + c_before * c * gamma, a3 = s_before * gamma;
    report.iterations = k;
    if (!(a1 > 0)) break;  // the Krylov space ends without an answer, or is not finite
    c_before = c, s_before = s;
    c = a0 / a1, s = l.gamma / a1;
    w_next = (l.z - a3 * w_before - a2 * w) / a1;
    w_before.swap(w);
    w.swap(w_next);
    x += c * eta * w;
    eta *= -s;
    l.z.swap(z_next);
    report.residual = std::abs(eta) / first;
    if (report.residual <= options.relative) return report;
  }
  report.status = std::isfinite(l.gamma) ? SolveStatus::not_converged
                  : x.allFinite()        ? SolveStatus::not_positive_definite
                                         : SolveStatus::failed;
  return report;
}

}  // namespace pliant
