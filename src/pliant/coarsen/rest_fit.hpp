// What a coarse body at rest should be corrected by: its modes, those of the fine mesh they are
// paired with, and the ratios r_i = λ_f/λ_c, CHEN §3.3.1, for one set of pins. Computed before the
// simulation; the fine mesh has no part in it afterwards.
#pragma once

#include <pliant/coarsen/pairing.hpp>
#include <pliant/coarsen/rest_modes.hpp>

namespace pliant {

struct FineModes {
  Vector values;   // 1/s²
  Matrix carried;  // BᵀM_f U_f, its product with a vector of the coarse mesh is the overlap
};

struct RestFit : RestModes {  // of the coarse body
  Vector ratios;              // one per mode; 1 where nothing is known
  Vector fine_values;         // the partners', 1/s²; 0 where there is none
  Vector distances;  // of eigenshapes, √(2 − 2 overlap): 0 equal, √2 nothing in common
  Matrix overlap;    // U_cᵀBᵀM_f U_f; empty where ratios are given
  Pairing pairing;
  Acceptance acceptance;  // of the coarse mesh, CHEN §3.5
};

enum class ModePairing { overlap, index };

// Sets all that the fine modes say about the coarse ones of `fit`.
void fit_to(const FineModes& fine, ModePairing pairing, RestFit& fit);
void fit_to(std::span<const double> ratios, RestFit& fit);  // given ones

// How many leading modes both meshes agree on: each partner's shape is known again (CHEN §3.2).
Index agreed_modes(const RestFit& fit);

// One factor for the stiffness of the whole body: that of the first mode, or the one that makes the
// first `count` agree best, min Σ (r λ_c/λ_f − 1)².
double stiffness_factor(const RestFit& fit, Index count);

}  // namespace pliant
