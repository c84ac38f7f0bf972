#include <reliability/shapes.hpp>

#include <map>
#include <numbers>
#include <random>

namespace pliant::reliability {
namespace {

double volume(const std::vector<Vec3>& x, std::span<const Index> t) {
  const auto at = [&](std::size_t i) -> const Vec3& { return x[static_cast<std::size_t>(t[i])]; };
  return (at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0)) / 6;
}

Mesh make_tets(std::vector<Vec3> points, std::vector<std::array<Index, 4>> tets) {
  Mesh mesh;
  mesh.points = std::move(points);
  ElementBlock block;
  for (std::array<Index, 4>& tet : tets) {
    if (volume(mesh.points, tet) < 0) std::swap(tet[2], tet[3]);
    block.nodes.insert(block.nodes.end(), tet.begin(), tet.end());
    block.region.push_back(0);
  }
  mesh.blocks = {block};
  return mesh;
}

// Every tetrahedron into eight: four at the corners, four around a diagonal of the octahedron.
Mesh refine(const Mesh& mesh) {
  std::vector<Vec3> points = mesh.points;
  std::map<std::array<Index, 2>, Index> middles;
  const auto middle = [&](Index a, Index b) {
    const auto [it, fresh] =
        middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<Index>(points.size()));
    if (fresh)
      points.push_back(0.5 * (mesh.points[static_cast<std::size_t>(a)] +
                              mesh.points[static_cast<std::size_t>(b)]));
    return it->second;
  };
  std::vector<std::array<Index, 4>> tets;
  for (Index e = 0; e < mesh.blocks[0].size(); ++e) {
    const auto t = mesh.blocks[0].element(e);
    const Index a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[0], t[2]),
                d = middle(t[0], t[3]), f = middle(t[1], t[3]), g = middle(t[2], t[3]);
    tets.insert(tets.end(), {{t[0], a, c, d},
                             {t[1], a, b, f},
                             {t[2], b, c, g},
                             {t[3], d, f, g},
                             {c, f, a, b},
                             {c, f, b, g},
                             {c, f, g, d},
                             {c, f, d, a}});
  }
  return make_tets(std::move(points), std::move(tets));
}

Mesh refined(Mesh mesh, int levels) {
  for (int k = 0; k < levels; ++k) mesh = refine(mesh);
  return mesh;
}

}  // namespace

Mesh make_tet(const std::array<Vec3, 4>& c) {
  return make_tets({c.begin(), c.end()}, {{0, 1, 2, 3}});
}

Mesh make_spike(int levels) {
  const double r = 0.5;
  std::vector<Vec3> points = {{0, 0, 0}, {0, 1, 0}, {-r, 1, -r}, {r, 1, -r}, {r, 1, r}, {-r, 1, r}};
  return refined(
      make_tets(std::move(points), {{0, 1, 2, 3}, {0, 1, 3, 4}, {0, 1, 4, 5}, {0, 1, 5, 2}}),
      levels);
}

Mesh make_wedge(int levels) {
  const double r = 0.5;
  std::vector<Vec3> points = {{0, 0, -r}, {-r, 1, -r}, {r, 1, -r},
                              {0, 0, r},  {-r, 1, r},  {r, 1, r}};
  return refined(make_tets(std::move(points), {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}}), levels);
}

Mesh make_stone(const std::array<Vec3, 8>& corners) {
  Mesh mesh;
  mesh.points.assign(corners.begin(), corners.end());
  mesh.blocks = {{ElementType::hex8, {0, 1, 2, 3, 4, 5, 6, 7}, {0}}};
  return mesh;
}

Mesh make_cube(double side, Index cells, ElementType element) {
  return make_box({Vec3::Constant(side), {cells, cells, cells}, element});
}

