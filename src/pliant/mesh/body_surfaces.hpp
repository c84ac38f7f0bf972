// The surface of several bodies that lie in one mesh, as results do: solids by their boundary,
// sheets by their own triangles, and solids that carry a skin by that. A skin has nodes of its own;
// other triangles of a solid are faces of its elements and say nothing new.
#pragma once

#include <pliant/mesh/surface.hpp>

namespace pliant {

// `body` holds the body of each element.
Surface make_body_surfaces(const Mesh& mesh, std::span<const Index> body);

}  // namespace pliant
