// What may be laid over a quadratic damping law: a power of it or a curve over its rate, a curve
// over the strain, and the removal of rigid motion; in this order from the law outwards.
#pragma once

#include <pliant/dissipation/nonrigid.hpp>
#include <pliant/dissipation/rate_curve.hpp>

#include <memory>
#include <optional>

namespace pliant {

struct ViscousModifiers {
  std::optional<PowerLaw> power;
  std::shared_ptr<const RateSpline> over_rate;     // null: none
  std::shared_ptr<const FactorCurve> over_strain;  // null: none
  bool each_strain = false;  // over_strain scales each principal strain by itself
  int strains = 3;           // principal stretches that there are: fewer in cloth and cables
  std::optional<NonrigidForm> nonrigid;

  bool bends_rate() const { return power || over_rate; }
  bool changes_law() const { return bends_rate() || over_strain; }
  RateCurvePoint rate_curve(double R, double viscosity) const {
    if (over_rate) return over_rate->at(R, viscosity);
    return power ? power->at(R, viscosity) : RateCurvePoint{R, 1, 0};
  }
};

// One quadrature point of one element.
struct RatePoint {
  Mat3 F, F_dot;
  double viscosity = 0;  // of the law at this element, Pa s
};

// The response of a law with all that is laid over it.
template <ViscousLaw L>
void respond_modified(const RatePoint& x, const typename L::Parameters& p,
                      const ViscousModifiers& over, Wanted wanted, ViscousResponse& out) {
  const auto respond = [&](const Mat3& rate) {
    L::respond(x.F, rate, p, wanted, out);
    if (over.bends_rate()) apply_rate_curve(over.rate_curve(out.R, x.viscosity), wanted, out);
    if (over.over_strain) multiply_by_strain(*over.over_strain, x.F, over.strains, wanted, out);
  };
  if (L::conserves_momentum || !over.nonrigid) return respond(x.F_dot);
  const NonrigidRate nonrigid(x.F, x.F_dot, *over.nonrigid);
  respond(nonrigid.rate());
  nonrigid.pull_back(wanted, out);
}

}  // namespace pliant
