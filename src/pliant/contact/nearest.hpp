// The nearest points of two simplices: point and point, point and edge, point and triangle, edge
// and edge. With four points x_i and weights w_i (of the first simplex positive, of the second
// negative, Σ w_i = 0) the shortest connection is
//   r = Σ_i w_i x_i,   d = ‖r‖,
// and where the nearest points lie inside the features that hold them, w depends on as many free
// parameters β as those features have dimensions. Everything that contact needs, the distance, its
// derivatives, the place and the normal, follows from w and ∂w/∂β alone.
#pragma once

#include <pliant/core/types.hpp>

#include <array>

namespace pliant {

enum class PairKind { point_point, point_edge, point_triangle, edge_edge };

inline constexpr std::array<PairKind, 4> pair_kinds = {
    PairKind::point_point, PairKind::point_edge, PairKind::point_triangle, PairKind::edge_edge};

constexpr int points_of(PairKind kind) {
  constexpr std::array<int, 4> count = {2, 3, 4, 4};
  return count[static_cast<std::size_t>(kind)];
}

// First simplex, then the second: point | point; point | edge; point | triangle; edge | edge. Of
// four places those behind points_of(kind) count for nothing, but must be finite.
using PairPoints = Eigen::Matrix<double, 3, 4>;

struct Nearest {
  Eigen::Vector4d w = Eigen::Vector4d::Zero();
  Eigen::Matrix<double, 4, 2> dw = Eigen::Matrix<double, 4, 2>::Zero();  // ∂w/∂β
  int parameters = 0;  // of β; columns of dw that count

  Vec3 connection(const PairPoints& x) const { return x * w; }
};

// For any input, degenerate edges and triangles included: the features are compared by the
// distances that they give, so a wrong decision at a border costs a rounding error, no more.
Nearest find_nearest(PairKind kind, const PairPoints& x);

inline double distance(PairKind kind, const PairPoints& x) {
  return find_nearest(kind, x).connection(x).norm();
}

}  // namespace pliant
