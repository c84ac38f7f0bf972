#include <pliant/mesh/transform.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

struct CosSin {
  double c, s;
};

CosSin cos_sin(double degrees) {
  const double turn = std::remainder(degrees, 360);  // in [−180, 180], exact
  if (turn == 0) return {1, 0};
  if (std::abs(turn) == 180) return {-1, 0};
  if (std::abs(turn) == 90) return {0, std::copysign(1.0, turn)};
  const double angle = turn * std::numbers::pi / 180;
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

Mat3 rotation_matrix(const Vec3& degrees) {
  const auto [cx, sx] = cos_sin(degrees.x());
  const auto [cy, sy] = cos_sin(degrees.y());
  const auto [cz, sz] = cos_sin(degrees.z());
  Mat3 X, Y, Z;
  X << 1, 0, 0, 0, cx, -sx, 0, sx, cx;
  Y << cy, 0, sy, 0, 1, 0, -sy, 0, cy;
  Z << cz, -sz, 0, sz, cz, 0, 0, 0, 1;
  return Z * Y * X;
}

void require_valid(const Transform& transform, std::string_view where) {
  for (int i = 0; i < 3; ++i) {
    const double s = transform.scale[i];
    if (!(s > 0) || !std::isfinite(s))
      throw InputError(fmt::format("{}/scale: must be above 0, got {}", where, s));
  }
  if (!transform.rotate.allFinite())
    throw InputError(fmt::format("{}/rotate: must be finite angles in degrees", where));
  if (!transform.translate.allFinite())
    throw InputError(fmt::format("{}/translate: must be finite", where));
}

Vec3 apply(const Transform& transform, const Vec3& point) {
  return rotation_matrix(transform.rotate) * transform.scale.cwiseProduct(point) +
         transform.translate;
}

void apply(const Transform& transform, Mesh& mesh) {
  const Mat3 A = rotation_matrix(transform.rotate) * transform.scale.asDiagonal();
  for (Vec3& point : mesh.points) point = (A * point + transform.translate).eval();
}

}  // namespace pliant
