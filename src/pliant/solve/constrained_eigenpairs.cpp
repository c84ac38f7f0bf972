#include <pliant/solve/constrained_eigenpairs.hpp>

#include <pliant/core/symmetric.hpp>
#include <pliant/solve/ritz_basis.hpp>

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <random>

namespace pliant {
namespace {

using Matrix = Eigen::MatrixXd;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double kRank = 1e-10;             // of the largest pivot: rows below depend on the others
constexpr double kConstrainedShift = 1e-9;  // of the scale

Matrix times(const Sparse& lower, const Matrix& X) {
  return lower.selfadjointView<Eigen::Lower>() * X;
}

// K with the springs that compliant rows are; scaled rows would not change it.
struct Stiffness {
  const KktMatrix& matrix;
  Vector springs;  // 1/C, zero of hard rows

  explicit Stiffness(const KktMatrix& given) : matrix(given), springs(given.C) {
    for (double& c : springs) c = c > 0 ? 1 / c : 0;
  }
  Matrix operator*(const Matrix& X) const {
    Matrix out = times(matrix.A, X);
    if (matrix.rows() > 0) out += matrix.J.transpose() * (springs.asDiagonal() * (matrix.J * X));
    return out;
  }
};

// An orthonormal basis of the x with J x = 0 over the hard rows.
Matrix null_space(const KktMatrix& matrix) {
  std::vector<Eigen::Index> hard;
  for (Eigen::Index k = 0; k < matrix.rows(); ++k)
    if (matrix.C[k] == 0) hard.push_back(k);
  const auto n = matrix.A.rows();
  if (hard.empty()) return Matrix::Identity(n, n);
  Matrix columns(n, static_cast<Eigen::Index>(hard.size()));
  for (std::size_t k = 0; k < hard.size(); ++k) {
    const Vector row = Vector(matrix.J.row(hard[k]).transpose());
    const double length = row.norm();
    columns.col(static_cast<Eigen::Index>(k)) = length > 0 ? Vector(row / length) : row;
  }
  Eigen::ColPivHouseholderQR<Matrix> qr(columns);
  qr.setThreshold(kRank);
  Matrix Q = Matrix::Identity(n, n);
  Q.applyOnTheLeft(qr.householderQ());
  return Q.rightCols(n - qr.rank());
}

void solve_dense(const ConstrainedEigenProblem& problem, Index count, Eigenpairs& out) {
  const Matrix Z = null_space(problem.stiffness);
  out.vectors.resize(Z.rows(), 0);
  if (Z.cols() == 0) return;
  Matrix K = Z.transpose() * (Stiffness(problem.stiffness) * Z);
  K = 0.5 * (K + K.transpose()).eval();
  const Matrix M = Z.transpose() * times(problem.M, Z);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(K, M);
  if (eigen.info() != Eigen::Success || !eigen.eigenvalues().allFinite()) {
    out.ok = false;
    out.reason = "the dense eigenvalue solve failed: the matrices are not finite, or M is singular";
    return;
  }
  const auto kept = std::min<Eigen::Index>(count, Z.cols());
  const Matrix Y = eigen.eigenvectors().leftCols(kept);
  out.values = eigen.eigenvalues().head(kept);
  out.vectors = Z * Y;
  out.scale = eigen.eigenvalues().cwiseAbs().maxCoeff();
  const Matrix R = K * Y - M * Y * out.values.asDiagonal();
  out.residuals.resize(kept);
  const Eigen::LLT<Matrix> factors(M);
  for (Eigen::Index j = 0; j < kept; ++j)
    out.residuals[j] = factors.matrixL().solve(R.col(j)).norm();
}

class SparseSearch {
 public:
  SparseSearch(const ConstrainedEigenProblem& problem, const ConstrainedEigenOptions& options)
      : problem_(problem), options_(options), K_(problem.stiffness) {}

  void run(Index count, Eigenpairs& out) {
    out.scale = diagonal_ratio();
    if (!factorize(out)) return;
    const Index tracked = count + options_.guards;
    capacity_ = tracked + std::clamp<Index>(2 * tracked, 24, 80);
    V_.resize(problem_.M.rows(), 0);
    append(shifted_, random(tracked));
    for (out.iterations = 0; out.iterations <= options_.max_iterations; ++out.iterations) {
      if (is_interrupted(options_.interrupted)) return fail("interrupted", out);
      diagonalize();
      const Matrix X = V_ * Y_.leftCols(std::min<Eigen::Index>(tracked, Y_.cols()));
      const Matrix R = residuals(X, out.residuals);
      const std::vector<Eigen::Index> open =
          open_pairs(theta_, out.residuals, {count, options_.tolerance, sigma_, out.scale});
      const auto kept = std::min<Eigen::Index>(count, X.cols());
      out.values = theta_.head(kept);
      out.vectors = X.leftCols(kept);
      out.residuals.conservativeResize(kept);
      if (open.empty()) return;
      if (V_.cols() + static_cast<Eigen::Index>(open.size()) > capacity_) V_ = X;
      const Eigen::Index before = V_.cols();
      append(shifted_, R(Eigen::all, open));
      if (V_.cols() == before) break;  // nothing new can be had
    }
    fail(fmt::format("the modes did not converge in {} iterations", out.iterations), out);
  }

 private:
  static void fail(std::string reason, Eigenpairs& out) {
    out.ok = false;
    out.reason = std::move(reason);
  }

  double diagonal_ratio() const {
    const Vector k = problem_.stiffness.A.diagonal(), m = problem_.M.diagonal();
    const double ratio = (k.cwiseAbs().array() / m.array()).maxCoeff();
    return ratio > 0 ? ratio : 1;
  }

