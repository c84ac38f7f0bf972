#include <pliant/integrate/ere_stepper.hpp>

namespace pliant {

void EreStepper::assemble(const StepContext& context) {
  const System& system = context.system;
  const State& start = context.start;
  if (K_.empty() || K_.shared_pattern() != system.pattern()) {
    K_ = BlockMatrix(system.pattern());
    D_ = BlockMatrix(system.pattern());
    set_weights(system);
  }
  const Configuration c{start.t, view(start.q), view(start.v), &context.data};
  K_.set_zero();
  D_.set_zero();
  system.add_tangent(c, {.stiffness = 1}, K_);
  system.add_tangent(c, {.damping = 1}, D_);
  if (!system.has_low_rank()) return;
  system.low_rank(c, {.stiffness = 1}, dense_K_);
  system.low_rank(c, {.damping = 1}, dense_D_);
}

// Lengths are measured by the masses, so that they do not depend on how nodes are spread.
void EreStepper::set_weights(const System& system) {
  const Eigen::Index n = system.dofs();
  weights_.resize(2 * n);
  for (Eigen::Index i = 0; i < n; ++i)
    weights_[i] = weights_[n + i] = system.mass().diagonal(static_cast<Index>(i / 3));
  weights_ /= weights_.head(n).sum();
}

// In the time σ = τ/h with y = (δq/h, δv):  y' = (y_v, M⁻¹(−h² K y_q − h D y_v)) + b₀ + σ b₁.
KrylovReport EreStepper::flow(const StepContext& context, double h) {
  const auto n = static_cast<std::size_t>(context.system.dofs());
  f_.resize(context.system.dofs());
  x_.resize(context.system.dofs());
  const auto B = [&](std::span<const double> y, std::span<double> out) {
    const auto q = y.first(n), v = y.subspan(n);
    K_.multiply(q, view(x_));
    if (!dense_K_.empty()) x_.noalias() += dense_K_.Y * (dense_K_.Z.transpose() * as_vector(q));
    f_ = -h * h * x_;
    D_.multiply(v, view(x_));
    if (!dense_D_.empty()) x_.noalias() += dense_D_.Y * (dense_D_.Z.transpose() * as_vector(v));
    f_ -= h * x_;
    clear_prescribed(context.mask, f_);
    std::copy(v.begin(), v.end(), out.begin());
    const bool good = force_.divide_by_mass(context, f_, x_);
    std::copy(x_.begin(), x_.end(), out.begin() + static_cast<std::ptrdiff_t>(n));
    return good;
  };
  return krylov_.solve(B, b0_, b1_, weights_, options_);
}

StepReport EreStepper::step(const System& system, State& state, double h) {
  trial_ = state;
  system.open_step(trial_, h, data_, mask_);
  const StepContext context{system, trial_, data_, mask_};
  const Eigen::Index n = system.dofs();
  StepReport report;
  assemble(context);
  q_ = trial_.q;
  v_ = trial_.v;
  force_.evaluate(context, trial_.t, q_, v_, F_);
  force_.time_derivative(context, {trial_.t, trial_.q, trial_.v}, h, F_, F_t_);
  if (!force_.divide_by_mass(context, F_, a_) || !force_.divide_by_mass(context, F_t_, a_t_))
    return report.fail("ere: the forces at the start of the step are not finite");
  clear_prescribed(mask_, v_);
  b0_.resize(2 * n);
  b0_ << v_, h * a_;
  b1_.setZero(2 * n);
  b1_.tail(n) = h * h * a_t_;
  const KrylovReport krylov = flow(context, h);
  report.linear = krylov.products;
  if (!krylov.ok && is_interrupted(options_.interrupted)) return report.fail("ere: interrupted");
  if (!krylov.ok) return report.fail("ere: the exponential could not be computed to its tolerance");
  trial_.q += h * krylov_.result().head(n);
  trial_.v += krylov_.result().tail(n);
  trial_.t += h;
  system.prescribe(trial_, trial_.t, view(trial_.q), view(trial_.v), {});
  trial_.a_known = false;
  if (!trial_.q.allFinite() || !trial_.v.allFinite()) return report.fail("the state is not finite");
  std::swap(state, trial_);
  return report;
}

}  // namespace pliant
