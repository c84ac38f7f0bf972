#include <pliant/core/parallel.hpp>
#include <pliant/solve/pcg_kernels.hpp>
#include <pliant/solve/pcg_solver.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

constexpr std::size_t kNodesPerTask = 1024;

// A copy in single precision costs as much as two products and saves half of each: so many
// iterations first show that it pays.
constexpr long kBeforeSingle = 10;
// A residual is computed anew after so many iterations in single precision, or once it has shrunk
// to a part, squared, that rounding comes near to.
constexpr long kBetweenResiduals = 50;
constexpr double kShrunk = 1e-8;
// Where it then is not so much smaller than the one before (squared), and was thought to be or is
// so for the second time, single precision may be what is in the way.
constexpr double kProgress = 0.25;

// Parts of the coarse level: small ones gain more, and many cost more than they gain.
constexpr Index kMostParts = 512, kFewestNodesOfParts = 64;

}  // namespace

void PcgSolver::analyze(const std::shared_ptr<const BlockPattern>& pattern) {
  if (!first_pattern_ || first_pattern_->rows != pattern->rows) {
    first_pattern_ = pattern;
    level_.reset();
  }
  for (Vector* x : {&r_, &p_, &Ap_}) x->setZero(3 * pattern->rows);
  inverse_.assign(6 * static_cast<std::size_t>(pattern->rows), 0.0);
}

SolveStatus PcgSolver::factorize(const BlockMatrix& A) {
  if (r_.size() != 3 * A.pattern().rows) analyze(A.shared_pattern());
  A_ = &A;
  single_state_ = precision_ == Precision::mixed ? Single::unknown : Single::none;
  level_is_made_ = false;
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
  last_exact_ += exact_;
  const double pAp = exact_ ? A_->multiply_dot(view(p_), view(Ap_))
                            : single_.multiply_dot(view(p_), rounded_, view(Ap_));
  if (!update_ || update_->empty()) return pAp;
  Ap_.noalias() += update_->Y * (update_->Z.transpose() * p_);
  return p_.dot(Ap_);
}

double PcgSolver::shorten_residual(double alpha) {
  return parallel_sum(inverse_.size() / 6, kNodesPerTask, [&](std::size_t begin, std::size_t end) {
    return exact_ ? shorten_nodes(alpha, Ap_.data(), InverseBlocks{inverse_.data()}, r_.data(),
                                  begin, end)
                  : shorten_nodes(alpha, Ap_.data(), BlockFactors{factors_.data()}, r_.data(),
                                  begin, end);
  });
}

double PcgSolver::correct(double square) {
  return levelled_ ? square + level_->correct(view(std::as_const(r_))) : square;
}

void PcgSolver::turn(double alpha, double beta, std::span<double> x) {
  const PcgTurn t = {alpha,    beta,      levelled_ ? level_.get() : nullptr, r_.data(),
                     x.data(), p_.data(), exact_ ? nullptr : rounded_.data()};
  parallel_ranges(inverse_.size() / 6, kNodesPerTask, [&](std::size_t begin, std::size_t end) {
    if (exact_)
      turn_nodes(t, InverseBlocks{inverse_.data()}, begin, end);
    else
      turn_nodes(t, BlockFactors{factors_.data()}, begin, end);
  });
}

SolveStatus PcgSolver::iterate(std::span<const double> b, std::span<double> x, double relative) {
  Ap_.setZero();
  p_.setZero();
  start_ = square_ = levelled_square_ = shorten_residual(0);
  target_ = relative * relative * start_;
  if (choice_.begins()) start_level();
  rz_ = correct(square_);
  turn(0, 0, x);
  for (last_ = 1; last_ <= limit_; ++last_) {
    const double pAp = multiply_dot();
    const bool down = pAp > 0;
    if (!down && exact_)
      return std::isfinite(pAp) ? SolveStatus::not_positive_definite : SolveStatus::failed;
    double alpha = down ? rz_ / pAp : 0;  // not where the direction may come from rounding
    square_ = down ? shorten_residual(alpha) : 0;
    bool anew = false;
    if (must_replace()) {
      as_vector(x) += alpha * p_;
      alpha = 0;
      anew = replace_residual(b, x);
    }
    if (square_ <= target_) {
      as_vector(x) += alpha * p_;
      return SolveStatus::ok;
    }
    anew = look_for_cheaper() || anew;
    const double rz = correct(square_);
    turn(alpha, anew ? 0 : rz / rz_, x);
    rz_ = rz;
  }
  last_ = limit_;
  return SolveStatus::not_converged;
}

