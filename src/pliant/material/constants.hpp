// What a scene says about a material, whichever law it names. A law reads what it needs in its
// make_parameters, which refuses values out of range with an InputError such as
// `poisson: must be above -1 and below 0.5, got 0.5`.
#pragma once

#include <pliant/material/law.hpp>

#include <array>
#include <memory>
#include <optional>

namespace pliant {

struct SplineCurves;  // spline_curve.hpp

struct MaterialConstants {
  double young = 1e5;  // Pa
  double poisson = 0.4;
  double density = 1000;  // kg/m³

  // mooney-rivlin. Without c10 and c01 the shear modulus of young and poisson is split 4 : 1;
  // without bulk the ratio of bulk and shear modulus is that of poisson.
  std::optional<double> c10, c01, bulk;  // Pa

  // orthotropic, along the columns of `axes`; without them young and poisson hold in every
  // direction.
  std::optional<std::array<double, 3>> axial_young;  // x, y, z; Pa
  std::optional<std::array<double, 3>>
      axial_poisson;  // xy, yz, zx; ν_xy: contraction along y, pull along x
  std::optional<std::array<double, 3>> axial_shear;  // xy, yz, zx; Pa
  Mat3 axes = Mat3::Identity();                      // rest frame

  // strain-limited: the least and the largest stretch of cloth.
  std::array<double, 2> stretch_limits = {0.95, 1.05};

  // spline; a curve that is missing is that of fixed-corotated with young and poisson.
  std::shared_ptr<const SplineCurves> curves;
};

// Throws InputError where any constant is out of range, also those that the law at hand ignores.
void check(const MaterialConstants& constants);

// μ and λ of young and poisson, both checked.
Lame checked_lame(const MaterialConstants& constants);

// The constants of mooney-rivlin, given or derived, checked.
struct MooneyConstants {
  double c10 = 0, c01 = 0, bulk = 0;  // Pa; shear modulus 2 (c10 + c01)
};
MooneyConstants checked_mooney(const MaterialConstants& constants);

// Orthotropic Hooke's law in its own axes: S_aa = Σ_b normal(a, b) E_bb, S_ab = 2 shear_ab E_ab.
struct OrthotropicStiffness {
  Mat3 axes = Mat3::Identity();  // a rotation, columns x, y, z
  Mat3 normal = Mat3::Zero();    // Pa, positive definite
  Vec3 shear = Vec3::Zero();     // xy, yz, zx; Pa
};
OrthotropicStiffness checked_orthotropic(const MaterialConstants& constants);

}  // namespace pliant
