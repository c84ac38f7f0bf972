#include <pliant/load/load_faces.hpp>

#include <algorithm>

namespace pliant {
namespace {

std::vector<ElementType> element_types(const Mesh& mesh) {
  std::vector<ElementType> types;
  for (const ElementBlock& block : mesh.blocks)
    types.insert(types.end(), static_cast<std::size_t>(block.size()), block.type);
  return types;
}

// How many triangles of a Surface make one face of an element.
std::size_t triangles_per_face(ElementType type) {
  if (type == ElementType::hex8 || type == ElementType::quad4) return 2;
  return type == ElementType::tet10 ? 4 : 1;
}

}  // namespace

LoadFaces make_load_faces(const Mesh& mesh, const Surface& surface, const std::vector<bool>& chosen,
                          Index first_node) {
  LoadFaces faces;
  const std::vector<ElementType> types = element_types(mesh);
  for (std::size_t k = 0; k < surface.triangles.size();) {
    const std::size_t count = triangles_per_face(types[surface.element[k]]);
    const auto part = std::span(surface.triangles).subspan(k, count);
    k += count;
    const bool all = std::all_of(part.begin(), part.end(), [&](const auto& t) {
      return chosen[t[0]] && chosen[t[1]] && chosen[t[2]];
    });
    if (!all) continue;
    const auto add = [&](Index a, Index b, Index c, double weight) {
      faces.add(a + first_node, b + first_node, c + first_node, weight);
    };
    if (count == 2) {  // (a, b, c) and (a, c, d), as make_surface cuts them
      const Index a = part[0][0], b = part[0][1], c = part[0][2], d = part[1][2];
      add(a, b, c, 0.5), add(a, c, d, 0.5), add(a, b, d, 0.5), add(b, c, d, 0.5);
    } else if (count == 4) {  // three corners, then the middle one
      for (const auto& t : part) add(t[0], t[1], t[2], 4.0 / 3);
      add(part[0][0], part[1][1], part[2][2], -1.0 / 3);
    } else {
      add(part[0][0], part[0][1], part[0][2], 1);
    }
  }
  return faces;
}

}  // namespace pliant
