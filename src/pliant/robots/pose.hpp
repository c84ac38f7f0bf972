// Places and directions of links: a rotation, then a shift. Robots are described with z up.
#pragma once

#include <pliant/core/types.hpp>

#include <string_view>

namespace pliant::robots {

struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();  // m

  Vec3 operator*(const Vec3& x) const { return R * x + p; }
  Pose operator*(const Pose& other) const { return {R * other.R, R * other.p + p}; }
};

Mat3 turn(const Vec3& axis, double angle);  // rad; the axis need not have length one
Mat3 from_rpy(const Vec3& rpy);             // of URDF: about the fixed x, then y, then z
Mat3 from_quaternion(const Eigen::Vector4d& wxyz);
// Turns about axes in the order of the letters: lower case about axes that turn along, upper case
// about fixed ones (MuJoCo's eulerseq).
Mat3 from_euler(const Vec3& angles, std::string_view sequence);
Mat3 from_z_axis(const Vec3& z);  // the shortest turn of the z axis there

// Pliant has y up: (x, y, z) ↦ (x, z, −y).
Mat3 y_up();

// Degrees about x, then y, then z, as a scene's `rotate` has them; quarter turns come out exact.
Vec3 degrees_of(const Mat3& R);

}  // namespace pliant::robots
