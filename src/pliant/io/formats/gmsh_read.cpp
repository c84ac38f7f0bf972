// Gmsh .msh: the header, the sections and what is common to versions 2 and 4.1. Sections that say
// nothing about the mesh (post-processing data, periodicity, parametrisations) are skipped.
#include <fmt/format.h>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/formats/gmsh.hpp>

#include <algorithm>
#include <array>

namespace pliant::formats {
namespace {

constexpr int segment = static_cast<int>(ElementType::segment2);
constexpr int tri = static_cast<int>(ElementType::tri3);
constexpr int quad = static_cast<int>(ElementType::quad4);
constexpr int tet = static_cast<int>(ElementType::tet4);
constexpr int tet10 = static_cast<int>(ElementType::tet10);
constexpr int hex = static_cast<int>(ElementType::hex8);

constexpr auto gmsh_types = std::to_array<GmshType>({
    {1, 1, 2, "line2", segment}, {2, 2, 3, "tri3", tri},      {3, 2, 4, "quad4", quad},
    {4, 3, 4, "tet4", tet},      {5, 3, 8, "hex8", hex},      {6, 3, 6, "prism6"},
    {7, 3, 5, "pyramid5"},       {8, 1, 3, "line3"},          {9, 2, 6, "tri6"},
    {10, 2, 9, "quad9"},         {11, 3, 10, "tet10", tet10}, {12, 3, 27, "hex27"},
    {13, 3, 18, "prism18"},      {14, 3, 14, "pyramid14"},    {15, 0, 1, "point"},
    {16, 2, 8, "quad8"},         {17, 3, 20, "hex20"},        {18, 3, 15, "prism15"},
    {19, 3, 13, "pyramid13"},    {20, 2, 9, "tri9"},          {21, 2, 10, "tri10"},
    {22, 2, 12, "tri12"},        {23, 2, 15, "tri15"},        {24, 2, 15, "tri15i"},
    {25, 2, 21, "tri21"},        {26, 1, 4, "line4"},         {27, 1, 5, "line5"},
    {28, 1, 6, "line6"},         {29, 3, 20, "tet20"},        {30, 3, 35, "tet35"},
    {31, 3, 56, "tet56"},        {92, 3, 64, "hex64"},        {93, 3, 125, "hex125"},
});

// $MeshFormat: "2.2 0 8", and in binary files the number one, which tells the byte order.
int read_format(FileCursor& cursor, GmshFile& file) {
  const std::string_view version = cursor.word("the version");
  const bool two = version == "2" || version == "2.0" || version == "2.1" || version == "2.2";
  if (!two && version != "4.1")
    cursor.fail(
        fmt::format("version {} is not supported, known: 2.0 to 2.2, 4.1", in_quotes(version)));
  const auto binary = cursor.number<std::int32_t>("the file type");
  if (binary != 0 && binary != 1)
    cursor.fail(fmt::format("the file type must be 0 (ASCII) or 1 (binary), got {}", binary));
  const auto size = cursor.number<std::int32_t>("the data size");
  if (size != 8 && !(size == 4 && !two))
    cursor.fail(fmt::format("the data size must be {}, got {}", two ? "8" : "4 or 8", size));
  file.size_bytes = two ? 0 : static_cast<std::size_t>(size);
  if (binary == 1) {
    cursor.rest_of_line();
    const std::string_view one = cursor.take(4, "the number one that tells the byte order");
    if (one == std::string_view("\1\0\0\0", 4)) {
      file.data_coding = Coding::little;
    } else if (one == std::string_view("\0\0\0\1", 4)) {
      file.data_coding = Coding::big;
    } else {
      cursor.fail("the four bytes after the header must be the number one, in either byte order");
    }
  }
  cursor.expect("$EndMeshFormat");
  return two ? 2 : 4;
}

void skip_section(FileCursor& cursor, std::string_view name) {
  const std::string end = fmt::format("$End{}", name.substr(1));
  const std::size_t found = cursor.bytes().find(end, cursor.position());
  if (found == std::string_view::npos)
    cursor.fail(fmt::format("section {} has no {}", in_quotes(name), in_quotes(end)));
  cursor.seek(found + end.size());
}

// True where the section was read up to its $End… line.
bool read_section(GmshFile& file, std::string_view name, int version) {
  if (name == "$PhysicalNames") {
    file.read_physical_names();
  } else if (name == "$Nodes") {
    version == 2 ? file.read_nodes_2() : file.read_nodes_4();
  } else if (name == "$Elements") {
    version == 2 ? file.read_elements_2() : file.read_elements_4();
  } else if (name == "$Entities" && version == 4) {
    file.read_entities_4();
  } else {
    return false;
  }
  return true;
}

}  // namespace

const GmshType* find_gmsh_type(std::int64_t number) {
  for (const GmshType& type : gmsh_types)
    if (type.number == number) return &type;
  return nullptr;
}

void GmshFile::read_physical_names() {
  const auto claimed = cursor_.number<std::int64_t>("the number of physical names");
  const std::size_t count = cursor_.checked_count(claimed, 6, "physical names");
  for (std::size_t i = 0; i < count; ++i) {
    const auto dimension = cursor_.number<std::int32_t>("a dimension");
    if (dimension < 0 || dimension > 3)
      cursor_.fail(fmt::format("a dimension must be 0 to 3, got {}", dimension));
    const auto tag = cursor_.number<std::int32_t>("a physical tag");
    const std::string_view name = cursor_.rest_of_line();
    if (name.size() < 3 || name.front() != '"' || name.back() != '"')
      cursor_.fail(fmt::format("expected a physical name in quotes, got {}", in_quotes(name)));
    physical_names_[{dimension, tag}] = name.substr(1, name.size() - 2);
  }
}

int GmshFile::physical_group(int dimension, std::int64_t tag) {
  if (tag == 0) return MeshBuilder::no_group;
  tag = tag < 0 ? -tag : tag;  // a negative tag means reversed orientation
  const auto name = physical_names_.find({dimension, tag});
  return name == physical_names_.end() ? builder_.group(dimension, tag)
                                       : builder_.group(dimension, name->second);
}

void GmshFile::read_point() {
  const auto x = cursor_.number<double>("a coordinate");
  const auto y = cursor_.number<double>("a coordinate");
  const auto z = cursor_.number<double>("a coordinate");
  builder_.points.emplace_back(x, y, z);
}

const GmshType& GmshFile::element_type(std::int64_t number) {
  const GmshType* type = find_gmsh_type(number);
  if (type == nullptr) cursor_.fail(fmt::format("element type {} is unknown", number));
  return *type;
}

// The nodes of one element. The first group is its region; further ones only give node sets.
void GmshFile::add_element(const GmshType& type, std::span<const int> groups) {
  std::array<Index, 125> nodes;
  for (int i = 0; i < type.nodes; ++i) {
    const std::int64_t tag = size_bytes == 0 ? cursor_.number<std::int32_t>("a node number")
                                             : size_number("a node number");
    nodes[static_cast<std::size_t>(i)] = tags_.index(tag, cursor_);
  }
  const std::span<const Index> used(nodes.data(), static_cast<std::size_t>(type.nodes));
  const int region = groups.empty() ? MeshBuilder::no_group : groups.front();
  if (type.element >= 0) {
    // Gmsh's tet10 has the middles of edges 23 and 13 the other way round.
    if (type.element == tet10) std::swap(nodes[8], nodes[9]);
    builder_.add(static_cast<ElementType>(type.element), used, region);
  } else {
    if (type.dimension > 0)
      builder_.add_unsupported(type.dimension, type.name, [this] { return cursor_.where(); });
    builder_.add_members(used, region);
  }
  for (std::size_t i = 1; i < groups.size(); ++i) builder_.add_members(used, groups[i]);
}

Mesh read_gmsh(const Source& source) {
  FileCursor cursor(source.name, source.bytes);
  MeshBuilder builder(source.name, source.log);
  GmshFile file(cursor, builder);
  if (const std::string_view first = cursor.word("$MeshFormat"); first != "$MeshFormat")
    cursor.fail(fmt::format("expected $MeshFormat at the start, got {}", in_quotes(first)));
  const int version = read_format(cursor, file);
  while (!cursor.at_end()) {
    const std::string_view name = cursor.word("a section");
    if (name.front() != '$' || name.starts_with("$End"))
      cursor.fail(fmt::format("expected the start of a section, got {}", in_quotes(name)));
    if (read_section(file, name, version)) {
      cursor.coding = Coding::text;
      cursor.expect(fmt::format("$End{}", name.substr(1)));
    } else {
      skip_section(cursor, name);
    }
  }
  if (!file.have_nodes()) cursor.fail("there is no $Nodes section");
  if (!file.have_elements()) cursor.fail("there is no $Elements section");
  return builder.finish();
}

}  // namespace pliant::formats
