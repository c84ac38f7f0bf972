// VTK XML unstructured grids (.vtu): arrays as text, as base64 between their tags, or appended (raw
// or base64), with or without zlib, of any scalar type and byte order. Pieces are joined. Source:
// "VTK File Formats" (The VTK User's Guide), XML file formats.
#include <fmt/format.h>
#include <pliant/core/error.hpp>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/formats/vtk_cells.hpp>
#include <pliant/io/formats/vtu_numbers.hpp>

#include <utility>

namespace pliant::formats {
namespace {

class VtuFile {
 public:
  explicit VtuFile(const Source& source) : source_(source), file_(source.name, source.bytes) {}

  Mesh read() {
    sort_arrays();
    MeshBuilder builder(source_.name, source_.log);
    for (std::size_t p = 0; p < file_.document().pieces.size(); ++p)
      add_piece(builder, read_piece(p), region_names_, source_.name);
    return builder.finish();
  }

 private:
  void sort_arrays() {
    by_piece_.resize(file_.document().pieces.size());
    for (const VtuArray& array : file_.document().arrays) {
      if (array.section == "FieldData" && array.name == region_names_array) read_names(array);
      by_piece_[array.piece].push_back(&array);
    }
  }

  void read_names(const VtuArray& array) {  // characters, a zero behind each name
    region_names_.clear();
    std::string name;
    for (const std::int64_t c : file_.integers(array)) {
      if (c != 0) name += static_cast<char>(c);
      if (c == 0) region_names_.push_back(std::exchange(name, {}));
    }
  }

  std::vector<Vec3> read_points(const VtuArray& array, std::int64_t expected) {
    const std::vector<double> x = file_.reals(array, "point", 3);
    if (x.size() % 3 != 0 || static_cast<std::int64_t>(x.size() / 3) != expected)
      file_.fail(array,
                 fmt::format("has {} coordinates, but there are {} points", x.size(), expected));
    std::vector<Vec3> points(x.size() / 3);
    for (std::size_t n = 0; n < points.size(); ++n)
      points[n] = Vec3(x[3 * n], x[3 * n + 1], x[3 * n + 2]);
    return points;
  }

  void read_cell_array(const VtuArray& array, VtkPiece& piece, std::string& region_from) {
    const bool whole = vtk_scalar(array.type) && !is_real(*vtk_scalar(array.type));
    if (array.section == "Cells" && array.name == "connectivity") {
      piece.connectivity = file_.integers(array);
    } else if (array.section == "Cells" && array.name == "offsets") {
      piece.ends = file_.integers(array);
    } else if (array.section == "Cells" && array.name == "types") {
      piece.types = file_.integers(array);
    } else if (array.section == "CellData" && whole &&
               better_region_array(array.name, region_from)) {
      region_from = array.name;
      piece.region = file_.integers(array);
    } else if (array.section == "PointData" && whole && array.name.starts_with(node_set_prefix)) {
      piece.node_sets.emplace_back(array.name.substr(node_set_prefix.size()),
                                   file_.integers(array));
    }
  }

  VtkPiece read_piece(std::size_t p) {
    const VtuPiece& expected = file_.document().pieces[p];
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
  VtuNumbers file_;
  std::vector<std::vector<const VtuArray*>> by_piece_;
  std::vector<std::string> region_names_;
};

}  // namespace

Mesh read_vtu(const Source& source) { return VtuFile(source).read(); }

}  // namespace pliant::formats
