// How one body of a scene moves as a whole: what a rigid one of the same mass would do, from its
// momenta. For cases about contact, which start at rest where contact bears the bodies' weight.
#pragma once

#include <pliant/reproduce/method_run.hpp>

namespace pliant {

struct BodyMotion {
  Vec3 centre = Vec3::Zero();    // m, of mass
  Vec3 velocity = Vec3::Zero();  // m/s, of the centre
  Vec3 spin = Vec3::Zero();      // rad/s: I⁻¹ L about the centre
  double kinetic = 0;            // J
};
BodyMotion motion_of(const System& system, const Body& body, const State& state);

// Gives every node of the body this velocity more.
void push(const Body& body, const Vec3& velocity, State& state);

// Starts the scene at rest, where its bodies come to rest within `duration` by backward Euler:
// borne by the barrier, strained by their weight and held by friction as far as there is any.
// False, with the start as it was, where that fails.
bool settle(const CaseContext& context, CaseScene& scene, double dt, double duration);

// y = a + b x by least squares.
struct LineFit {
  double at_zero = 0, slope = 0;
};
LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace pliant
