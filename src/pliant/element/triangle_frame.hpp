// A rest triangle in its own plane: where its two directions are, and the gradients of its shape
// functions along them.
#pragma once

#include <pliant/core/types.hpp>

namespace pliant {

using Mat32 = Eigen::Matrix<double, 3, 2>;

struct TriangleFrame {
  double area = 0;                        // m²
  Eigen::Matrix<double, 2, 3> gradients;  // column a: ∇N_a, 1/m
};

// The first direction is `warp` laid into the plane; the first edge where warp is across it.
TriangleFrame make_triangle_frame(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& warp);

}  // namespace pliant
