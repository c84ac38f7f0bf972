#include <pliant/render/camera.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

CameraFrame frame_along(const Vec3& forward) {
  CameraFrame frame;
  frame.forward = forward.normalized();
  // Straight up or down, z takes the place of y.
  const Vec3 up = std::abs(frame.forward.y()) > 1 - 1e-9 ? Vec3::UnitZ() : Vec3::UnitY();
  frame.right = frame.forward.cross(up).normalized();
  frame.up = frame.right.cross(frame.forward);
  return frame;
}

}  // namespace

CameraFrame frame_of(const Camera& camera) { return frame_along(camera.target - camera.eye); }

Vec3 Camera::direction(double x, double y, double aspect) const {
  const CameraFrame frame = frame_of(*this);
  const double half = std::tan(0.5 * fov * kDegree);
  return (frame.forward + x * half * aspect * frame.right + y * half * frame.up).normalized();
}

CameraFit::CameraFit(double aspect, double azimuth, double elevation) {
  const double a = azimuth * kDegree, e = elevation * kDegree;
  frame_ = frame_along(-Vec3(std::sin(a) * std::cos(e), std::sin(e), std::cos(a) * std::cos(e)));
  tan_y_ = (1 - 2 * margin) * std::tan(0.5 * Camera{}.fov * kDegree);
  tan_x_ = aspect * tan_y_;
}

// A point with coordinates (a, b, w) along right, up and forward is left of the right edge of a
// camera at (ea, eb, ew) where a − ea ≤ tan_x (w − ew), and so on for the other edges: of all
// points the largest a − tan_x w counts.
void CameraFit::add(const Vec3& point) {
  const double a = point.dot(frame_.right), b = point.dot(frame_.up), w = point.dot(frame_.forward);
  right_ = std::max(right_, a - tan_x_ * w);
  left_ = std::max(left_, -a - tan_x_ * w);
  top_ = std::max(top_, b - tan_y_ * w);
  bottom_ = std::max(bottom_, -b - tan_y_ * w);
  nearest_ = std::min(nearest_, w);
  farthest_ = std::max(farthest_, w);
}

Camera CameraFit::camera() const {
  Camera camera;
  if (!(farthest_ >= nearest_)) return camera;  // nothing to look at
  double ew = std::min(-(right_ + left_) / (2 * tan_x_), -(top_ + bottom_) / (2 * tan_y_));
  const double ea = 0.5 * (right_ - left_), eb = 0.5 * (top_ - bottom_);
  if (nearest_ - ew < 1e-9 * (std::abs(ew) + std::abs(ea) + std::abs(eb) + 1e-300)) ew -= 1;
  camera.eye = ea * frame_.right + eb * frame_.up + ew * frame_.forward;
  camera.target = camera.eye + (0.5 * (nearest_ + farthest_) - ew) * frame_.forward;
  return camera;
}

}  // namespace pliant
