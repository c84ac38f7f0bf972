#include <pliant/material/spline_curve.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

void require_knots(std::span<const SplineCurve::Knot> knots, std::string_view name) {
  if (knots.size() < 2)
    throw InputError(fmt::format("{}: needs at least two knots, got {}", name, knots.size()));
  for (std::size_t i = 0; i < knots.size(); ++i) {
    if (!std::isfinite(knots[i][0]) || !std::isfinite(knots[i][1]))
      throw InputError(fmt::format("{}: knot {} is not finite", name, i));
    if (i > 0 && !(knots[i][0] > knots[i - 1][0]))
      throw InputError(fmt::format("{}: knots must rise, but knot {} at {} follows {}", name, i,
                                   knots[i][0], knots[i - 1][0]));
  }
}

// Fritsch–Butland: a weighted harmonic mean of the secants on both sides, 0 at a turning point.
double inner_slope(double h0, double h1, double secant0, double secant1) {
  if (secant0 * secant1 <= 0) return 0;
  const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / secant0 + w1 / secant1);
}

// The slope of the parabola through the last three knots, between 0 and three times the last
// secant.
double end_slope(double h0, double h1, double secant0, double secant1) {
  const double parabola = ((2 * h0 + h1) * secant0 - h0 * secant1) / (h0 + h1);
  return std::clamp(parabola, 0.0, std::max(0.0, 3 * secant0));
}

// Cubic Hermite polynomial over a segment of length h, and its integral from the segment's start.
CurvePoint hermite(double t, double h, std::array<double, 2> y, std::array<double, 2> m) {
  const double t2 = t * t, t3 = t2 * t, t4 = t2 * t2;
  CurvePoint p;
  p.value = y[0] * (1 - 3 * t2 + 2 * t3) + y[1] * (3 * t2 - 2 * t3) +
            h * (m[0] * (t - 2 * t2 + t3) + m[1] * (t3 - t2));
  p.slope =
      (y[1] - y[0]) * 6 * (t - t2) / h + m[0] * (1 - 4 * t + 3 * t2) + m[1] * (3 * t2 - 2 * t);
  p.integral = h * (y[0] * (t - t3 + t4 / 2) + y[1] * (t3 - t4 / 2) +
                    h * (m[0] * (t2 / 2 - 2 * t3 / 3 + t4 / 4) + m[1] * (t4 / 4 - t3 / 3)));
  return p;
}

}  // namespace

SplineCurve::SplineCurve(std::span<const Knot> knots, std::string_view name) {
  require_knots(knots, name);
  const std::size_t n = knots.size();
  std::vector<double> h(n - 1), secant(n - 1);
  for (const Knot& knot : knots) {
    x_.push_back(knot[0]);
    y_.push_back(knot[1]);
  }
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x_[i + 1] - x_[i];
    secant[i] = (y_[i + 1] - y_[i]) / h[i];
  }
  slope_.assign(n, std::max(0.0, secant[0]));
  for (std::size_t i = 1; i + 1 < n; ++i)
    slope_[i] = inner_slope(h[i - 1], h[i], secant[i - 1], secant[i]);
  if (n > 2) {
    slope_[0] = end_slope(h[0], h[1], secant[0], secant[1]);
    slope_[n - 1] = end_slope(h[n - 2], h[n - 3], secant[n - 2], secant[n - 3]);
  }
  integral_.assign(n, 0);
  for (std::size_t i = 1; i < n; ++i)
    integral_[i] = integral_[i - 1] +
                   hermite(1, h[i - 1], {y_[i - 1], y_[i]}, {slope_[i - 1], slope_[i]}).integral;
  integral_to_one_ = from_first_knot(1).integral;
}

CurvePoint SplineCurve::at(double x) const {
  CurvePoint p = from_first_knot(x);
  p.integral -= integral_to_one_;
  return p;
}

CurvePoint SplineCurve::from_first_knot(double x) const {
  const bool below = x <= x_.front();
  if (below || !(x < x_.back())) {  // also NaN
    const std::size_t end = below ? 0 : x_.size() - 1;
    const double d = x - x_[end];
    return {integral_[end] + d * (y_[end] + 0.5 * slope_[end] * d), y_[end] + slope_[end] * d,
            slope_[end]};
  }
  const auto above = std::upper_bound(x_.begin(), x_.end(), x);
  const auto i = static_cast<std::size_t>(above - x_.begin()) - 1;
  const double h = x_[i + 1] - x_[i];
  CurvePoint p = hermite((x - x_[i]) / h, h, {y_[i], y_[i + 1]}, {slope_[i], slope_[i + 1]});
  p.integral += integral_[i];
  return p;
}

}  // namespace pliant
