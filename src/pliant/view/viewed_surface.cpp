#include <pliant/view/viewed_surface.hpp>

#include <pliant/view/bytes.hpp>

#include <algorithm>
#include <map>

namespace pliant {
namespace {

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

struct Element {
  ElementType type;
  std::span<const Index> nodes;
};

// The element with number e, counted over the blocks in order.
Element element_of(const Mesh& mesh, Index e) {
  for (const ElementBlock& block : mesh.blocks) {
    if (e < block.size()) return {block.type, block.element(e)};
    e -= block.size();
  }
  return {ElementType::tri3, {}};
}

// Is the line from a to b one of the element's own, or did cutting its faces make it?
bool is_own_edge(const Element& element, Index a, Index b) {
  const auto place = [&](Index n) {
    return std::find(element.nodes.begin(), element.nodes.end(), n) - element.nodes.begin();
  };
  const auto i = std::min(place(a), place(b)), j = std::max(place(a), place(b));
  switch (element.type) {
    case ElementType::hex8:  // two rings of four, and the lines from one to the other
      if (j < 4 || i >= 4) return j - i == 1 || j - i == 3;
      return j - i == 4;
    case ElementType::quad4:
      return j - i == 1 || j - i == 3;
    case ElementType::tet10:  // halves of an edge go from a corner to a middle
      return i < 4 && j >= 4;
    default:
      return true;
  }
}

constexpr std::uint32_t kNone = 0xffffffff;

std::array<std::uint32_t, 3> shifted(const std::array<Index, 3>& triangle, std::size_t first) {
  std::array<std::uint32_t, 3> out{};
  for (std::size_t k = 0; k < 3; ++k) out[k] = static_cast<std::uint32_t>(first + at(triangle[k]));
  return out;
}

class Drawing {
 public:
  Drawing(std::span<const SurfacePart> parts, std::span<const BodyNodes> bodies,
          const ViewedTubes& tubes)
      : parts_(parts), bodies_(bodies), tubes_(tubes) {
    for (const BodyNodes& body : bodies) out_.bodies.push_back({body.name, 0, 0});
  }

  ViewedSurface make() {
    number_vertices();
    for (const SurfacePart& part : parts_) add_faces(part);
    std::sort(out_.edges.begin(), out_.edges.end());
    out_.edges.erase(std::unique(out_.edges.begin(), out_.edges.end()), out_.edges.end());
    gather_cells();
    out_.first_cable = out_.nodes.size();
    if (tubes_.tubes) add_cables();
    return std::move(out_);
  }

 private:
  void number_vertices() {
    Index nodes = 0;
    for (const SurfacePart& part : parts_)
      nodes = std::max(nodes, part.first_node + part.mesh->point_count());
    vertex_.assign(at(nodes), kNone);
    for (const SurfacePart& part : parts_)
      for (const auto& triangle : part.surface->triangles)
        for (const Index n : triangle) vertex_[at(part.first_node + n)] = 0;
    for (const SurfacePart& part : parts_)
      for (Index n = 0; n < part.mesh->point_count(); ++n) {
        std::uint32_t& vertex = vertex_[at(part.first_node + n)];
        if (vertex == kNone) continue;
        vertex = static_cast<std::uint32_t>(out_.nodes.size());
        out_.nodes.push_back(part.first_node + n);
        for (int i = 0; i < 3; ++i)
          out_.rest.push_back(static_cast<float>(part.mesh->points[at(n)][i]));
        const std::uint32_t body = body_of(part.first_node + n);
        out_.body.push_back(body);
        ++out_.bodies[body].vertices;
      }
    out_.pinned.assign(out_.nodes.size(), 0);
  }

  std::uint32_t body_of(Index node) const {
    std::uint32_t body = 0;
    while (body + 1 < bodies_.size() && node >= bodies_[body].end) ++body;
    return body;
  }

