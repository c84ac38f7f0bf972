// What drives the free coordinates, as methods see it that are no list of implicit stages:
//   F(t, q, v) = f(t, q, v) − M a_p(t)  on free coordinates, 0 on prescribed ones,
// with position, velocity and acceleration a_p of the prescribed ones those of time t. All that
// pins do is thereby a dependence on time, and M_ff dv/dt = F holds for the free coordinates alone.
#pragma once

#include <pliant/stage/stage.hpp>
#include <pliant/system/constrained_acceleration.hpp>
#include <pliant/system/mass_solve.hpp>

namespace pliant {

struct MotionPoint {
  double t = 0;  // s
  const Vector &q, &v;
};

class FreeForce {
 public:
  explicit FreeForce(MassMethod method = MassMethod::iterative) : mass_solve_(method) {}
  // F at time t. q and v receive the prescribed coordinates of that time.
  void evaluate(const StepContext& context, double t, Vector& q, Vector& v, Vector& F);
  // ∂F/∂t at a point from which a step of length h is made and where F is F0, with the free
  // coordinates held; zero where nothing depends on time.
  void time_derivative(const StepContext& context, const MotionPoint& point, double h,
                       const Vector& F0, Vector& F_t);
  // x = M_ff⁻¹ b on free coordinates, 0 on prescribed ones; followers follow.
  [[nodiscard]] bool divide_by_mass(const StepContext& context, const Vector& b, Vector& x);
  // The acceleration a = M⁻¹ f of the step's start, prescribed ones in place, unless the state has
  // it already; and the forces that act there, where somebody asks, see State.
  // `keep`: that of the last stage holds though terms have begun anew.
  [[nodiscard]] bool find_acceleration(const StepContext& context, State& state, bool keep = false);

 private:
  void find_start_forces(const StepContext& context, State& state, const Vector* all);

  MassSolve mass_solve_;
  ConstrainedAcceleration constrained_;
  SharedForces forces_;
  Vector a_, Ma_, q_, v_, F1_, F2_;
};

// Sets the prescribed coordinates of x to zero.
void clear_prescribed(const DofMask& mask, Vector& x);

}  // namespace pliant
