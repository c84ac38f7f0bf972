// A coarse level for conjugate gradients on solids: in each part of about 8³ nodes the six rigid
// motions at the current positions, which is what a 3×3 preconditioner moves only a node at an
// iteration. With P those motions, P (Pᵀ A P)⁻¹ Pᵀ is added to the preconditioner, the small matrix
// Pᵀ A P factorised as a whole. Coordinates that A leaves alone (pins) take no part.
#pragma once

#include <pliant/core/plain3.hpp>
#include <pliant/solve/cholmod_solver.hpp>
#include <pliant/sparse/graph_parts.hpp>

namespace pliant {

class RigidLevel {
 public:
  void analyze(const BlockPattern& pattern, Index nodes_per_part);
  bool analyzed() const { return parts_.count() > 0; }
  // Pᵀ A P with the nodes at q, and its factors; false where there are none. A may couple more
  // nodes than the pattern that the parts were made from.
  [[nodiscard]] bool prepare(const BlockMatrix& A, std::span<const double> q);
  // y = (Pᵀ A P)⁻¹ Pᵀ r, returns rᵀ P y.
  double correct(std::span<const double> r);
  // z += P y at node i: y is a shift and a turn.
  void add(std::size_t i, Vec3Of<double>& z) const {
    if (member_[i] < 0) return;
    const float* o = arm_.data() + 3 * i;
    const double* y = y_.data() + 6 * static_cast<std::size_t>(member_[i]);
    z.x += y[0] + (y[4] * o[2] - y[5] * o[1]);
    z.y += y[1] + (y[5] * o[0] - y[3] * o[2]);
    z.z += y[2] + (y[3] * o[1] - y[4] * o[0]);
  }
  Index parts() const { return parts_.count(); }
  // The part that a node moves with, or −1, and where it is from the middle of that, scaled.
  Index part_of(Index i) const { return member_[static_cast<std::size_t>(i)]; }
  Vec3 arm_of(Index i) const {
    const float* o = arm_.data() + 3 * static_cast<std::size_t>(i);
    return Vec3(o[0], o[1], o[2]);
  }
  const BlockMatrix& coarse() const { return coarse_; }  // two rows of 3×3 blocks for each part

 private:
  void place(const BlockMatrix& A, std::span<const double> q);
  void couple(const BlockPattern& pattern);
  void add_row(const BlockMatrix& A, std::size_t i, Index part);

  GraphParts parts_;
  std::vector<Index> member_;  // per node: its part, −1 where it takes none
  std::vector<float> arm_;     // per node: from the middle of its part, over the part's size
  std::shared_ptr<const BlockPattern> pattern_;
  BlockMatrix coarse_;
  CholmodSolver factors_{CholmodSolver::Kind::llt, false};
  Vector r_, y_;
};

}  // namespace pliant
