// STL surfaces, text and binary (little endian). Each triangle has its own three corners in the
// file; equal ones become one point, and triangles that this closes to a line are left out. Binary
// files may start with "solid" too, so the length decides: 84 bytes and 50 for each triangle.
// Source: M. Burns, Automated Fabrication, 1993, §6.5.
#include <fmt/format.h>
#include <pliant/core/log.hpp>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/formats/little_endian.hpp>
#include <pliant/io/mesh_builder.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace pliant::formats {
namespace {

struct Soup {
  std::vector<Vec3> corners;  // three for each triangle
  std::vector<int> group;     // one for each triangle
};

bool less(const Vec3& a, const Vec3& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

// Equal corners get one index, in the order in which they first appear. Sorting is never quadratic.
std::vector<Index> merge(const std::vector<Vec3>& corners, std::vector<Vec3>& points) {
  std::vector<Index> order(corners.size()), first(corners.size()), index(corners.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&corners](Index i) -> const Vec3& {
    return corners[static_cast<std::size_t>(i)];
  };
  std::sort(order.begin(), order.end(), [&at](Index a, Index b) {
    if (less(at(a), at(b))) return true;
    return !less(at(b), at(a)) && a < b;
  });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool equal = k > 0 && at(order[k]) == at(order[k - 1]);
    const auto i = static_cast<std::size_t>(order[k]);
    first[i] = equal ? first[static_cast<std::size_t>(order[k - 1])] : order[k];
  }
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto f = static_cast<std::size_t>(first[i]);
    if (f == i) points.push_back(corners[i]);
    index[i] = f == i ? static_cast<Index>(points.size() - 1) : index[f];
  }
  return index;
}

Mesh make_mesh(const Soup& soup, MeshBuilder& builder, const Source& source) {
  const std::vector<Index> index = merge(soup.corners, builder.points);
  std::size_t closed = 0;
  for (std::size_t t = 0; t < soup.group.size(); ++t) {
    const std::array<Index, 3> nodes = {index[3 * t], index[3 * t + 1], index[3 * t + 2]};
    const bool flat = nodes[0] == nodes[1] || nodes[1] == nodes[2] || nodes[2] == nodes[0];
    if (!flat) builder.add(ElementType::tri3, nodes, soup.group[t]);
    closed += flat ? 1 : 0;
  }
  if (closed > 0)
    source.log.warn(
        fmt::format("{}: {} triangles with two equal corners were left out", source.name, closed));
  return builder.finish();
}

Vec3 read_corner(FileCursor& cursor) {
  Vec3 x;
  for (int i = 0; i < 3; ++i)
    x[i] = cursor.coding == Coding::text ? cursor.number<double>("a coordinate")
                                         : cursor.number<float>("a coordinate");
  return x;
}

Soup read_text(FileCursor& cursor, MeshBuilder& builder) {
  Soup soup;
  int group = MeshBuilder::no_group;
  while (!cursor.at_end()) {
    const std::string_view keyword = cursor.word("solid or facet");
    if (keyword == "solid") {
      const std::string name(cursor.rest_of_line());
      group = name.empty() ? MeshBuilder::no_group : builder.group(2, name);
    } else if (keyword == "endsolid") {
      cursor.rest_of_line();
    } else if (keyword == "facet") {
      cursor.rest_of_line();  // the normal, which the corners give as well
      cursor.expect("outer");
      cursor.expect("loop");
      for (int i = 0; i < 3; ++i) {
        cursor.expect("vertex");
        soup.corners.push_back(read_corner(cursor));
      }
      cursor.expect("endloop");
      cursor.expect("endfacet");
      soup.group.push_back(group);
    } else {
      cursor.fail(fmt::format("expected solid, facet or endsolid, got {}", in_quotes(keyword)));
    }
  }
  return soup;
}

Soup read_binary(FileCursor& cursor) {
  cursor.coding = Coding::little;
  cursor.take(80, "the header of 80 bytes");
  const auto claimed = cursor.number<std::uint32_t>("the number of triangles");
  const std::size_t count = cursor.checked_count(claimed, 50, "triangles");
  Soup soup;
  soup.corners.reserve(3 * count);
  for (std::size_t t = 0; t < count; ++t) {
    cursor.take(12, "a normal");
    for (int i = 0; i < 3; ++i) soup.corners.push_back(read_corner(cursor));
    cursor.take(2, "the attributes of a triangle");
    soup.group.push_back(MeshBuilder::no_group);
  }
  return soup;
}

bool is_binary(std::string_view bytes) {
  if (bytes.size() >= 84) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < 4; ++i)
      count += static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[80 + i])) << (8 * i);
    if (bytes.size() == 84 + 50 * count) return true;
  }
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos || !bytes.substr(first).starts_with("solid");
}

using Triangle = std::array<Vec3, 4>;  // corners and normal

template <class Visit>
void for_each_triangle(const Mesh& mesh, Visit&& visit) {
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e) {
      const std::span<const Index> n = block.element(e);
      const auto x = [&](std::size_t i) { return mesh.points[static_cast<std::size_t>(n[i])]; };
      for (std::size_t i = 2; i < n.size(); ++i) {
        const Vec3 normal = (x(i - 1) - x(0)).cross(x(i) - x(0));
        visit(Triangle{x(0), x(i - 1), x(i), normal.stableNormalized()});
      }
    }
}

}  // namespace

Mesh read_stl(const Source& source) {
  FileCursor cursor(source.name, source.bytes);
  MeshBuilder builder(source.name, source.log);
  const Soup soup = is_binary(source.bytes) ? read_binary(cursor) : read_text(cursor, builder);
  return make_mesh(soup, builder, source);
}

std::string write_stl(const Mesh& mesh, const MeshWriteOptions& options) {
  std::string bytes;
  if (options.ascii) {
    const auto out = std::back_inserter(bytes);
    fmt::format_to(out, "solid\n");
    for_each_triangle(mesh, [&out](const Triangle& t) {
      fmt::format_to(out, "facet normal {} {} {}\nouter loop\n", t[3].x(), t[3].y(), t[3].z());
      for (std::size_t i = 0; i < 3; ++i)
        fmt::format_to(out, "vertex {} {} {}\n", t[i].x(), t[i].y(), t[i].z());
      fmt::format_to(out, "endloop\nendfacet\n");
    });
    fmt::format_to(out, "endsolid\n");
    return bytes;
  }
  std::uint32_t count = 0;
  for_each_triangle(mesh, [&count](const Triangle&) { ++count; });
  bytes.assign(80, ' ');
  append_little_endian(bytes, count);
  for_each_triangle(mesh, [&bytes](const Triangle& t) {
    for (const std::size_t i : {3, 0, 1, 2})
      for (int k = 0; k < 3; ++k) append_little_endian(bytes, static_cast<float>(t[i][k]));
    append_little_endian(bytes, std::uint16_t{0});
  });
  return bytes;
}

}  // namespace pliant::formats
