#include <pliant/solve/kkt_direct.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

struct Attempt {
  bool pivoting;          // by the factors that can do it, or by those that need not
  double pivot;           // below it a pivot is left to the border
  double distance;        // ε at or below which a row depends on others
  double regularization;  // added to C
};
constexpr std::array<Attempt, 6> kAttempts = {{{false, 1e-10, 1e-10, 0},
                                               {true, 1e-10, 1e-10, 0},
                                               {true, 1e-8, 1e-9, 0},
                                               {true, 1e-6, 1e-8, 0},
                                               {true, 1e-4, 1e-7, 0},
                                               {true, 1e-14, 1e-12, 1e-9}}};
constexpr double kEasy = 1.5e6;  // multiplications; beyond, what pivots is faster as well
// What needs no further attempt: a residual, or a backward error. Where multipliers are large
// beside the right-hand side, rounding keeps the former from being small.
constexpr double kGood = 1e-9;
constexpr double kNearlyExact = 1e-12;
constexpr double kOnlyRounding =
    1e-9;  // of the right-hand side before contradictions are taken out
constexpr double kUsableResidual = 1e-6;     // a residual that is an answer
constexpr double kBackwardRounding = 1e-15;  // a backward error that is no more than that
constexpr int kKktRefinements = 8;
constexpr double kContradiction = 1e-9;  // of the size of g

double largest_entry(const Eigen::Ref<const Vector>& x) {
  return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0;
}

}  // namespace

Vector without_contradiction(const Matrix& null_space, const Vector& g, double unit,
                             KktReport& report) {
  report.null_rows = static_cast<int>(null_space.cols());
  if (null_space.cols() == 0) return g;
  const Vector missed = null_space * (null_space.transpose() * g);
  const double largest_entry = missed.lpNorm<Eigen::Infinity>();
  if (largest_entry > kContradiction * std::max(unit, g.lpNorm<Eigen::Infinity>())) {
    report.contradiction = largest_entry;
    for (Eigen::Index r = 0; r < g.size(); ++r)
      if (std::abs(missed[r]) > 1e-6 * largest_entry)
        report.contradictory.push_back(static_cast<Index>(r));
  }
  return g - missed;
}

void shorten(const Matrix& null_space, Vector& y) {
  if (null_space.cols() > 0) y -= null_space * (null_space.transpose() * y);
}

void DirectKkt::analyze() {
  order_ = order_kkt(system_.K(), system_.unknowns());
  analyzed_ = false;
  if (!first_) return;
  first_->analyze(system_.K(), system_.unknowns(), order_);
  easy_ = first_->work() <= kEasy;
}

SolveStatus DirectKkt::factorize(const KktMatrix& matrix) {
  if (system_.set(matrix) && system_.size() > 0) analyze();
  unit_ = matrix.unit;
  if (!system_.finite()) return status_ = SolveStatus::failed;
  if (system_.size() == 0) return status_ = SolveStatus::ok;
  for (std::size_t attempt = easy_ ? 0 : 1; attempt < kAttempts.size(); ++attempt) {
    status_ = prepare(attempt);
    const bool final = kAttempts[attempt].pivoting && status_ != SolveStatus::failed;
    if (status_ == SolveStatus::ok || final) break;
  }
  return status_;
}

SolveStatus DirectKkt::prepare(std::size_t attempt) {
  const Attempt& a = kAttempts[attempt];
  attempt_ = attempt;
  regularization_ = a.regularization;
  factors_ = a.pivoting ? pivoting_.get() : first_.get();
  if (a.pivoting && !analyzed_) {
    pivoting_->analyze(system_.K(), system_.unknowns(), order_);
    analyzed_ = true;
  }
  system_.regularize(regularization_);
  const KktPivots pivots = factors_->factorize(system_.K(), a.pivot);
  if (pivots.status != SolveStatus::ok) return pivots.status;
  const bool good = border_.prepare(system_, *factors_, pivots.null, a.distance);
  system_.regularize(0);
  if (!good) return SolveStatus::failed;
  negative_ = pivots.negative + border_.negative();
  return SolveStatus::ok;
}

// K z = b; returns the residual over b. Goes on while a step halves the backward error, the
// residual of the unknowns or that of the rows of J: where heavy masses pull at light ones, one of
// them may be next to rounding long before the others are.
double DirectKkt::refine(const Vector& b, Vector& z, int& solves) {
  const double size = b.lpNorm<Eigen::Infinity>();
  z.setZero(b.size());
  error_ = 0;
  if (size == 0) return 0;
  double residual = std::numeric_limits<double>::infinity();
  error_ = residual;
  Eigen::Array3d best = Eigen::Array3d::Constant(residual);
  trial_.setZero(b.size());
  r_ = b;
  const int limit = regularization_ > 0 ? 10 * kKktRefinements : kKktRefinements;
  for (int k = 0; k < limit; ++k) {
    ++solves;
    if (!border_.solve(*factors_, r_)) break;
    trial_ += r_;
    const double error = system_.residual(b, trial_, r_);
    const Eigen::Array3d now(error, largest_entry(r_.head(system_.unknowns())),
                             largest_entry(r_.tail(system_.rows())));
    const bool worse = now.tail<2>().maxCoeff() > 2 * best.tail<2>().maxCoeff();
    if (!std::isfinite(error) || worse || !(now < 0.5 * best).any()) break;
    z = trial_;
    residual = now.tail<2>().maxCoeff() / size;
    error_ = error;
    best = best.min(now);
    if (error <= kBackwardRounding) break;
  }
  return residual;
}

KktReport DirectKkt::solve_once(const Vector& f, const Vector& g, Vector& x, Vector& y) {
  KktReport report;
  b_ = system_.scaled(f, without_contradiction(null_space(), g, unit_, report));
  report.residual = refine(b_, z_, report.iterations);
  // Where all of g was contradiction, what is left of it is rounding, and so is its residual.
  const double left = b_.lpNorm<Eigen::Infinity>();
  if (const double least = kOnlyRounding * largest_entry(system_.scaled(f, g)); left < least)
    report.residual *= left / least;
  report.regularization = regularization_;
  report.negative = negative_;
  report.status = report.residual <= kUsableResidual ? SolveStatus::ok : SolveStatus::failed;
  system_.unscale(z_, x, y);
  shorten(null_space(), y);
  return report;
}

KktReport DirectKkt::solve(const Vector& f, const Vector& g, Vector& x, Vector& y) {
  KktReport best;
  best.status = status_;
  if (!system_.begin_solve({f, g}, x, y)) best.status = SolveStatus::failed;
  if (best.status != SolveStatus::ok || system_.size() == 0) return best;
  best = solve_once(f, g, x, y);
  Vector other_x, other_y;
  std::size_t chosen = attempt_;
  const auto is_good = [&] { return best.residual <= kGood || error_ <= kNearlyExact; };
  for (bool good = is_good(); !good && attempt_ + 1 < kAttempts.size();) {
    if (prepare(attempt_ + 1) != SolveStatus::ok) continue;
    const KktReport other = solve_once(f, g, other_x, other_y);
    if (!(other.residual < best.residual)) continue;
    best = other, chosen = attempt_, good = is_good();
    x = other_x, y = other_y;
  }
  if (chosen != attempt_) status_ = prepare(chosen);
  return best;
}

}  // namespace pliant
