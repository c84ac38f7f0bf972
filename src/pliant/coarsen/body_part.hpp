// One body of a system as an eigenvalue problem of its own: the nodes [first, end), the stiffness
// of its elastic terms and its mass, with the coordinates that pins hold masked, and the rigid
// motions that they leave.
#pragma once

#include <pliant/solve/eigenpairs.hpp>
#include <pliant/term/term.hpp>

namespace pliant {

struct PartNodes {
  Index first = 0, end = 0;          // of the system
  std::vector<const Term*> elastic;  // what its stiffness is made of
};

class BodyPart {
 public:
  BodyPart(PartNodes nodes, const NodeMatrix& system_mass);

  const PartNodes& nodes() const { return nodes_; }
  Eigen::Index dofs() const { return 3 * static_cast<Eigen::Index>(nodes_.end - nodes_.first); }
  const NodeMatrix& mass() const { return M_; }
  std::span<const double> part_of(std::span<const double> system) const {
    return system.subspan(3 * static_cast<std::size_t>(nodes_.first),
                          static_cast<std::size_t>(dofs()));
  }
  std::span<double> part_of(std::span<double> system) const {
    return system.subspan(3 * static_cast<std::size_t>(nodes_.first),
                          static_cast<std::size_t>(dofs()));
  }

  // K at a configuration of the system, over the body's own pattern. Projected to positive
  // semi-definite, as CHEN §3.3.1 wants it.
  void assemble(const Configuration& c, BlockMatrix& workspace, BlockMatrix& K) const;
  // Rows of K X on the masked coordinates, all others zero.
  Matrix times_stiffness_on(const DofMask& mask, const BlockMatrix& K, const Matrix& X) const;
  Vector force(const Configuration& c) const;  // elastic, on the body
  Matrix times_mass(const Matrix& X) const;

 private:
  PartNodes nodes_;
  std::vector<Index> place_;  // per block of the body's pattern: the block of the system's
  std::shared_ptr<const BlockPattern> system_pattern_;
  bool is_whole_ = false;  // it is all that there is: then its matrices are the system's
  NodeMatrix M_;
};

// Small rotations and translations of a body at positions x (three per node) that leave the masked
// coordinates where they are: M-orthonormal columns, none where it is held.
Matrix free_rigid_motions(std::span<const double> x, const DofMask& mask, const NodeMatrix& M);

// The rotation that turns places X, measured by weights, best into x: what a body has turned by.
Mat3 best_rotation(std::span<const double> X, std::span<const double> x,
                   std::span<const double> weights);

}  // namespace pliant