  // σ grows until the matrix is positive definite on the null space: each row then has one negative
  // pivot, and A none.
  bool factorize(Eigenpairs& out) {
    KktMatrix matrix = problem_.stiffness;
    for (sigma_ = kConstrainedShift * out.scale; sigma_ < 1e4 * out.scale; sigma_ *= 10) {
      matrix.A = problem_.stiffness.A + sigma_ * problem_.M;
      shifted_ = make_kkt_solver("auto");
      ++out.factorizations;
      if (shifted_->factorize(matrix) != SolveStatus::ok) continue;
      const Vector f = Vector::Ones(matrix.A.rows()), g = Vector::Zero(matrix.rows());
      Vector x, y;
      const KktReport report = shifted_->solve(f, g, x, y);
      if (report.status == SolveStatus::ok && x.allFinite() &&
          report.negative <= matrix.rows() - report.null_rows)
        return factorize_mass(out);
    }
    fail("K + σM could not be factorised under the constraints", out);
    return false;
  }

  bool factorize_mass(Eigenpairs& out) {
    KktMatrix matrix = problem_.stiffness;
    matrix.A = problem_.M;
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index k = 0; k < matrix.rows(); ++k) {  // springs are no part of it
      if (matrix.C[k] > 0) continue;
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(matrix.J, k); it; ++it)
        entries.emplace_back(static_cast<int>(rows_), static_cast<int>(it.col()), it.value());
      ++rows_;
    }
    matrix.J.resize(rows_, matrix.A.cols());
    matrix.J.setFromTriplets(entries.begin(), entries.end());
    matrix.C.setZero(rows_);
    mass_ = make_kkt_solver("auto");
    if (mass_->factorize(matrix) == SolveStatus::ok) return true;
    fail("the masses do not determine the motion under the constraints", out);
    return false;
  }

  static Matrix solve(KktSolver& solver, const Matrix& R, Index rows) {
    Matrix T = Matrix::Zero(R.rows(), R.cols());
    const Vector g = Vector::Zero(rows);
    Vector x, y;
    for (Eigen::Index j = 0; j < R.cols(); ++j)
      if (solver.solve(R.col(j), g, x, y).status == SolveStatus::ok && x.allFinite()) T.col(j) = x;
    return T;
  }

  Matrix random(Index columns) const {
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Matrix X(problem_.M.rows(), columns);
    for (Eigen::Index j = 0; j < X.cols(); ++j)
      for (Eigen::Index i = 0; i < X.rows(); ++i) X(i, j) = uniform(engine);
    return times(problem_.M, X);
  }

  // What the shifted inverse makes of R, as far as it is new, M-orthonormal (Gram–Schmidt, twice).
  void append(const std::unique_ptr<KktSolver>& inverse, const Matrix& R) {
    const Matrix T = solve(*inverse, R, problem_.stiffness.rows());
    for (Eigen::Index j = 0; j < T.cols() && V_.cols() < capacity_; ++j) {
      Vector t = T.col(j);
      const double length = std::sqrt(t.dot(times(problem_.M, t).col(0)));
      if (!(length > 0)) continue;
      t /= length;
      double left = 1;
      for (int pass = 0; pass < 2; ++pass) {
        t -= V_ * (V_.transpose() * times(problem_.M, t));
        left = std::sqrt(t.dot(times(problem_.M, t).col(0)));
        if (!(left > 1e-10)) break;
        t /= left;
      }
      if (!(left > 1e-10)) continue;
      V_.conservativeResize(Eigen::NoChange, V_.cols() + 1);
      V_.col(V_.cols() - 1) = t;
    }
  }

  void diagonalize() {
    const Matrix H = V_.transpose() * (K_ * V_);
    const auto eigen = symmetric_pairs<Matrix>(0.5 * (H + H.transpose()));
    theta_ = eigen.eigenvalues();
    Y_ = eigen.eigenvectors();
  }

  // Without what the hard rows take up: M z with M z + Jᵀ y = r, J z = 0; and |z| in the norm of M.
  Matrix residuals(const Matrix& X, Vector& norms) {
    const Matrix R =
        K_ * X - times(problem_.M, X) * theta_.head(X.cols()).asDiagonal().toDenseMatrix();
    const Matrix Z = solve(*mass_, R, rows_);
    const Matrix projected = times(problem_.M, Z);
    norms.resize(X.cols());
    for (Eigen::Index j = 0; j < X.cols(); ++j)
      norms[j] = std::sqrt(std::max(0.0, Z.col(j).dot(projected.col(j))));
    return projected;
  }

  const ConstrainedEigenProblem& problem_;
  const ConstrainedEigenOptions& options_;
  Stiffness K_;
  std::unique_ptr<KktSolver> shifted_, mass_;
  Index rows_ = 0;  // hard ones
  Index capacity_ = 0;
  double sigma_ = 0;  // 1/s²
  Matrix V_, Y_;
  Vector theta_;
};

}  // namespace

Eigenpairs solve_constrained_eigenpairs(const ConstrainedEigenProblem& problem, Index count,
                                        const ConstrainedEigenOptions& options) {
  Eigenpairs out;
  const auto n = static_cast<Index>(problem.M.rows());
  count = std::clamp(count, Index{0}, n);
  out.vectors.resize(n, 0);
  if (count == 0) return out;
  const auto freedoms = n - problem.stiffness.rows();
  if (n <= options.dense_size || 3 * (count + options.guards) > freedoms) {
    solve_dense(problem, count, out);
  } else {
    out.method = EigenMethod::cold;
    SparseSearch(problem, options).run(count, out);
  }
  fix_signs(out.vectors);
  return out;
}

}  // namespace pliant
