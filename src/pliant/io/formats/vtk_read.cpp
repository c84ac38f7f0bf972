// VTK legacy files (.vtk), versions 1 to 5, text and binary (big endian), data set
// UNSTRUCTURED_GRID. Up to version 4 a cell is its number of points and the points; version 5 has
// OFFSETS and CONNECTIVITY. Of the attributes only regions and node sets are kept. Source: "VTK
// File Formats" (The VTK User's Guide), simple legacy formats.
#include <fmt/format.h>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/formats/vtk_cells.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <array>
#include <charconv>
#include <optional>

namespace pliant::formats {
namespace {

// The type of an array; none for strings and bits, which have no fixed size in bytes.
std::optional<Scalar> scalar_type(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Scalar>, 17> types = {{
      {"char", Scalar::int8},
      {"signed_char", Scalar::int8},
      {"unsigned_char", Scalar::uint8},
      {"short", Scalar::int16},
      {"unsigned_short", Scalar::uint16},
      {"int", Scalar::int32},
      {"unsigned_int", Scalar::uint32},
      {"long", Scalar::int64},
      {"unsigned_long", Scalar::uint64},
      {"vtktypeint64", Scalar::int64},
      {"vtktypeuint64", Scalar::uint64},
      {"vtktypeint32", Scalar::int32},
      {"vtktypeuint32", Scalar::uint32},
      {"vtkidtype", Scalar::int32},
      {"vtkIdType", Scalar::int32},
      {"float", Scalar::float32},
      {"double", Scalar::float64},
  }};
  for (const auto& [known, type] : types)
    if (known == name) return type;
  return {};
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

class VtkFile {
 public:
  explicit VtkFile(const Source& source) : cursor_(source.name, source.bytes), source_(source) {}

  Mesh read() {
    read_header();
    while (!cursor_.at_end()) {
      const std::string_view keyword = cursor_.word("a keyword");
      if (read_geometry(keyword) || read_attributes(keyword)) continue;
      if (!complete()) cursor_.fail(fmt::format("keyword {} is not known", in_quotes(keyword)));
      source_.log.warn(
          fmt::format("{}: what follows {} is left out", cursor_.where(), in_quotes(keyword)));
      break;
    }
    if (!complete()) cursor_.fail("POINTS, CELLS or CELL_TYPES is missing");
    MeshBuilder builder(source_.name, source_.log);
    add_piece(builder, piece_, region_names_, source_.name);
    return builder.finish();
  }

 private:
  bool complete() const { return have_points_ && have_cells_ && have_types_; }

  void read_header() {
    constexpr std::string_view magic = "# vtk DataFile Version ";
    if (!source_.bytes.starts_with(magic))
      cursor_.fail("expected \"# vtk DataFile Version\" at the start");
    cursor_.seek(magic.size());
    const std::string_view version = cursor_.rest_of_line();
    version_5_ = version.starts_with("5.");
    if (version.size() < 3 || version[1] != '.' || version[0] < '1' || version[0] > '5')
      cursor_.fail(
          fmt::format("version {} is not supported, known: 1.0 to 5.1", in_quotes(version)));
    cursor_.rest_of_line();  // the title
    const std::string_view coding = cursor_.word("ASCII or BINARY");
    if (coding != "ASCII" && coding != "BINARY")
      cursor_.fail(fmt::format("expected ASCII or BINARY, got {}", in_quotes(coding)));
    data_coding_ = coding == "ASCII" ? Coding::text : Coding::big;
    cursor_.expect("DATASET");
    const std::string_view kind = cursor_.word("a data set");
    if (kind != "UNSTRUCTURED_GRID")
      cursor_.fail(
          fmt::format("data set {} is not supported, only UNSTRUCTURED_GRID", in_quotes(kind)));
  }

  void begin_data() {  // binary data start right behind the end of the line
    if (data_coding_ == Coding::text) return;
    cursor_.rest_of_line();
    cursor_.coding = data_coding_;
  }
  void end_data() { cursor_.coding = Coding::text; }

  std::size_t count(std::int64_t claimed, Scalar type, std::string_view what) {
    return cursor_.checked_count(claimed, cursor_.bytes_per_word(size_of(type)), what);
  }

  Scalar array_type() {
    const std::string_view name = cursor_.word("a type");
    const std::optional<Scalar> type = scalar_type(name);
    if (!type) cursor_.fail(fmt::format("type {} is not supported here", in_quotes(name)));
    return *type;
  }

  std::vector<std::int64_t> integers(std::int64_t claimed, Scalar type, std::string_view what) {
    begin_data();
    std::vector<std::int64_t> values(count(claimed, type, what));
    for (std::int64_t& value : values) value = cursor_.integer_as(type, what);
    end_data();
    return values;
  }

  void skip_numbers(std::int64_t claimed, Scalar type) {
    begin_data();
    const std::size_t n = count(claimed, type, "numbers");
    if (data_coding_ != Coding::text) {
      cursor_.take(n * size_of(type), "an array");
    } else {
      for (std::size_t i = 0; i < n; ++i) cursor_.word("a number");
    }
    end_data();
  }

  bool read_geometry(std::string_view keyword) {
    if (keyword == "POINTS") {
      read_points();
    } else if (keyword == "CELLS") {
      read_cells();
    } else if (keyword == "CELL_TYPES") {
      if (have_types_) cursor_.fail("there is a second CELL_TYPES section");
      have_types_ = true;
      const auto claimed = cursor_.number<std::int64_t>("the number of cells");
      piece_.types = integers(claimed, Scalar::int32, "cell types");
    } else {
      return false;
    }
    return true;
  }

  void read_points() {
    if (have_points_) cursor_.fail("there is a second POINTS section");
    have_points_ = true;
    const auto claimed = cursor_.number<std::int64_t>("the number of points");
    const Scalar type = array_type();
    begin_data();
    const std::size_t n =
        cursor_.checked_count(claimed, 3 * cursor_.bytes_per_word(size_of(type)), "points");
    piece_.points.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      Vec3 x;
      for (int k = 0; k < 3; ++k) x[k] = cursor_.number_as(type, "a coordinate");
      if (!x.allFinite())
        cursor_.fail(fmt::format("point {} is not finite: ({}, {}, {})", i, x.x(), x.y(), x.z()));
      piece_.points.push_back(x);
    }
    end_data();
  }

  void read_cells() {
    if (have_cells_) cursor_.fail("there is a second CELLS section");
    have_cells_ = true;
    const auto first = cursor_.number<std::int64_t>("the number of cells");
    const auto second = cursor_.number<std::int64_t>("the size of the cells");
    if (version_5_) {
      cursor_.expect("OFFSETS");
      piece_.ends = integers(first, array_type(), "offsets");
      if (piece_.ends.empty() || piece_.ends.front() != 0)
        cursor_.fail("the offsets must start with 0");
      piece_.ends.erase(piece_.ends.begin());
      cursor_.expect("CONNECTIVITY");
      piece_.connectivity = integers(second, array_type(), "points of cells");
      return;
    }
    const std::vector<std::int64_t> list = integers(second, Scalar::int32, "numbers of cells");
    for (std::size_t i = 0; i < list.size();) {
      const std::int64_t n = list[i++];
      if (n < 0 || static_cast<std::uint64_t>(n) > list.size() - i)
        cursor_.fail(fmt::format("cell {} claims {} points, but {} numbers are left",
                                 piece_.ends.size(), n, list.size() - i));
      const auto begin = list.begin() + static_cast<std::ptrdiff_t>(i);
      piece_.connectivity.insert(piece_.connectivity.end(), begin, begin + n);
      piece_.ends.push_back(static_cast<std::int64_t>(piece_.connectivity.size()));
      i += static_cast<std::size_t>(n);
    }
    if (static_cast<std::int64_t>(piece_.ends.size()) != first)
      cursor_.fail(fmt::format("claims {} cells, but holds {}", first, piece_.ends.size()));
  }

  bool read_attributes(std::string_view keyword) {
    if (keyword == "POINT_DATA" || keyword == "CELL_DATA") {
      on_points_ = keyword == "POINT_DATA";
      on_cells_ = !on_points_;
      tuples_ = cursor_.number<std::int32_t>("the number of tuples");
    } else if (keyword == "FIELD") {
      cursor_.word("a field's name");
      const auto arrays = cursor_.number<std::int64_t>("the number of arrays");
      const std::size_t n = cursor_.checked_count(arrays, 8, "arrays");
      for (std::size_t i = 0; i < n; ++i) read_field_array();
    } else if (keyword == "METADATA" || keyword == "INFORMATION") {
      cursor_.rest_of_line();
      while (!cursor_.rest_of_line().empty()) continue;  // up to an empty line
    } else if (keyword == "SCALARS") {
      read_scalars();
    } else if (keyword == "VECTORS" || keyword == "NORMALS" || keyword == "TENSORS") {
      cursor_.word("a name");
      const Scalar type = array_type();
      skip_numbers(tuples_ * (keyword == "TENSORS" ? 9 : 3), type);
    } else {
      return false;
    }
    return true;
  }

  void read_scalars() {
    const std::string name(cursor_.word("a name"));
    const Scalar type = array_type();
    std::int64_t components = 1;
    if (cursor_.on_this_line())
      components = cursor_.number<std::int16_t>("the number of components");
    if (cursor_.peek() == "LOOKUP_TABLE") {
      cursor_.word("LOOKUP_TABLE");
      cursor_.word("a table's name");
    }
    read_array(name, type, components * tuples_);
  }

  void read_field_array() {
    while (cursor_.peek() == "METADATA" || cursor_.peek() == "INFORMATION")
      read_attributes(cursor_.word("METADATA"));
    const std::string name = percent_decoded(cursor_.word("an array's name"));
    const auto components = cursor_.number<std::int16_t>("the number of components");
    const auto tuples = cursor_.number<std::int32_t>("the number of tuples");
    const std::string_view type = cursor_.word("a type");
    const std::int64_t n = std::int64_t{components} * tuples;
    if (type == "string") return read_strings(name, n);
    const std::optional<Scalar> scalar = scalar_type(type);
    if (!scalar) cursor_.fail(fmt::format("type {} is not supported", in_quotes(type)));
    read_array(name, *scalar, n);
  }

  void read_array(const std::string& name, Scalar type, std::int64_t n) {
    const bool whole = !is_real(type);
    if (on_cells_ && whole && better_region_array(name, region_from_)) {
      region_from_ = name;
      piece_.region = integers(n, type, "regions");
    } else if (on_points_ && whole && name.starts_with(node_set_prefix)) {
      piece_.node_sets.emplace_back(name.substr(node_set_prefix.size()),
                                    integers(n, type, "members of a node set"));
    } else {
      skip_numbers(n, type);
    }
  }

  // Text: one string a line, odd characters as %20. Binary: the two top bits of the first byte say
  // how many bytes hold the length (11: one, 10: two, 01: four, 00: eight).
  void read_strings(const std::string& name, std::int64_t claimed) {
    cursor_.rest_of_line();
    const std::size_t n = cursor_.checked_count(claimed, 1, "strings");
    std::vector<std::string> strings;
    for (std::size_t i = 0; i < n; ++i)
      strings.push_back(data_coding_ == Coding::text ? percent_decoded(cursor_.rest_of_line())
                                                     : binary_string());
    if (!on_cells_ && !on_points_ && name == region_names_array) region_names_ = std::move(strings);
  }

  std::string binary_string() {
    cursor_.coding = Coding::big;
    const auto first = static_cast<unsigned char>(cursor_.take(1, "a string's length")[0]);
    std::uint64_t length = first & 63U;
    const std::size_t more = (std::size_t{1} << (3 - (first >> 6))) - 1;
    for (const char c : cursor_.take(more, "a string's length"))
      length = (length << 8) | static_cast<unsigned char>(c);
    const std::string text(cursor_.take(length, "a string"));
    end_data();
    return text;
  }

  FileCursor cursor_;
  const Source& source_;
  VtkPiece piece_;
  Coding data_coding_ = Coding::text;
  bool version_5_ = false;
  bool have_points_ = false, have_cells_ = false, have_types_ = false;
  bool on_points_ = false, on_cells_ = false;
  std::int64_t tuples_ = 0;
  std::string region_from_;
  std::vector<std::string> region_names_;
};

}  // namespace

Mesh read_vtk(const Source& source) { return VtkFile(source).read(); }

}  // namespace pliant::formats
