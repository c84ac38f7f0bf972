// The local step of the local–global solver for damping, (40): at a fixed D the rate y with
//   s φ'(½ yᵀ D y) D y + c (y − b) = 0,
// which is the minimum of s φ(½ yᵀ D y) + c/2 ‖y − b‖². Whatever φ is, y = c (k D + c)⁻¹ b with
// k = s φ', so that one number is left to find (BROWN, Appendix B, for any quadratic law beneath).
// A force that does not vanish with the rate (p = 0) holds y at rest where it can; that is found
// exactly, not smoothed.
#pragma once

#include <pliant/core/svd3.hpp>
#include <pliant/dissipation/viscous_rule.hpp>

namespace pliant {

template <int n>
using RateVector = Eigen::Matrix<double, n, 1>;

template <int n>
struct RateTarget {
  double c = 0;     // Pa s
  RateVector<n> b;  // 1/s
};

// Over deformation gradients (n = 9) or their principal stretches (n = 3).
template <int n>
RateVector<n> find_rate(const ViscousRule& rule, const RateForm<n>& form,
                        const RateTarget<n>& target);

// The same over a law of Green's strain, whose D falls apart in the axes of F = U Σ Vᵀ: one number
// for each two axes, and what couples the three stretches is of rank one.
Mat3 find_rate(const ViscousRule& rule, const StrainRateForm& form, const Svd3& F,
               const RateTarget<9>& target);

extern template RateVector<9> find_rate<9>(const ViscousRule&, const RateForm<9>&,
                                           const RateTarget<9>&);
extern template RateVector<3> find_rate<3>(const ViscousRule&, const RateForm<3>&,
                                           const RateTarget<3>&);

}  // namespace pliant
