// OFF surfaces (Geomview), text. A letter or two before OFF (C, N, ST) announce colours, normals or
// texture coordinates behind each vertex; they and the colours of faces are skipped. Some
// collections write the counts on the first line, even without a blank ("OFF490 518 0"), or leave
// OFF out. Source: Geomview manual, "OFF: Object File Format".
#include <fmt/format.h>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/mesh_builder.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <iterator>

namespace pliant::formats {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Moves behind the keyword; true where each vertex has numbers behind its coordinates.
bool read_keyword(FileCursor& cursor) {
  if (cursor.at_end()) cursor.word("OFF");
  const std::string_view first = cursor.peek();
  const std::size_t off = first.find("OFF");
  if (is_digit(first.front()) && off == std::string_view::npos) return false;
  const std::string_view before = first.substr(0, off);
  const bool known = off != std::string_view::npos &&
                     (before.empty() || before == "C" || before == "N" || before == "CN" ||
                      before == "ST" || before == "STC" || before == "STN" || before == "STCN");
  const std::string_view behind = known ? first.substr(off + 3) : "";
  if (!known || (!behind.empty() && !is_digit(behind.front()))) {
    cursor.word("OFF");
    cursor.fail(fmt::format("expected OFF, COFF, NOFF or STOFF, got {}", in_quotes(first)));
  }
  cursor.seek(cursor.position() + off + 3);
  if (cursor.peek() == "BINARY") cursor.fail("binary OFF files are not supported, only text");
  return !before.empty();
}

}  // namespace

Mesh read_off(const Source& source) {
  FileCursor cursor(source.name, source.bytes, '#');
  MeshBuilder builder(source.name, source.log);
  const bool extra = read_keyword(cursor);
  const auto claimed_points = cursor.number<std::int64_t>("the number of vertices");
  const auto claimed_faces = cursor.number<std::int64_t>("the number of faces");
  if (cursor.on_this_line()) cursor.number<std::int64_t>("the number of edges");
  const std::size_t points = cursor.checked_count(claimed_points, 6, "vertices");
  const std::size_t faces = cursor.checked_count(claimed_faces, 4, "faces");
  builder.points.reserve(points);
  for (std::size_t n = 0; n < points; ++n) {
    Vec3 x;
    for (int i = 0; i < 3; ++i) x[i] = cursor.number<double>("a coordinate");
    builder.points.push_back(x);
    if (extra) cursor.rest_of_line();
  }
  std::vector<Index> corners;
  for (std::size_t f = 0; f < faces; ++f) {
    const auto claimed = cursor.number<std::int64_t>("the number of corners");
    if (claimed < 3)
      cursor.fail(fmt::format("a face needs three corners or more, got {}", claimed));
    corners.resize(cursor.checked_count(claimed, 2, "corners"));
    for (Index& n : corners)
      n = cursor.checked_index(cursor.number<std::int64_t>("a vertex"), 0, points, "vertex");
    builder.add_fan(corners);
    cursor.rest_of_line();  // a colour may stand there
  }
  return builder.finish();
}

std::string write_off(const Mesh& mesh, const MeshWriteOptions&) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "OFF\n{} {} 0\n", mesh.points.size(), mesh.element_count());
  for (const Vec3& x : mesh.points) fmt::format_to(out, "{} {} {}\n", x.x(), x.y(), x.z());
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e) {
      fmt::format_to(out, "{}", nodes_per_element(block.type));
      for (const Index n : block.element(e)) fmt::format_to(out, " {}", n);
      fmt::format_to(out, "\n");
    }
  return text;
}

}  // namespace pliant::formats
