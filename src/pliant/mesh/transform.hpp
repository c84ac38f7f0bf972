// The placement of a mesh in the world: scale, then rotate about x, y and z in that order, then
// translate.
#pragma once

#include <pliant/mesh/mesh.hpp>

namespace pliant {

struct Transform {
  Vec3 scale = Vec3::Ones();      // along x, y, z; each above zero
  Vec3 rotate = Vec3::Zero();     // degrees about x, then y, then z
  Vec3 translate = Vec3::Zero();  // m
};

// R = R_z R_y R_x. Quarter turns are exact, so that a turned box still has its faces on planes.
Mat3 rotation_matrix(const Vec3& degrees);

// Throws InputError, beginning with `where`, for a scale that is not above zero or not finite.
void require_valid(const Transform& transform, std::string_view where);

Vec3 apply(const Transform& transform, const Vec3& point);
void apply(const Transform& transform, Mesh& mesh);

}  // namespace pliant
