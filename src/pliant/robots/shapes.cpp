#include <pliant/robots/shapes.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/io/mesh_cursor.hpp>
#include <pliant/io/mesh_file.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/surface.hpp>
#include <pliant/mesh/validate.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant::robots {
namespace {

// Only the points that triangles use.
Triangles compact(const std::vector<Vec3>& points,
                  const std::vector<std::array<Index, 3>>& triangles) {
  std::vector<Index> number(points.size(), -1);
  Triangles out;
  for (const auto& triangle : triangles) {
    std::array<Index, 3> corners;
    for (std::size_t i = 0; i < 3; ++i) {
      Index& n = number[static_cast<std::size_t>(triangle[i])];
      if (n < 0) {
        n = static_cast<Index>(out.points.size());
        out.points.push_back(points[static_cast<std::size_t>(triangle[i])]);
      }
      corners[i] = n;
    }
    out.triangles.push_back(corners);
  }
  return out;
}

void drop(const std::vector<Index>& numbers, Triangles& from) {
  std::vector<char> gone(from.triangles.size(), 0);
  for (const Index e : numbers) gone[static_cast<std::size_t>(e)] = 1;
  std::vector<std::array<Index, 3>> kept;
  for (std::size_t e = 0; e < gone.size(); ++e)
    if (!gone[e]) kept.push_back(from.triangles[e]);
  from.triangles = std::move(kept);
}

// Files of other programs hold triangles without area and some twice, which no body may have.
Triangles cleaned(Triangles surface) {
  std::vector<Index> bad;
  MeshReport report = check(make_mesh(surface));
  for (const ElementId& id : report.repeated_nodes) bad.push_back(id.e);
  drop(bad, surface);
  bad.clear();
  report = check(make_mesh(surface));
  for (const ElementId& id : report.flat) bad.push_back(id.e);
  for (const auto& pair : report.duplicates) bad.push_back(pair[1].e);
  drop(bad, surface);
  return compact(surface.points, surface.triangles);
}

Triangles of_file(const Shape& shape) {
  Mesh mesh;
  try {
    mesh = read_mesh(shape.file);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", shape.where, error.what()));
  }
  for (Vec3& x : mesh.points) x = x.cwiseProduct(shape.size);
  Triangles surface{mesh.points, make_surface(mesh).triangles};
  if (shape.size.prod() < 0)
    for (auto& triangle : surface.triangles) std::swap(triangle[1], triangle[2]);
  surface = cleaned(compact(surface.points, surface.triangles));
  if (surface.triangles.empty())
    throw InputError(
        fmt::format("{}: {} holds no triangles with an area", shape.where, shape.file.string()));
  return surface;
}

Triangles of_mesh(const Mesh& mesh) { return compact(mesh.points, make_surface(mesh).triangles); }

// Generators have their axis along y.
Triangles upright(Triangles surface) {
  for (Vec3& x : surface.points) x = Vec3(x.x(), -x.z(), x.y());
  return surface;
}

}  // namespace

// Fine enough to roll, and no finer along a straight rod than eight layers: what touches is costly.
double edge_length(const Shape& shape) {
  constexpr double around = 0.35;  // of the radius
  if (shape.kind == ShapeKind::ellipsoid) return around;
  const bool is_long = shape.kind == ShapeKind::cylinder || shape.kind == ShapeKind::capsule;
  return std::max(around * shape.size.x(), is_long ? shape.size.y() / 8 : 0);
}

Mesh make_mesh(const Triangles& surface) {
  Mesh mesh;
  mesh.points = surface.points;
  ElementBlock block;
  block.type = ElementType::tri3;
  for (const auto& triangle : surface.triangles)
    block.nodes.insert(block.nodes.end(), triangle.begin(), triangle.end());
  block.region.assign(surface.triangles.size(), 0);
  mesh.blocks.push_back(std::move(block));
  return mesh;
}

Triangles surface_of(const Shape& shape) {
  const Vec3& s = shape.size;
  const double size = edge_length(shape);
  switch (shape.kind) {
    case ShapeKind::box:
      return of_mesh(make_box({s, {1, 1, 1}, ElementType::hex8}));
    case ShapeKind::sphere:
      return of_mesh(make_sphere({s.x(), size, ElementType::hex8}));
    case ShapeKind::cylinder:
      return upright(of_mesh(make_cylinder({s.x(), s.y(), size, ElementType::hex8})));
    case ShapeKind::capsule:
      return upright(of_mesh(make_capsule({s.x(), s.y(), size, ElementType::hex8})));
    case ShapeKind::ellipsoid: {
      Triangles ball = of_mesh(make_sphere({1, size, ElementType::hex8}));
      for (Vec3& x : ball.points) x = x.cwiseProduct(s);
      return ball;
    }
    case ShapeKind::mesh:
      return of_file(shape);
  }
  return {};
}

Triangles surface_of(const std::vector<Shape>& shapes) {
  Triangles all;
  for (const Shape& shape : shapes) {
    const Triangles one = surface_of(shape);
    const auto first = static_cast<Index>(all.points.size());
    for (const Vec3& x : one.points) all.points.push_back(shape.pose * x);
    for (const auto& t : one.triangles)
      all.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  return all;
}

std::filesystem::path find_mesh_file(const std::string& written, const std::filesystem::path& from,
                                     const std::filesystem::path& folder,
                                     const std::string& where) {
  namespace fs = std::filesystem;
  const std::string in_package = "package://", in_file = "file://";
  std::vector<fs::path> tried;
  if (written.starts_with(in_package)) {
    // PACKAGE/PATH in this folder and in those above, then PATH alone.
    const fs::path tail = written.substr(in_package.size());
    fs::path alone;
    for (auto part = tail.begin(); part != tail.end(); ++part)
      if (part != tail.begin()) alone /= *part;
    std::error_code ignored;
    fs::path up = fs::absolute(from, ignored).lexically_normal();
    while (true) {
      tried.push_back(up / tail);
      if (!alone.empty()) tried.push_back(up / alone);
      if (!up.has_relative_path()) break;
      up = up.parent_path();
    }
  } else {
    const fs::path plain = written.starts_with(in_file) ? written.substr(in_file.size()) : written;
    tried.push_back(from / folder / plain);
    if (!folder.empty()) tried.push_back(from / plain);
  }
  for (const fs::path& path : tried)
    if (is_file(path)) return path;
  std::string words;
  for (std::size_t k = 0; k < std::min<std::size_t>(tried.size(), 4); ++k)
    words += (k ? ", " : "") + tried[k].string();
  if (tried.size() > 4) words += " and the folders above";
  throw InputError(
      fmt::format("{}: the mesh {} is not there; looked for {}", where, in_quotes(written), words));
}

}  // namespace pliant::robots
