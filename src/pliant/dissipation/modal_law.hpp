// Damping of single modes of a body as one says it: ratios ζ of the critical damping, and a curve
// that multiplies them over the amplitude, BROWN §8 after Xu and Barbič 2017. The term is made
// where the modes of bodies are known (coarsen/modal_damping.hpp).
#pragma once

#include <pliant/dissipation/dissipation_term.hpp>
#include <pliant/dissipation/factor_curve.hpp>

namespace pliant {

constexpr Index kMostDampedModes = 100;

struct ModalLaw {
  Index modes = 10;            // the lowest that deform the body
  std::vector<double> ratios;  // ζ, one for all of them, or one for each
  // Over the largest displacement of a node by the mode, m; null: 1 everywhere.
  std::shared_ptr<const FactorCurve> curve;
  StageTreatment treatment = StageTreatment::force;

  double ratio(Index k) const {
    return ratios[ratios.size() == 1 ? 0 : static_cast<std::size_t>(k)];
  }
};

// Throws InputError, starting with the name of what is wrong.
void check(const ModalLaw& law);

}  // namespace pliant
