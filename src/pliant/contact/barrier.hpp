// The barrier of ASCHER (28), after Li et al. (Incremental Potential Contact, 2020):
//   b(x; δ) = −(x − δ)² log(x/δ) for 0 < x < δ, else 0,
// infinite at contact, twice continuously differentiable where it ends, and nothing beyond.
#pragma once

#include <cmath>
#include <limits>

namespace pliant {

struct Barrier {
  double value = 0, first = 0, second = 0;  // b, b′, b″
};

inline double barrier_value(double x, double delta) {
  if (x >= delta) return 0;
  if (!(x > 0)) return std::numeric_limits<double>::infinity();
  return -(x - delta) * (x - delta) * std::log(x / delta);
}

inline Barrier barrier(double x, double delta) {
  if (x >= delta) return {};
  if (!(x > 0)) return {std::numeric_limits<double>::infinity(), 0, 0};
  const double y = x - delta, log = std::log(x / delta), ratio = y / x;
  return {-y * y * log, -2 * y * log - y * ratio, -2 * log - 4 * ratio + ratio * ratio};
}

// −b′ at a tenth of δ, over δ: the stiffness κ = p / (this · δ) gives the pressure p there.
inline const double barrier_slope_at_tenth = -barrier(0.1, 1).first;

}  // namespace pliant
