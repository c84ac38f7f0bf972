// What tests ask of constraints: φ, J u and Jᵀλ as vectors.
#pragma once

#include <pliant/constraint/constraint_set.hpp>

namespace pliant::test {

inline Vector values(const ConstraintSet& set, const Vector& q) {
  Vector phi;
  set.value(0, view(q), phi);
  return phi;
}

// J u, row by row.
inline Vector along(const ConstraintSet& set, const Vector& q, const Vector& u) {
  std::vector<JacobianEntry> J;
  set.jacobian(view(q), J);
  Vector out = Vector::Zero(set.rows());
  for (const JacobianEntry& e : J) out[e.row] += e.gradient.dot(node(view(u), e.node));
  return out;
}

inline Vector force(const ConstraintSet& set, const Vector& q, const Vector& lambda) {
  std::vector<JacobianEntry> J;
  set.jacobian(view(q), J);
  Vector f = Vector::Zero(q.size());
  add_constraint_force(J, lambda, view(f));
  return f;
}

}  // namespace pliant::test
