#include <pliant/system/constrained_acceleration.hpp>

#include <cmath>

namespace pliant {

namespace {

// Limits and motors begin to act within the step: what they do at its start is not known here.
bool is_left_out(const ConstraintSet& constraints, Index row) {
  return constraints.is_about_rate(row) || std::isfinite(constraints.low()[row]) ||
         std::isfinite(constraints.high()[row]);
}

}  // namespace

// Rows with a compliance are springs here; the others are numbered anew.
void ConstrainedAcceleration::set_equations(const System& system, const Configuration& c,
                                            std::span<const double> a) {
  const ConstraintSet& constraints = system.constraints();
  constraints.value(c.t, c.q, phi_);
  constraints.jacobian(c.q, J_);
  for (const JacobianEntry& entry : J_)
    if (const double tau = constraints.relaxation()[entry.row]; tau > 0)
      phi_[entry.row] += tau * entry.gradient.dot(node(c.v, entry.node));
  constraints.curvature(c.t, c.q, c.v, bend_);
  number_.assign(static_cast<std::size_t>(constraints.rows()), -1);
  Index rows = 0;
  for (Index k = 0; k < constraints.rows(); ++k)
    if (constraints.compliance()[k] == 0 && !is_left_out(constraints, k))
      number_[static_cast<std::size_t>(k)] = rows++;
  g_.setZero(rows);
  for (Index k = 0; k < constraints.rows(); ++k)
    if (const Index row = number_[static_cast<std::size_t>(k)]; row >= 0) g_[row] = -bend_[k];
  hard_.clear();
  for (const JacobianEntry& entry : J_) {
    const Index row = number_[static_cast<std::size_t>(entry.row)];
    if (row < 0 && is_left_out(constraints, entry.row)) continue;
    if (row < 0) {
      node(view(b_), entry.node) -=
          phi_[entry.row] / constraints.compliance()[entry.row] * entry.gradient;
      continue;
    }
    hard_.push_back({row, entry.node, entry.gradient});
    g_[row] -= entry.gradient.dot(node(a, entry.node));
  }
}

bool ConstrainedAcceleration::find(const System& system, const DofMask& mask,
                                   const Configuration& c, std::span<const double> f,
                                   std::span<double> a) {
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (!mask[i]) a[i] = 0;
  b_ = as_vector(f);
  set_equations(system, c, a);
  Ma_.resize(b_.size());
  system.mass().multiply(a, view(Ma_));
  b_ -= Ma_;
  if (M_.shared_pattern() != system.pattern()) M_ = BlockMatrix(system.pattern());
  system.mass().write_to(M_);
  KktMatrix& matrix = assembly_.matrix();
  matrix.C.setZero(g_.size());
  matrix.unit = g_.size() > 0 ? g_.lpNorm<Eigen::Infinity>() : 0;
  assembly_.fill(M_, {}, hard_, mask);
  if (!solver_) solver_ = make_kkt_solver("schur");
  if (solver_->factorize(matrix) != SolveStatus::ok) return false;
  assembly_.gather(b_, f_);
  if (solver_->solve(f_, g_, x_, y_).status != SolveStatus::ok || !x_.allFinite()) return false;
  assembly_.scatter(x_, b_);
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (!mask[i]) a[i] = b_[static_cast<Eigen::Index>(i)];
  return true;
}

}  // namespace pliant
