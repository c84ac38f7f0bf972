#include <pliant/material/batch_law.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace pliant {

// Central differences, all points at once: eighteen calls however many points there are. The step
// is where truncation and rounding are about the same; F is a number near one.
void BatchLaw::tangent(std::span<const double> F, std::span<double> C) const {
  const double h = std::cbrt(std::numeric_limits<double>::epsilon());
  const std::size_t points = F.size() / 9;
  std::vector<double> moved(F.begin(), F.end()), ahead(F.size()), behind(F.size());
  for (std::size_t k = 0; k < 9; ++k) {
    for (std::size_t p = 0; p < points; ++p) moved[9 * p + k] = F[9 * p + k] + h;
    stress(moved, ahead);
    for (std::size_t p = 0; p < points; ++p) moved[9 * p + k] = F[9 * p + k] - h;
    stress(moved, behind);
    for (std::size_t p = 0; p < points; ++p) {
      moved[9 * p + k] = F[9 * p + k];
      for (std::size_t i = 0; i < 9; ++i)
        C[81 * p + 9 * k + i] = (ahead[9 * p + i] - behind[9 * p + i]) / (2 * h);
    }
  }
}

}  // namespace pliant
