#include <pliant/render/light.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {

Rgb Lighting::dome(const Eigen::Vector3f& direction) const {
  const float y = direction.y();
  if (y < 0) return horizon + (below - horizon) * std::min(1.0f, -4 * y);
  return horizon + (zenith - horizon) * std::sqrt(y);
}

Rgb Lighting::backdrop(const Eigen::Vector3f& direction) const {
  const float s = std::clamp(0.5f + 1.1f * direction.y(), 0.0f, 1.0f);
  return backdrop_low + (backdrop_high - backdrop_low) * (s * s * (3 - 2 * s));
}

Lighting studio_light(const Camera& camera) {
  const CameraFrame frame = frame_of(camera);
  // Over the left shoulder: 50° to the side, 48° up.
  constexpr double degree = std::numbers::pi / 180;
  const Vec3 back = Vec3(-frame.forward.x(), 0, -frame.forward.z()).stableNormalized();
  const Vec3 left = -frame.right;
  const Vec3 level = std::cos(50 * degree) * back + std::sin(50 * degree) * left;
  Lighting light;
  light.key_direction = (std::cos(48 * degree) * level + std::sin(48 * degree) * Vec3::UnitY())
                            .normalized()
                            .cast<float>();
  light.key = Rgb(0.98f, 0.94f, 0.87f);     // a little warm
  light.zenith = Rgb(0.50f, 0.54f, 0.60f);  // a little cool
  light.horizon = Rgb(0.36f, 0.37f, 0.39f);
  light.below = Rgb(0.20f, 0.20f, 0.20f);
  light.backdrop_low = Rgb(0.80f, 0.81f, 0.825f);
  light.backdrop_high = Rgb(0.62f, 0.66f, 0.71f);
  light.ground = Rgb(0.72f, 0.72f, 0.72f);
  return light;
}

Lighting uniform_light(float radiance) {
  Lighting light;
  const Rgb all = Rgb::Constant(radiance);
  light.zenith = light.horizon = light.below = light.backdrop_low = light.backdrop_high = all;
  return light;
}

}  // namespace pliant
