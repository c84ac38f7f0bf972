// Where a picture is taken from, and the camera that just sees all of a motion.
#pragma once

#include <pliant/core/types.hpp>
#include <pliant/render/image.hpp>

#include <limits>

namespace pliant {

struct Camera {
  Vec3 eye{0, 0, 1}, target{0, 0, 0};  // m; up is y
  double fov = 32;                     // degrees, from the lower to the upper edge

  // Through a point of the picture: −1 … 1 from left to right and from the lower edge up.
  Vec3 direction(double x, double y, double aspect) const;
};

struct CameraFrame {
  Vec3 right, up, forward;
};
CameraFrame frame_of(const Camera& camera);

// Looks at everything from one side: three quarters from the front and a little from above unless
// told otherwise. Points are taken one after the other; only four numbers are kept of them.
class CameraFit {
 public:
  // Degrees: azimuth from z towards x, elevation above the ground.
  explicit CameraFit(double aspect, double azimuth = 32, double elevation = 15);
  void add(const Vec3& point);
  // Every point added lies within the picture, `margin` of its width and height away from the
  // edges at least. One point alone is seen from 1 m away.
  Camera camera() const;

  static constexpr double margin = 0.07;

 private:
  static constexpr double kNone = -std::numeric_limits<double>::infinity();
  CameraFrame frame_;
  double tan_x_, tan_y_;  // half the field of view less the margin
  double right_ = kNone, left_ = kNone, top_ = kNone, bottom_ = kNone;
  double nearest_ = std::numeric_limits<double>::infinity(), farthest_ = kNone;
};

}  // namespace pliant
