#include <pliant/solve/qp.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace pliant {
namespace {

constexpr int kCheck = 25;            // iterations between two looks at the residuals
constexpr double kAdapt = 5;          // ρ changes only by more than this factor
constexpr double kInfeasible = 1e-7;  // how exact a proof of infeasibility has to be
constexpr double kRhoMin = 1e-6, kRhoMax = 1e6;
// Of the tolerance: what a guess that is near is refined to. Else one that is within the tolerance
// would be taken as it is, time after time.
constexpr double kRefined = 0.1;

double largest(const Vector& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }
double ratio(double a, double b) { return b > 0 ? a / b : a; }

}  // namespace

void QpSolver::prepare(const QpProblem& p, Vector& x, Vector& y) {
  const Index rows = p.singles() + 2 * p.pairs();
  if (p.reduced) {
    dense_.set(*p.reduced, p.singles());
    form_ = &dense_;
  } else {
    matrix_.set(*p.P, p.dense, p.G, p.singles());
    form_ = &matrix_;
  }
  if (form_->rows() != rows || p.upper.size() != p.lower.size() ||
      p.shift.size() != 2 * p.pairs() || p.c.size() != form_->dofs())
    throw InputError(fmt::format(
        "a quadratic program's rows and bounds must match: got {} rows for {} bounds and {} pairs",
        form_->rows(), p.lower.size(), p.radius.size()));
  for (Index i = 0; i < p.singles(); ++i)
    if (!(p.lower[i] <= p.upper[i]))
      throw InputError(
          fmt::format("row {} of a quadratic program: the lower bound {} is above the "
                      "upper one, {}",
                      i, p.lower[i], p.upper[i]));
  problem_ = &p;
  if (x.size() != p.c.size()) x = Vector::Zero(p.c.size());
  if (y.size() != rows) y = Vector::Zero(rows);
  Gx_.resize(rows), z_.resize(rows), w_.resize(rows);
  r_.resize(p.c.size()), step_.resize(p.c.size()), Px_.resize(p.c.size());
  set_metric();
}

void QpSolver::set_metric() {
  const QpProblem& p = *problem_;
  form_->inverse_roots(column_);
  metric_.resize(form_->rows());
  for (Index r = 0; r < form_->rows(); ++r) {
    const double length2 = form_->squared_length(r, column_);
    metric_[r] = length2 > 0 ? 1 / length2 : 0;
  }
  for (Index k = 0, r = p.singles(); k < p.pairs(); ++k, r += 2) {  // discs stay discs
    const double m = std::min(metric_[r], metric_[r + 1]);
    metric_[r] = metric_[r + 1] = m > 0 ? m : std::max(metric_[r], metric_[r + 1]);
  }
  for (double& m : metric_)
    if (m == 0) m = 1;  // a row of zeros
}

// A row of zeros that may not be zero.
bool QpSolver::contradicts_itself(QpReport& report) const {
  const QpProblem& p = *problem_;
  for (Index r = 0; r < p.singles(); ++r) {
    if (form_->squared_length(r, column_) > 0 || (p.lower[r] <= 0 && p.upper[r] >= 0)) continue;
    report.infeasible = true;
    report.fail(fmt::format("no point satisfies row {}: it is zero and has to lie in [{}, {}]", r,
                            p.lower[r], p.upper[r]));
    return true;
  }
  return false;
}

// The multiplier of a pair is formed as such, not as a difference of w and z, which may be far
// larger.
void QpSolver::prox(const Vector& w, const Vector& rho, Vector& z, Vector& y) const {
  const QpProblem& p = *problem_;
  const Index m = p.singles();
  z.head(m) = w.head(m).cwiseMax(p.lower).cwiseMin(p.upper);
  y.head(m) = rho.head(m).cwiseProduct(w.head(m) - z.head(m));
  for (Index k = 0, r = m; k < p.pairs(); ++k, r += 2) {
    const Eigen::Vector2d u = w.segment<2>(r) - p.shift.segment<2>(2 * k);
    const double length = u.norm(), radius = p.radius[k];
    if (rho[r] * length <= radius) {
      z.segment<2>(r) = p.shift.segment<2>(2 * k);
      y.segment<2>(r) = rho[r] * u;
    } else {
      y.segment<2>(r) = radius / length * u;
      z.segment<2>(r) = w.segment<2>(r) - y.segment<2>(r) / rho[r];
    }
  }
}

