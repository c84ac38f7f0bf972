// The light of a picture: a soft key light, far away, and a dome around everything. The studio
// stands still with the camera: the key comes over its left shoulder wherever it looks from.
#pragma once

#include <pliant/render/camera.hpp>
#include <pliant/render/image.hpp>

namespace pliant {

struct Lighting {
  Eigen::Vector3f key_direction{0, 1, 0};  // towards the light
  float key_angle = 7;  // degrees, half of what it spans: the softness of shadows
  Rgb key{0, 0, 0};     // radiance of a white matte surface that faces it, without the dome
  Rgb zenith{1, 1, 1}, horizon{1, 1, 1}, below{1, 1, 1};  // radiance of the dome
  Rgb backdrop_low{1, 1, 1}, backdrop_high{1, 1, 1};      // what the camera sees behind everything
  Rgb ground{0.8f, 0.8f, 0.8f};                           // albedo

  Rgb dome(const Eigen::Vector3f& direction) const;
  Rgb backdrop(const Eigen::Vector3f& direction) const;
};

Lighting studio_light(const Camera& camera);

// The same radiance from everywhere and no key: for tests of the light's balance.
Lighting uniform_light(float radiance);

}  // namespace pliant
