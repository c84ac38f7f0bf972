// Some terms freeze a part of themselves at the start of a step: Rayleigh damping its K,
// `corotated` its rotations, contact the weights of its pairs, friction its normal forces. A stage
// thereby depends on q_n beside q_p. What that does to a gradient is found here: ∂/∂q_n of wᵀ f(q,
// v; what q_n froze).
#pragma once

#include <pliant/gradient/step_equations.hpp>

#include <functional>
#include <map>

namespace pliant {

class LagGradient {
 public:
  explicit LagGradient(const System& system);

  // y += scale ∂(wᵀ f)/∂q_n at the placed solution of a stage; w is zero outside of free
  // coordinates, and y is left so where the caller clears it.
  void add(const StepEquations& equations, double t, double scale, const Vector& w, Vector& y);

 private:
  void color();
  bool add_rayleigh(const Term& term, const StepEquations& equations, double scale, const Vector& w,
                    Vector& y);
  void add_contact(const StepEquations& equations, double t, double scale, const Vector& w,
                   Vector& y);
  void add_friction(const StepEquations& equations, double t, double scale, const Vector& w,
                    Vector& y);
  // y += scale ∂(wᵀ f)/∂q_n of a force that depends on q_n by the weights of the contacts at x.
  using ForceOf = std::function<void(const ContactSet& set, std::span<double> f)>;
  void add_by_weights(const StepEquations& equations, const Vector& x, const ForceOf& force,
                      double scale, const Vector& w, Vector& y);
  void add_by_colors(const Term& term, const StepEquations& equations, double t, double scale,
                     const Vector& w, Vector& y);

  const System& system_;
  std::vector<const Term*> terms_;
  std::shared_ptr<const BlockPattern> colored_;
  std::vector<std::vector<Index>> colors_;  // nodes that no force feels together
  BlockMatrix K_, projected_;
  std::map<std::array<Index, 2>, Index> edges_;  // of the surface that touches, by their nodes
  FrictionLag friction_;
  std::vector<NodeBlock> blocks_;
};

}  // namespace pliant