  void add_faces(const SurfacePart& part) {
    const auto vertex = [&](Index n) { return vertex_[at(part.first_node + n)]; };
    for (std::size_t t = 0; t < part.surface->triangles.size(); ++t) {
      const auto& corners = part.surface->triangles[t];
      const Element element = element_of(*part.mesh, part.surface->element[t]);
      out_.triangles.push_back({vertex(corners[0]), vertex(corners[1]), vertex(corners[2])});
      ++out_.bodies[out_.body[out_.triangles.back()[0]]].triangles;
      for (std::size_t k = 0; k < 3; ++k) {
        const Index a = corners[k], b = corners[(k + 1) % 3];
        if (!is_own_edge(element, a, b)) continue;
        out_.edges.push_back({std::min(vertex(a), vertex(b)), std::max(vertex(a), vertex(b))});
      }
    }
  }

  template <class Visit>
  void for_each_use(const Visit& visit) const {
    Index cell = 0;
    for (const SurfacePart& part : parts_)
      for (const ElementBlock& block : part.mesh->blocks)
        for (Index e = 0; e < block.size(); ++e, ++cell)
          for (const Index n : block.element(e))
            if (const std::uint32_t k = vertex_[at(part.first_node + n)]; k != kNone)
              visit(k, cell);
  }

  void gather_cells() {
    out_.cell_start.assign(out_.nodes.size() + 1, 0);
    for_each_use([&](std::uint32_t k, Index) { ++out_.cell_start[k + 1]; });
    for (std::size_t k = 1; k < out_.cell_start.size(); ++k)
      out_.cell_start[k] += out_.cell_start[k - 1];
    std::vector<Index> next(out_.cell_start.begin(), out_.cell_start.end() - 1);
    out_.cells.resize(at(out_.cell_start.back()));
    for_each_use([&](std::uint32_t k, Index cell) { out_.cells[at(next[k]++)] = cell; });
  }

  // Each vertex of a tube with the values and the place in the pins of the node it goes with.
  void add_cables() {
    const Tubes& tubes = *tubes_.tubes;
    std::map<Index, std::vector<Index>> cells;  // segments around a node
    Index cell = 0;
    for (const SurfacePart& part : parts_)
      for (const ElementBlock& block : part.mesh->blocks)
        for (Index e = 0; e < block.size(); ++e, ++cell)
          for (const Index n : block.element(e))
            if (block.type == ElementType::segment2) cells[part.first_node + n].push_back(cell);
    for (std::size_t k = 0; k < tubes.source().size(); ++k) {
      const Thread& thread = tubes.threads()[at(tubes.thread_of_vertex()[k])];
      if (thread.body < 0) break;
      out_.nodes.push_back(tubes.source()[k]);
      out_.body.push_back(static_cast<std::uint32_t>(thread.body));
      out_.pinned.push_back(0);
      ++out_.bodies[at(thread.body)].vertices;
      for (int i = 0; i < 3; ++i) out_.rest.push_back(static_cast<float>(tubes_.vertices[k][i]));
      const std::vector<Index>& around = cells[tubes.source()[k]];
      out_.cells.insert(out_.cells.end(), around.begin(), around.end());
      out_.cell_start.push_back(static_cast<Index>(out_.cells.size()));
    }
    for (std::size_t t = 0; t < tubes.triangles().size(); ++t) {
      const Thread& thread = tubes.threads()[at(tubes.thread_of_triangle()[t])];
      if (thread.body < 0) break;
      out_.triangles.push_back(shifted(tubes.triangles()[t], out_.first_cable));
      ++out_.bodies[at(thread.body)].triangles;
    }
  }

