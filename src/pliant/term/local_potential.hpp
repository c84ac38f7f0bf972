// What the local–global solver needs of a term beside its force: that it is a sum over small parts,
//   Φ(q) = Σ_i Φ_i(z_i),   z_i = D_i q,                                       BROWN (13), (38)
// each of which can be minimised on its own. The maps D_i treat the three coordinates alike: z_i is
// 3×r, z_i = Σ_a x_a g_aᵀ over a few nodes (a deformation gradient, an edge, a curvature), so that
// the global matrix is one of nodes, not of coordinates. Φ_i is a potential U_i, or what a
// dissipation is over one stage.
#pragma once

#include <pliant/term/term.hpp>

namespace pliant {

struct LocalMaps {
  int nodes = 0, rows = 0;
  std::vector<Index> connectivity;  // `nodes` per part, of the system
  std::vector<double> g;            // `rows` numbers for each of those nodes
  std::size_t size() const { return connectivity.size() / static_cast<std::size_t>(nodes); }
};

// The stage as the parts of one term see it: the rate of z is (z − before)/γ.
struct LocalStage {
  double gamma = 0;                // γq, s
  std::span<const double> before;  // D q_p
  std::span<const double> v_hat;   // D v̂ of BROWN (26)
};

// Parts [begin, end); of all parts in turn, 3·rows numbers each, column by column.
struct LocalRange {
  std::size_t begin = 0, end = 0;
  LocalStage stage = {};
};

class LocalPotential {
 public:
  virtual ~LocalPotential() = default;
  virtual LocalMaps local_maps() const = 0;
  // How fast ∂Φ_i/∂z rises at rest in a stage of this γq, in J per unit of z squared: what its
  // weight is chosen by.
  virtual double local_stiffness(std::size_t part, double gamma) const = 0;
  virtual void local_gradient(const Configuration& c, LocalRange range, std::span<const double> z,
                              std::span<double> gradient) const = 0;
  // z_i = argmin Φ_i(z) + w_i/2 ‖z − target_i‖², (17), (40); z holds a guess. Where a dissipation
  // is taken by its true force, that force balances w_i (target_i − z) instead. False where z_i was
  // not found.
  virtual bool local_minimise(const Configuration& c, LocalRange range,
                              std::span<const double> weights, std::span<const double> target,
                              std::span<double> z) const = 0;
  // Does Φ_i stay as it is while z and what it is measured from turn together, so that a body may
  // turn with all that its parts bear? Not where rotations of the step's start are kept, and not
  // for parts whose z are positions.
  virtual bool turns() const { return false; }
};

using LocalMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 9, 9>;

// Elastic parts, which damping by stiffness may be laid over.
class LocalElastic : public LocalPotential {
 public:
  // ∂²U_i/∂z² at z, of which 3·rows numbers are given, made positive semi-definite.
  virtual LocalMatrix local_tangent(std::size_t part, const double* z) const = 0;
};

}  // namespace pliant
