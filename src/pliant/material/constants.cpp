#include <pliant/material/constants.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/svd3.hpp>

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace pliant {
namespace {

void require_positive(double value, std::string_view key) {
  if (std::isfinite(value) && value > 0) return;
  throw InputError(fmt::format("{}: must be above 0 and finite, got {}", key, value));
}

void require_not_negative(double value, std::string_view key) {
  if (std::isfinite(value) && value >= 0) return;
  throw InputError(fmt::format("{}: must be at least 0 and finite, got {}", key, value));
}

void require_poisson(double poisson) {
  if (poisson > -1 && poisson < 0.5) return;
  throw InputError(fmt::format("poisson: must be above -1 and below 0.5, got {}", poisson));
}

std::array<double, 3> or_same(const std::optional<std::array<double, 3>>& given, double value) {
  return given.value_or(std::array{value, value, value});
}

Mat3 checked_axes(const Mat3& axes) {
  if (!axes.allFinite() || (axes.transpose() * axes - Mat3::Identity()).norm() > 1e-6)
    throw InputError("axes: must be three unit vectors at right angles");
  if (axes.determinant() < 0)
    throw InputError("axes: must be right-handed, got a left-handed frame");
  return rotation_of(axes);
}

}  // namespace

Lame checked_lame(const MaterialConstants& constants) {
  require_positive(constants.young, "young");
  require_poisson(constants.poisson);
  return lame_from(constants.young, constants.poisson);
}

MooneyConstants checked_mooney(const MaterialConstants& constants) {
  if (constants.c10.has_value() != constants.c01.has_value())
    throw InputError(fmt::format("{}: is missing, c10 and c01 are given together",
                                 constants.c10 ? "c01" : "c10"));
  MooneyConstants m;
  if (constants.c10) {
    m.c10 = *constants.c10;
    m.c01 = *constants.c01;
    require_not_negative(m.c10, "c10");  // or the energy falls without bound
    require_not_negative(m.c01, "c01");
    require_positive(m.c10 + m.c01, "c10 + c01");
  } else {
    const double mu = checked_lame(constants).mu;
    m.c10 = 0.4 * mu;
    m.c01 = 0.1 * mu;
  }
  if (constants.bulk) {
    m.bulk = *constants.bulk;
  } else {
    require_poisson(constants.poisson);
    // K = 2 μ (1 + ν) / (3 (1 − 2ν)),  μ = 2 (c10 + c01)
    m.bulk = 4 * (m.c10 + m.c01) * (1 + constants.poisson) / (3 * (1 - 2 * constants.poisson));
  }
  require_positive(m.bulk, "bulk");
  return m;
}

OrthotropicStiffness checked_orthotropic(const MaterialConstants& constants) {
  const Lame lame = checked_lame(constants);
  const auto E = or_same(constants.axial_young, constants.young);
  const auto nu = or_same(constants.axial_poisson, constants.poisson);
  const auto G = or_same(constants.axial_shear, lame.mu);
  for (const double e : E) require_positive(e, "young");
  for (const double g : G) require_positive(g, "shear");
  for (const double n : nu)
    if (!std::isfinite(n)) throw InputError(fmt::format("poisson: must be finite, got {}", n));
  // The compliance of the normal strains: ε_y = −ν_xy S_x / E_x, and it is symmetric.
  Mat3 compliance;
  compliance << 1 / E[0], -nu[0] / E[0], -nu[2] / E[2],  //
      -nu[0] / E[0], 1 / E[1], -nu[1] / E[1],            //
      -nu[2] / E[2], -nu[1] / E[1], 1 / E[2];
  const Vec3 eigenvalues = symmetric_eigen(compliance).values;
  if (!(eigenvalues[2] > 1e-12 * eigenvalues[0]))
    throw InputError(fmt::format(
        "poisson: young [{}, {}, {}] and poisson [{}, {}, {}] make a stiffness that is not "
        "positive definite; smaller ratios are needed",
        E[0], E[1], E[2], nu[0], nu[1], nu[2]));
  return {checked_axes(constants.axes), compliance.inverse(), Vec3(G[0], G[1], G[2])};
}

void check(const MaterialConstants& constants) {
  require_positive(constants.density, "density");
  checked_lame(constants);
  checked_mooney(constants);
  checked_orthotropic(constants);
}

}  // namespace pliant
