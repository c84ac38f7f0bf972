#include <pliant/core/error.hpp>
#include <pliant/solve/ritz_basis.hpp>

#include <fmt/format.h>

#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr Index kDenseSize = 150;     // free coordinates up to which a dense solve is quicker
constexpr Index kDenseLimit = 12000;  // beyond this a dense matrix has more than a gigabyte
constexpr int kMostRounds = 3;        // of following modes with old factors
constexpr double kGuardAngle = 0.3;   // that the first guard may turn by in the last of them
constexpr double kFirstShift =
    1e-9;  // of the scale: invisible beside the modes, safe from rounding

std::vector<Index> free_coordinates(const DofMask& mask) {
  std::vector<Index> free;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (!mask[i]) free.push_back(static_cast<Index>(i));
  return free;
}

Eigen::MatrixXd dense_free(const BlockMatrix& A, const std::vector<Index>& free) {
  std::vector<Index> place(3 * static_cast<std::size_t>(A.pattern().rows), -1);
  for (std::size_t k = 0; k < free.size(); ++k) place[free[k]] = static_cast<Index>(k);
  const auto n = static_cast<Eigen::Index>(free.size());
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(n, n);
  const BlockPattern& p = A.pattern();
  for (Index i = 0; i < p.rows; ++i)
    for (Index k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      for (int c = 0; c < 9; ++c) {
        const Index r = place[3 * i + c % 3], s = place[3 * p.column[k] + c / 3];
        if (r >= 0 && s >= 0) D(r, s) = A.block(k)[c];
      }
  return D;
}

void solve_dense(const EigenProblem& problem, Index count, const std::vector<Index>& free,
                 Eigenpairs& out) {
  if (free.size() > static_cast<std::size_t>(kDenseLimit)) {
    out.ok = false;
    out.reason =
        fmt::format("{} of {} modes are wanted: too many for a dense solve", count, free.size());
    return;
  }
  BlockMatrix M(problem.M.shared_pattern());
  problem.M.write_to(M);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(dense_free(problem.K, free),
                                                                        dense_free(M, free));
  if (eigen.info() != Eigen::Success || !eigen.eigenvalues().allFinite()) {
    out.ok = false;
    out.reason = "the dense eigenvalue solve failed: the matrices are not finite, or M is singular";
    return;
  }
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(problem.mask.size()), count);
  for (std::size_t k = 0; k < free.size(); ++k)
    X.row(free[k]) = eigen.eigenvectors().row(static_cast<Eigen::Index>(k)).head(count);
  // Rounding in Eigen's reduction leaves XᵀMX near 1e-12; a basis of our own brings it to rounding.
  RitzBasis basis;
  basis.open(problem, count);
  basis.append(X);
  basis.diagonalize();
  out.values = basis.values();
  out.vectors = basis.vectors(basis.size());
  out.residuals = basis.residual_norms(basis.residuals(basis.size()));
}

// (K + σM)⁻¹ and M as Spectra wants them. A failed solve gives zeros and is remembered.
struct ShiftedInverse {
  using Scalar = double;
  LinearSolver& solver;
  Eigen::Index n;
  const Interruption& interrupted;
  mutable bool failed = false;

  Eigen::Index rows() const { return n; }
  Eigen::Index cols() const { return n; }
  void set_shift(double) {}  // the factors are there already
  void perform_op(const double* b, double* x) const {
    const auto size = static_cast<std::size_t>(n);
    // Spectra's loop has no other way out.
    if (is_interrupted(interrupted)) throw CannotContinue("interrupted");
    if (solver.solve({b, size}, {x, size}, {}) == SolveStatus::ok) return;
    failed = true;
    std::fill(x, x + size, 0.0);
  }
};

struct FreeMass {
  using Scalar = double;
  const EigenProblem& problem;

  Eigen::Index rows() const { return static_cast<Eigen::Index>(problem.mask.size()); }
  Eigen::Index cols() const { return rows(); }
  void perform_op(const double* x, double* y) const {
    const std::size_t n = problem.mask.size();
    problem.M.multiply({x, n}, {y, n});
    for (std::size_t i = 0; i < n; ++i)
      if (problem.mask[i]) y[i] = 0;
  }
};

double diagonal_ratio(const EigenProblem& problem) {
  double ratio = 0;
  for (Index n = 0; n < problem.K.pattern().rows; ++n)
    for (int c = 0; c < 3; ++c)
      if (!problem.mask[3 * static_cast<std::size_t>(n) + static_cast<std::size_t>(c)])
        ratio = std::max(ratio, std::abs(problem.K.block(problem.K.pattern().diagonal[n])[4 * c]) /
                                    problem.M.diagonal(n));
  return ratio;
}

}  // namespace

