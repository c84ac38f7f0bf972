#include <pliant/dissipation/rate_curve.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kNoRate = 1e-14;  // 1/s: what bends a curve at smaller rates has no force

}  // namespace

RateCurvePoint PowerLaw::at(double R, double viscosity) const {
  if (p == 1) return {R, 1, 0};
  const double q = 0.5 * (p + 1), scale = std::pow(strength, 1 - q);
  const double R_epsilon = p < 1 ? viscosity * epsilon * epsilon : 0;
  const double x = R + R_epsilon;
  if (!(x > viscosity * kNoRate * kNoRate)) return {};
  const double power = scale * std::pow(x, q);
  const double at_rest = R_epsilon > 0 ? scale * std::pow(R_epsilon, q) : 0;
  return {power - at_rest, q * power / x, q * (q - 1) * power / (x * x)};
}

double PowerLaw::exact_slope(double R) const {
  const double q = 0.5 * (p + 1);
  return q * std::pow(R / strength, q - 1);
}

RateSpline::RateSpline(std::span<const SplineCurve::Knot> knots, std::string_view name)
    : s_(knots, name), starts_{0}, moments_{0} {
  for (const SplineCurve::Knot& knot : knots) {
    if (knot[0] <= 0) continue;
    moments_.push_back(moments_.back() + piece(starts_.back(), knot[0]));
    starts_.push_back(knot[0]);
  }
}

// Three Gauss points: exact for the cubic s times x.
double RateSpline::piece(double from, double to) const {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from), far = std::sqrt(0.6) * half;
  const auto f = [&](double x) { return 2 * x * s_.at(x).value; };
  return half * (5 * f(middle - far) + 8 * f(middle) + 5 * f(middle + far)) / 9;
}

RateCurvePoint RateSpline::at(double R, double viscosity) const {
  if (!(viscosity > 0)) return {};
  const double r = std::sqrt(std::max(0.0, R) / viscosity);
  const auto above = std::upper_bound(starts_.begin(), starts_.end(), r);
  const auto k = static_cast<std::size_t>(above - starts_.begin()) - 1;
  const CurvePoint s = s_.at(r);
  RateCurvePoint phi;
  phi.value = viscosity * (moments_[k] + piece(starts_[k], r));
  phi.slope = s.value;
  if (r > kNoRate) phi.bend = s.slope / (2 * r * viscosity);  // dr/dR = 1/(2 r viscosity)
  return phi;
}

void apply_rate_curve(RateCurvePoint phi, Wanted wanted, ViscousResponse& out) {
  if (wanted.psd) phi.bend = std::max(0.0, phi.bend);
  if (wanted.position) {
    out.S = phi.slope * out.S + phi.bend * vec(out.P) * vec(out.G).transpose();
    out.G *= phi.slope;
  }
  if (wanted.D()) out.D = phi.slope * out.D + phi.bend * vec(out.P) * vec(out.P).transpose();
  if (wanted.P()) out.P *= phi.slope;
  out.R = phi.value;
}

}  // namespace pliant
