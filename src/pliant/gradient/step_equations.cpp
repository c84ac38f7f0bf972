#include <pliant/gradient/step_equations.hpp>

#include <pliant/contact/barrier_term.hpp>
#include <pliant/solve/cholmod_solver.hpp>

#include <cmath>

namespace pliant {
namespace {

// A matrix whose entries differ from those of its transpose by no more than this part of the
// largest counts as symmetric.
constexpr double kSymmetric = 1e-13;

using Block = Eigen::Map<const Mat3>;

void add_transposed_product(const BlockMatrix& A, double scale, const Vector& w, Vector& y) {
  const BlockPattern& p = A.pattern();
  for (Index i = 0; i < p.rows; ++i)
    for (Index k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      y.segment<3>(3 * i) +=
          scale * Block(A.block(p.mirror[k])).transpose() * w.segment<3>(3 * p.column[k]);
}

void transpose(BlockMatrix& A) {
  const BlockPattern& p = A.pattern();
  for (Index k = 0; k < p.blocks(); ++k) {
    if (p.mirror[k] < k) continue;
    const Mat3 own = Block(A.block(k)), mirror = Block(A.block(p.mirror[k]));
    Eigen::Map<Mat3>(A.block(k)) = mirror.transpose();
    Eigen::Map<Mat3>(A.block(p.mirror[k])) = own.transpose();
  }
}

bool is_symmetric(const BlockMatrix& A) {
  const BlockPattern& p = A.pattern();
  double largest = 0, difference = 0;
  for (Index k = 0; k < p.blocks(); ++k) {
    const Block own(A.block(k)), mirror(A.block(p.mirror[k]));
    largest = std::max(largest, own.cwiseAbs().maxCoeff());
    difference = std::max(difference, (own - mirror.transpose()).cwiseAbs().maxCoeff());
  }
  return difference <= kSymmetric * largest;
}

}  // namespace

StepEquations::StepEquations(const System& system)
    : system_(system), friction_lag_(system), rows_(system), start_rows_(system) {
  if (system.contact()) detector_.emplace(*system.contact(), system.pattern());
  base_K_ = base_D_ = mass_ = BlockMatrix(system.pattern());
  system.mass().write_to(mass_);
}

void StepEquations::begin(const State& state, double h) {
  start_ = state;
  renewed_ = false;
  system_.open_step(start_, h, data_, mask_);
}

void StepEquations::clear_fixed(Vector& x) const {
  for (std::size_t i = 0; i < mask_.size(); ++i)
    if (mask_[i]) x[static_cast<Eigen::Index>(i)] = 0;
}

void StepEquations::place(const StagePoint& stage, const Vector& x) {
  q_ = stage.at_start() ? stage.q_p : Vector(stage.q_p + stage.gamma_q * x);
  v_ = stage.at_start() ? stage.v_p : x;
  a_fixed_.setZero(q_.size());
  system_.prescribe(start_, stage.t, view(q_), view(v_), view(a_fixed_));
  system_.follow(view(q_));
  system_.follow(view(v_));
  const FrictionTerm* friction = system_.friction();
  renewed_ = false;
  if (!friction || friction->options().lag == 1 || stage.at_start()) return;
  friction->lag_at(configuration(stage.t), *data_.friction, friction_);
  renewed_ = true;
}

void StepEquations::find_residual(const StagePoint& stage, const Vector& x) {
  f_.resize(q_.size());
  system_.force(configuration(stage.t), view(f_));
  const double scale = stage.at_start() ? 1 : stage.gamma_v;
  w_.resize(q_.size());
  for (Eigen::Index i = 0; i < w_.size(); ++i) {
    const bool fixed = mask_[static_cast<std::size_t>(i)] == kPrescribed;
    w_[i] = fixed ? scale * a_fixed_[i] : stage.at_start() ? x[i] : x[i] - stage.v_p[i];
  }
  Mw_.resize(q_.size());
  system_.mass().multiply(view(w_), view(Mw_));
  r_ = Mw_ - scale * f_;
}

double StepEquations::weighted_residual(const StagePoint& stage, const Vector& x,
                                        const EquationWeights& weights) {
  find_residual(stage, x);
  const double sum = weights.w.dot(r_);
  if (!rows_.any()) return sum;
  return sum + (stage.at_start()
                    ? start_rows_.weighted(start_of(stage), stage.lambda, stage.held, weights)
                    : rows_.weighted(stage, view(q_), view(v_), weights));
}

double StepEquations::relative_residual(const StagePoint& stage, const Vector& x) {
  find_residual(stage, x);
  double missed = 0, moved = 0;
  for (Index n = 0; n < system_.nodes(); ++n) {
    const double m = system_.mass().diagonal(n);
    for (Eigen::Index i = 3 * n; m > 0 && i < 3 * n + 3; ++i) {
      if (mask_[static_cast<std::size_t>(i)]) continue;
      missed += r_[i] * r_[i] / m;
      moved += m * (x[i] * x[i] + w_[i] * w_[i]);
    }
  }
  return moved > 0 ? std::sqrt(missed / moved) : 0;
}

bool StepEquations::linearize(const StagePoint& stage, const Vector& x) {
  const Configuration c = configuration(stage.t);
  for (auto [matrix, tangent] :
       {std::pair{&base_K_, Tangent{.stiffness = 1}}, std::pair{&base_D_, Tangent{.damping = 1}}}) {
    matrix->set_zero();
    system_.add_tangent(c, tangent, *matrix);
    system_.pull_back(*matrix);
  }
  lagged_.clear();
  contacts_ = false;
  if (detector_) {
    add_contact(stage);
  } else {
    K_ = base_K_;
    D_ = base_D_;
  }
  if (!rows_.any()) return true;
  if (!stage.at_start()) {
    rows_.linearize(stage, view(q_), view(v_));
    return true;
  }
  find_residual(stage, x);
  return start_rows_.linearize(start_of(stage), mask_, -r_);
}

void StepEquations::add_contact(const StagePoint& stage) {
  Configuration c = configuration(stage.t);
  detector_->look_along(view(q_), {});
  const ContactSet& set = detector_->contacts(c);
  contacts_ = set.size() > 0;
  const auto& pattern = detector_->pattern_for(set, renewed_ ? &friction_ : data_.friction.get());
  c.contacts = &set;
  for (auto [base, matrix] : {std::pair{&base_K_, &K_}, std::pair{&base_D_, &D_}}) {
    if (matrix->empty() || matrix->shared_pattern() != pattern) *matrix = BlockMatrix(pattern);
    matrix->set_zero();
    detector_->add_base(*base, *matrix);
  }
  system_.contact()->add_tangent(c, {.stiffness = 1}, K_);
  if (!system_.friction()) return;
  system_.friction()->add_tangent(c, {.damping = 1}, D_);
  if (!renewed_) return;
  friction_lag_.derivative(c, q_, set, lagged_);
  for (NodeBlock& block : lagged_) block.block *= -1;
}

void StepEquations::leave(const StagePoint& stage, const EquationWeights& weights,
                          const Vector& felt, Vector& q_bar, Vector& v_bar) {
  // γv Kᵀ w = (v̄ − M w − γv Dᵀ w)/γq: K may be that of rigid bodies, so stiff that of a product
  // with it few digits are left.
  if (!stage.at_start() && !rows_.any()) {
    Mw_.resize(q_bar.size());
    system_.mass().multiply(view(weights.w), view(Mw_));
    q_bar -= (felt - Mw_) / stage.gamma_q;
    add_transposed_product(D_, stage.gamma_v / stage.gamma_q, weights.w, q_bar);
    return;
  }
  const double scale = stage.at_start() ? 1 : stage.gamma_v;
  add_transposed_product(K_, -scale, weights.w, q_bar);
  for (const NodeBlock& block : lagged_)
    q_bar.segment<3>(3 * block.column) -=
        scale * block.block.transpose() * weights.w.segment<3>(3 * block.row);
  if (stage.at_start()) add_transposed_product(D_, -1, weights.w, v_bar);
  if (!rows_.any()) return;
  if (stage.at_start())
    start_rows_.leave(start_of(stage), weights, q_bar, v_bar);
  else
    rows_.leave(weights, q_bar);
}

std::optional<double> StepEquations::correct(const StagePoint& stage, Vector& x) {
  place(stage, x);
  if (!linearize(stage, x)) return std::nullopt;
  find_residual(stage, x);
  clear_fixed(r_);
  EquationWeights change;
  if (!solve(stage, r_, false, change)) return std::nullopt;
  x -= change.w;
  system_.follow(view(x));
  return change.w.lpNorm<Eigen::Infinity>() / x.lpNorm<Eigen::Infinity>();
}

bool StepEquations::solve(const StagePoint& stage, const Vector& b, bool transposed,
                          EquationWeights& weights) {
  weights.w.setZero(b.size());
  if (stage.at_start() && rows_.any()) {
    const bool found = start_rows_.solve(b, weights);
    clear_fixed(weights.w);
    return found;
  }
  if (A_.empty() || A_.shared_pattern() != K_.shared_pattern())
    A_ = BlockMatrix(K_.shared_pattern());
  if (detector_) {
    A_.set_zero();
    detector_->add_base(mass_, A_);
  } else {
    system_.mass().write_to(A_);
  }
  A_.add_scaled(stage.gamma_v, D_.values());
  A_.add_scaled(stage.gamma_q * stage.gamma_v, K_.values());
  scaled_.clear();
  if (!stage.at_start()) scaled_ = lagged_;
  for (NodeBlock& block : scaled_) block.block *= stage.gamma_q * stage.gamma_v;
  const bool symmetric = is_symmetric(A_);
  if (transposed && !symmetric) transpose(A_);
  if (!transposed)  // what is given as it is gets transposed there
    for (NodeBlock& block : scaled_)
      block = {block.column, block.row, Mat3(block.block.transpose())};
  bool found = false;
  if (symmetric && scaled_.empty() && !rows_.any()) {
    A_.remove(mask_);
    found = solve_by_cholesky(b, weights.w);
  }
  // Without constraints there is nothing more to it than A, symmetric or not.
  found = found || rows_.solve({A_, scaled_, symmetric, mask_}, b, weights);
  clear_fixed(weights.w);
  return found;
}

bool StepEquations::solve_by_cholesky(const Vector& b, Vector& w) {
  if (!cholesky_) cholesky_ = std::make_unique<CholmodSolver>(CholmodSolver::Kind::llt, false);
  if (analyzed_ != A_.shared_pattern()) {
    analyzed_ = A_.shared_pattern();
    cholesky_->analyze(analyzed_);
  }
  return cholesky_->factorize(A_) == SolveStatus::ok &&
         cholesky_->solve(view(b), view(w), {}) == SolveStatus::ok;
}

}  // namespace pliant
