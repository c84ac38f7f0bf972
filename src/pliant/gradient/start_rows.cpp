#include <pliant/gradient/start_rows.hpp>

#include <pliant/gradient/row_equations.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kStartDifference = 1e-5;  // as of bent_jacobian

}  // namespace

StartRows::StartRows(const System& system)
    : system_(system),
      constraints_(system.constraints()),
      pushes_(static_cast<std::size_t>(constraints_.rows())) {}

void StartRows::evaluate(const Start& start) {
  constraints_.value(start.t, view(start.q), psi_);
  constraints_.jacobian(view(start.q), J_);
  for (const JacobianEntry& entry : J_)
    psi_[entry.row] += constraints_.relaxation()[entry.row] *
                       entry.gradient.dot(start.v.segment<3>(3 * entry.node));
}

// And with what, in λ.
bool StartRows::find_pushing(const Start& start, const DofMask& mask, const Vector& load) {
  Vector f(load.size()), a = start.a;
  system_.mass().multiply(view(start.a), view(f));
  f += load;
  const Configuration c{.t = start.t, .q = view(start.q), .v = view(start.v)};
  if (!acceleration_.find(system_, mask, c, view(f), view(a))) return false;
  lambda_.setZero(constraints_.rows());
  pushes_.assign(static_cast<std::size_t>(constraints_.rows()), 0);
  for (Index k = 0; k < constraints_.rows(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double C = constraints_.compliance()[k];
    const double spring = C > 0 && !is_left_out(k) ? -psi_[k] / C : 0;
    const double within = std::clamp(spring, constraints_.low()[k], constraints_.high()[k]);
    const double all = C > 0 ? within : acceleration_.strengths()[at];
    pushes_[at] = C > 0 ? within != spring : !std::isnan(all);
    if (pushes_[at]) lambda_[k] = all;
  }
  return true;
}

bool StartRows::linearize(const Start& start, const DofMask& mask, const Vector& load) {
  evaluate(start);
  if (!find_pushing(start, mask, load)) return false;
  hard_ = J_;
  Vector missing = -load;  // Jᵀ λ
  for (JacobianEntry& entry : hard_) {
    const Index k = entry.row;
    if (is_hard(k)) continue;
    if (pushes(k))
      missing.segment<3>(3 * entry.node) -= lambda_[k] * entry.gradient;
    else if (!is_left_out(k))
      missing.segment<3>(3 * entry.node) += psi_[k] / constraints_.compliance()[k] * entry.gradient;
    entry.gradient.setZero();
  }
  KktMatrix& matrix = assembly_.matrix();
  matrix.C.setZero(constraints_.rows());
  for (Index k = 0; k < constraints_.rows(); ++k) matrix.C[k] = is_hard(k) ? 0 : 1;
  if (M_.shared_pattern() != system_.pattern()) M_ = BlockMatrix(system_.pattern());
  system_.mass().write_to(M_);
  assembly_.fill(M_, {}, hard_, mask);
  if (!solver_) solver_ = make_kkt_solver("schur");
  if (solver_->factorize(matrix) != SolveStatus::ok) return false;
  EquationWeights found;
  if (!solve(missing, found)) return false;
  lambda_ += found.y;
  return true;
}

bool StartRows::solve(const Vector& b, EquationWeights& weights) {
  assembly_.gather(b, f_);
  const Vector none = Vector::Zero(constraints_.rows());
  if (solver_->solve(f_, none, x_, weights.y).status != SolveStatus::ok || !x_.allFinite())
    return false;
  assembly_.scatter(x_, weights.w);
  for (Index k = 0; k < constraints_.rows(); ++k)
    if (!is_hard(k)) weights.y[k] = 0;
  return true;
}

void StartRows::add_bent(std::span<const double> q, const Vector& factor, double scale,
                         const Vector& x, Vector& y) {
  constraints_.geometric_stiffness(q, factor, -scale, GeometricStiffness::exact, blocks_);
  for (const NodeBlock& block : blocks_)
    y.segment<3>(3 * block.row) += block.block * x.segment<3>(3 * block.column);
}

void StartRows::leave(const Start& start, const EquationWeights& weights, Vector& q_bar,
                      Vector& v_bar) {
  const auto& [w, y] = weights;
  const Vector &q = start.q, &v = start.v;
  add_bent(view(q), lambda_, 1, w, q_bar);   // −Jᵀ λ
  add_bent(view(q), y, -1, start.a, q_bar);  // J a
  add_bent(view(q), y, -2, v, v_bar);        // vᵀ ∇²φ v, by v and by q
  const double fastest = v.lpNorm<Eigen::Infinity>();
  if (fastest > 0) {
    const double way = kStartDifference * q.lpNorm<Eigen::Infinity>() / fastest;
    for (const double sign : {1.0, -1.0})
      add_bent(view(Vector(q + sign * way * v)), y, -sign / (2 * way), v, q_bar);
  }
  // Springs: with s = ψ/C, ∂(s wᵀ ∇φ) = s ∇²φ w + (wᵀ ∇φ)/C ∂ψ.
  Vector s = Vector::Zero(constraints_.rows()), along = s;
  std::vector<JacobianEntry> bent;
  bent_jacobian(constraints_, view(q), view(v), bent);
  for (const JacobianEntry& entry : J_) {
    const Index k = entry.row;
    if (is_hard(k) || is_left_out(k) || pushes(k)) continue;
    s[k] = psi_[k] / constraints_.compliance()[k];
    along[k] += entry.gradient.dot(w.segment<3>(3 * entry.node)) / constraints_.compliance()[k];
  }
  add_bent(view(q), s, -1, w, q_bar);
  for (std::size_t e = 0; e < J_.size(); ++e) {
    const Index k = J_[e].row, n = 3 * J_[e].node;
    const double tau = constraints_.relaxation()[k];
    q_bar.segment<3>(n) -= along[k] * (J_[e].gradient + tau * bent[e].gradient);
    v_bar.segment<3>(n) -= along[k] * tau * J_[e].gradient;
  }
}

double StartRows::weighted(const Start& start, const Vector& lambda, std::span<const char> held,
                           const EquationWeights& weights) {
  evaluate(start);
  constraints_.curvature(start.t, view(start.q), view(start.v), bend_);
  Vector acts = -psi_.cwiseQuotient(constraints_.compliance());  // λ of springs
  for (Index k = 0; k < constraints_.rows(); ++k) {
    const double low = constraints_.low()[k], high = constraints_.high()[k];
    const bool lower = std::abs(lambda[k] - low) < std::abs(lambda[k] - high);
    pushes_[static_cast<std::size_t>(k)] = !held.empty() && held[static_cast<std::size_t>(k)];
    if (is_left_out(k))
      acts[k] = 0;
    else if (pushes(k))
      acts[k] = lower ? low : high;
    else if (is_hard(k))
      acts[k] = lambda[k];
  }
  double sum = 0;
  for (Index k = 0; k < constraints_.rows(); ++k)
    if (is_hard(k)) sum += weights.y[k] * bend_[k];
  for (const JacobianEntry& entry : J_) {
    const Index k = entry.row;
    sum -= acts[k] * entry.gradient.dot(weights.w.segment<3>(3 * entry.node));
    if (is_hard(k)) sum += weights.y[k] * entry.gradient.dot(start.a.segment<3>(3 * entry.node));
  }
  return sum;
}

}  // namespace pliant
