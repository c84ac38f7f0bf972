#include <pliant/system/mass_solve.hpp>

#include <cmath>

namespace pliant {

bool MassSolve::solve(const NodeMatrix& M, const DofMask& mask, std::span<const double> b,
                      std::span<double> a) {
  const auto n = static_cast<Eigen::Index>(b.size());
  for (Vector* x : {&r_, &z_, &p_, &Mp_}) x->resize(n);
  const auto free = [&](Eigen::Index i) { return !mask[static_cast<std::size_t>(i)]; };
  for (Eigen::Index i = 0; i < n; ++i)
    if (free(i)) a[i] = 0;
  M.multiply(a, view(Mp_));
  for (Eigen::Index i = 0; i < n; ++i) r_[i] = free(i) ? b[i] - Mp_[i] : 0;
  const auto precondition = [&] {
    for (Eigen::Index i = 0; i < n; ++i) z_[i] = r_[i] / M.diagonal(static_cast<Index>(i / 3));
    return r_.dot(z_);
  };
  double rz = precondition();
  const double target = 1e-30 * rz;
  if (rz == 0) return true;
  p_ = z_;
  for (int k = 0; k < 500; ++k) {
    M.multiply(view(p_), view(Mp_));
    for (Eigen::Index i = 0; i < n; ++i)
      if (!free(i)) Mp_[i] = 0;
    const double alpha = rz / p_.dot(Mp_);
    if (!std::isfinite(alpha)) return false;
    as_vector(a) += alpha * p_;
    r_ -= alpha * Mp_;
    const double next = precondition();
    if (next <= target) return true;
    // Rounding stops the residual near 1e-16 of the start; asking for less would never end.
    if (k > 100 && next <= 1e-26 * (target / 1e-30)) return true;
    p_ = z_ + next / rz * p_;
    rz = next;
  }
  return false;
}

}  // namespace pliant
