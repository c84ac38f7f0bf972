// Some terms freeze a part of themselves at the start of a step: Rayleigh damping its K,
// `corotated` its rotations, contact the weights of its pairs. A stage thereby depends on q_n
// beside q_p. What that does to a gradient is found here: ∂/∂q_n of wᵀ f(q, v; what q_n froze).
#pragma once

#include <pliant/gradient/step_equations.hpp>

namespace pliant {

class LagGradient {
 public:
  explicit LagGradient(const System& system);

  // y += scale ∂(wᵀ f)/∂q_n at the placed solution of a stage; w is zero outside of free
  // coordinates, and y is left so where the caller clears it.
  void add(const StepEquations& equations, double t, double scale, const Vector& w, Vector& y);

 private:
  void color(const BlockPattern& pattern);
  bool add_rayleigh(const Term& term, const StepEquations& equations, double scale, const Vector& w,
                    Vector& y);
  void add_by_colors(const Term& term, const StepEquations& equations, double t, double scale,
                     const Vector& w, Vector& y);

  const System& system_;
  std::vector<const Term*> terms_;
  const BlockPattern* colored_ = nullptr;
  std::vector<std::vector<Index>> colors_;  // nodes that no force feels together
  BlockMatrix K_, projected_;
};

}  // namespace pliant
