// Triangles that answer what a ray hits: the seam between the tracer and the library that finds
// it, Embree (ray_scene_embree.cpp); builds without it refuse in words (ray_scene_none.cpp).
// Coordinates are single precision, so give them about the origin and of size one.
#pragma once

#include <pliant/core/types.hpp>

#include <array>
#include <memory>
#include <vector>

namespace pliant {

bool renderer_built();
void require_renderer();  // InputError in builds without

struct RayHit {
  int triangle = -1;  // none
  float distance = 0;
  float u = 0, v = 0;               // weights of the second and third corner
  Eigen::Vector3f normal{0, 0, 0};  // of the triangle, of unit length, to the side it faces
};

// Const means that any number of threads may ask.
class RayScene {
 public:
  RayScene(std::span<const Eigen::Vector3f> points,
           std::span<const std::array<Index, 3>> triangles);
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  // Directions are of unit length.
  RayHit closest(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction) const;
  bool occluded(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction) const;

 private:
  struct Scene;
  std::unique_ptr<Scene> scene_;
};

}  // namespace pliant
