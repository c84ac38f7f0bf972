// The gradient of an objective of a whole motion by any numbers of a scene: Young's moduli,
// damping, initial velocities, the motion of pins, loads, lengths of a mesh. The motion is run
// forward as ever and then gone through backwards once, whatever the number of parameters
// (AdjointStep); how each equation depends on a parameter is found by building the scene with the
// parameter a little larger and a little smaller and evaluating the equation in both: a difference
// of forces at a fixed state, which is smooth and exact to about ten digits, not one of motions.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/gradient/adjoint_step.hpp>
#include <pliant/scene/build.hpp>
#include <pliant/scene/json.hpp>

#include <nlohmann/json.hpp>

namespace pliant {

// A state of the motion, the start included; steps are counted from 0.
struct ObjectivePoint {
  std::int64_t step = 0, steps = 0;
  double t = 0;                  // s
  std::span<const double> q, v;  // m, m/s
};
// Returns what this state adds to the objective, and adds ∂/∂q and ∂/∂v of that to two vectors that
// begin with zeros.
using Objective = std::function<double(const ObjectivePoint& point, std::span<double> q_bar,
                                       std::span<double> v_bar)>;
// What is made for a built scene, whose nodes it may look at.
using MakeObjective = std::function<Objective(const BuiltScene& built)>;

struct GradientInput {
  Json document;                        // the scene, as written or resolved
  std::filesystem::path base_folder;    // of files that it names
  std::string name = "scene";           // in messages
  std::vector<std::string> parameters;  // paths of numbers, as for --set: materials.jelly.young
  MakeObjective objective;
  Interruption interrupted = {};
};

struct SceneGradient {
  double value = 0;                // of the objective
  std::vector<double> parameters;  // their values
  std::vector<double> gradient;    // by each of them
  StateGradient start;             // by the state at the beginning, other things fixed
  std::int64_t steps = 0;
};

// Throws InputError for parameters that are no numbers of the scene and for what has no gradient:
// friction that sticks, plasticity, steps that are chosen on the way…; CannotContinue where the run
// fails or has steps that were not made by the method alone.
SceneGradient scene_gradient(const GradientInput& input, const Log& log);

// The objective alone, for the parameters' values as given (empty: those of the scene).
double scene_objective(const GradientInput& input, std::span<const double> values, const Log& log);

}  // namespace pliant
