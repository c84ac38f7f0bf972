// VTK XML unstructured grids (.vtu): arrays as text, as base64 between their tags, or appended (raw
// or base64), with or without zlib, of any scalar type and byte order. Pieces are joined. Source:
// "VTK File Formats" (The VTK User's Guide), XML file formats.
#include <fmt/format.h>
#include <pliant/core/error.hpp>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/formats/vtk_cells.hpp>
#include <pliant/io/formats/vtu_xml.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace pliant::formats {
namespace {

// Small files can expand to large arrays, and pieces may share one array. No more numbers than this
// are taken from a file.
constexpr std::size_t most_numbers = std::size_t{1} << 28;

std::optional<Scalar> scalar_type(std::string_view name) {
  constexpr std::array<std::string_view, 10> names = {"Int8",    "UInt8",  "Int16", "UInt16",
                                                      "Int32",   "UInt32", "Int64", "UInt64",
                                                      "Float32", "Float64"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return {};
  return static_cast<Scalar>(found - names.begin());
}

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class VtuFile {
 public:
  explicit VtuFile(const Source& source)
      : source_(source), cursor_(source.name, source.bytes), document_(scan_vtu(cursor_)) {}

  Mesh read() {
    if (document_.pieces.empty()) cursor_.fail("there is no <Piece>");
    sort_arrays();
    MeshBuilder builder(source_.name, source_.log);
    for (std::size_t p = 0; p < document_.pieces.size(); ++p)
      add_piece(builder, read_piece(p), region_names_, source_.name);
    return builder.finish();
  }

 private:
  void sort_arrays() {
    by_piece_.resize(document_.pieces.size());
    for (const VtuArray& array : document_.arrays) {
      if (array.section == "FieldData" && array.name == region_names_array) read_names(array);
      by_piece_[array.piece].push_back(&array);
    }
  }

  [[noreturn]] void fail(const VtuArray& array, const std::string& problem) const {
    throw InputError(fmt::format("{}: array {} {}", source_.name, in_quotes(array.name), problem));
  }

  // Calls take(cursor, type) for each number of the array.
  template <class Take>
  void for_each_number(const VtuArray& array, Take&& take) {
    const std::optional<Scalar> type = scalar_type(array.type == "String" ? "UInt8" : array.type);
    if (!type) fail(array, fmt::format("has type {}, which is unknown", in_quotes(array.type)));
    const bool text = array.format == VtuFormat::ascii;
    const std::vector<std::byte> bytes =
        text ? std::vector<std::byte>() : decode_vtu_array(document_, cursor_, array);
    FileCursor numbers(
        text ? source_.name : fmt::format("{}: array {}", source_.name, in_quotes(array.name)),
        text ? source_.bytes.substr(0, array.end) : text_of(bytes));
    if (text) {
      numbers.seek(array.begin);
    } else {
      numbers.coding = document_.byte_order;
      if (bytes.size() % size_of(*type) != 0)
        fail(array, fmt::format("has {} bytes, which is no whole number of values", bytes.size()));
    }
    while (text ? !numbers.at_end() : numbers.left() > 0) {
      if (++numbers_ > most_numbers) fail(array, "makes the file too large");
      take(numbers, *type);
    }
  }

  std::vector<std::int64_t> integers(const VtuArray& array) {
    std::vector<std::int64_t> values;
    for_each_number(array, [&values](FileCursor& numbers, Scalar type) {
      values.push_back(numbers.integer_as(type, "a whole number"));
    });
    return values;
  }

  void read_names(const VtuArray& array) {  // characters, a zero behind each name
    region_names_.clear();
    std::string name;
    for (const std::int64_t c : integers(array)) {
      if (c != 0) name += static_cast<char>(c);
      if (c == 0) region_names_.push_back(std::exchange(name, {}));
    }
  }

  std::vector<Vec3> read_points(const VtuArray& array, std::int64_t expected) {
    std::vector<double> x;
    for_each_number(array, [&x](FileCursor& numbers, Scalar type) {
      x.push_back(numbers.number_as(type, "a coordinate"));
      if (!std::isfinite(x.back()))
        numbers.fail(fmt::format("point {} is not finite", (x.size() - 1) / 3));
    });
    if (x.size() % 3 != 0 || static_cast<std::int64_t>(x.size() / 3) != expected)
      fail(array, fmt::format("has {} coordinates, but there are {} points", x.size(), expected));
    std::vector<Vec3> points(x.size() / 3);
    for (std::size_t n = 0; n < points.size(); ++n)
      points[n] = Vec3(x[3 * n], x[3 * n + 1], x[3 * n + 2]);
    return points;
  }

  void read_cell_array(const VtuArray& array, VtkPiece& piece, std::string& region_from) {
    const bool whole = scalar_type(array.type) && !is_real(*scalar_type(array.type));
    if (array.section == "Cells" && array.name == "connectivity") {
      piece.connectivity = integers(array);
    } else if (array.section == "Cells" && array.name == "offsets") {
      piece.ends = integers(array);
    } else if (array.section == "Cells" && array.name == "types") {
      piece.types = integers(array);
    } else if (array.section == "CellData" && whole &&
               better_region_array(array.name, region_from)) {
      region_from = array.name;
      piece.region = integers(array);
    } else if (array.section == "PointData" && whole && array.name.starts_with(node_set_prefix)) {
      piece.node_sets.emplace_back(array.name.substr(node_set_prefix.size()), integers(array));
    }
  }

  VtkPiece read_piece(std::size_t p) {
    const VtuPiece& expected = document_.pieces[p];
    VtkPiece piece;
    bool have_points = false;
    std::string region_from;
    for (const VtuArray* array : by_piece_[p]) {
      if (array->section != "Points") {
        read_cell_array(*array, piece, region_from);
      } else if (!have_points) {
        piece.points = read_points(*array, expected.points);
        have_points = true;
      }
    }
    if (static_cast<std::int64_t>(piece.points.size()) != expected.points)
      throw InputError(fmt::format("{}: claims {} points, but holds {}", source_.name,
                                   expected.points, piece.points.size()));
    if (static_cast<std::int64_t>(piece.ends.size()) != expected.cells)
      throw InputError(fmt::format("{}: claims {} cells, but holds {} offsets", source_.name,
                                   expected.cells, piece.ends.size()));
    return piece;
  }

  const Source& source_;
  FileCursor cursor_;
  VtuDocument document_;
  std::vector<std::vector<const VtuArray*>> by_piece_;
  std::vector<std::string> region_names_;
  std::size_t numbers_ = 0;
};

}  // namespace

Mesh read_vtu(const Source& source) { return VtuFile(source).read(); }

}  // namespace pliant::formats
