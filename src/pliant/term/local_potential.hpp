// What the local–global solver needs of a term beside its force: that it is a sum over small parts,
//   U(q) = Σ_i U_i(z_i),   z_i = D_i q,                                             BROWN (13)
// each of which can be minimised on its own. The maps D_i treat the three coordinates alike: z_i is
// 3×r, z_i = Σ_a x_a g_aᵀ over a few nodes (a deformation gradient, an edge, a curvature), so that
// the global matrix is one of nodes, not of coordinates.
#pragma once

#include <pliant/term/term.hpp>

namespace pliant {

struct LocalMaps {
  int nodes = 0, rows = 0;
  std::vector<Index> connectivity;  // `nodes` per part, of the system
  std::vector<double> g;            // `rows` numbers for each of those nodes
  std::size_t size() const { return connectivity.size() / static_cast<std::size_t>(nodes); }
};

// Parts [begin, end); of all parts in turn, 3·rows numbers each, column by column.
struct LocalRange {
  std::size_t begin = 0, end = 0;
};

class LocalPotential {
 public:
  virtual ~LocalPotential() = default;
  virtual LocalMaps local_maps() const = 0;
  // How fast ∂U_i/∂z rises at rest, in J per unit of z squared: what its weight is chosen by.
  virtual double local_stiffness(std::size_t part) const = 0;
  virtual void local_gradient(const Configuration& c, LocalRange range, std::span<const double> z,
                              std::span<double> gradient) const = 0;
  // z_i = argmin U_i(z) + w_i/2 ‖z − target_i‖², (17); z holds a guess. False where it was not
  // found.
  virtual bool local_minimise(const Configuration& c, LocalRange range,
                              std::span<const double> weights, std::span<const double> target,
                              std::span<double> z) const = 0;
};

}  // namespace pliant
