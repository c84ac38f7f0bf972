// Stresses that people read, from the one that elements work with.
#pragma once

#include <pliant/core/types.hpp>

#include <cmath>

namespace pliant {

// Cauchy stress, Pa, of the deformed body: σ = P Fᵀ / J. Zero volume has no Cauchy stress: NaN or
// ∞.
inline Mat3 cauchy_from_first_piola(const Mat3& F, const Mat3& P) {
  return P * F.transpose() / F.determinant();
}

// Von Mises' equivalent stress √(3/2 s:s), s the deviator of a symmetric stress.
inline double von_mises(const Mat3& stress) {
  const Mat3 deviator = stress - stress.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * deviator.norm();
}

}  // namespace pliant
