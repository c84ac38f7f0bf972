// From the constraints of a scene to those of the system. Private to the module.
#pragma once

#include <pliant/scene/build.hpp>

namespace pliant {

// A place in the scene as a point of its body; throws InputError where it is outside.
using Locate = std::function<MappedPoint(const std::string& body, const Vec3& point,
                                         const std::string& where)>;
// The measure that a body's elasticity is constraints in, if it is.
std::optional<StrainMeasure> strain_measure_of(const SceneDescription& scene,
                                               const BodyDescription& body);

void add_constraints(const SceneDescription& scene, const Locate& locate, Model& model);

// Throws InfeasibleStart where hard constraints do not hold at the start, with names and distances.
void require_constraints_hold(const SceneDescription& scene, const System& system,
                              const State& start);

}  // namespace pliant
