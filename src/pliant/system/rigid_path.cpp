#include <pliant/system/rigid_path.hpp>

#include <pliant/core/svd3.hpp>

#include <Eigen/Geometry>

namespace pliant {
namespace {

// From the first node to the others.
Mat3 edges(std::span<const double> x, Index first) {
  Mat3 D;
  for (Index a = 0; a < 3; ++a) D.col(a) = node(x, first + 1 + a) - node(x, first);
  return D;
}

Mat3 exponential(const Mat3& skew) {
  const Vec3 w(skew(2, 1), skew(0, 2), skew(1, 0));
  const double angle = w.norm();
  return angle > 0 ? Eigen::AngleAxisd(angle, w / angle).toRotationMatrix()
                   : Mat3(Mat3::Identity());
}

}  // namespace

void RigidPath::add(Index first, const std::array<Vec3, 4>& rest) {
  Mat3 D;
  for (std::size_t a = 0; a < 3; ++a) D.col(static_cast<Eigen::Index>(a)) = rest[a + 1] - rest[0];
  frames_.push_back({first, D.inverse()});
}

void RigidPath::bend(std::span<const double> from, std::span<double> to) const {
  for (const Frame& frame : frames_) {
    const Mat3 A = edges(from, frame.first) * frame.inverse;
    const Mat3 D = edges(to, frame.first);
    const Mat3 R = rotation_of(A);
    const Mat3 change = R.transpose() * (D * frame.inverse - A);
    const Mat3 turn = 0.5 * (change - change.transpose());
    const Mat3 stretch = R.transpose() * A + 0.5 * (change + change.transpose());
    const Mat3 bent = R * exponential(turn) * stretch * frame.inverse.inverse();
    // The centre goes straight.
    const Vec3 shift = (D - bent).rowwise().sum() / 4;
    node(to, frame.first) += shift;
    for (Index a = 0; a < 3; ++a)
      node(to, frame.first + 1 + a) = node(to, frame.first) + bent.col(a);
  }
}

}  // namespace pliant
