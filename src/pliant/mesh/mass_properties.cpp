#include <pliant/mesh/mass_properties.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/symmetric.hpp>
#include <pliant/mesh/surface.hpp>
#include <pliant/mesh/surface_check.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

using Triangle = std::array<Index, 3>;

// A surface whose volume is a smaller part than this of its area's cube root has none but rounding.
constexpr double kNoVolume = 1e-12;

void require_body(std::span<const Vec3> points, std::span<const Triangle> triangles,
                  std::string_view source) {
  if (triangles.empty())
    throw InputError(fmt::format("{}: the surface has no triangles and encloses nothing", source));
  for (const Triangle& t : triangles)
    for (const Index n : t)
      if (n < 0 || static_cast<std::size_t>(n) >= points.size())
        throw InputError(fmt::format("{}: a triangle names point {}, but there are {} points",
                                     source, n, points.size()));
  require_closed(check_surface(points, triangles), source);
  const double volume = enclosed_volume(points, triangles);
  const double size = std::pow(surface_area(points, triangles), 1.5);
  if (!(std::abs(volume) > kNoVolume * size))
    throw InputError(
        fmt::format("{}: the surface must enclose a volume, got {:.3g} m³", source, volume));
  if (volume < 0)
    throw InputError(fmt::format(
        "{}: the surface is inside out: its triangles must be counter-clockwise seen from outside, "
        "and that at edge {}-{} is not (its volume would be {:.3g} m³)",
        source, triangles[0][0], triangles[0][1], volume));
}

}  // namespace

// With the origin o near the body, and a, b, c relative to it, d = a·(b×c):
//   ∫ 1 = d/6,  ∫ x = d/24 s,  ∫ x xᵀ = d/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ),  s = a + b + c.
MassProperties mass_properties(std::span<const Vec3> points, std::span<const Triangle> triangles,
                               std::string_view source) {
  require_body(points, triangles, source);
  Vec3 origin = Vec3::Zero();
  const auto at = [&](Index n) { return points[static_cast<std::size_t>(n)]; };
  for (const Triangle& t : triangles)
    origin += (at(t[0]) + at(t[1]) + at(t[2])) / (3.0 * static_cast<double>(triangles.size()));
  MassProperties body;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const Triangle& t : triangles) {
    const Vec3 a = at(t[0]) - origin, b = at(t[1]) - origin, c = at(t[2]) - origin, s = a + b + c;
    const double d = a.dot(b.cross(c));
    body.volume += d / 6;
    first += d / 24 * s;
    second +=
        d / 120 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  const Vec3 shift = first / body.volume;
  body.centre = origin + shift;
  second -= body.volume * shift * shift.transpose();  // Huygens and Steiner
  body.inertia = second.trace() * Mat3::Identity() - second;
  return body;
}

PrincipalAxes principal_axes(const Mat3& inertia) {
  const auto eigen = symmetric_pairs(inertia);
  PrincipalAxes result;
  result.moments = eigen.eigenvalues();
  result.axes = eigen.eigenvectors();
  for (int i = 0; i < 2; ++i) {
    Eigen::Index largest = 0;
    result.axes.col(i).cwiseAbs().maxCoeff(&largest);
    if (result.axes(largest, i) < 0) result.axes.col(i) *= -1;
  }
  result.axes.col(2) = result.axes.col(0).cross(result.axes.col(1));
  return result;
}

}  // namespace pliant