std::string_view name_of(EigenMethod method) {
  switch (method) {
    case EigenMethod::dense:
      return "dense";
    case EigenMethod::cold:
      return "Lanczos";
    case EigenMethod::warm:
      return "warm start";
  }
  return "";
}

EigenpairSolver::EigenpairSolver(EigenOptions options, bool fast)
    : options_(options),
      solver_(CholmodSolver::Kind::llt, fast),
      basis_(std::make_unique<RitzBasis>()) {}

EigenpairSolver::~EigenpairSolver() = default;

// σ grows until K + σM is positive definite. From a warm start its lowest Ritz value is a hint.
bool EigenpairSolver::factorize_shifted(const EigenProblem& problem, const Eigen::MatrixXd& start,
                                        Eigenpairs& out) {
  sigma_ = kFirstShift * (out.scale > 0 ? out.scale : 1);
  const auto values = as_vector(problem.K.values());
  if (!std::isfinite(sigma_) || !values.allFinite()) {
    out.ok = false;
    out.reason = "the stiffness matrix is not finite";
    return false;
  }
  if (start.cols() > 0 && !options_.semidefinite) {
    basis_->open(problem, static_cast<Index>(start.cols()));
    basis_->append(start);
    basis_->diagonalize();
    if (basis_->size() > 0) sigma_ = std::max(sigma_, -1.5 * basis_->values()[0]);
  }
  if (pattern_ != problem.K.shared_pattern()) {
    pattern_ = problem.K.shared_pattern();
    solver_.analyze(pattern_);
    A_ = BlockMatrix(pattern_);
  }
  for (; sigma_ < 1e4 * out.scale + 1e4; sigma_ *= 10) {
    problem.M.write_to(A_);
    for (double& value : A_.values()) value *= sigma_;
    A_.add_scaled(1, problem.K.values());
    A_.remove(problem.mask);
    ++out.factorizations;
    if (solver_.factorize(A_) == SolveStatus::ok) return true;
  }
  out.ok = false;
  out.reason = fmt::format("K + σM could not be factorised up to σ = {:.2g} 1/s²", sigma_);
  return false;
}

// Whatever Lanczos reaches is a start for the refinement, converged or not.
Eigen::MatrixXd EigenpairSolver::lanczos(const EigenProblem& problem, Index count) {
  const auto n = static_cast<Eigen::Index>(problem.mask.size());
  const auto free = static_cast<Index>(free_coordinates(problem.mask).size());
  const Index basis = std::min(free, count + std::clamp(count, Index{20}, Index{300}));
  ShiftedInverse inverse{solver_, n, options_.interrupted};
  FreeMass mass{problem};
  Spectra::SymGEigsShiftSolver<ShiftedInverse, FreeMass, Spectra::GEigsMode::ShiftInvert> eigen(
      inverse, mass, count, basis, -sigma_);
  const Eigen::MatrixXd start = fixed_random(problem.mask, 1, 1);
  try {
    eigen.init(start.data());
    eigen.compute(Spectra::SortRule::LargestMagn, 300, 1e-11);
    if (!inverse.failed) return eigen.eigenvectors();
  } catch (const std::exception&) {  // interrupted, or Spectra's small eigenvalue problem failed
  }
  return {};
}

// The given subspace, and random columns where it is too small.
void EigenpairSolver::begin(const EigenProblem& problem, const Eigen::MatrixXd& start,
                            Index tracked) {
  basis_->append(start.leftCols(std::min<Eigen::Index>(start.cols(), tracked)),
                 options_.interrupted);
  if (basis_->size() < tracked && !is_interrupted(options_.interrupted))
    basis_->append(fixed_random(problem.mask, tracked - basis_->size(), 2), options_.interrupted);
}

