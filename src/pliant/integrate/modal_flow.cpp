#include <pliant/integrate/modal_flow.hpp>

#include <pliant/solve/low_rank_columns.hpp>

#include <algorithm>
#include <random>

namespace pliant {
namespace {

// `auto` computes new modes before their change, see end_step, exceeds this.
constexpr double kLargestChange = 3e-3;
constexpr double kProbeAccuracy = 1e-2;  // of the solve that measures it

std::span<const double> column(const Matrix& A, Eigen::Index k) {
  return {A.col(k).data(), static_cast<std::size_t>(A.rows())};
}
std::span<double> column(Matrix& A, Eigen::Index k) {
  return {A.col(k).data(), static_cast<std::size_t>(A.rows())};
}
void clear_prescribed_rows(const DofMask& mask, Matrix& A) {
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i]) A.row(static_cast<Eigen::Index>(i)).setZero();
}

}  // namespace

// Old modes keep the order, so modes need not be exact: with a residual of 1e-3, relative to λ in
// the norm of M⁻¹, the change that end_step measures begins below 1e-6 h²λ.
ModalFlow::ModalFlow(const IntegratorOptions& options, const Interruption& interrupted)
    : count_(options.modes),
      refresh_(options.refresh),
      eigen_(EigenOptions{.tolerance = 1e-3, .interrupted = interrupted}) {}

void ModalFlow::assemble(const StepContext& context, const MotionPoint& base) {
  const System& system = context.system;
  if (K_.empty() || K_.shared_pattern() != system.pattern()) {
    K_ = BlockMatrix(system.pattern());
    D_ = BlockMatrix(system.pattern());
  }
  const Configuration c{base.t, view(base.q), view(base.v), &context.data};
  K_.set_zero();
  D_.set_zero();
  system.add_tangent(c, {.stiffness = 1}, K_);
  system.add_tangent(c, {.damping = 1}, D_);
  if (!system.symmetric()) {
    K_.symmetrize();
    D_.symmetrize();
  }
  if (system.has_low_rank()) {
    system.low_rank(c, {.stiffness = 1}, dense_K_);
    system.low_rank(c, {.damping = 1}, dense_D_);
    if (!system.symmetric()) symmetrize(dense_K_), symmetrize(dense_D_);
  }
  const auto values = D_.values();
  damped_ = !dense_D_.empty() ||
            std::any_of(values.begin(), values.end(), [](double x) { return x != 0; });
}

void ModalFlow::multiply_stiffness(const DofMask& mask) {
  KX_.resize(subspace_.X.rows(), subspace_.X.cols());
  for (Eigen::Index k = 0; k < KX_.cols(); ++k) K_.multiply(column(subspace_.X, k), column(KX_, k));
  dense_K_.add_product(subspace_.X, KX_);
  clear_prescribed_rows(mask, KX_);
  S_.noalias() = subspace_.X.transpose() * KX_;
}

// K X − M X S is zero for eigenvectors. A combination of its columns with signs from a fixed
// sequence has, on average over such sequences, the sum of the squares of all of them.
void ModalFlow::set_probe() {
  std::minstd_rand random(static_cast<unsigned>(age_));
  signs_.resize(S_.cols());
  for (double& sign : signs_) sign = random() % 2 == 0 ? 1 : -1;
  probe_.noalias() = KX_ * signs_;
  signs_ = (S_ * signs_).eval();
  probe_.noalias() -= subspace_.Y * signs_;
  probe_age_ = age_;
}

// How far modes of that age are from eigenvectors: with R = K X − M X S and A = M + γD + γ²K of the
// stage, G = h²γ² Rᵀ A⁻¹ R, of which the probe gives the trace. A part θ of a mode in a direction
// with eigenvalue λ counts θ² h²λ where h²λ ≫ 1: by this the mode, which moves with XᵀKX, is too
// stiff over a step; it counts θ² h⁴λ² where h²λ ≪ 1, where the complement is no worse than an
// exponential. It grows with the square of the age.
void ModalFlow::end_step(StageSolver& solver, const Stage& stage) {
  ++age_;
  if (refresh_ != kRefreshAuto || probe_age_ == 0 || !stage.held) return;
  solution_.resize(probe_.size());
  if (!solver.solve_again(view(probe_), view(solution_), {kProbeAccuracy})) return;
  const double G = h_ * h_ * stage.gamma_q * stage.gamma_v * probe_.dot(solution_);
  const double ratio = static_cast<double>(age_) / static_cast<double>(probe_age_);
  expected_change_ = G * ratio * ratio;
  probe_age_ = 0;
}

bool ModalFlow::fits(const DofMask& mask) const {
  return subspace_.X.rows() == static_cast<Eigen::Index>(mask.size()) && mask == mask_;
}

bool ModalFlow::due() const {
  return refresh_ > 0 ? age_ >= refresh_ : expected_change_ > kLargestChange;
}

