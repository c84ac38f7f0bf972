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

StepEquations::StepEquations(const System& system) : system_(system), rows_(system) {
  if (system.contact()) detector_.emplace(*system.contact(), system.pattern());
  base_K_ = base_D_ = mass_ = BlockMatrix(system.pattern());
  system.mass().write_to(mass_);
}

void StepEquations::begin(const State& state, double h) {
  start_ = state;
  system_.open_step(start_, h, data_, mask_);
}

void StepEquations::clear_fixed(Vector& x) const {
  for (std::size_t i = 0; i < mask_.size(); ++i)
    if (mask_[i]) x[static_cast<Eigen::Index>(i)] = 0;
}

void StepEquations::place(const StagePoint& stage, const Vector& x) {
  q_ = stage.gamma > 0 ? Vector(stage.q_p + stage.gamma * x) : stage.q_p;
  v_ = stage.gamma > 0 ? x : stage.v_p;
  a_fixed_.setZero(q_.size());
  system_.prescribe(start_, stage.t, view(q_), view(v_), view(a_fixed_));
  system_.follow(view(q_));
  system_.follow(view(v_));
}

double StepEquations::weighted_residual(const StagePoint& stage, const Vector& x,
                                        const EquationWeights& weights) {
  f_.resize(q_.size());
  system_.force(configuration(stage.t), view(f_));
  const bool implicit = stage.gamma > 0;
  const double scale = implicit ? stage.gamma : 1;
  w_.resize(q_.size());
  for (Eigen::Index i = 0; i < w_.size(); ++i) {
    const bool fixed = mask_[static_cast<std::size_t>(i)] == kPrescribed;
    w_[i] = fixed ? scale * a_fixed_[i] : implicit ? x[i] - stage.v_p[i] : x[i];
  }
  Mw_.resize(q_.size());
  system_.mass().multiply(view(w_), view(Mw_));
  const double sum = weights.w.dot(Mw_ - scale * f_);
  if (!rows_.any()) return sum;
  return sum + rows_.weighted(stage.t, view(q_), stage.lambda, scale, weights.w, weights.y);
}

void StepEquations::linearize(const StagePoint& stage) {
  Configuration c = configuration(stage.t);
  for (auto [matrix, tangent] :
       {std::pair{&base_K_, Tangent{.stiffness = 1}}, std::pair{&base_D_, Tangent{.damping = 1}}}) {
    matrix->set_zero();
    system_.add_tangent(c, tangent, *matrix);
    system_.pull_back(*matrix);
  }
  if (rows_.any()) rows_.linearize(stage.t, view(q_), stage.lambda, stage.gamma);
  contacts_ = false;
  if (!detector_) {
    K_ = base_K_;
    D_ = base_D_;
    return;
  }
  detector_->look_along(view(q_), {});
  const ContactSet& set = detector_->contacts(c);
  contacts_ = set.size() > 0;
  const auto& pattern = detector_->pattern_for(set, nullptr);
  c.contacts = &set;
  for (auto [base, matrix] : {std::pair{&base_K_, &K_}, std::pair{&base_D_, &D_}}) {
    if (matrix->empty() || matrix->shared_pattern() != pattern) *matrix = BlockMatrix(pattern);
    matrix->set_zero();
    detector_->add_base(*base, *matrix);
  }
  system_.contact()->add_tangent(c, {.stiffness = 1}, K_);
}

void StepEquations::add_stiffness_transposed(double scale, const Vector& w, Vector& y) const {
  add_transposed_product(K_, scale, w, y);
}

void StepEquations::add_damping_transposed(double scale, const Vector& w, Vector& y) const {
  add_transposed_product(D_, scale, w, y);
}

bool StepEquations::solve_transposed(const StagePoint& stage, const Vector& b,
                                     EquationWeights& weights) {
  if (A_.empty() || A_.shared_pattern() != K_.shared_pattern())
    A_ = BlockMatrix(K_.shared_pattern());
  if (detector_) {
    A_.set_zero();
    detector_->add_base(mass_, A_);
  } else {
    system_.mass().write_to(A_);
  }
  A_.add_scaled(stage.gamma, D_.values());
  A_.add_scaled(stage.gamma * stage.gamma, K_.values());
  const bool symmetric = is_symmetric(A_);
  if (!symmetric) transpose(A_);
  weights.w.setZero(b.size());
  bool found = false;
  if (symmetric && !rows_.any()) {
    A_.remove(mask_);
    found = solve_by_cholesky(b, weights.w);
  }
  // Without constraints there is nothing more to it than A, symmetric or not.
  found = found || rows_.solve(A_, symmetric && rows_.any(), mask_, b, weights.w, weights.y);
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
