// What the damping of solids and of thin bodies is checked for alike.
#pragma once

#include <pliant/dissipation/dissipation_term.hpp>
#include <pliant/system/system.hpp>

#include "support/beams.hpp"
#include "support/term_checks.hpp"

#include <stdexcept>

namespace pliant::test {

inline const DissipationTerm& damping_of(const System& system) {
  for (const auto& term : system.terms())
    if (const auto* damping = dynamic_cast<const DissipationTerm*>(term.get())) return *damping;
  throw std::logic_error("no damping");
}

// In position a curve over strain has corners in its slope.
inline void expect_damping_has_derivatives(const DissipationTerm& term, const System& system,
                                           const Point& x) {
  const Vector d = random_vector(system.dofs(), 1, 3);
  expect_force_is_gradient(term, x, d, 1e-3, 1e-7, true);
  BlockMatrix A(system.pattern());
  expect_tangent_is_derivative(term, x, d, 1e-4, 1e-6, A, true);
  expect_tangent_is_derivative(term, x, d, 1e-4, 1e-5, A, false);
}

// Of all nodes together, with the sum of the sizes of their torques.
struct NetForce {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  double sizes = 0;
  NetForce(const Vector& q, const Vector& f) {
    for (Eigen::Index i = 0; i < q.size(); i += 3) {
      const Vec3 part = f.segment<3>(i), about = Vec3(q.segment<3>(i)).cross(part);
      force += part;
      torque += about;
      sizes += about.norm();
    }
  }
};

}  // namespace pliant::test
