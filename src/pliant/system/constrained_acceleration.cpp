#include <pliant/system/constrained_acceleration.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kArrived = 1e-7;  // of the scene, or of a radian: how near a motor is to its place
constexpr double kAsFast = 1e-6;   // of its speed
constexpr int kMostRounds = 8;

bool is_motor(const ConstraintSet& constraints, Index row) {
  return constraints.is_about_rate(row) ||
         (std::isfinite(constraints.low()[row]) && std::isfinite(constraints.high()[row]));
}

}  // namespace

bool ConstrainedAcceleration::is_left_out(const ConstraintSet& constraints, Index row) {
  if (is_motor(constraints, row))
    return constraints.is_about_rate(row) && constraints.compliance()[row] > 0;
  return constraints.compliance()[row] == 0 &&
         (std::isfinite(constraints.low()[row]) || std::isfinite(constraints.high()[row]));
}

void ConstrainedAcceleration::find_motors(const System& system, const Configuration& c) {
  const ConstraintSet& constraints = system.constraints();
  strength_.assign(static_cast<std::size_t>(constraints.rows()),
                   std::numeric_limits<double>::quiet_NaN());
  constraints.value(c.t, c.q, phi_);
  constraints.jacobian(c.q, J_);
  g_ = phi_;
  for (const JacobianEntry& entry : J_)
    if (constraints.is_about_rate(entry.row))
      g_[entry.row] += entry.gradient.dot(node(c.v, entry.node));
  for (Index k = 0; k < constraints.rows(); ++k) {
    if (!is_motor(constraints, k) || constraints.compliance()[k] > 0) continue;
    const double missed = g_[k];
    const double near = constraints.is_about_rate(k)
                            ? kAsFast * (std::abs(phi_[k]) + std::abs(missed - phi_[k]))
                            : kArrived * std::min(1.0, system.size());
    if (std::abs(missed) <= near) continue;
    const double bound = missed < 0 ? constraints.high()[k] : constraints.low()[k];
    if (std::isfinite(bound)) strength_[static_cast<std::size_t>(k)] = bound;
  }
}

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
    if (constraints.compliance()[k] == 0 && !is_left_out(constraints, k) &&
        std::isnan(strength_[static_cast<std::size_t>(k)]))
      number_[static_cast<std::size_t>(k)] = rows++;
  g_.setZero(rows);
  for (Index k = 0; k < constraints.rows(); ++k)
    if (const Index row = number_[static_cast<std::size_t>(k)]; row >= 0) g_[row] = -bend_[k];
  hard_.clear();
  for (const JacobianEntry& entry : J_) {
    const Index row = number_[static_cast<std::size_t>(entry.row)];
    if (row >= 0) {
      hard_.push_back({row, entry.node, entry.gradient});
      g_[row] -= entry.gradient.dot(node(a, entry.node));
    } else if (const double all = strength_[static_cast<std::size_t>(entry.row)];
               !std::isnan(all)) {
      node(view(b_), entry.node) += all * entry.gradient;
    } else if (!is_left_out(constraints, entry.row)) {
      const double lambda = std::clamp(-phi_[entry.row] / constraints.compliance()[entry.row],
                                       constraints.low()[entry.row], constraints.high()[entry.row]);
      node(view(b_), entry.node) += lambda * entry.gradient;
    }
  }
}

bool ConstrainedAcceleration::let_motors_give_in(const ConstraintSet& constraints) {
  bool any = false;
  for (Index k = 0; k < constraints.rows(); ++k) {
    const Index row = number_[static_cast<std::size_t>(k)];
    if (row < 0 || !is_motor(constraints, k)) continue;
    const double lambda = -y_[row];
    const double within = std::clamp(lambda, constraints.low()[k], constraints.high()[k]);
    if (lambda == within) continue;
    strength_[static_cast<std::size_t>(k)] = within;
    any = true;
  }
  return any;
}

bool ConstrainedAcceleration::solve(const System& system, const DofMask& mask,
                                    std::span<const double> a) {
  Ma_.resize(b_.size());
  system.mass().multiply(a, view(Ma_));
  b_ -= Ma_;
  KktMatrix& matrix = assembly_.matrix();
  matrix.C.setZero(g_.size());
  matrix.unit = g_.size() > 0 ? g_.lpNorm<Eigen::Infinity>() : 0;
  assembly_.fill(M_, {}, hard_, mask);
  if (!solver_) solver_ = make_kkt_solver("schur");
  if (solver_->factorize(matrix) != SolveStatus::ok) return false;
  assembly_.gather(b_, f_);
  return solver_->solve(f_, g_, x_, y_).status == SolveStatus::ok && x_.allFinite();
}

bool ConstrainedAcceleration::find(const System& system, const DofMask& mask,
                                   const Configuration& c, std::span<const double> f,
                                   std::span<double> a) {
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (!mask[i]) a[i] = 0;
  if (M_.shared_pattern() != system.pattern()) M_ = BlockMatrix(system.pattern());
  system.mass().write_to(M_);
  find_motors(system, c);
  for (int round = 0; round < kMostRounds; ++round) {
    b_ = as_vector(f);
    set_equations(system, c, a);
    force_ = b_;
    if (!solve(system, mask, a)) return false;
    if (!let_motors_give_in(system.constraints())) break;
  }
  for (const JacobianEntry& entry : hard_)
    node(view(force_), entry.node) -= y_[entry.row] * entry.gradient;
  assembly_.scatter(x_, b_);
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (!mask[i]) a[i] = b_[static_cast<Eigen::Index>(i)];
  return true;
}

}  // namespace pliant
