#include <pliant/render/surface_point.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pliant {
namespace {

constexpr float kLineDepth = 0.62f;  // how much darker a mesh line is

std::vector<Vec3f> to_unit(std::span<const Vec3> points, const Surroundings& around) {
  std::vector<Vec3f> out;
  out.reserve(points.size());
  for (const Vec3& x : points) out.push_back(((x - around.centre) / around.radius).cast<float>());
  return out;
}

}  // namespace

DrawnScene::DrawnScene(const DrawnSurface& surface, const DrawnShape& shape,
                       const PictureOptions& options)
    : surface_(surface),
      shape_(shape),
      scale_(options.scale),
      palette_(options.palette),
      around_(options.around),
      ground_albedo_(options.light.ground),
      points_(to_unit(shape.points, options.around)),
      normals_(corner_normals(surface, shape.points)),
      rays_(points_, surface.triangles) {
  assert(static_cast<Index>(shape.points.size()) >= surface.points);
  if (around_.ground)
    ground_ = static_cast<float>((*around_.ground - around_.centre.y()) / around_.radius);
}

SurfacePoint DrawnScene::closest(const Vec3f& origin, const Vec3f& direction, float spread) const {
  const RayHit hit = rays_.closest(origin, direction);
  if (ground_ && direction.y() < 0 && origin.y() > *ground_) {
    const float distance = (*ground_ - origin.y()) / direction.y();
    if (hit.triangle < 0 || distance < hit.distance) {
      SurfacePoint point;
      point.hit = point.ground = true;
      point.position = origin + distance * direction;
      point.position.y() = *ground_;
      point.albedo = ground_albedo_;
      return point;
    }
  }
  if (hit.triangle < 0) return {};
  return on_triangle(hit, direction, spread * hit.distance);
}

SurfacePoint DrawnScene::on_triangle(const RayHit& hit, const Vec3f& direction, float width) const {
  const auto t = static_cast<std::size_t>(hit.triangle);
  const std::array<Index, 3>& nodes = surface_.triangles[t];
  const Vec3f weights(1 - hit.u - hit.v, hit.u, hit.v);
  const float side = hit.normal.dot(direction) > 0 ? -1.0f : 1.0f;
  SurfacePoint point;
  point.hit = true;
  point.geometric = side * hit.normal;
  Vec3f normal = Vec3f::Zero(), flat = Vec3f::Zero(), lift = Vec3f::Zero();
  bool smooth = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3f n = side * normals_[3 * t + k];
    flat += weights[static_cast<int>(k)] * points_[static_cast<std::size_t>(nodes[k])];
    normal += weights[static_cast<int>(k)] * n;
    // Between an element that is turned inside out and its neighbours there is no smooth skin.
    smooth = smooth && n.dot(point.geometric) > 0.05f;
  }
  smooth = smooth && normal.dot(direction) < -0.02f * normal.norm();
  // Lifted onto the tangent planes of the corners, so that the edge of a body's own shadow does
  // not show its triangles (J. Hanika, "Hacking the shadow terminator", 2021).
  for (std::size_t k = 0; smooth && k < 3; ++k) {
    const Vec3f n = side * normals_[3 * t + k];
    const float below = (flat - points_[static_cast<std::size_t>(nodes[k])]).dot(n);
    lift -= weights[static_cast<int>(k)] * std::min(0.0f, below) * n;
  }
  point.normal = smooth ? Vec3f(normal.normalized()) : point.geometric;
  point.position = flat + lift;
  point.albedo = colour(hit.triangle, weights);
  if (width > 0) point.albedo *= 1 - kLineDepth * line(hit, flat, width);
  return point;
}

Rgb DrawnScene::colour(int triangle, const Vec3f& weights) const {
  const auto t = static_cast<std::size_t>(triangle);
  const std::array<Index, 3>& nodes = surface_.triangles[t];
  if (surface_.body[t] < -1) return thread_colour(static_cast<ThreadKind>(-2 - surface_.body[t]));
  if (surface_.body[t] < 0) return obstacle_colour();
  if (!shape_.values.empty()) {
    double value = 0;
    for (std::size_t k = 0; k < 3; ++k)
      value += static_cast<double>(weights[static_cast<int>(k)]) *
               shape_.values[static_cast<std::size_t>(nodes[k])];
    return map_colour(scale_.map, scale_.place(value));
  }
  const bool held =
      !shape_.pinned.empty() && std::all_of(nodes.begin(), nodes.end(), [this](Index n) {
        return shape_.pinned[static_cast<std::size_t>(n)] != 0;
      });
  return held ? pinned_colour()
              : body_colour(palette_ + static_cast<std::size_t>(surface_.body[t]));
}

// 1 on a mesh edge, 0 a line's width away from all of them.
float DrawnScene::line(const RayHit& hit, const Vec3f& position, float width) const {
  const auto t = static_cast<std::size_t>(hit.triangle);
  const std::array<Index, 3>& nodes = surface_.triangles[t];
  float nearest = std::numeric_limits<float>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    if (((surface_.wires[t] >> k) & 1u) == 0) continue;
    const Vec3f& a = points_[static_cast<std::size_t>(nodes[k])];
    const Vec3f edge = points_[static_cast<std::size_t>(nodes[(k + 1) % 3])] - a;
    nearest = std::min(nearest, (position - a).cross(edge).norm() / std::max(edge.norm(), 1e-20f));
  }
  return std::clamp(1.2f - nearest / width, 0.0f, 1.0f);
}

}  // namespace pliant
