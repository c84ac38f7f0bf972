// The size of something that nodes have, in the mean over all masses.
#pragma once

#include <pliant/system/system.hpp>

#include <cmath>

namespace pliant {

// The root of the mean square, weighted by the masses.
inline double mean_size(const NodeMatrix& M, const Vector& x) {
  double sum = 0, mass = 0;
  for (Index n = 0; n < static_cast<Index>(x.size() / 3); ++n) {
    sum += M.diagonal(n) * node(view(x), n).squaredNorm();
    mass += M.diagonal(n);
  }
  return mass > 0 ? std::sqrt(sum / mass) : 0;
}

}  // namespace pliant