bool PcgSolver::must_replace() const {
  return !exact_ && (last_ >= next_ || !(square_ > std::max(target_, kShrunk * replaced_)));
}

// r = b − (A + Y Zᵀ) x. True where the rest is in double precision, along a direction of its own.
bool PcgSolver::replace_residual(std::span<const double> b, std::span<const double> x) {
  ++replacements_;
  const bool thought_less = square_ <= kProgress * replaced_;
  r_ = as_vector(b);
  A_->multiply_subtract(x, view(r_));
  if (update_ && !update_->empty())
    r_.noalias() -= update_->Y * (update_->Z.transpose() * as_vector(x));
  Ap_.setZero();  // it may not be finite
  square_ = shorten_residual(0);
  slow_ = square_ <= kProgress * replaced_ ? 0 : slow_ + (thought_less ? 2 : 1);
  replaced_ = square_;
  next_ = last_ + kBetweenResiduals;
  exact_ = slow_ >= 2;
  return exact_;
}

// Where iterations are many. True where the next direction begins anew.
bool PcgSolver::look_for_cheaper() {
  if (last_ == kBeforeSingle && make_single()) {
    exact_ = false;
    replaced_ = square_;
    next_ = last_ + kBetweenResiduals;
  }
  if (last_ != LevelChoice::kPlainIterations || levelled_ || q_.empty()) return false;
  return choice_.is_worth_trying(square_ / start_) && start_level();
}

// The copies in single precision; false where the matrix has none.
bool PcgSolver::make_single() {
  if (single_state_ != Single::unknown) return single_state_ == Single::made;
  const std::size_t n = inverse_.size() / 6;
  factors_.resize(6 * n);
  softness_.resize(n);
  rounded_.resize(3 * n + 1);
  parallel_for_each(n, kNodesPerTask, [&](std::size_t i) {
    const double* d = inverse_.data() + 6 * i;
    store_factors(A_->block(A_->pattern().diagonal[i]), factors_.data() + 6 * i);
    softness_[i] = 1 / (d[0] + d[1] + d[2]);  // at most the smallest eigenvalue of the block
  });
  single_state_ = single_.copy(*A_, softness_) ? Single::made : Single::none;
  return single_state_ == Single::made;
}

// The level for this matrix, from here on; false where there is none to be had.
bool PcgSolver::start_level() {
  if (q_.size() != static_cast<std::size_t>(r_.size())) return false;
  if (!level_) {
    level_ = std::make_unique<RigidLevel>();
    const Index rows = first_pattern_->rows;
    level_->analyze(*first_pattern_, std::max(kFewestNodesOfParts, rows / kMostParts));
  }
  if (!level_is_made_) level_is_made_ = level_->parts() > 0 && level_->prepare(*A_, q_);
  levelled_ = level_is_made_;
  levelled_at_ = last_;
  levelled_square_ = square_;
  return levelled_;
}

SolveStatus PcgSolver::solve(std::span<const double> b, std::span<double> x,
                             SolveAccuracy accuracy) {
  std::fill(x.begin(), x.end(), 0.0);
  r_ = as_vector(b);
  last_ = last_exact_ = replacements_ = slow_ = 0;
  if (r_.isZero(0)) return SolveStatus::ok;
  exact_ = true;
  levelled_ = false;
  const SolveStatus status = iterate(b, x, accuracy.relative);
  if (levelled_ && last_ > levelled_at_)
    choice_.judge(square_ / levelled_square_, last_ - levelled_at_);
  iterations_ += last_;
  return status;
}

std::vector<double> PcgSolver::memory() const {
  const auto memory = choice_.memory();
  return {memory.begin(), memory.end()};
}

void PcgSolver::restore(std::span<const double> memory) {
  if (memory.size() >= kMemory) choice_.restore(memory);
}

}  // namespace pliant
