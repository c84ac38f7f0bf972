#include <pliant/integrate/modal_flow.hpp>

#include <unsupported/Eigen/MatrixFunctions>

#include <algorithm>

namespace pliant {
namespace {

// `auto` computes new modes where K X has left M X by this much.
constexpr double kSubspaceChange = 0.05;

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
  const auto values = D_.values();
  damped_ = std::any_of(values.begin(), values.end(), [](double x) { return x != 0; });
}

void ModalFlow::multiply_stiffness(const DofMask& mask) {
  KX_.resize(subspace_.X.rows(), subspace_.X.cols());
  for (Eigen::Index k = 0; k < KX_.cols(); ++k) K_.multiply(column(subspace_.X, k), column(KX_, k));
  clear_prescribed_rows(mask, KX_);
  S_.noalias() = subspace_.X.transpose() * KX_;
}

// ‖K X − M X S‖ over ‖K X‖, measured by the masses: zero for eigenvectors.
double ModalFlow::change_of_subspace(const System& system) const {
  const Matrix R = KX_ - subspace_.Y * S_;
  double change = 0, size = 0;
  for (Eigen::Index i = 0; i < R.rows(); ++i) {
    const double m = system.mass().diagonal(static_cast<Index>(i / 3));
    change += R.row(i).squaredNorm() / m;
    size += KX_.row(i).squaredNorm() / m;
  }
  return size > 0 ? std::sqrt(change / size) : 0;
}

bool ModalFlow::due(const DofMask& mask) const {
  if (subspace_.X.rows() != static_cast<Eigen::Index>(mask.size()) || mask != mask_) return true;
  return refresh_ > 0 && age_ >= refresh_;
}

bool ModalFlow::find_modes(const StepContext& context, std::string& reason) {
  const System& system = context.system;
  const bool warm = subspace_.X.rows() == system.dofs();
  Eigenpairs pairs =
      eigen_.solve({K_, system.mass(), context.mask}, count_, warm ? subspace_.X : Matrix());
  if (!pairs.ok) {
    reason = "the modes could not be computed: " + pairs.reason;
    return false;
  }
  subspace_.X = std::move(pairs.vectors);
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
  if (due(context.mask)) {
    if (!find_modes(context, reason)) return false;
  } else {
    multiply_stiffness(context.mask);
    const bool old =
        refresh_ == kRefreshAuto && change_of_subspace(context.system) > kSubspaceChange;
    if (old && !find_modes(context, reason)) return false;
  }
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
    Matrix DX(X.rows(), s);
    for (Eigen::Index k = 0; k < s; ++k) D_.multiply(column(X, k), column(DX, k));
    clear_prescribed_rows(context.mask, DX);
    damping_.noalias() = X.transpose() * DX;
    r1 -= DX.transpose() * a_ - damping_ * (subspace_.Y.transpose() * a_);
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

ModalState ModalFlow::at(double tau) const {
  const Eigen::Index s = subspace_.size();
  Vector y = Vector::Zero(2 * s + 2);
  y.segment(s, s) = w_b_;
  y[2 * s + 1] = 1;
  const Matrix scaled = (tau / h_) * generator_;
  y = scaled.exp() * y;
  return {h_ * y.head(s), y.segment(s, s)};
}

void ModalFlow::hold(const ModalState& state, Stage& stage, Vector& v) const {
  const Matrix &X = subspace_.X, &Y = subspace_.Y;
  stage.held = &subspace_;
  const Vector moved = Y.transpose() * (stage.q_p - q_b_);
  stage.q_p += X * (state.displacement - stage.gamma_q * state.velocity - moved);
  const Vector guess = Y.transpose() * v;
  v += X * (state.velocity - guess);
}

// [age, n, s, mask…, X…, Y…]
std::vector<double> ModalFlow::memory() const {
  std::vector<double> out = {static_cast<double>(age_), static_cast<double>(subspace_.X.rows()),
                             static_cast<double>(subspace_.X.cols())};
  out.insert(out.end(), mask_.begin(), mask_.end());
  for (const Matrix* A : {&subspace_.X, &subspace_.Y})
    out.insert(out.end(), A->data(), A->data() + A->size());
  return out;
}

void ModalFlow::restore(std::span<const double> memory) {
  if (memory.size() < 3) return;
  const auto n = static_cast<std::size_t>(memory[1]), s = static_cast<std::size_t>(memory[2]);
  if (memory.size() != 3 + n + 2 * n * s) return;
  age_ = static_cast<std::int64_t>(memory[0]);
  mask_.resize(n);
  for (std::size_t i = 0; i < n; ++i) mask_[i] = memory[3 + i] != 0;
  const auto rows = static_cast<Eigen::Index>(n), columns = static_cast<Eigen::Index>(s);
  const double* values = memory.data() + 3 + n;
  subspace_.X = Eigen::Map<const Matrix>(values, rows, columns);
  subspace_.Y = Eigen::Map<const Matrix>(values + n * s, rows, columns);
}

}  // namespace pliant
