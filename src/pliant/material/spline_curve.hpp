// A curve through knots for the laws that people draw: piecewise cubic with continuous slope,
// rising wherever the knots rise (F. Fritsch, J. Butland 1984), so that the energy under it is
// convex where the knots say so and nowhere dips between them. Beyond its ends it goes on straight,
// never falling.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace pliant {

struct CurvePoint {
  double integral = 0;  // of the curve from 1
  double value = 0;
  double slope = 0;
};

class SplineCurve {
 public:
  using Knot = std::array<double, 2>;  // abscissa, value

  // At least two knots with rising abscissae, else an InputError that starts with `name`.
  SplineCurve(std::span<const Knot> knots, std::string_view name);

  CurvePoint at(double x) const;

 private:
  CurvePoint from_first_knot(double x) const;

  std::vector<double> x_, y_, slope_, integral_;  // one each per knot; integral from the first knot
  double integral_to_one_ = 0;
};

// f', g' and h' of the `spline` law in units of Young's modulus, over the stretch σ_i, the area
// ratio σ_i σ_j and the volume ratio σ₀σ₁σ₂.
struct SplineCurves {
  std::optional<SplineCurve> f, g, h;
};

}  // namespace pliant
