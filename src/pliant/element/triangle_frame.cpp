#include <pliant/element/triangle_frame.hpp>

namespace pliant {

TriangleFrame make_triangle_frame(const Vec3& x0, const Vec3& x1, const Vec3& x2,
                                  const Vec3& warp) {
  const Vec3 normal = (x1 - x0).cross(x2 - x0);
  const Vec3 n = normal.normalized();
  Vec3 u = warp - warp.dot(n) * n;
  if (u.norm() < 1e-6 * warp.norm() || warp.isZero(0)) u = x1 - x0;
  u.normalize();
  const Vec3 v = n.cross(u);
  Eigen::Matrix2d Dm;
  Dm << u.dot(x1 - x0), u.dot(x2 - x0), v.dot(x1 - x0), v.dot(x2 - x0);
  TriangleFrame frame;
  frame.area = 0.5 * normal.norm();
  const Eigen::Matrix2d inverse = Dm.inverse();  // rows: ∇N_1, ∇N_2
  frame.gradients.col(1) = inverse.row(0).transpose();
  frame.gradients.col(2) = inverse.row(1).transpose();
  frame.gradients.col(0) = -frame.gradients.col(1) - frame.gradients.col(2);
  return frame;
}

}  // namespace pliant
