// PLY surfaces (Stanford), text and binary of both byte orders. The header declares elements and
// their properties; of these only x, y, z of `vertex` and the corners of `face` matter, the rest is
// skipped. Source: G. Turk, The PLY Polygon File Format, 1994.
#include <fmt/format.h>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/formats/little_endian.hpp>
#include <pliant/io/mesh_builder.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace pliant::formats {
namespace {

struct Property {
  std::string_view name;
  Scalar type;
  std::optional<Scalar> count;  // the type of its length, for a list
};
struct Element {
  std::string_view name;
  std::int64_t count = 0;
  std::vector<Property> properties;
};
struct Header {
  Coding coding = Coding::text;
  std::vector<Element> elements;
};

Scalar read_type(FileCursor& cursor) {
  constexpr std::array<std::pair<std::string_view, Scalar>, 16> types = {{
      {"char", Scalar::int8},
      {"uchar", Scalar::uint8},
      {"short", Scalar::int16},
      {"ushort", Scalar::uint16},
      {"int", Scalar::int32},
      {"uint", Scalar::uint32},
      {"float", Scalar::float32},
      {"double", Scalar::float64},
      {"int8", Scalar::int8},
      {"uint8", Scalar::uint8},
      {"int16", Scalar::int16},
      {"uint16", Scalar::uint16},
      {"int32", Scalar::int32},
      {"uint32", Scalar::uint32},
      {"float32", Scalar::float32},
      {"float64", Scalar::float64},
  }};
  const std::string_view name = cursor.word("a type");
  for (const auto& [known, type] : types)
    if (known == name) return type;
  cursor.fail(fmt::format("type {} is unknown", in_quotes(name)));
}

Coding read_coding(FileCursor& cursor) {
  const std::string_view name = cursor.word("a format");
  if (name == "ascii") return Coding::text;
  if (name == "binary_little_endian") return Coding::little;
  if (name == "binary_big_endian") return Coding::big;
  cursor.fail(
      fmt::format("format {} is unknown, known: ascii, binary_little_endian, binary_big_endian",
                  in_quotes(name)));
}

void read_property(FileCursor& cursor, Header& header) {
  if (header.elements.empty()) cursor.fail("a property stands before the first element");
  Property property;
  if (cursor.peek() == "list") {
    cursor.word("list");
    property.count = read_type(cursor);
    if (is_real(*property.count)) cursor.fail("the length of a list must have an integer type");
  }
  property.type = read_type(cursor);
  property.name = cursor.word("a property's name");
  header.elements.back().properties.push_back(property);
}

Header read_header(FileCursor& cursor) {
  Header header;
  if (const std::string_view magic = cursor.word("ply"); magic != "ply")
    cursor.fail(fmt::format("expected ply at the start, got {}", in_quotes(magic)));
  bool have_format = false;
  for (std::string_view keyword; keyword != "end_header";) {
    keyword = cursor.word("end_header");
    if (keyword == "format") {
      header.coding = read_coding(cursor);
      have_format = true;
    } else if (keyword == "element") {
      Element& element = header.elements.emplace_back();
      element.name = cursor.word("an element's name");
      element.count = cursor.number<std::int64_t>("an element's count");
    } else if (keyword == "property") {
      read_property(cursor, header);
    } else if (keyword != "comment" && keyword != "obj_info" && keyword != "end_header") {
      cursor.fail(fmt::format("{} is not known in a header", in_quotes(keyword)));
    }
    cursor.rest_of_line();
  }
  if (!have_format) cursor.fail("the header has no format");
  return header;
}

class PlyBody {
 public:
  PlyBody(FileCursor& cursor, MeshBuilder& builder) : cursor_(cursor), builder_(builder) {}