void EigenpairSolver::refine(const EigenProblem& problem, const Effort& effort,
                             const Eigen::MatrixXd& start, Eigenpairs& out) {
  const Index count = effort.count, tracked = count + options_.guards;
  const Convergence wanted{count, options_.tolerance, sigma_, out.scale};
  const long most = solves_ + effort.solves;
  RitzBasis& basis = *basis_;
  basis.open(problem, tracked + std::clamp(2 * tracked, Index{24}, Index{80}));
  begin(problem, start, tracked);
  for (out.iterations = 0;; ++out.iterations) {
    if (is_interrupted(options_.interrupted)) {
      out.ok = false;
      out.reason = "interrupted";
      return;
    }
    basis.diagonalize();
    const Eigen::MatrixXd X = basis.vectors(tracked);
    const Eigen::MatrixXd R = basis.residuals(tracked);
    out.residuals = basis.residual_norms(R);
    std::vector<Eigen::Index> open = open_pairs(basis.values(), out.residuals, wanted);
    out.ok = open.empty();
    out.values = basis.values().head(count);
    out.residuals.conservativeResize(count);
    out.vectors = X.leftCols(count);
    out.guards = X.rightCols(X.cols() - count);
    if (out.ok) return;
    if (out.iterations == options_.max_iterations || solves_ > most) break;
    if (basis.room() < static_cast<Index>(open.size())) basis.restart(tracked);
    open.resize(std::min(open.size(), static_cast<std::size_t>(basis.room())));
    const Index before = basis.size();
    basis.append(inverse_of(R(Eigen::all, open)), options_.interrupted);
    if (basis.size() == before) break;  // nothing new can be had
  }
  out.reason =
      fmt::format("the modes did not converge in {} iterations (residual {:.2g} of {:.2g})",
                  out.iterations, out.residuals.maxCoeff(), std::abs(out.values[count - 1]));
}

Eigen::MatrixXd EigenpairSolver::inverse_of(const Eigen::MatrixXd& R) {
  Eigen::MatrixXd T = R;
  solves_ += static_cast<long>(R.cols());
  if (!solver_.solve_in_place(T)) T.setZero();
  return T;
}

bool EigenpairSolver::is_dense(Index free, Index count) const {
  return free <= kDenseSize || 2 * (count + options_.guards) > free;
}

Eigenpairs EigenpairSolver::solve(const EigenProblem& problem, Index count,
                                  const Eigen::MatrixXd& start) {
  Eigenpairs out;
  out.scale = diagonal_ratio(problem);
  const std::vector<Index> free = free_coordinates(problem.mask);
  const auto n = static_cast<Index>(free.size());
  count = std::clamp(count, Index{0}, n);
  if (count == 0) {
    out.vectors.resize(static_cast<Eigen::Index>(problem.mask.size()), 0);
    return out;
  }
  if (is_dense(n, count)) {
    solve_dense(problem, count, free, out);
    fix_signs(out.vectors);
    return out;
  }
  solves_ = 0;
  const long before = solver_.iterations();  // of Lanczos
  const bool warm = start.cols() > 0 && start.allFinite();
  if (!factorize_shifted(problem, warm ? start : Eigen::MatrixXd(), out)) return out;
  if (warm) {
    out.method = EigenMethod::warm;
    refine(problem, {count, 2 * count + 30}, start, out);
  }
  if (!warm || (!out.ok && !is_interrupted(options_.interrupted))) {
    out.method = EigenMethod::cold;
    out.reason.clear();
    refine(problem, {count, std::numeric_limits<int>::max()}, lanczos(problem, count), out);
  }
  out.solves = solves_ + solver_.iterations() - before;
  fix_signs(out.vectors);
  return out;
}

bool EigenpairSolver::factorize(const EigenProblem& problem) {
  Eigenpairs out;
  out.scale = diagonal_ratio(problem);
  return factorize_shifted(problem, {}, out);
}

// One round is: the residuals of the modes at hand times the old inverse are what they are to turn
// by, to first order; both together are a space that has them to second order.
Eigenpairs EigenpairSolver::follow(const EigenProblem& problem, Index count,
                                   const Eigen::MatrixXd& start) {
  Eigenpairs out;
  out.method = EigenMethod::warm;
  const auto free = static_cast<Index>(free_coordinates(problem.mask).size());
  count = std::clamp(count, Index{0}, free);
  out.scale = diagonal_ratio(problem);
  out.ok = false;
  if (pattern_ != problem.K.shared_pattern() || count == 0 || is_dense(free, count) ||
      start.cols() == 0 || !start.allFinite() || !std::isfinite(out.scale))
    return out;
  solves_ = 0;
  const Index tracked = count + options_.guards, turned = count + std::min(1, options_.guards);
  basis_->open(problem, tracked + kMostRounds * turned);
  begin(problem, start, tracked);
  basis_->diagonalize();
  while (!out.ok && out.iterations < kMostRounds && basis_->size() >= tracked) {
    ++out.iterations;
    const Vector angles = basis_->append(inverse_of(basis_->residuals(turned)));
    basis_->diagonalize();
    out.ok = angles.size() == turned && angles.head(count).maxCoeff() <= options_.angle &&
             (turned == count || angles[count] <= kGuardAngle);
  }
  out.values = basis_->values().head(count);
  const Eigen::MatrixXd X = basis_->vectors(std::min(tracked, basis_->size()));
  out.vectors = X.leftCols(count);
  out.guards = X.rightCols(X.cols() - count);
  out.solves = solves_;
  fix_signs(out.vectors);
  return out;
}

}  // namespace pliant
