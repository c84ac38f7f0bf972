// A block of hexahedra over another body or an obstacle, a little apart.
#pragma once

#include <pliant/contact/barrier_term.hpp>
#include <pliant/mesh/generators.hpp>

namespace pliant::fixtures {

struct Stack {
  Vector q, zero;
  std::unique_ptr<BarrierTerm> term;
  Index upper_nodes = 0;

  Stack(double gap, double delta, std::array<Index, 3> lower_cells, bool obstacle) {
    const Mesh upper = make_box({Vec3(1, 1, 1), {2, 2, 2}, ElementType::hex8});
    const Mesh lower = make_box({Vec3(3, 1, 3), lower_cells, ElementType::tet4});
    upper_nodes = upper.point_count();
    q.resize(3 * (upper.point_count() + lower.point_count()));
    for (Index n = 0; n < upper.point_count(); ++n)
      node(view(q), n) = upper.points[static_cast<std::size_t>(n)] + Vec3(0.11, 1 + gap, 0.07);
    for (Index n = 0; n < lower.point_count(); ++n)
      node(view(q), upper_nodes + n) = lower.points[static_cast<std::size_t>(n)];
    zero = Vector::Zero(q.size());
    ContactSurface surface;
    surface.add({.name = "upper", .modulus = 1e5}, make_surface(upper), 0, view(q));
    surface.add({.name = "lower", .modulus = obstacle ? 0 : 2e5, .obstacle = obstacle},
                make_surface(lower), upper_nodes, view(q));
    surface.finish();
    term = std::make_unique<BarrierTerm>(std::move(surface), delta);
  }
  Configuration at_rest() const { return {.t = 0, .q = view(q), .v = view(zero)}; }
  Configuration at(const Vector& x) const { return {0, view(x), view(x), nullptr, nullptr}; }
};

// Every node coupled with every other.
inline std::shared_ptr<const BlockPattern> full_pattern(const Vector& q) {
  std::vector<Index> all(static_cast<std::size_t>(q.size() / 3));
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = static_cast<Index>(n);
  PatternBuilder builder(static_cast<Index>(all.size()));
  builder.add(all, static_cast<int>(all.size()));
  return std::make_shared<const BlockPattern>(builder.build());
}

}  // namespace pliant::fixtures