// One step of the splitting: x from z and y, then z and y. The weights are factorised.
SolveStatus QpSolver::split(Vector& x, Vector& y) {
  const QpProblem& p = *problem_;
  r_ = -p.c;
  w_ = rho_rows_.cwiseProduct(z_) - y;
  form_->add_transposed(w_, r_);
  const SolveStatus status = form_->solve(r_, x);
  if (status != SolveStatus::ok) return status;
  form_->multiply_G(x, Gx_);
  const double a = options_.relaxation;
  w_ = a * Gx_ + (1 - a) * z_ + y.cwiseQuotient(rho_rows_);
  prox(w_, rho_rows_, z_, y);
  return SolveStatus::ok;
}

// ‖P x + c + Gᵀ y‖, relative to its parts, in scaled columns.
double QpSolver::dual_residual(const Vector& x, const Vector& y) const {
  const QpProblem& p = *problem_;
  Vector Px(x.size()), Gy = Vector::Zero(x.size());
  form_->multiply_P(x, Px);
  form_->add_transposed(y, Gy);
  const double scale =
      std::max({largest(column_.cwiseProduct(Px)), largest(column_.cwiseProduct(Gy)),
                largest(column_.cwiseProduct(p.c))});
  return ratio(largest(column_.cwiseProduct(Px + p.c + Gy)), scale);
}

// ρ balances the two residuals of the splitting, ‖Gx − z‖ and ‖Px + c + Gᵀy‖, each relative.
void QpSolver::adapt(const Vector& x, const Vector& y) {
  const Vector row = metric_.cwiseSqrt();
  const double primal =
      ratio(largest(row.cwiseProduct(Gx_ - z_)),
            std::max(largest(row.cwiseProduct(Gx_)), largest(row.cwiseProduct(z_))));
  const double dual = dual_residual(x, y);
  if (!(primal > 0) || !(dual > 0)) return;
  const double wanted = std::clamp(rho_ * std::sqrt(primal / dual), kRhoMin, kRhoMax);
  if (wanted > kAdapt * rho_ || kAdapt * wanted < rho_) rho_ = wanted;
}

// A change of the multipliers that goes on for ever proves that rows contradict each other
// (Banjac, Goulart, Stellato and Boyd 2019): Gᵀ δ = 0 while u·δ⁺ + l·δ⁻ < 0.
bool QpSolver::has_no_point(const Vector& change) const {
  const QpProblem& p = *problem_;
  Vector delta = change;
  delta.tail(2 * p.pairs()).setZero();
  const double size = largest(delta.cwiseQuotient(metric_.cwiseSqrt()));
  if (!(size > 0)) return false;
  double support = 0;
  for (Index i = 0; i < p.singles(); ++i) {
    const double unit = size * std::sqrt(metric_[i]);
    const double bound = delta[i] > 0 ? p.upper[i] : p.lower[i];
    if (std::abs(delta[i]) <= kInfeasible * unit) continue;
    if (!std::isfinite(bound)) return false;
    support += bound * delta[i];
  }
  if (!(support < 0)) return false;
  Vector back = Vector::Zero(p.c.size());
  form_->add_transposed(delta, back);
  return largest(column_.cwiseProduct(back)) <= kInfeasible * size;
}

