// Bodies described by a signed distance: primitives moved about and combined by union, intersection
// and difference. A plain tree of values; distance() is negative inside. Unions and differences
// bound the true distance from below away from the surface, which is all that the mesher needs; on
// the surface itself the sign is exact.
//
// Primitives follow the generators: centred on the origin, axes along y.
#pragma once

#include <pliant/core/types.hpp>

#include <string_view>
#include <variant>
#include <vector>

namespace pliant {

struct SdfSphere {
  double radius = 1;  // m
};
struct SdfBox {
  Vec3 size = Vec3::Ones();  // m, full edge lengths
};
struct SdfCapsule {
  double radius = 1, length = 1;  // m, length of the straight part
};
struct SdfCylinder {
  double radius = 1, length = 1;  // m
};
struct SdfTorus {
  double radius = 1, tube = 0.25;  // m, circle of centres and radius of the tube
};
struct SdfPlane {  // the half space behind the plane, away from the normal
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();  // of any length
};
struct SdfUnion {};
struct SdfIntersection {};
struct SdfDifference {};  // the first child less all the others

using SdfShape = std::variant<SdfSphere, SdfBox, SdfCapsule, SdfCylinder, SdfTorus, SdfPlane,
                              SdfUnion, SdfIntersection, SdfDifference>;

struct Sdf {
  SdfShape shape;
  std::vector<Sdf> children;         // of the three combinations only
  Vec3 translate = Vec3::Zero();     // m, after the rotation
  Mat3 rotation = Mat3::Identity();  // see rotation_matrix() in transform.hpp
};

constexpr int sdf_depth_limit = 32;

// Throws InputError, beginning with `where`, for sizes that are not above zero, combinations
// without children, primitives with some, and trees deeper than the limit.
void require_valid(const Sdf& body, std::string_view where);

double distance(const Sdf& body, const Vec3& x);  // m

struct SdfBounds {
  Vec3 min, max;  // infinite where only planes bound the body
  bool finite() const { return min.allFinite() && max.allFinite(); }
};
SdfBounds bounds(const Sdf& body);

}  // namespace pliant
