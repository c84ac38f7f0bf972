// Laws that are not linear in the velocities: a function of the dissipation of a quadratic law,
// R' = φ(R). With φ' ≥ 0 the force is φ'(R) times that of the law beneath, so power stays negative
// and everything that law is blind to stays unfelt.
//   P' = φ' P,  D' = φ' D + φ'' P Pᵀ,  S' = φ' S + φ'' P Gᵀ,  G' = φ' G
#pragma once

#include <pliant/dissipation/factor_curve.hpp>

#include <vector>

namespace pliant {

struct RateCurvePoint {
  double value = 0, slope = 0, bend = 0;  // φ, φ', φ''
};

// R' = A^{1−q} R^q with q = (p + 1)/2: a force that grows with the velocity to the power p (BROWN
// (54)). A is the dissipation at which the law is as strong as the one beneath. For p < 1 the force
// at rest is made smooth, A^{1−q} ((R + R_ε)^q − R_ε^q): below a strain rate of about ε it is
// linear.
struct PowerLaw {
  double p = 1;           // from 0 to 4
  double strength = 1;    // A, W/m³
  double epsilon = 1e-3;  // 1/s

  RateCurvePoint at(double R, double viscosity) const;
  double exact_slope(double R) const;  // φ' for R > 0, nothing smoothed
};

// The spline of BROWN (57) over the rate instead of the strain: with r the strain rate at which the
// law beneath dissipates R = viscosity r², the force is multiplied by s(r):
// R' = viscosity ∫₀ʳ 2 s(x) x dx.
class RateSpline {
 public:
  RateSpline(std::span<const SplineCurve::Knot> knots, std::string_view name);
  RateCurvePoint at(double R, double viscosity) const;

 private:
  double piece(double from, double to) const;  // ∫ 2 s(x) x dx within a piece of the curve

  FactorCurve s_;
  std::vector<double> starts_, moments_;  // where its pieces start; the integral from 0 to there
};

// Turns the response of the law beneath into that of φ(R). Where D must be positive semi-definite
// it is the secant, which never promises too much.
void apply_rate_curve(RateCurvePoint phi, Wanted wanted, ViscousResponse& out);

}  // namespace pliant
