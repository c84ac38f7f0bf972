// Explicit methods, as references: symplectic Euler, velocity Verlet and the classical Runge–Kutta
// method of order 4. Each force evaluation costs one mass solve; none is stable for h ω > 2 or so.
#pragma once

#include <pliant/integrate/stepper.hpp>
#include <pliant/system/mass_solve.hpp>

namespace pliant {

class ExplicitStepper final : public Stepper {
 public:
  enum class Method { symplectic_euler, verlet, rk4 };
  explicit ExplicitStepper(Method method) : method_(method) {}
  std::string_view name() const override;
  StepReport step(const System& system, State& state, double h) override;

 private:
  // a = M⁻¹ f(t, q, v), prescribed accelerations in place.
  bool acceleration(const StepContext& context, double t, const Vector& q, const Vector& v,
                    Vector& a);
  bool symplectic_euler(const StepContext& context, State& state, double h);
  bool verlet(const StepContext& context, State& state, double h);
  bool rk4(const StepContext& context, State& state, double h);

  Method method_;
  StepData data_;
  DofMask mask_;
  MassSolve mass_solve_{MassMethod::factorized};
  State trial_, start_;
  Vector f_, q_, v_, a_[4], v_stage_[4];
};

}  // namespace pliant
