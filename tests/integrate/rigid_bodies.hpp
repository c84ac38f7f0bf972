// Rigid boxes for tests: along the axes of the world, of density 1000 kg/m³.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/mass_properties.hpp>

#include <cmath>

namespace pliant::fixtures {

inline SolidInput rigid_box(const Vec3& size, const Vec3& centre, RigidFormulation formulation) {
  SolidInput solid;
  solid.name = "box";
  solid.mesh = make_box({size, {1, 1, 1}, ElementType::hex8});
  const MassProperties of_one =
      mass_properties(solid.mesh.points, make_surface(solid.mesh).triangles, "box");
  for (Vec3& x : solid.mesh.points) x += centre - of_one.centre;
  RigidInput rigid;
  rigid.mass = 1000 * of_one.volume;
  rigid.centre = centre;
  rigid.inertia = 1000 * of_one.inertia;
  rigid.modulus = 1e11;
  rigid.formulation = formulation;
  solid.rigid = rigid;
  return solid;
}

// The body turns about its centre and flies.
inline void set_motion(const RigidFrame& frame, const Vec3& v, const Vec3& omega,
                       const System& system, State& state) {
  for (Index a = 0; a < 4; ++a)
    node(view(state.v), frame.first + a) =
        v + omega.cross(Vec3(node(view(state.q), frame.first + a)) - frame.centre);
  system.follow(view(state.v));
}

// How it is turned: its principal axes, as columns.
inline Mat3 axes_now(const RigidFrame& frame, const State& state) {
  const MappedPoint centre = frame.point(frame.centre);
  Mat3 out;
  for (int i = 0; i < 3; ++i)
    out.col(i) =
        frame.point(frame.centre + frame.axes.col(i)).at(view(state.q)) - centre.at(view(state.q));
  return out;
}

}  // namespace pliant::fixtures
