// Mooney–Rivlin rubber in its compressible form: the shape part of F, F̄ = J^(−1/3) F, bears c10 and
// c01, the volume part bears the bulk modulus. Rest is stress free and has μ = 2 (c10 + c01).
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/isotropic.hpp>

namespace pliant {

struct MooneyRivlin {
  static constexpr std::string_view name = "mooney-rivlin";
  static constexpr std::string_view source =
      "Mooney 1940, Rivlin 1948; the split into shape and volume of Flory 1961";
  static constexpr Promises promises = {.needs_positive_det = true};

  using Parameters = MooneyConstants;

  static Parameters make_parameters(const MaterialConstants& constants) {
    return checked_mooney(constants);
  }
  static double energy(const Mat3& F, const Parameters& p);
  static Mat3 stress(const Mat3& F, const Parameters& p);
  static Mat9 tangent(const Mat3& F, const Parameters& p);
  static PsdCorrection psd_correction(const Mat3& F, const Parameters& p);
};

}  // namespace pliant
