// One picture of one shape: the part of the renderer that others use. What moves is `DrawnShape`,
// what stays is `DrawnSurface` and `PictureOptions`. The same input gives the same pixels for any
// number of threads.
#pragma once

#include <pliant/render/camera.hpp>
#include <pliant/render/colour.hpp>
#include <pliant/render/drawn_surface.hpp>
#include <pliant/render/light.hpp>

#include <optional>

namespace pliant {

struct DrawnShape {                  // one moment of a surface
  std::span<const Vec3> points;      // m
  std::span<const double> values{};  // one per point, coloured by the scale; empty: by body
  std::span<const char> pinned{};    // one per point; empty: none
};

// What surrounds the bodies: how large all of it is, and where the ground lies. Taken over a whole
// run, it keeps the ground of a film at rest.
struct Surroundings {
  Vec3 centre{0, 0, 0};          // m
  double radius = 1;             // m, of a ball that holds the bodies
  std::optional<double> ground;  // m, its height; none: the backdrop alone
};
class Extent {  // gathers points into surroundings
 public:
  void add(const Vec3& point);
  void add(const Extent& other) { box_.extend(other.box_); }
  bool empty() const { return box_.isEmpty(); }
  // Whether a point is in the box around them, or not far from it.
  bool near(const Vec3& point) const;
  Surroundings surroundings(bool ground) const;

 private:
  Eigen::AlignedBox3d box_;
};

struct PictureOptions {
  PictureSize size;
  int samples = 64;  // of a pixel at most; where it is smooth, fewer do
  Camera camera;
  Lighting light;
  Surroundings around;
  ColourScale scale;
  std::size_t palette = 0;  // where the colours of bodies begin
  bool wireframe = false;
  float gloss = 0.04f;  // part of the light that is mirrored head on; 0: matte
};

// InputError in builds without PLIANT_EMBREE.
LightImage trace(const DrawnSurface& surface, const DrawnShape& shape,
                 const PictureOptions& options);
Image render_picture(const DrawnSurface& surface, const DrawnShape& shape,
                     const PictureOptions& options);

}  // namespace pliant
