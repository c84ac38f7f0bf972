// TetGen .node and .ele, a pair of files of which either may be named. Nodes are numbered from zero
// or one. The first attribute of a tetrahedron numbers its region, the marker of a node its node
// set. Middle nodes of second-order tetrahedra come in an order that differs between versions of
// TetGen; its edges are straight, so each middle node is put where its place in space says. Source:
// H. Si, TetGen user's manual, "File formats".
#include <fmt/format.h>
#include <pliant/core/error.hpp>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/mesh_builder.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <array>
#include <cmath>

namespace pliant::formats {
namespace {

using TenNodes = std::array<Index, 10>;

void read_nodes(FileCursor& cursor, MeshBuilder& builder, NodeTags& tags) {
  const auto claimed = cursor.number<std::int64_t>("the number of points");
  const auto dimension = cursor.number<std::int32_t>("the dimension");
  if (dimension != 3) cursor.fail(fmt::format("the dimension must be 3, got {}", dimension));
  const auto attributes = cursor.number<std::int32_t>("the number of attributes");
  const auto markers = cursor.number<std::int32_t>("the number of markers");
  cursor.checked_count(attributes, 2, "attributes");
  if (markers != 0 && markers != 1)
    cursor.fail(fmt::format("the number of markers must be 0 or 1, got {}", markers));
  const std::size_t count = cursor.checked_count(claimed, 8, "points");
  builder.points.reserve(count);
  for (std::size_t n = 0; n < count; ++n) {
    tags.add(cursor.number<std::int32_t>("a point's number"));
    Vec3 x;
    for (int i = 0; i < 3; ++i) x[i] = cursor.number<double>("a coordinate");
    builder.points.push_back(x);
    for (std::int32_t i = 0; i < attributes; ++i) cursor.number<double>("an attribute");
    if (markers == 0) continue;
    const auto marker = cursor.number<std::int32_t>("a marker");
    const std::array<Index, 1> node = {static_cast<Index>(n)};
    if (marker != 0) builder.add_members(node, builder.group(0, marker));
  }
  tags.sort(cursor);
}

// nodes[4…9] in the order of VTK's edges: each goes to the edge whose middle it is nearest to.
TenNodes sorted_middles(const TenNodes& nodes, const std::vector<Vec3>& points,
                        FileCursor& cursor) {
  constexpr std::array<std::array<std::size_t, 2>, 6> edges = {
      {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
  const auto x = [&](std::size_t i) -> const Vec3& {
    return points[static_cast<std::size_t>(nodes[i])];
  };
  TenNodes sorted = nodes;
  std::array<bool, 6> taken = {};
  for (std::size_t m = 4; m < 10; ++m) {
    std::size_t best = 0;
    double nearest = HUGE_VAL;
    for (std::size_t k = 0; k < 6; ++k) {
      const double distance = (x(m) - (x(edges[k][0]) + x(edges[k][1])) / 2).squaredNorm();
      if (distance < nearest) nearest = distance, best = k;
    }
    if (taken[best])
      cursor.fail("two middle nodes of this tetrahedron are nearest to the same edge");
    taken[best] = true;
    sorted[4 + best] = nodes[m];
  }
  return sorted;
}

void read_elements(FileCursor& cursor, MeshBuilder& builder, const NodeTags& tags) {
  const auto claimed = cursor.number<std::int64_t>("the number of tetrahedra");
  const auto nodes_each = cursor.number<std::int32_t>("the number of nodes in each");
  if (nodes_each != 4 && nodes_each != 10)
    cursor.fail(fmt::format("tetrahedra must have 4 or 10 nodes, got {}", nodes_each));
  const auto attributes = cursor.number<std::int32_t>("the number of attributes");
  cursor.checked_count(attributes, 2, "attributes");
  const auto each = static_cast<std::size_t>(2 * (nodes_each + 1));
  const std::size_t count = cursor.checked_count(claimed, each, "tetrahedra");
  for (std::size_t e = 0; e < count; ++e) {
    cursor.number<std::int32_t>("a tetrahedron's number");
    TenNodes nodes = {};
    for (std::size_t i = 0; i < static_cast<std::size_t>(nodes_each); ++i)
      nodes[i] = tags.index(cursor.number<std::int32_t>("a point's number"), cursor);
    if (nodes_each == 10) nodes = sorted_middles(nodes, builder.points, cursor);
    int group = MeshBuilder::no_group;
    for (std::int32_t i = 0; i < attributes; ++i) {
      const std::int64_t region = i == 0 ? cursor.integer_as(Scalar::float64, "a region") : 0;
      if (i > 0) cursor.number<double>("an attribute");
      if (region != 0) group = builder.group(3, region);
    }
    builder.add(nodes_each == 4 ? ElementType::tet4 : ElementType::tet10,
                std::span(nodes).first(static_cast<std::size_t>(nodes_each)), group);
  }
}

}  // namespace

Mesh read_tetgen(const Source& source) {
  const std::string extension = source.path.extension().string();
  const bool given_nodes = extension == ".node" || extension == ".NODE";
  const bool capitals = extension == ".NODE" || extension == ".ELE";
  std::filesystem::path partner = source.path;
  partner.replace_extension(given_nodes ? (capitals ? ".ELE" : ".ele")
                                        : (capitals ? ".NODE" : ".node"));
  std::string partner_bytes;
  try {
    partner_bytes = load_mesh_file(partner);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: needs its partner: {}", source.name, error.what()));
  }
  FileCursor given(source.name, source.bytes, '#');
  FileCursor other(partner.string(), partner_bytes, '#');
  MeshBuilder builder(source.name, source.log);
  NodeTags tags;
  read_nodes(given_nodes ? given : other, builder, tags);
  read_elements(given_nodes ? other : given, builder, tags);
  return builder.finish();
}

}  // namespace pliant::formats