bool ModalFlow::find_modes(const StepContext& context, std::string& reason) {
  const System& system = context.system;
  const bool warm = subspace_.X.rows() == system.dofs();
  Matrix start;
  if (warm) {
    start.resize(subspace_.X.rows(), subspace_.X.cols() + guards_.cols());
    start.leftCols(subspace_.X.cols()) = subspace_.X;
    if (guards_.cols() > 0) start.rightCols(guards_.cols()) = guards_;
  }
  Eigenpairs pairs = eigen_.solve({K_, system.mass(), context.mask}, count_, start);
  if (!pairs.ok) {
    reason = "the modes could not be computed: " + pairs.reason;
    return false;
  }
  subspace_.X = std::move(pairs.vectors);
  guards_ = std::move(pairs.guards);
  subspace_.Y.resize(subspace_.X.rows(), subspace_.X.cols());
  for (Eigen::Index k = 0; k < subspace_.X.cols(); ++k)
    system.mass().multiply(column(subspace_.X, k), column(subspace_.Y, k));
  clear_prescribed_rows(context.mask, subspace_.Y);
  mask_ = context.mask;
  age_ = 0;
  multiply_stiffness(context.mask);
  return true;
}

bool ModalFlow::begin(const StepContext& context, const MotionPoint& base, double h,
                      std::string& reason) {
  if (count_ == 0) return true;
  assemble(context, base);
  const bool first = !fits(context.mask);
  if (!first) multiply_stiffness(context.mask);
  if (!first && refresh_ == kRefreshAuto && age_ > 0) set_probe();
  if ((first || due()) && !find_modes(context, reason)) return false;
  if (set_equation(context, base, h)) return true;
  reason = "the forces on the modes are not finite";
  return false;
}

bool ModalFlow::set_equation(const StepContext& context, const MotionPoint& base, double h) {
  const Eigen::Index s = subspace_.size();
  const Matrix& X = subspace_.X;
  h_ = h;
  q_b_ = q_ = base.q;
  v_ = base.v;
  force_.evaluate(context, base.t, q_, v_, F_);
  force_.time_derivative(context, base, h, F_, F_t_);
  clear_prescribed(context.mask, v_);
  w_b_ = subspace_.Y.transpose() * v_;
  Vector r1 = X.transpose() * F_t_ - (KX_.transpose() * v_ - S_ * w_b_);
  damping_.setZero(s, s);
  if (damped_) {
    if (!force_.divide_by_mass(context, F_, a_)) return false;
    DX_.resize(X.rows(), s);
    for (Eigen::Index k = 0; k < s; ++k) D_.multiply(column(X, k), column(DX_, k));
    dense_D_.add_product(X, DX_);
    clear_prescribed_rows(context.mask, DX_);
    damping_.noalias() = X.transpose() * DX_;
    r1 -= DX_.transpose() * a_ - damping_ * (subspace_.Y.transpose() * a_);
  }
  const Vector r0 = X.transpose() * F_ + damping_ * w_b_;
  generator_.setZero(2 * s + 2, 2 * s + 2);
  generator_.block(0, s, s, s).setIdentity();
  generator_.block(s, 0, s, s) = -h * h * S_;
  generator_.block(s, s, s, s) = -h * damping_;
  generator_.block(s, 2 * s, s, 1) = h * h * r1;
  generator_.block(s, 2 * s + 1, s, 1) = h * r0;
  generator_(2 * s, 2 * s + 1) = 1;
  return generator_.allFinite();
}

ModalState ModalFlow::at(double tau) {
  const Eigen::Index s = subspace_.size();
  scaled_ = (tau / h_) * generator_;
  const auto flow = exponential_.compute(scaled_);
  const Vector y = flow.middleCols(s, s) * w_b_ + flow.col(2 * s + 1);
  return {h_ * y.head(s), y.segment(s, s)};
}

void ModalFlow::hold(const ModalState& state, Stage& stage, Vector& v) {
  const Matrix &X = subspace_.X, &Y = subspace_.Y;
  stage.held = &subspace_;
  q_ = stage.q_p - q_b_;
  const Vector moved = Y.transpose() * q_;
  stage.q_p.noalias() += X * (state.displacement - stage.gamma_q * state.velocity - moved);
  const Vector guess = Y.transpose() * v;
  v.noalias() += X * (state.velocity - guess);
}

// [age, expected change, n, s, g, mask…, X…, Y…, guards…]
std::vector<double> ModalFlow::memory() const {
  std::vector<double> out = {
      static_cast<double>(age_), expected_change_, static_cast<double>(subspace_.X.rows()),
      static_cast<double>(subspace_.X.cols()), static_cast<double>(guards_.cols())};
  out.insert(out.end(), mask_.begin(), mask_.end());
  for (const Matrix* A : {&subspace_.X, &subspace_.Y, &guards_})
    out.insert(out.end(), A->data(), A->data() + A->size());
  return out;
}

void ModalFlow::restore(std::span<const double> memory) {
  if (memory.size() < 5) return;
  const auto n = static_cast<std::size_t>(memory[2]), s = static_cast<std::size_t>(memory[3]),
             g = static_cast<std::size_t>(memory[4]);
  if (memory.size() != 5 + n + n * (2 * s + g)) return;
  age_ = static_cast<std::int64_t>(memory[0]);
  expected_change_ = memory[1];
  mask_.resize(n);
  for (std::size_t i = 0; i < n; ++i) mask_[i] = static_cast<std::uint8_t>(memory[5 + i]);
  const auto rows = static_cast<Eigen::Index>(n), columns = static_cast<Eigen::Index>(s);
  const double* values = memory.data() + 5 + n;
  subspace_.X = Eigen::Map<const Matrix>(values, rows, columns);
  subspace_.Y = Eigen::Map<const Matrix>(values + n * s, rows, columns);
  guards_ = Eigen::Map<const Matrix>(values + 2 * n * s, rows, static_cast<Eigen::Index>(g));
}

}  // namespace pliant
