#include <pliant/gradient/row_equations.hpp>

#include <Eigen/SparseLU>
#include <cmath>

namespace pliant {
namespace {

// Way of a difference over the places it is made at, both by their largest coordinate. Jacobians of
// joints are polynomials of low degree or close to them.
constexpr double kRowDifference = 1e-5;
constexpr double kAtBound = 1e-12;  // of a bound: what is nearer is at it

bool is_at(double lambda, double bound) {
  return std::isfinite(bound) && std::abs(lambda - bound) <= kAtBound * std::abs(bound);
}

}  // namespace

void bent_jacobian(const ConstraintSet& constraints, std::span<const double> q,
                   std::span<const double> v, std::vector<JacobianEntry>& out) {
  constraints.jacobian(q, out);
  const double fastest = as_vector(v).lpNorm<Eigen::Infinity>();
  const double way =
      fastest > 0 ? kRowDifference * as_vector(q).lpNorm<Eigen::Infinity>() / fastest : 0;
  std::vector<JacobianEntry> ahead, behind;
  constraints.jacobian(view(Vector(as_vector(q) + way * as_vector(v))), ahead);
  constraints.jacobian(view(Vector(as_vector(q) - way * as_vector(v))), behind);
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k].gradient =
        way > 0 ? Vec3((ahead[k].gradient - behind[k].gradient) / (2 * way)) : Vec3(Vec3::Zero());
}

void RowEquations::find_held(const Vector& lambda, std::vector<char>& held) const {
  held.clear();
  if (!constraints_.has_bounds()) return;
  for (Index k = 0; k < constraints_.rows(); ++k)
    held.push_back(is_at(lambda[k], constraints_.low()[k]) ||
                   is_at(lambda[k], constraints_.high()[k]));
}

void RowEquations::linearize(const StagePoint& stage, std::span<const double> q,
                             std::span<const double> v) {
  gamma_q_ = stage.gamma_q;
  gamma_v_ = stage.gamma_v;
  constraints_.jacobian(q, J_);
  constraints_.geometric_stiffness(q, stage.lambda, gamma_q_ * gamma_v_, GeometricStiffness::exact,
                                   blocks_);
  C_ = constraints_.compliance();
  plain_ = true;
  for (Index k = 0; k < constraints_.rows(); ++k) {
    const bool held = !stage.held.empty() && stage.held[static_cast<std::size_t>(k)];
    if (held) C_[k] = 1;
    plain_ = plain_ && !held && !constraints_.is_about_rate(k) && constraints_.relaxation()[k] == 0;
  }
  G_ = Gq_ = J_;
  if (plain_) {
    for (JacobianEntry& entry : G_) entry.gradient *= gamma_q_;
    return;
  }
  std::vector<JacobianEntry> bent;
  bent_jacobian(constraints_, q, v, bent);
  for (std::size_t e = 0; e < J_.size(); ++e) {
    const Index k = J_[e].row;
    const bool rate = constraints_.is_about_rate(k);
    const bool held = !stage.held.empty() && stage.held[static_cast<std::size_t>(k)];
    const double tau = rate ? 1 : constraints_.relaxation()[k];
    Gq_[e].gradient = tau * bent[e].gradient + (rate ? 0 : 1) * J_[e].gradient;
    G_[e].gradient = gamma_q_ * Gq_[e].gradient + tau * J_[e].gradient;
    if (held) Gq_[e].gradient = G_[e].gradient = Vec3::Zero();
  }
}

bool RowEquations::solve(const StageMatrix& matrix, const Vector& b, EquationWeights& weights) {
  return matrix.symmetric && matrix.more.empty() && plain_ && any()
             ? solve_by_kkt(matrix, b, weights)
             : solve_by_lu(matrix, b, weights);
}

bool RowEquations::solve_by_kkt(const StageMatrix& matrix, const Vector& b,
                                EquationWeights& weights) {
  if (!solver_) solver_ = make_kkt_solver("auto");
  assembly_.matrix().C = C_ / (gamma_q_ * gamma_v_);
  assembly_.fill(matrix.A, blocks_, J_, matrix.mask);
  if (solver_->factorize(assembly_.matrix()) != SolveStatus::ok) return false;
  assembly_.gather(b, f_);
  const Vector none = Vector::Zero(constraints_.rows());
  if (solver_->solve(f_, none, x_, weights.y).status != SolveStatus::ok || !x_.allFinite())
    return false;
  assembly_.scatter(x_, weights.w);
  weights.y /= gamma_q_;
  return true;
}

