#include <pliant/system/mass_solve.hpp>

#include <pliant/core/parallel.hpp>

#include <cmath>

namespace pliant {
namespace {

constexpr std::size_t kPerTask = 4096;
// Of the entries of half of M. A solve passes twice over the factors and conjugate gradients some
// thirty times over M.
constexpr double kLargestFactor = 30;

}  // namespace

// Prescribed coordinates have no part in it: their inverse is zero.
void MassSolve::set_diagonal(const NodeMatrix& M, const DofMask& mask) {
  inverse_.resize(static_cast<Eigen::Index>(mask.size()));
  for (std::size_t i = 0; i < mask.size(); ++i)
    inverse_[static_cast<Eigen::Index>(i)] =
        mask[i] ? 0 : 1 / M.diagonal(static_cast<Index>(i / 3));
}

// z = P⁻¹ r, returns r·z
double MassSolve::precondition() {
  return parallel_sum(static_cast<std::size_t>(r_.size()), kPerTask,
                      [&](std::size_t begin, std::size_t end) {
                        double sum = 0;
                        for (std::size_t i = begin; i < end; ++i) {
                          z_[i] = inverse_[i] * r_[i];
                          sum += r_[i] * z_[i];
                        }
                        return sum;
                      });
}

// Are there factors for this matrix and these pins? They are made, or found too large, once.
bool MassSolve::factorized(const NodeMatrix& M, const DofMask& mask) {
  if (method_ == MassMethod::iterative) return false;
  if (!factors_) factors_ = std::make_unique<NodeCholesky>();
  if (factors_of_ != M.values().data() || mask != mask_) {
    factors_of_ = M.values().data();
    mask_ = mask;
    if (!factors_->factorize(M, mask, kLargestFactor)) return false;
  }
  return factors_->ready();
}

bool MassSolve::solve(const NodeMatrix& M, const DofMask& mask, std::span<const double> b,
                      std::span<double> a) {
  const auto n = static_cast<Eigen::Index>(b.size());
  for (Vector* x : {&r_, &z_, &p_, &Mp_}) x->resize(n);
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (!mask[i]) a[i] = 0;
  r_ = as_vector(b);
  if (!as_vector(a).isZero(0)) {
    M.multiply(a, view(Mp_));
    r_ -= Mp_;
  }
  if (factorized(M, mask)) return factors_->solve(view(r_), a);
  set_diagonal(M, mask);
  return iterate(M, a);
}

bool MassSolve::iterate(const NodeMatrix& M, std::span<double> a) {
  double rz = precondition();
  const double start = rz;
  if (rz == 0) return true;
  p_ = z_;
  for (int k = 0; k < 500; ++k) {
    M.multiply(view(p_), view(Mp_));
    const double alpha = rz / p_.dot(Mp_);
    if (!std::isfinite(alpha)) return false;
    as_vector(a) += alpha * p_;
    r_ -= alpha * Mp_;
    const double next = precondition();
    if (next <= 1e-30 * start) return true;
    // Rounding stops the residual near 1e-16 of the start; asking for less would never end.
    if (k > 100 && next <= 1e-26 * start) return true;
    p_ = z_ + next / rz * p_;
    rz = next;
  }
  return false;
}

}  // namespace pliant