void move(Mesh& mesh, const Vec3& by) {
  for (Vec3& x : mesh.points) x += by;
}
void turn(Mesh& mesh, const Vec3& axis, double angle) {
  const Mat3 R = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  for (Vec3& x : mesh.points) x = R * x;
}
Mesh moved(Mesh mesh, const Vec3& by) {
  move(mesh, by);
  return mesh;
}
Mesh turned(Mesh mesh, const Vec3& axis, double angle) {
  turn(mesh, axis, angle);
  return mesh;
}

void Sheet::add(const Sheet& other) {
  const auto first = static_cast<Index>(points.size());
  points.insert(points.end(), other.points.begin(), other.points.end());
  for (const auto& t : other.triangles)
    triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

void Sheet::add_quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  add({{a, b, c, d}, {{0, 1, 2}, {0, 2, 3}}});
}

Surface Sheet::surface() const {
  Surface surface;
  surface.triangles = triangles;
  surface.edges = unique_edges(triangles);
  return surface;
}

namespace {

Sheet grid_sheet(double half, Index cells, double shift, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  Sheet sheet;
  const double step = 2 * half / cells;
  for (Index k = 0; k <= cells; ++k)
    for (Index i = 0; i <= cells; ++i) {
      const bool inner = i > 0 && k > 0 && i < cells && k < cells;
      const double dx = inner ? shift * step * unit(random) : 0;
      const double dz = inner ? shift * step * unit(random) : 0;
      sheet.points.emplace_back(-half + i * step + dx, 0, -half + k * step + dz);
    }
  for (Index k = 0; k < cells; ++k)
    for (Index i = 0; i < cells; ++i) {
      const Index a = i + (cells + 1) * k, b = a + 1, c = a + cells + 2, d = a + cells + 1;
      const bool other = shift > 0 ? unit(random) > 0 : (i + k) % 2 == 0;
      if (other)
        sheet.triangles.insert(sheet.triangles.end(), {{a, c, b}, {a, d, c}});
      else
        sheet.triangles.insert(sheet.triangles.end(), {{a, d, b}, {b, d, c}});
    }
  return sheet;
}

}  // namespace

Sheet flat_sheet(double half, Index cells) { return grid_sheet(half, cells, 0, 0); }
// A third of a cell at most: no triangle turns over.
Sheet irregular_sheet(double half, Index cells, unsigned seed) {
  return grid_sheet(half, cells, 0.3, seed);
}

Sheet plate_with_hole(double inner, double outer, Index n) {
  Sheet sheet;
  for (Index k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    const Vec3 out(std::cos(angle), 0, std::sin(angle));
    sheet.points.push_back(inner * out);
    sheet.points.push_back(outer * out);
    const Index a = 2 * k, b = 2 * ((k + 1) % n);
    sheet.triangles.insert(sheet.triangles.end(), {{a, b, a + 1}, {b, b + 1, a + 1}});
  }
  return sheet;
}

Sheet plate_with_crack(double width, double half) {
  Sheet sheet;
  for (const double side : {-1.0, 1.0})
    sheet.add_quad({side * width / 2, 0, -half}, {side * half, 0, -half}, {side * half, 0, half},
                   {side * width / 2, 0, half});
  return sheet;
}

Sheet box_sheet(const Vec3& center, const Vec3& size) {
  const Mesh box = make_box({size, {1, 1, 1}, ElementType::hex8});
  Sheet sheet{moved(box, center).points, make_surface(box).triangles};
  return sheet;
}

Sheet tube(const std::vector<std::array<double, 2>>& rings, Index n) {
  Sheet sheet;
  for (std::size_t r = 0; r < rings.size(); ++r)
    for (Index k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi * k / n;
      sheet.points.emplace_back(rings[r][0] * std::cos(angle), rings[r][1],
                                rings[r][0] * std::sin(angle));
      if (r == 0) continue;
      const auto below = static_cast<Index>(r - 1) * n, above = below + n, next = (k + 1) % n;
      sheet.triangles.insert(sheet.triangles.end(), {{below + k, above + k, below + next},
                                                     {below + next, above + k, above + next}});
    }
  return sheet;
}

}  // namespace pliant::reliability
