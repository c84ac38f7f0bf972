#include <pliant/dissipation/factor_curve.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/svd3.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {

FactorCurve::FactorCurve(std::span<const SplineCurve::Knot> knots, std::string_view name)
    : first_(knots.empty() ? 0 : knots.front()[0]),
      last_(knots.empty() ? 0 : knots.back()[0]),
      curve_(knots, name) {
  for (std::size_t i = 0; i < knots.size(); ++i)
    if (knots[i][1] < 0)
      throw InputError(fmt::format("{}: factors must not be negative, but knot {} has {}", name, i,
                                   knots[i][1]));
}

CurvePoint FactorCurve::at(double x) const {
  CurvePoint point = curve_.at(std::clamp(x, first_, last_));
  if (x < first_ || x > last_) point.slope = 0;
  return point;
}

StrainFactor largest_factor(const FactorCurve& s, const Vec3& sigma, int count) {
  StrainFactor largest{s.at(sigma[0]), 0};
  for (int j = 1; j < count; ++j)
    if (const CurvePoint other = s.at(sigma[j]); other.value > largest.point.value)
      largest = {other, j};
  return largest;
}

void multiply_by_strain(const FactorCurve& s, const Mat3& F, int count, Wanted wanted,
                        ViscousResponse& out) {
  const Svd3 f = svd(F);
  const auto [factor, j] = largest_factor(s, f.sigma, count);
  if (wanted.position) {
    // ∂σ_j/∂F = u_j v_jᵀ
    const Mat3 slope = factor.slope * f.U.col(j) * f.V.col(j).transpose();
    out.S = factor.value * out.S + vec(out.P) * vec(slope).transpose();
    out.G = factor.value * out.G + out.R * slope;
  }
  if (wanted.D()) out.D *= factor.value;
  if (wanted.P()) out.P *= factor.value;
  out.R *= factor.value;
}

}  // namespace pliant
