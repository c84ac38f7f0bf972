#include <pliant/mesh/body_surfaces.hpp>

#include <pliant/mesh/faces.hpp>

#include <algorithm>
#include <set>

namespace pliant {
namespace {

const Vec3& at(std::span<const Vec3> points, Index n) {
  return points[static_cast<std::size_t>(n)];
}

// Middle nodes of a tet10 along the sides of each face of local_faces().
constexpr std::array<std::array<std::size_t, 3>, 4> tet10_middles = {
    {{6, 5, 4}, {4, 8, 7}, {5, 9, 8}, {7, 9, 6}}};

class Collector {
 public:
  explicit Collector(Surface& surface) : surface_(surface) {}

  void triangle(Index a, Index b, Index c, Index element) {
    surface_.triangles.push_back({a, b, c});
    surface_.element.push_back(element);
  }
  void quad(std::array<Index, 4> q, Index element) {
    std::rotate(q.begin(), std::min_element(q.begin(), q.end()), q.end());
    triangle(q[0], q[1], q[2], element);
    triangle(q[0], q[2], q[3], element);
  }
  void solid_face(ElementType type, std::span<const Index> nodes, int f, Index element) {
    const auto& face = local_faces(type)[static_cast<std::size_t>(f)];
    std::array<Index, 4> n{};
    for (std::size_t k = 0; k < 4; ++k)
      if (face[k] >= 0) n[k] = nodes[static_cast<std::size_t>(face[k])];
    if (type == ElementType::hex8) return quad(n, element);
    if (type == ElementType::tet4) return triangle(n[0], n[1], n[2], element);
    const auto& middle = tet10_middles[static_cast<std::size_t>(f)];
    const Index ab = nodes[middle[0]], bc = nodes[middle[1]], ca = nodes[middle[2]];
    triangle(n[0], ab, ca, element);
    triangle(ab, n[1], bc, element);
    triangle(ca, bc, n[2], element);
    triangle(ab, bc, ca, element);
  }

 private:
  Surface& surface_;
};

void add_solid_boundary(const Mesh& mesh, Surface& surface) {
  const FaceTable table = make_faces(mesh);
  std::vector<std::pair<Index, std::int8_t>> boundary;
  for (std::size_t g = 0; g + 1 < table.group_begin.size(); ++g)
    if (table.group_begin[g + 1] - table.group_begin[g] == 1) {
      const FaceUse& use = table.uses[static_cast<std::size_t>(table.group_begin[g])];
      boundary.emplace_back(use.element, use.face);
    }
  std::sort(boundary.begin(), boundary.end());
  Collector collect(surface);
  Index first = 0;
  auto next = boundary.begin();
  for (const ElementBlock& block : mesh.blocks) {
    for (; next != boundary.end() && next->first < first + block.size(); ++next)
      collect.solid_face(block.type, block.element(next->first - first), next->second, next->first);
    first += block.size();
  }
}

void add_sheet(const Mesh& mesh, Surface& surface) {
  Collector collect(surface);
  Index element = 0;
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e, ++element) {
      const auto n = block.element(e);
      if (block.type == ElementType::tri3) collect.triangle(n[0], n[1], n[2], element);
      if (block.type == ElementType::quad4) collect.quad({n[0], n[1], n[2], n[3]}, element);
    }
}

void sort_unique(std::vector<std::array<Index, 2>>& edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

}  // namespace

std::vector<std::array<Index, 2>> unique_edges(std::span<const std::array<Index, 3>> triangles) {
  std::vector<std::array<Index, 2>> edges;
  edges.reserve(triangles.size() * 3);
  for (const auto& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax(t[k], t[(k + 1) % 3]);
      edges.push_back({a, b});
    }
  sort_unique(edges);
  return edges;
}

Surface make_surface(const Mesh& mesh) {
  Surface surface;
  const int top = mesh.top_dimension();
  if (top == 3) add_solid_boundary(mesh, surface);
  if (top == 2) add_sheet(mesh, surface);
  surface.edges = unique_edges(surface.triangles);
  if (top == 1) {
    for (const ElementBlock& block : mesh.blocks)
      for (Index e = 0; e < block.size(); ++e) {
        const auto [a, b] = std::minmax(block.element(e)[0], block.element(e)[1]);
        surface.edges.push_back({a, b});
      }
    sort_unique(surface.edges);
  }
  return surface;
}

Surface make_body_surfaces(const Mesh& mesh, std::span<const Index> body) {
  const Surface boundary = make_surface(mesh);
  if (mesh.top_dimension() < 3) return boundary;
  Surface sheets;
  add_sheet(mesh, sheets);
  std::vector<char> in_solid(mesh.points.size(), 0);
  for (const ElementBlock& block : mesh.blocks)
    if (dimension(block.type) == 3)
      for (const Index n : block.nodes) in_solid[static_cast<std::size_t>(n)] = 1;
  const auto body_of = [&](Index element) { return body[static_cast<std::size_t>(element)]; };
  std::set<Index> with_skin;
  Surface surface;
  const auto add = [&](const Surface& from, std::size_t t) {
    surface.triangles.push_back(from.triangles[t]);
    surface.element.push_back(from.element[t]);
  };
  for (std::size_t t = 0; t < sheets.triangles.size(); ++t)
    if (!in_solid[static_cast<std::size_t>(sheets.triangles[t][0])])
      with_skin.insert(body_of(sheets.element[t]));
  for (std::size_t t = 0; t < boundary.triangles.size(); ++t)
    if (!with_skin.contains(body_of(boundary.element[t]))) add(boundary, t);
  for (std::size_t t = 0; t < sheets.triangles.size(); ++t)
    if (!in_solid[static_cast<std::size_t>(sheets.triangles[t][0])]) add(sheets, t);
  surface.edges = unique_edges(surface.triangles);
  return surface;
}

double surface_area(std::span<const Vec3> points, std::span<const std::array<Index, 3>> triangles) {
  double area = 0;
  for (const auto& [a, b, c] : triangles)
    area += (at(points, b) - at(points, a)).cross(at(points, c) - at(points, a)).norm() / 2;
  return area;
}

double enclosed_volume(std::span<const Vec3> points,
                       std::span<const std::array<Index, 3>> triangles) {
  if (triangles.empty()) return 0;
  const Vec3 origin = at(points, triangles[0][0]);  // near the body, so that little cancels
  double volume = 0;
  for (const auto& [a, b, c] : triangles)
    volume +=
        (at(points, a) - origin).dot((at(points, b) - origin).cross(at(points, c) - origin)) / 6;
  return volume;
}

}  // namespace pliant
