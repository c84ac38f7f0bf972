#include <pliant/element/triangle_frame.hpp>

namespace pliant {
namespace {

// Two tangents along directions u, the warp laid into their plane, and v across it. Where the warp
// is across the plane, u is the first tangent.
Eigen::Matrix2d in_plane(const Vec3& first, const Vec3& second, const Vec3& warp) {
  const Vec3 n = first.cross(second).normalized();
  Vec3 u = warp - warp.dot(n) * n;
  if (u.norm() < 1e-6 * warp.norm() || warp.isZero(0)) u = first;
  u.normalize();
  const Vec3 v = n.cross(u);
  Eigen::Matrix2d D;
  D << u.dot(first), u.dot(second), v.dot(first), v.dot(second);
  return D;
}

constexpr std::array<std::array<double, 2>, 4> kCorners = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
constexpr double kGauss = 0.57735026918962576451;  // 1/√3

}  // namespace

TriangleFrame make_triangle_frame(const Vec3& x0, const Vec3& x1, const Vec3& x2,
                                  const Vec3& warp) {
  const Vec3 normal = (x1 - x0).cross(x2 - x0);
  const Eigen::Matrix2d Dm = in_plane(x1 - x0, x2 - x0, warp);
  TriangleFrame frame;
  frame.area = 0.5 * normal.norm();
  const Eigen::Matrix2d inverse = Dm.inverse();  // rows: ∇N_1, ∇N_2
  frame.gradients.col(1) = inverse.row(0).transpose();
  frame.gradients.col(2) = inverse.row(1).transpose();
  frame.gradients.col(0) = -frame.gradients.col(1) - frame.gradients.col(2);
  return frame;
}

std::array<SheetFrame<4>, 4> make_quad_frames(const QuadCorners& X, const Vec3& warp) {
  std::array<SheetFrame<4>, 4> frames;
  for (std::size_t g = 0; g < 4; ++g) {
    const double x = kGauss * kCorners[g][0], y = kGauss * kCorners[g][1];
    Eigen::Matrix<double, 4, 2> dN;  // by the reference coordinates
    for (int a = 0; a < 4; ++a) {
      const auto& [p, q] = kCorners[static_cast<std::size_t>(a)];
      dN.row(a) << 0.25 * p * (1 + q * y), 0.25 * q * (1 + p * x);
    }
    const Eigen::Matrix2d J = in_plane(X * dN.col(0), X * dN.col(1), warp);
    frames[g].area = J.determinant();  // the weights of the rule are one
    frames[g].gradients = J.inverse().transpose() * dN.transpose();
  }
  return frames;
}

const std::array<Eigen::Vector4d, 4>& quad_shapes() {
  static const std::array<Eigen::Vector4d, 4> all = [] {
    std::array<Eigen::Vector4d, 4> N;
    for (std::size_t g = 0; g < 4; ++g)
      for (std::size_t a = 0; a < 4; ++a)
        N[g][static_cast<Eigen::Index>(a)] = 0.25 * (1 + kGauss * kCorners[a][0] * kCorners[g][0]) *
                                             (1 + kGauss * kCorners[a][1] * kCorners[g][1]);
    return N;
  }();
  return all;
}

}  // namespace pliant
