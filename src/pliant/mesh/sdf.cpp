#include <pliant/mesh/sdf.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace pliant {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
constexpr bool is_combination = std::is_same_v<T, SdfUnion> || std::is_same_v<T, SdfIntersection> ||
                                std::is_same_v<T, SdfDifference>;

bool combines(const SdfShape& shape) {
  return std::visit([](const auto& s) { return is_combination<std::decay_t<decltype(s)>>; }, shape);
}

// The distance to a corner region given the signed overshoot past each bounding face.
template <class V>
double corner_distance(const V& over) {
  return over.cwiseMax(0).norm() + std::min(over.maxCoeff(), 0.0);
}

double primitive(const SdfSphere& s, const Vec3& x) { return x.norm() - s.radius; }

double primitive(const SdfBox& s, const Vec3& x) {
  return corner_distance((x.cwiseAbs() - s.size / 2).eval());
}

double primitive(const SdfCapsule& s, const Vec3& x) {
  const double y = std::clamp(x.y(), -s.length / 2, s.length / 2);
  return (x - Vec3(0, y, 0)).norm() - s.radius;
}

double primitive(const SdfCylinder& s, const Vec3& x) {
  const Eigen::Vector2d over(std::hypot(x.x(), x.z()) - s.radius, std::abs(x.y()) - s.length / 2);
  return corner_distance(over);
}

double primitive(const SdfTorus& s, const Vec3& x) {
  return std::hypot(std::hypot(x.x(), x.z()) - s.radius, x.y()) - s.tube;
}

double primitive(const SdfPlane& s, const Vec3& x) {
  return s.normal.normalized().dot(x - s.point);
}

// Half the extent of each primitive about the origin.
Vec3 half_extent(const SdfSphere& s) { return Vec3::Constant(s.radius); }
Vec3 half_extent(const SdfBox& s) { return s.size / 2; }
Vec3 half_extent(const SdfCapsule& s) { return {s.radius, s.length / 2 + s.radius, s.radius}; }
Vec3 half_extent(const SdfCylinder& s) { return {s.radius, s.length / 2, s.radius}; }
Vec3 half_extent(const SdfTorus& s) { return {s.radius + s.tube, s.tube, s.radius + s.tube}; }
Vec3 half_extent(const SdfPlane&) { return Vec3::Constant(infinity); }

void require_positive(double value, std::string_view where, std::string_view key) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(fmt::format("{}/{}: must be above 0, got {}", where, key, value));
}

void require_shape(const SdfSphere& s, std::string_view where) {
  require_positive(s.radius, where, "radius");
}
void require_shape(const SdfBox& s, std::string_view where) {
  for (int i = 0; i < 3; ++i) require_positive(s.size[i], where, "size");
}
void require_shape(const SdfCapsule& s, std::string_view where) {
  require_positive(s.radius, where, "radius");
  require_positive(s.length, where, "length");
}
void require_shape(const SdfCylinder& s, std::string_view where) {
  require_positive(s.radius, where, "radius");
  require_positive(s.length, where, "length");
}
void require_shape(const SdfTorus& s, std::string_view where) {
  require_positive(s.tube, where, "tube");
  if (!(s.radius > s.tube) || !std::isfinite(s.radius))
    throw InputError(
        fmt::format("{}/radius: must be above tube = {}, got {}", where, s.tube, s.radius));
}
void require_shape(const SdfPlane& s, std::string_view where) {
  if (!s.point.allFinite()) throw InputError(fmt::format("{}/point: must be finite", where));
  if (!s.normal.allFinite() || !(s.normal.norm() > 0))
    throw InputError(fmt::format("{}/normal: must be finite and not zero", where));
}

void require_node(const Sdf& body, const std::string& where, int depth) {
  if (depth > sdf_depth_limit)
    throw InputError(fmt::format("{}: nested deeper than {}", where, sdf_depth_limit));
  if (!body.translate.allFinite() || !body.rotation.allFinite())
    throw InputError(fmt::format("{}: translation and rotation must be finite", where));
  if (combines(body.shape) && body.children.empty())
    throw InputError(fmt::format("{}: a combination needs at least one body", where));
  if (!combines(body.shape) && !body.children.empty())
    throw InputError(fmt::format("{}: a primitive cannot contain other bodies", where));
  const auto shape = [&](const auto& s) {
    if constexpr (!is_combination<std::decay_t<decltype(s)>>) require_shape(s, where);
  };
  std::visit(shape, body.shape);
  for (std::size_t i = 0; i < body.children.size(); ++i)
    require_node(body.children[i], fmt::format("{}/{}", where, i), depth + 1);
}

struct Combine {
  const std::vector<Sdf>& children;
  const Vec3& x;

  template <class S>
  double operator()(const S& shape) const {
    if constexpr (!is_combination<S>) {
      return primitive(shape, x);
    } else {
      double d = distance(children.front(), x);
      for (std::size_t i = 1; i < children.size(); ++i) {
        const double next = distance(children[i], x);
        if constexpr (std::is_same_v<S, SdfUnion>) d = std::min(d, next);
        if constexpr (std::is_same_v<S, SdfIntersection>) d = std::max(d, next);
        if constexpr (std::is_same_v<S, SdfDifference>) d = std::max(d, -next);
      }
      return d;
    }
  }
};

SdfBounds local_bounds(const Sdf& body) {
  return std::visit(
      [&](const auto& s) -> SdfBounds {
        using S = std::decay_t<decltype(s)>;
        if constexpr (!is_combination<S>) {
          const Vec3 half = half_extent(s);
          return {-half, half};
        } else {
          SdfBounds all = bounds(body.children.front());
          if constexpr (std::is_same_v<S, SdfDifference>) return all;
          for (std::size_t i = 1; i < body.children.size(); ++i) {
            const SdfBounds next = bounds(body.children[i]);
            const bool grow = std::is_same_v<S, SdfUnion>;
            all.min = grow ? Vec3(all.min.cwiseMin(next.min)) : Vec3(all.min.cwiseMax(next.min));
            all.max = grow ? Vec3(all.max.cwiseMax(next.max)) : Vec3(all.max.cwiseMin(next.max));
          }
          return all;
        }
      },
      body.shape);
}

}  // namespace

void require_valid(const Sdf& body, std::string_view where) {
  require_node(body, std::string(where), 1);
}

double distance(const Sdf& body, const Vec3& x) {
  const Vec3 local = body.rotation.transpose() * (x - body.translate);
  return std::visit(Combine{body.children, local}, body.shape);
}

SdfBounds bounds(const Sdf& body) {
  const SdfBounds local = local_bounds(body);
  if (!local.finite()) return {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
  const Vec3 half = body.rotation.cwiseAbs() * (local.max - local.min) / 2;
  const Vec3 middle = body.translate + body.rotation * (local.max + local.min) / 2;
  return {middle - half, middle + half};
}

}  // namespace pliant
