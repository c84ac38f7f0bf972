#include <pliant/robots/pose.hpp>

#include <Eigen/Geometry>

#include <cctype>
#include <cmath>
#include <numbers>

namespace pliant::robots {

Mat3 turn(const Vec3& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

Mat3 from_rpy(const Vec3& rpy) {
  return turn(Vec3::UnitZ(), rpy.z()) * turn(Vec3::UnitY(), rpy.y()) * turn(Vec3::UnitX(), rpy.x());
}

Mat3 from_quaternion(const Eigen::Vector4d& wxyz) {
  return Eigen::Quaterniond(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).normalized().toRotationMatrix();
}

Mat3 from_euler(const Vec3& angles, std::string_view sequence) {
  Mat3 R = Mat3::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = sequence[static_cast<std::size_t>(i)];
    const int axis = std::tolower(static_cast<unsigned char>(letter)) - 'x';
    const Mat3 next = turn(Vec3::Unit(axis), angles[i]);
    R = std::islower(static_cast<unsigned char>(letter)) ? Mat3(R * next) : Mat3(next * R);
  }
  return R;
}

Mat3 from_z_axis(const Vec3& z) {
  return Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), z).toRotationMatrix();
}

Mat3 y_up() {
  Mat3 R;
  R << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  return R;
}

// R = R_z R_y R_x: its last row is (−sin y, cos y sin x, cos y cos x).
Vec3 degrees_of(const Mat3& R) {
  const double cosine = std::hypot(R(0, 0), R(1, 0));
  Vec3 angles(0, std::atan2(-R(2, 0), cosine), 0);
  if (cosine > 1e-9) {
    angles.x() = std::atan2(R(2, 1), R(2, 2));
    angles.z() = std::atan2(R(1, 0), R(0, 0));
  } else {  // x and z turn about the same axis; all of it goes to x
    angles.x() = std::atan2(-R(1, 2), R(1, 1));
  }
  angles *= 180 / std::numbers::pi;
  for (double& angle : angles) {
    const double quarters = 90 * std::round(angle / 90);
    if (std::abs(angle - quarters) < 1e-7) angle = quarters;
    if (angle == 0 || angle == -180) angle = std::abs(angle);
  }
  return angles;
}

}  // namespace pliant::robots
