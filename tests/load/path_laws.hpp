// Laws of springs, tendons and muscles for tests.
#pragma once

#include <pliant/load/path_law.hpp>

#include <span>

namespace pliant::test {

inline Curve constant(double value) { return Curve(Vec3(value, 0, 0)); }
inline Curve ramp(double from, double to) {
  return Curve({0, 1}, {Vec3(from, 0, 0), Vec3(to, 0, 0)}, Curve::Between::straight);
}

inline PathLaw spring(double k, double rest, double damping = 0) {
  PathLaw law;
  law.stiffness = k, law.drive = constant(rest), law.damping = damping;
  return law;
}
inline PathLaw pulling(Curve tension, double damping = 0) {
  PathLaw law;
  law.kind = PathKind::tension, law.drive = std::move(tension), law.damping = damping;
  return law;
}
inline PathLaw elastic_tendon(double k, Curve rest, double damping = 0) {
  PathLaw law;
  law.kind = PathKind::elastic_tendon, law.stiffness = k, law.drive = std::move(rest);
  law.damping = damping;
  return law;
}
inline PathLaw muscle(double strength, Curve activation, double optimal, double passive) {
  PathLaw law;
  law.kind = PathKind::muscle, law.strength = strength, law.drive = std::move(activation);
  law.optimal = optimal, law.passive = passive;
  return law;
}

inline std::span<const double> flat(std::span<const Vec3> rest) {
  return {rest.data()->data(), 3 * rest.size()};
}

}  // namespace pliant::test
