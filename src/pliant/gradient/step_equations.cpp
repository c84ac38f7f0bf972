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

StepEquations::StepEquations(const System& system) : system_(system) {
  if (system.contact()) detector_.emplace(*system.contact(), system.pattern());
  base_K_ = base_D_ = BlockMatrix(system.pattern());
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

double StepEquations::weighted_residual(const StagePoint& stage, const Vector& x, const Vector& w) {
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
  return w.dot(Mw_ - scale * f_);
}

void StepEquations::linearize(const StagePoint& stage) {
  Configuration c = configuration(stage.t);
  for (auto [matrix, tangent] :
       {std::pair{&base_K_, Tangent{.stiffness = 1}}, std::pair{&base_D_, Tangent{.damping = 1}}}) {
    matrix->set_zero();
    system_.add_tangent(c, tangent, *matrix);
    system_.pull_back(*matrix);
  }
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

bool StepEquations::solve_transposed(const StagePoint& stage, const Vector& b, Vector& w) {
  BlockMatrix mass(system_.pattern());
  system_.mass().write_to(mass);
  A_ = BlockMatrix(K_.shared_pattern());
  if (detector_)
    detector_->add_base(mass, A_);
  else
    A_ = mass;
  A_.add_scaled(stage.gamma, D_.values());
  A_.add_scaled(stage.gamma * stage.gamma, K_.values());
  A_.remove(mask_);
  w.setZero(b.size());
  if (is_symmetric(A_)) {
    if (!cholesky_) cholesky_ = std::make_unique<CholmodSolver>(CholmodSolver::Kind::llt, false);
    if (analyzed_ != A_.shared_pattern()) {
      analyzed_ = A_.shared_pattern();
      cholesky_->analyze(analyzed_);
    }
    if (cholesky_->factorize(A_) == SolveStatus::ok &&
        cholesky_->solve(view(b), view(w), {}) == SolveStatus::ok) {
      clear_fixed(w);
      return true;
    }
  }
  BlockMatrix transposed(A_.shared_pattern());
  const BlockPattern& p = A_.pattern();
  for (Index k = 0; k < p.blocks(); ++k)
    Eigen::Map<Mat3>(transposed.block(k)) = Block(A_.block(p.mirror[k])).transpose();
  if (!solve_by_lu(transposed, b, w)) return false;
  clear_fixed(w);
  return true;
}

bool StepEquations::solve_by_lu(const BlockMatrix& transposed, const Vector& b, Vector& w) {
  const BlockPattern& p = transposed.pattern();
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < p.rows; ++i)
    for (Index k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      for (int c = 0; c < 9; ++c)
        if (const double value = transposed.block(k)[c]; value != 0)
          entries.emplace_back(3 * i + c % 3, 3 * p.column[k] + c / 3, value);
  Eigen::SparseMatrix<double> matrix(3 * p.rows, 3 * p.rows);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(matrix);
  if (lu.info() != Eigen::Success) return false;
  w = lu.solve(b);
  return w.allFinite();
}

}  // namespace pliant
