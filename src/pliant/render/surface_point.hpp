// What a ray meets, ready for the light: the drawn surface in coordinates about the origin and of
// size one, its smooth normals and its colours, and the ground. Private to the module.
#pragma once

#include <pliant/render/picture.hpp>
#include <pliant/render/ray_scene.hpp>

namespace pliant {

using Vec3f = Eigen::Vector3f;

struct SurfacePoint {
  bool hit = false;
  bool ground = false;
  Vec3f position{0, 0, 0};   // on the triangle, lifted to the smooth surface that it stands for
  Vec3f normal{0, 1, 0};     // of the smooth surface, to the side of the ray
  Vec3f geometric{0, 1, 0};  // of the triangle, to the side of the ray
  Rgb albedo{0, 0, 0};
};

class DrawnScene {
 public:
  DrawnScene(const DrawnSurface& surface, const DrawnShape& shape, const PictureOptions& options);

  // `spread`: width of a pixel at distance one, for the mesh lines; 0: none are drawn.
  SurfacePoint closest(const Vec3f& origin, const Vec3f& direction, float spread) const;
  bool occluded(const Vec3f& origin, const Vec3f& direction) const {
    return rays_.occluded(origin, direction);
  }
  Vec3f normalised(const Vec3& x) const {
    return ((x - around_.centre) / around_.radius).cast<float>();
  }

 private:
  SurfacePoint on_triangle(const RayHit& hit, const Vec3f& direction, float width) const;
  Rgb colour(int triangle, const Vec3f& weights) const;
  float line(const RayHit& hit, const Vec3f& position, float width) const;

  const DrawnSurface& surface_;
  const DrawnShape& shape_;
  const ColourScale& scale_;
  std::size_t palette_;
  Surroundings around_;
  Rgb ground_albedo_;
  std::optional<float> ground_;  // height
  std::vector<Vec3f> points_, normals_;
  RayScene rays_;
};

}  // namespace pliant