// The residuals of the conditions for a minimum. That of the rows is what one step of prox from
// G x with the multipliers at their own scale would change, so it sees bounds that are violated,
// multipliers of the wrong sign and multipliers of rows that are not at their bounds alike.
void QpSolver::measure(const Vector& x, const Vector& y, QpReport& report) {
  const QpProblem& p = *problem_;
  report.dual = dual_residual(x, y);
  const Vector row = metric_.cwiseSqrt();
  scale_ = std::max({largest(x.cwiseQuotient(column_)), largest(column_.cwiseProduct(p.c)),
                     p.unit * largest(row)});
  for (Index i = 0; i < p.singles(); ++i)
    for (const double bound : {p.lower[i], p.upper[i]})
      if (std::isfinite(bound)) scale_ = std::max(scale_, row[i] * std::abs(bound));
  scale_ = std::max(scale_, largest(row.tail(2 * p.pairs()).cwiseProduct(p.shift)));
  multiplier_ = scale_ > 0 ? largest(y.cwiseQuotient(row)) : 0;
  form_->multiply_G(x, Gx_);
  const Vector rho = metric_ * (multiplier_ > 0 ? multiplier_ / scale_ : 1);
  w_ = Gx_ + y.cwiseQuotient(rho);
  Vector z(w_.size()), next(w_.size());
  prox(w_, rho, z, next);
  const Index pairs = 2 * p.pairs();
  w_ = Gx_ - z;
  w_.tail(pairs) = (next - y).tail(pairs).cwiseQuotient(rho.tail(pairs));
  report.primal = ratio(largest(row.cwiseProduct(w_)), scale_);
}

void QpSolver::forget() {
  rho_ = 1;
  matrix_.forget();
}

QpReport QpSolver::solve(const QpProblem& problem, Vector& x, Vector& y, Guess guess) {
  QpReport report;
  prepare(problem, x, y);
  const int before = form_->factorizations();
  const auto done = [&]() -> QpReport& {
    report.factorizations = form_->factorizations() - before;
    return report;
  };
  if (contradicts_itself(report)) return done();
  const auto good = [&] {
    measure(x, y, report);
    return report.primal <= options_.tolerance && report.dual <= options_.tolerance;
  };
  weights_.cross = Vector::Zero(problem.pairs());
  rho_ = std::clamp(rho_, kRhoMin, kRhoMax);
  weights_.diagonal = rho_rows_ = rho_ * metric_;
  form_->multiply_G(x, Gx_);
  g_.resize(y.size());
  prox(Gx_ + y.cwiseQuotient(rho_rows_), rho_rows_, z_, g_);
  if (guess == Guess::near && options_.polish) {
    measure(x, y, report);
    const double tolerance = std::exchange(options_.tolerance, kRefined * options_.tolerance);
    const bool refined = polish(x, y, report);
    options_.tolerance = tolerance;
    if (refined) return done();
  }
  Vector before_y = y;
  for (int k = 1; k <= options_.max_iterations; ++k) {
    weights_.diagonal = rho_rows_;
    weights_.cross.setZero();
    SolveStatus status = form_->factorize(weights_);
    if (k % kCheck == 0) before_y = y;
    if (status == SolveStatus::ok) status = split(x, y);
    if (status != SolveStatus::ok)
      return done(),
             report.fail(fmt::format("the matrix of the quadratic program: {}", name_of(status)));
    report.iterations = k;
    if (form_->rows() > 0 && k % kCheck != 0) continue;
    if (good()) return done();
    if (options_.polish && polish(x, y, report)) return done();
    if (has_no_point(y - before_y)) {
      report.infeasible = true;
      return done(), report.fail("no point satisfies all rows: they contradict each other");
    }
    adapt(x, y);
    rho_rows_ = rho_ * metric_;
  }
  done();
  return report.fail(
      fmt::format("the quadratic program is not solved after {} iterations: its "
                  "residuals are {:.1e} and {:.1e}, and should be below {:.1e}",
                  report.iterations, report.primal, report.dual, options_.tolerance));
}

}  // namespace pliant
