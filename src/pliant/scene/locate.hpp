// Places of the scene in its bodies. Private to the module.
#pragma once

#include <pliant/body/solid.hpp>

namespace pliant {

// Throws InputError, with the point's place in the scene, where the point is outside of the mesh of
// the body; within 1e-6 of the mesh's size it counts as inside.
void require_inside(double distance, const Mesh& mesh, const Vec3& point, std::string_view body,
                    std::string_view where);

const Body& find_body(std::span<const Body> bodies, const std::string& name);

// The point of the body, or InputError.
MappedPoint locate(const Body& body, const Vec3& point, std::string_view where);

}  // namespace pliant
