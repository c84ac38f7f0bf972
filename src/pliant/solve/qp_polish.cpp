// The exact end of a quadratic program: Newton's method on the augmented Lagrangian
//   F(x) = ½ xᵀ P x + cᵀ x + Σ min_z [φ(z) + ρ/2 (z − w)²],   w = G x + y/ρ,
// whose gradient is P x + c + Gᵀ y′ with y′ = ρ (w − prox(w)); then y ← y′, and so on. ρ begins
// at a thousand times what multipliers are over distances, so that each round gains some three
// digits and rounding takes no more than three of sixteen. Where rows nearly depend on each other a
// round gains less, and ρ grows as far as rounding allows.
#include <pliant/solve/qp.hpp>

#include <cmath>

namespace pliant {
namespace {

constexpr double kRho = 1e3, kPolishRhoMin = 1e-4, kPolishRhoMax = 1e6;
constexpr double kGrow = 10;    // of ρ, where a round gained less than that
constexpr double kRoom = 1e-2;  // of the tolerance: what rounding may take before ρ grows
constexpr int kRounds = 30, kNewton = 60, kPolishHalvings = 30;
constexpr double kArmijo = 1e-4;
constexpr double kInner = 0.1;   // of the tolerance: how well F is minimised
constexpr double kFlat = 1e-14;  // relative change of F that is rounding

}  // namespace

double QpSolver::envelope(const Vector& w, const Vector& rho) const {
  const QpProblem& p = *problem_;
  double sum = 0;
  for (Index i = 0; i < p.singles(); ++i) {
    const double beyond = w[i] - std::clamp(w[i], p.lower[i], p.upper[i]);
    sum += 0.5 * rho[i] * beyond * beyond;
  }
  for (Index k = 0, r = p.singles(); k < p.pairs(); ++k, r += 2) {
    const double u = (w.segment<2>(r) - p.shift.segment<2>(2 * k)).norm(), radius = p.radius[k];
    sum +=
        rho[r] * u <= radius ? 0.5 * rho[r] * u * u : radius * u - 0.5 * radius * radius / rho[r];
  }
  return sum;
}

void QpSolver::curvature(const Vector& w, const Vector& rho, RowWeights& W) const {
  const QpProblem& p = *problem_;
  for (Index i = 0; i < p.singles(); ++i)
    W.diagonal[i] = w[i] < p.lower[i] || w[i] > p.upper[i] || p.lower[i] == p.upper[i] ? rho[i] : 0;
  for (Index k = 0, r = p.singles(); k < p.pairs(); ++k, r += 2) {
    const Eigen::Vector2d u = w.segment<2>(r) - p.shift.segment<2>(2 * k);
    const double length = u.norm();
    if (rho[r] * length <= p.radius[k]) {
      W.diagonal[r] = W.diagonal[r + 1] = rho[r];
      W.cross[k] = 0;
      continue;
    }
    const Eigen::Vector2d t(-u.y() / length, u.x() / length);
    const double across = p.radius[k] / length;
    W.diagonal[r] = across * t.x() * t.x();
    W.diagonal[r + 1] = across * t.y() * t.y();
    W.cross[k] = across * t.x() * t.y();
  }
}

double QpSolver::merit(const Vector& x, const Vector& y) {
  const QpProblem& p = *problem_;
  form_->multiply_G(x, Gx_);
  w_ = Gx_ + y.cwiseQuotient(rho_rows_);
  form_->multiply_P(x, Px_);
  return 0.5 * x.dot(Px_) + p.c.dot(x) + envelope(w_, rho_rows_);
}

// Newton's method with a line search; w_, z_ and Px_ belong to the x that it ends at.
SolveStatus QpSolver::minimise(Vector& x, const Vector& y, QpReport& report) {
  const QpProblem& p = *problem_;
  double F = merit(x, y);
  for (int k = 0; k < kNewton; ++k) {
    prox(w_, rho_rows_, z_, g_);
    r_ = Px_ + p.c;
    const double scale = std::max(column_.cwiseProduct(Px_).lpNorm<Eigen::Infinity>(),
                                  column_.cwiseProduct(p.c).lpNorm<Eigen::Infinity>());
    form_->add_transposed(g_, r_);
    if (column_.cwiseProduct(r_).lpNorm<Eigen::Infinity>() <= kInner * options_.tolerance * scale)
      return SolveStatus::ok;
    curvature(w_, rho_rows_, weights_);
    SolveStatus status = form_->factorize(weights_);
    if (status == SolveStatus::ok) status = form_->solve(r_, step_);
    if (status != SolveStatus::ok) return status;
    ++report.newton;
    const double slope = -r_.dot(step_);
    double t = 1;
    for (int halvings = 0;; ++halvings, t /= 2) {
      trial_ = x - t * step_;
      const double next = merit(trial_, y);
      if (next <= F + kArmijo * t * slope || std::abs(next - F) <= kFlat * std::abs(F)) {
        F = next;
        break;
      }
      if (halvings == kPolishHalvings) return SolveStatus::not_converged;
    }
    x = trial_;
  }
  return SolveStatus::not_converged;
}

// True where x and y have become a solution; else they, and the splitting, are as they were.
bool QpSolver::polish(Vector& x, Vector& y, QpReport& report) {
  const Vector old_x = x, old_y = y, old_z = z_;
  QpReport trial = report;
  const double stiffness = multiplier_ > 0 ? multiplier_ / scale_ : rho_;
  rho_rows_ = std::clamp(kRho * stiffness, kPolishRhoMin, kPolishRhoMax) * metric_;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kRounds; ++k) {
    if (minimise(x, y, trial) != SolveStatus::ok) break;
    y = g_;
    measure(x, y, trial);
    if (trial.primal <= options_.tolerance && trial.dual <= options_.tolerance) {
      trial.polished = true;
      report = trial;
      return true;
    }
    if (kGrow * trial.primal > last) {
      if (trial.dual < kRoom * options_.tolerance && rho_rows_[0] < 1 / kFlat * metric_[0])
        rho_rows_ *= kGrow;
      else if (trial.primal > 0.9 * last)
        break;  // rows that contradict each other keep their distance
    }
    last = trial.primal;
  }
  report.newton = trial.newton;
  x = old_x, y = old_y, z_ = old_z;
  rho_rows_ = rho_ * metric_;
  return false;
}

}  // namespace pliant
