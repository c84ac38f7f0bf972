#include <pliant/core/curve.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pliant {
namespace {

// The slope at a knot between secants a (over length ha) and b (over hb): their weighted harmonic
// mean where they agree in sign, else zero (Fritsch and Butland 1984).
double knot_slope(double a, double b, double ha, double hb) {
  if (a * b <= 0) return 0;
  const double wa = 2 * hb + ha, wb = hb + 2 * ha;
  return (wa + wb) / (wa / a + wb / b);
}

}  // namespace

Curve::Curve(std::vector<double> times, std::vector<Vec3> values, Between between)
    : times_(std::move(times)),
      values_(std::move(values)),
      slopes_(times_.size(), Vec3::Zero()),
      between_(between) {
  assert(!times_.empty() && times_.size() == values_.size());
  const std::size_t n = times_.size();
  if (n < 2) return;
  const auto secant = [&](std::size_t k) -> Vec3 {
    return (values_[k + 1] - values_[k]) / (times_[k + 1] - times_[k]);
  };
  slopes_.front() = secant(0);
  slopes_.back() = secant(n - 2);
  for (std::size_t k = 1; k + 1 < n; ++k)
    for (int i = 0; i < 3; ++i)
      slopes_[k][i] = knot_slope(secant(k - 1)[i], secant(k)[i], times_[k] - times_[k - 1],
                                 times_[k + 1] - times_[k]);
}

Curve::Sample Curve::at(double t) const {
  Sample sample;
  if (t <= times_.front() || times_.size() < 2) {
    sample.value = values_.front();
    return sample;
  }
  if (t >= times_.back()) {
    sample.value = values_.back();
    return sample;
  }
  const auto after = std::upper_bound(times_.begin(), times_.end(), t);
  const auto k = static_cast<std::size_t>(after - times_.begin()) - 1;
  const double h = times_[k + 1] - times_[k], s = (t - times_[k]) / h;
  if (between_ == Between::straight) {
    sample.first = (values_[k + 1] - values_[k]) / h;
    sample.value = values_[k] + s * (values_[k + 1] - values_[k]);
    return sample;
  }
  const Vec3 &y0 = values_[k], &y1 = values_[k + 1], d0 = h * slopes_[k], d1 = h * slopes_[k + 1];
  // Cubic Hermite: y = y0 + d0 s + c2 s² + c3 s³.
  const Vec3 c2 = 3 * (y1 - y0) - 2 * d0 - d1, c3 = 2 * (y0 - y1) + d0 + d1;
  sample.value = y0 + s * (d0 + s * (c2 + s * c3));
  sample.first = (d0 + s * (2 * c2 + s * 3 * c3)) / h;
  sample.second = (2 * c2 + 6 * s * c3) / (h * h);
  return sample;
}

}  // namespace pliant
