// Natural frequencies and mode shapes: small motion about a state obeys M ẍ + K x = 0 on the free
// coordinates, so ω² are the eigenvalues of K x = λ M x and f = ω/2π. With constraints it stays on
// their manifold: J x = 0 for hard rows, those with a compliance are springs, and the multipliers
// that hold the state stiffen it, K − Σ λ ∇²φ (TOURNIER (18)).
#pragma once

#include <pliant/solve/eigenpairs.hpp>
#include <pliant/system/system.hpp>

namespace pliant {

enum class ModeKind { rigid, oscillating, unstable };  // λ = 0, λ > 0, λ < 0

struct Mode {
  double lambda = 0;    // 1/s²
  double residual = 0;  // ‖K x − λ M x‖ in the norm of M⁻¹, 1/s²
  ModeKind kind = ModeKind::oscillating;
  // Hz; of an unstable mode the rate of its growth over 2π, with a minus.
  double frequency = 0;
  // The part of the body's mass that takes part when the ground shakes along x, y, z: (xᵀMe)²/eᵀMe.
  Vec3 mass_fraction = Vec3::Zero();
};

struct Modes {
  std::vector<Mode> list;  // ascending in λ
  Eigen::MatrixXd shapes;  // a column each, XᵀMX = I
  EigenMethod method = EigenMethod::dense;
};

// The lowest `count` modes about state.q, with the pins that are active at state.t; K is made
// symmetric. Limits that do not hold anything are left out, motors hold still. Throws
// CannotContinue where they cannot be found; where it is interrupted there are none. `rigid`: the
// first of the four nodes of each rigid body, which constraints take for truly rigid then, so that
// the stiffness that stands for that does not drown all else.
Modes find_modes(const System& system, const State& state, Index count,
                 const Interruption& interrupted = {}, std::span<const Index> rigid = {});

}  // namespace pliant
