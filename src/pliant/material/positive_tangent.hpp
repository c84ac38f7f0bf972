// The tangent of an elastic law with its negative eigenvalues raised to zero: what damping by
// stiffness may be made of, and what a descent can rely on.
#pragma once

#include <pliant/core/svd3.hpp>
#include <pliant/material/law.hpp>

namespace pliant {

inline void add_to(const PsdCorrection& correction, Mat9& C) {
  for (int m = 0; m < correction.count; ++m) {
    const auto k = static_cast<std::size_t>(m);
    C += correction.amount[k] * vec(correction.mode[k]) * vec(correction.mode[k]).transpose();
  }
}

// C at F, raised to positive semi-definite; says whether that was needed.
template <MaterialLaw L>
bool positive_tangent(const Mat3& F, const typename L::Parameters& p, Mat9& C) {
  PsdCorrection correction;
  if constexpr (PlainLaw<L>) {
    C = L::tangent(F, p);
    correction = L::psd_correction(F, p);
  } else {
    const Mat3 R = rotation_of(F);
    C = L::tangent(F, R, p);
    correction = L::psd_correction(F, R, p);
  }
  add_to(correction, C);
  return correction.count > 0;
}

}  // namespace pliant