// Of the system for w and γq y.
RowEquations::Entries RowEquations::entries(const StageMatrix& matrix) const {
  const BlockPattern& p = matrix.A.pattern();
  const Index n = 3 * p.rows;
  const DofMask& mask = matrix.mask;
  Entries out;
  const auto add = [&](Index i, Index j, double value) {
    const bool free = (i >= n || !mask[static_cast<std::size_t>(i)]) &&
                      (j >= n || !mask[static_cast<std::size_t>(j)]);
    if (free && value != 0) out.emplace_back(i, j, value);
  };
  const auto add_block = [&](Index row, Index column, const Mat3& block) {
    for (int c = 0; c < 9; ++c) add(3 * row + c % 3, 3 * column + c / 3, block(c % 3, c / 3));
  };
  for (Index i = 0; i < p.rows; ++i)
    for (Index k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      add_block(i, p.column[k], Eigen::Map<const Mat3>(matrix.A.block(k)));
  for (const NodeBlock& block : matrix.more)
    add_block(block.column, block.row, block.block.transpose());
  for (Index i = 0; i < n; ++i)
    if (mask[static_cast<std::size_t>(i)]) out.emplace_back(i, i, 1.0);
  if (!any()) return out;
  for (const NodeBlock& block : blocks_) add_block(block.row, block.column, block.block);
  for (std::size_t e = 0; e < J_.size(); ++e)
    for (int c = 0; c < 3; ++c) {
      const Index i = 3 * J_[e].node + c, row = n + J_[e].row;
      add(row, i, J_[e].gradient[c]);
      add(i, row, G_[e].gradient[c] / gamma_q_);
    }
  for (Index k = 0; k < constraints_.rows(); ++k) add(n + k, n + k, -C_[k] / (gamma_q_ * gamma_v_));
  return out;
}

bool RowEquations::solve_by_lu(const StageMatrix& matrix, const Vector& b,
                               EquationWeights& weights) {
  const Index n = 3 * matrix.A.pattern().rows, rows = constraints_.rows();
  const Entries numbers = entries(matrix);
  Eigen::SparseMatrix<double> whole(n + rows, n + rows);
  whole.setFromTriplets(numbers.begin(), numbers.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(whole);
  if (lu.info() != Eigen::Success) return false;
  Vector right = Vector::Zero(n + rows);
  right.head(n) = b;
  const Vector x = lu.solve(right);
  weights.w = x.head(n);
  weights.y = x.tail(rows);
  if (rows > 0) weights.y /= gamma_q_;
  return x.allFinite();
}

void RowEquations::leave(const EquationWeights& weights, Vector& q_bar) const {
  for (const NodeBlock& block : blocks_)
    q_bar.segment<3>(3 * block.column) -=
        block.block.transpose() * weights.w.segment<3>(3 * block.row) / gamma_q_;
  for (const JacobianEntry& entry : Gq_)
    q_bar.segment<3>(3 * entry.node) -= weights.y[entry.row] * entry.gradient;
}

double RowEquations::weighted(const StagePoint& stage, std::span<const double> q,
                              std::span<const double> v, const EquationWeights& weights) {
  constraints_.value(stage.t, q, phi_);
  constraints_.jacobian(q, J_);
  phi_ += constraints_.compliance().cwiseProduct(stage.lambda);
  double sum = 0;
  for (const JacobianEntry& entry : J_) {
    const double tau =
        constraints_.is_about_rate(entry.row) ? 1 : constraints_.relaxation()[entry.row];
    phi_[entry.row] += tau * entry.gradient.dot(node(v, entry.node));
    sum -= stage.gamma_v * stage.lambda[entry.row] *
           entry.gradient.dot(weights.w.segment<3>(3 * entry.node));
  }
  for (Index k = 0; k < constraints_.rows(); ++k) {
    if (stage.held.empty() || !stage.held[static_cast<std::size_t>(k)]) continue;
    const double low = constraints_.low()[k], high = constraints_.high()[k];
    const bool lower = std::abs(stage.lambda[k] - low) < std::abs(stage.lambda[k] - high);
    phi_[k] = stage.lambda[k] - (lower ? low : high);
  }
  return sum + weights.y.dot(phi_);
}

}  // namespace pliant
