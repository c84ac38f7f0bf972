// What contact as constraints is about: who may touch, how near, with which friction, and who sees
// to it.
#pragma once

#include <pliant/contact/friction_set.hpp>
#include <pliant/contact/impacts.hpp>

#include <optional>

namespace pliant {

struct ContactRules {
  ContactSurface surface;
  double margin = 0;    // m, above 0: the gap that is kept
  double friction = 0;  // μ of Coulomb's law, between all
  // In its place where pairs have their own.
  std::optional<FrictionCoefficients> of_pairs = std::nullopt;
  // Of the speed at which things meet, what they part with; admm and qp do not read it.
  double restitution = 0;
  // qp and unilateral correct what an integrator has predicted, admm keeps them within its stages,
  // between points of bodies and obstacles.
  enum class By { qp, unilateral, admm } by = By::qp;

  double friction_of(const Impact& impact) const {
    if (!of_pairs) return friction;
    if (impact.plane)
      return of_pairs->of_plane(at(surface.point_patch, impact.pair.first), impact.pair.second);
    const auto [first, second] = patches_of(surface, impact.kind, impact.pair);
    return of_pairs->of(first, second);
  }
};

// The pairs that are as near to each other as the rules allow.
ContactSet touching_pairs(const ContactRules& rules, std::span<const double> q);

}  // namespace pliant
