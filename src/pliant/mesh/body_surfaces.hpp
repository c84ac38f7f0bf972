// The surface of several bodies that lie in one mesh, as results do: solids by their boundary, and
// beside them sheets by their own triangles.
#pragma once

#include <pliant/mesh/surface.hpp>

namespace pliant {

Surface make_body_surfaces(const Mesh& mesh);

}  // namespace pliant
