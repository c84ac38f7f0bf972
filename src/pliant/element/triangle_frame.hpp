// Points of a rest sheet in its own plane: where its two directions are, and the gradients of the
// shape functions along them. A triangle has one point, a quadrilateral four.
#pragma once

#include <pliant/core/types.hpp>

#include <array>

namespace pliant {

using Mat32 = Eigen::Matrix<double, 3, 2>;

template <int N>
struct SheetFrame {
  double area = 0;                        // m², that the point stands for
  Eigen::Matrix<double, 2, N> gradients;  // column a: ∇N_a, 1/m
};
using TriangleFrame = SheetFrame<3>;

// The first direction is `warp` laid into the plane; the first edge where warp is across it.
TriangleFrame make_triangle_frame(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& warp);

// At the points of Gauss's rule of 2×2; the corners, as columns, go round the quadrilateral.
using QuadCorners = Eigen::Matrix<double, 3, 4>;
std::array<SheetFrame<4>, 4> make_quad_frames(const QuadCorners& X, const Vec3& warp);
// Bilinear shape functions at those points.
const std::array<Eigen::Vector4d, 4>& quad_shapes();

}  // namespace pliant
