#include <pliant/render/picture.hpp>

namespace pliant {

void Extent::add(const Vec3& point) { box_.extend(point); }

bool Extent::near(const Vec3& point) const {
  return box_.exteriorDistance(point) <= 0.25 * box_.diagonal().norm();
}

Surroundings Extent::surroundings(bool ground) const {
  Surroundings around;
  if (empty()) return around;
  around.centre = box_.center();
  const double radius = 0.5 * box_.diagonal().norm();
  around.radius = radius > 0 ? radius : 1;
  if (ground) around.ground = box_.min().y();
  return around;
}

Image render_picture(const DrawnSurface& surface, const DrawnShape& shape,
                     const PictureOptions& options) {
  return develop(trace(surface, shape, options));
}

}  // namespace pliant
