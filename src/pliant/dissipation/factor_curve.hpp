// A curve drawn by hand that multiplies damping (BROWN §5.2.2): smooth between its knots, never
// beyond the values of two neighbours, constant before the first and after the last, and never
// negative, so that damping never drives.
#pragma once

#include <pliant/dissipation/viscous_law.hpp>
#include <pliant/material/spline_curve.hpp>

namespace pliant {

class FactorCurve {
 public:
  // Knots [x, factor] with rising x and factors of at least 0, else an InputError that starts with
  // `name`.
  FactorCurve(std::span<const SplineCurve::Knot> knots, std::string_view name);

  CurvePoint at(double x) const;  // value and slope
  double first() const { return first_; }
  double last() const { return last_; }

 private:
  double first_, last_;
  SplineCurve curve_;
};

// The largest factor of the first so many stretches, and whose it is.
struct StrainFactor {
  CurvePoint point;
  int j = 0;
};
StrainFactor largest_factor(const FactorCurve& s, const Vec3& sigma, int count = 3);

// R' = (max_j s(σ_j)) R over the first `count` principal stretches σ_j of F.     BROWN (57)
void multiply_by_strain(const FactorCurve& s, const Mat3& F, int count, Wanted wanted,
                        ViscousResponse& out);

}  // namespace pliant