  std::span<const SurfacePart> parts_;
  std::span<const BodyNodes> bodies_;
  const ViewedTubes& tubes_;
  std::vector<std::uint32_t> vertex_;  // of each node
  ViewedSurface out_;
};

}  // namespace

void ViewedSurface::to_vertices(std::span<const double> of_cells, std::span<float> out) const {
  for (std::size_t k = 0; k < body_vertices(); ++k) {
    double sum = 0;
    for (Index c = cell_start[k]; c < cell_start[k + 1]; ++c) sum += of_cells[at(cells[at(c)])];
    out[k] = static_cast<float>(sum / std::max<Index>(1, cell_start[k + 1] - cell_start[k]));
  }
}

void ViewedSurface::extend(std::vector<float>& values) const {
  const float value = values.empty() ? 0 : values.front();
  values.resize(body_vertices(), value);
  values.resize(vertices(), value);
}

void add_obstacles(const ViewedObstacles& obstacles, ViewedSurface& surface) {
  const auto first = static_cast<std::uint32_t>(surface.vertices());
  const auto bodies = static_cast<std::uint32_t>(surface.bodies.size());
  surface.rest.resize(3 * (first + obstacles.points.size()));
  place_obstacles(surface, obstacles.points, surface.rest);
  const auto& starts = obstacles.first_points;
  for (Index n = 0; n < static_cast<Index>(obstacles.points.size()); ++n) {
    const auto after = std::upper_bound(starts.begin(), starts.end(), n);
    surface.body.push_back(bodies + static_cast<std::uint32_t>(after - starts.begin() - 1));
    surface.pinned.push_back(0);
  }
  for (const auto& corners : obstacles.triangles)
    surface.triangles.push_back(shifted(corners, first));
}

void add_threads(const ViewedTubes& tubes, ViewedSurface& surface) {
  surface.first_thread = surface.vertices();
  const std::size_t cables = surface.body_vertices() - surface.first_cable;
  for (std::size_t k = cables; k < tubes.vertices.size(); ++k) {
    const Thread& thread = tubes.tubes->threads()[at(tubes.tubes->thread_of_vertex()[k])];
    surface.body.push_back(kFirstThread + static_cast<std::uint32_t>(thread.kind));
    surface.pinned.push_back(0);
    for (int i = 0; i < 3; ++i) surface.rest.push_back(static_cast<float>(tubes.vertices[k][i]));
  }
  for (std::size_t t = 0; tubes.tubes && t < tubes.tubes->triangles().size(); ++t)
    if (tubes.tubes->threads()[at(tubes.tubes->thread_of_triangle()[t])].body < 0)
      surface.triangles.push_back(
          shifted(tubes.tubes->triangles()[t], surface.first_thread - cables));
}

void place_tubes(const ViewedSurface& surface, std::span<const Vec3> vertices,
                 std::vector<float>& positions) {
  positions.resize(3 * surface.vertices());
  const std::size_t cables = surface.body_vertices() - surface.first_cable;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const std::size_t to = k < cables ? surface.first_cable + k : surface.first_thread + k - cables;
    for (int i = 0; i < 3; ++i)
      positions[3 * to + static_cast<std::size_t>(i)] = static_cast<float>(vertices[k][i]);
  }
}

void place_obstacles(const ViewedSurface& surface, std::span<const Vec3> points,
                     std::vector<float>& positions) {
  positions.resize(3 * (surface.body_vertices() + points.size()));
  auto next = positions.begin() + static_cast<std::ptrdiff_t>(3 * surface.body_vertices());
  for (const Vec3& x : points)
    for (int i = 0; i < 3; ++i) *next++ = static_cast<float>(x[i]);
}

ViewedSurface make_viewed_surface(std::span<const SurfacePart> parts,
                                  std::span<const BodyNodes> bodies, const ViewedTubes& tubes) {
  return Drawing(parts, bodies, tubes).make();
}

std::string encode_surface(const ViewedSurface& surface) {
  constexpr std::uint32_t magic = 0x53544c50, version = 1;  // "PLTS"
  std::string out;
  for (const std::size_t word :
       {std::size_t{magic}, std::size_t{version}, surface.vertices(), surface.triangles.size(),
        surface.bodies.size(), surface.edges.size()})
    append(out, static_cast<std::uint32_t>(word));
  append_all(out, surface.rest);
  append_all(out, surface.triangles);
  append_all(out, surface.body);
  append_all(out, surface.edges);
  append_all(out, surface.pinned);
  out.resize((out.size() + 3) / 4 * 4, '\0');
  return out;
}

}  // namespace pliant