  void read(const Element& element) {
    std::size_t row = 0;  // bytes that a row has at least
    for (const Property& p : element.properties)
      row += cursor_.bytes_per_word(size_of(p.count.value_or(p.type)));
    const std::size_t count = cursor_.checked_count(element.count, row, element.name);
    if (row == 0) return;
    const bool vertex = element.name == "vertex", face = element.name == "face";
    if (vertex) check_coordinates(element);
    if (face && builder_.points.empty()) cursor_.fail("the faces stand before the vertices");
    for (std::size_t i = 0; i < count; ++i) {
      corners_.clear();
      for (const Property& p : element.properties) read_value(p, face);
      if (vertex) add_point();
      if (face) add_face(i);
    }
  }

 private:
  void add_face(std::size_t i) {
    if (corners_.size() < 3)
      cursor_.fail(fmt::format("face {} needs three corners or more, got {}", i, corners_.size()));
    builder_.add_fan(corners_);
  }

  void check_coordinates(const Element& element) const {
    for (const std::string_view name : {"x", "y", "z"}) {
      const auto found = std::find_if(element.properties.begin(), element.properties.end(),
                                      [name](const Property& p) { return p.name == name; });
      if (found == element.properties.end() || found->count)
        cursor_.fail(fmt::format("vertices have no property {}", name));
    }
  }

  void read_value(const Property& p, bool face) {
    if (!p.count) {
      const double value = cursor_.number_as(p.type, "a number");
      if (p.name.size() == 1 && p.name[0] >= 'x' && p.name[0] <= 'z') x_[p.name[0] - 'x'] = value;
      return;
    }
    const std::size_t n =
        cursor_.checked_count(cursor_.integer_as(*p.count, "the length of a list"),
                              cursor_.bytes_per_word(size_of(p.type)), "numbers of a list");
    const bool corners = face && (p.name == "vertex_indices" || p.name == "vertex_index");
    for (std::size_t i = 0; i < n; ++i) {
      if (corners) {
        corners_.push_back(cursor_.checked_index(cursor_.integer_as(p.type, "a vertex"), 0,
                                                 builder_.points.size(), "vertex"));
      } else {
        cursor_.number_as(p.type, "a number");
      }
    }
  }

  void add_point() {
    if (!x_.allFinite())
      cursor_.fail(fmt::format("vertex {} is not finite: ({}, {}, {})", builder_.points.size(),
                               x_.x(), x_.y(), x_.z()));
    builder_.points.push_back(x_);
  }

  FileCursor& cursor_;
  MeshBuilder& builder_;
  Vec3 x_ = Vec3::Zero();
  std::vector<Index> corners_;  // of the present face
};

}  // namespace

Mesh read_ply(const Source& source) {
  FileCursor cursor(source.name, source.bytes);
  MeshBuilder builder(source.name, source.log);
  const Header header = read_header(cursor);
  cursor.coding = header.coding;
  PlyBody body(cursor, builder);
  for (const Element& element : header.elements) body.read(element);
  return builder.finish();
}

std::string write_ply(const Mesh& mesh, const MeshWriteOptions& options) {
  std::string bytes = fmt::format(
      "ply\nformat {} 1.0\nelement vertex {}\nproperty double x\nproperty double y\n"
      "property double z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
      options.ascii ? "ascii" : "binary_little_endian", mesh.points.size(), mesh.element_count());
  const auto out = std::back_inserter(bytes);
  for (const Vec3& x : mesh.points) {
    if (options.ascii) fmt::format_to(out, "{} {} {}\n", x.x(), x.y(), x.z());
    for (int i = 0; !options.ascii && i < 3; ++i) append_little_endian(bytes, x[i]);
  }
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e) {
      const auto n = static_cast<std::uint8_t>(nodes_per_element(block.type));
      options.ascii ? void(fmt::format_to(out, "{}", n)) : append_little_endian(bytes, n);
      for (const Index corner : block.element(e))
        options.ascii ? void(fmt::format_to(out, " {}", corner))
                      : append_little_endian(bytes, corner);
      if (options.ascii) fmt::format_to(out, "\n");
    }
  return bytes;
}

}  // namespace pliant::formats
