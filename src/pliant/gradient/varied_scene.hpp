// A scene built with one of its numbers a little larger and a little smaller, to see how the
// equations of a step change with it at a fixed state.
#pragma once

#include <pliant/gradient/scene_gradient.hpp>

#include <array>

namespace pliant {

// The number at a path of a resolved scene. Throws InputError where there is none.
double number_at(const Json& resolved, const std::string& path);

void set_number(const GradientInput& input, const std::string& path, double value, Json& document);

class VariedScene {
 public:
  // Throws where the scene cannot be built on both sides, or gets other nodes.
  VariedScene(const GradientInput& input, const std::string& path, double value,
              const System& nominal);

  // The step from a state of the motion as it was, of whose coordinates those that pins hold are
  // where they are here.
  void begin(const State& state, double h);
  // −wᵀ ∂r/∂p − yᵀ ∂g/∂p of one equation of that step.
  double of_equation(const StagePoint& stage, const Vector& solution,
                     const EquationWeights& weights);
  // Of what pins hold at the end of that step, and of the state at the beginning.
  double of_pins(double t, const StateGradient& felt, const DofMask& mask);
  double of_start(const StateGradient& felt) const;
  // Of what follows others, in a state that an objective feels directly.
  double of_followers(const State& state, const StateGradient& felt) const;

 private:
  struct Side {
    std::unique_ptr<BuiltScene> built;
    std::unique_ptr<StepEquations> equations;
  };
  template <class Evaluate>
  double difference(Evaluate&& evaluate) const {
    return (evaluate(sides_[1]) - evaluate(sides_[0])) / (2 * delta_);
  }

  double delta_ = 0;
  std::array<Side, 2> sides_;  // below and above
};

}  // namespace pliant
