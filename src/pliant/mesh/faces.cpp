#include <pliant/mesh/faces.hpp>

#include <algorithm>

namespace pliant {
namespace {

constexpr std::array<std::array<int, 4>, 4> tet_faces = {
    {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 3, 2, -1}}};
constexpr std::array<std::array<int, 4>, 6> hex_faces = {
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

std::array<Index, 4> sorted_corners(std::span<const Index> nodes, const std::array<int, 4>& face) {
  std::array<Index, 4> corners{};
  for (std::size_t k = 0; k < 4; ++k)
    corners[k] = face[k] < 0 ? -1 : nodes[static_cast<std::size_t>(face[k])];
  std::sort(corners.begin(), corners.end());
  if (corners[0] < 0) std::swap(corners[0], corners[1]);  // the smallest corner first
  return corners;
}

template <class Visit>
void for_each_face(const Mesh& mesh, Visit&& visit) {
  Index first = 0;
  for (const ElementBlock& block : mesh.blocks) {
    const auto faces = local_faces(block.type);
    for (Index e = 0; e < block.size(); ++e)
      for (std::size_t f = 0; f < faces.size(); ++f)
        visit(sorted_corners(block.element(e), faces[f]), first + e, static_cast<std::int8_t>(f));
    first += block.size();
  }
}

}  // namespace

std::span<const std::array<int, 4>> local_faces(ElementType type) {
  if (type == ElementType::tet4 || type == ElementType::tet10) return tet_faces;
  if (type == ElementType::hex8) return hex_faces;
  return {};
}

// Counting sort by the smallest corner, then a sort of the few faces at each: linear in practice.
FaceTable make_faces(const Mesh& mesh) {
  FaceTable table;
  std::vector<Index> begin(mesh.points.size() + 1, 0);
  for_each_face(mesh, [&](const auto& corners, Index, std::int8_t) {
    ++begin[static_cast<std::size_t>(corners[0]) + 1];
  });
  for (std::size_t n = 1; n < begin.size(); ++n) begin[n] += begin[n - 1];
  table.uses.resize(static_cast<std::size_t>(begin.back()));
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  for_each_face(mesh, [&](const auto& corners, Index element, std::int8_t face) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(corners[0])]++);
    table.uses[at] = {{corners[1], corners[2], corners[3]}, element, face};
  });
  for (std::size_t n = 0; n + 1 < begin.size(); ++n) {
    const auto from = table.uses.begin() + begin[n], to = table.uses.begin() + begin[n + 1];
    std::sort(from, to, [](const FaceUse& a, const FaceUse& b) {
      return a.others != b.others ? a.others < b.others : a.element < b.element;
    });
    for (auto use = from; use != to; ++use)
      if (use == from || use->others != (use - 1)->others)
        table.group_begin.push_back(static_cast<Index>(use - table.uses.begin()));
  }
  table.group_begin.push_back(static_cast<Index>(table.uses.size()));
  return table;
}

}  // namespace pliant
