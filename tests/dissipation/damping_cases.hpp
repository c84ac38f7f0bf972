// Damping laws that the tests walk: every base with what may be laid over it.
#pragma once

#include <pliant/dissipation/damping_law.hpp>

#include <string>

namespace pliant::test {

struct DampingCase {
  std::string name;
  DampingLaw law;
  bool keeps_momentum = false;
};

inline DampingLaw strain_rate_damping(double psi = 40, double phi = 60) {
  DampingLaw law;
  law.psi = {psi};
  law.phi = {phi};
  return law;
}

inline DampingLaw rayleigh_damping(double beta = 1e-3) {
  DampingLaw law;
  law.base = DampingLaw::Base::rayleigh;
  law.beta = {beta};
  return law;
}

inline DampingLaw principal_damping(double beta = 1e-3) {
  DampingLaw law = rayleigh_damping(beta);
  law.base = DampingLaw::Base::principal_strain;
  return law;
}

inline DampingLaw with_power(DampingLaw law, double p, double strength = 100) {
  law.over.power = PowerLaw{.p = p, .strength = strength, .epsilon = 0.01};
  return law;
}

inline DampingLaw conserving(DampingLaw law, NonrigidForm form = NonrigidForm::projection) {
  law.over.nonrigid = form;
  return law;
}

inline DampingLaw with_strain_curve(DampingLaw law) {
  const std::vector<SplineCurve::Knot> knots = {{0.2, 3}, {0.9, 1}, {1.1, 0.5}, {2, 4}};
  law.over.over_strain = std::make_shared<const FactorCurve>(knots, "knots");
  return law;
}

inline DampingLaw with_rate_curve(DampingLaw law) {
  const std::vector<SplineCurve::Knot> knots = {{0, 0.5}, {1, 1}, {3, 4}};
  law.over.over_rate = std::make_shared<const RateSpline>(knots, "knots");
  return law;
}

inline std::vector<DampingCase> damping_cases() {
  const auto gradient = NonrigidForm::velocity_gradient;
  return {
      {"strain_rate", strain_rate_damping(), true},
      {"strain_rate_p0", with_power(strain_rate_damping(), 0), true},
      {"strain_rate_p3", with_power(strain_rate_damping(), 3), true},
      {"strain_rate_over_strain", with_strain_curve(strain_rate_damping()), true},
      {"strain_rate_over_rate", with_rate_curve(strain_rate_damping()), true},
      {"rayleigh", rayleigh_damping()},
      {"rayleigh_p2", with_power(rayleigh_damping(), 2)},
      {"rayleigh_projection", conserving(rayleigh_damping()), true},
      {"rayleigh_gradient", conserving(rayleigh_damping(), gradient), true},
      {"rayleigh_p4_gradient", conserving(with_power(rayleigh_damping(), 4), gradient), true},
      {"rayleigh_p0_over_strain_projection",
       conserving(with_strain_curve(with_power(rayleigh_damping(), 0))), true},
  };
}

}  // namespace pliant::test
