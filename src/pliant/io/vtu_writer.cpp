#include <pliant/core/error.hpp>
#include <pliant/io/encoding.hpp>
#include <pliant/io/formats/vtk_cells.hpp>
#include <pliant/io/vtu_writer.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

template <class T>
std::span<const std::byte> raw(const std::vector<T>& values) {
  return std::as_bytes(std::span<const T>(values));
}

std::size_t cells_of(const FrameBodyCells& body) {
  std::size_t cells = 0;
  for (const ElementBlock& block : body.blocks) cells += static_cast<std::size_t>(block.size());
  return cells;
}

// The cells of all bodies as VTK wants them, node indices counted over all points.
struct Cells {
  std::vector<std::int32_t> connectivity, body, material;
  std::vector<std::int64_t> offsets;
  std::vector<std::uint8_t> types;

  void add_block(const ElementBlock& block, Index points, Index first_point) {
    const Index nodes = nodes_per_element(block.type);
    for (const Index n : block.nodes) {
      if (n < 0 || n >= points)
        throw InputError(fmt::format("frame: {} names node {} of a body with {} points",
                                     name_of(block.type), n, points));
      connectivity.push_back(first_point + n);
    }
    for (Index e = 0; e < block.size(); ++e)
      offsets.push_back((offsets.empty() ? 0 : offsets.back()) + nodes);
    types.insert(types.end(), static_cast<std::size_t>(block.size()),
                 static_cast<std::uint8_t>(formats::vtk_cell_type(block.type)));
  }

  void add_labels(const FrameBodyCells& from, std::int32_t index, std::size_t cells) {
    if (from.material.size() != cells && from.material.size() != 1)
      throw InputError(fmt::format("frame: body {} has {} materials for {} cells", index,
                                   from.material.size(), cells));
    body.insert(body.end(), cells, index);
    for (std::size_t e = 0; e < cells; ++e)
      material.push_back(from.material[from.material.size() == 1 ? 0 : e]);
  }
};

// Time and step as ParaView shows them. `TimeValue` is the name it looks for.
std::string field_data(const FrameData& frame) {
  return fmt::format(
      "<FieldData>\n"
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{}</DataArray>\n"
      "<DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{}</DataArray>\n"
      "</FieldData>\n",
      frame.time, frame.step);
}

}  // namespace

VtuWriter::VtuWriter(std::span<const FrameBodyCells> bodies, VtuEncoding encoding)
    : encoding_(encoding) {
  for (const FrameBodyCells& body : bodies) {
    body_points_.push_back(static_cast<std::size_t>(body.points));
    body_cells_.push_back(cells_of(body));
    points_ += body_points_.back();
    cells_ += body_cells_.back();
  }
  encode_cells(bodies);
}

void VtuWriter::encode_cells(std::span<const FrameBodyCells> bodies) {
  Cells cells;
  Index first_point = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    for (const ElementBlock& block : bodies[b].blocks)
      cells.add_block(block, bodies[b].points, first_point);
    cells.add_labels(bodies[b], static_cast<std::int32_t>(b), body_cells_[b]);
    first_point += bodies[b].points;
  }
  topology_.push_back(
      make_vtk_array({"connectivity", "Int32", 1}, raw(cells.connectivity), encoding_));
  topology_.push_back(make_vtk_array({"offsets", "Int64", 1}, raw(cells.offsets), encoding_));
  topology_.push_back(make_vtk_array({"types", "UInt8", 1}, raw(cells.types), encoding_));
  cell_labels_.push_back(make_vtk_array({"body", "Int32", 1}, raw(cells.body), encoding_));
  cell_labels_.push_back(make_vtk_array({"material", "Int32", 1}, raw(cells.material), encoding_));
}

VtkArray VtuWriter::encode_doubles(const FrameArray& array, std::size_t items) const {
  if (array.components < 1 ||
      array.values.size() != items * static_cast<std::size_t>(array.components))
    throw InputError(fmt::format("frame: array \"{}\" has {} values, expected {} times {}",
                                 array.name, array.values.size(), items, array.components));
  return make_vtk_array({array.name, "Float64", array.components}, bytes_of(array.values),
                        encoding_);
}

std::vector<double> VtuWriter::gather(const FrameData& frame,
                                      std::span<const double> FrameBody::*member,
                                      bool per_point) const {
  std::vector<double> all;
  all.reserve(per_point ? 3 * points_ : cells_);
  for (std::size_t b = 0; b < frame.bodies.size(); ++b) {
    const std::span<const double> values = frame.bodies[b].*member;
    const std::size_t expected = per_point ? 3 * body_points_[b] : body_cells_[b];
    if (values.empty() && !per_point) {
      all.insert(all.end(), expected, 0.0);
      continue;
    }
    if (values.size() != expected)
      throw InputError(
          fmt::format("frame: body {} has {} values, expected {}", b, values.size(), expected));
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

VtuWriter::Arrays VtuWriter::encode_frame(const FrameData& frame) const {
  if (frame.bodies.size() != body_points_.size())
    throw InputError(
        fmt::format("frame: {} bodies, expected {}", frame.bodies.size(), body_points_.size()));
  const std::vector<double> positions = gather(frame, &FrameBody::positions, true);
  const std::vector<double> velocities = gather(frame, &FrameBody::velocities, true);
  const std::vector<double> von_mises = gather(frame, &FrameBody::von_mises, false);
  Arrays arrays;
  arrays.points.push_back(encode_doubles({"Points", 3, positions}, points_));
  arrays.point_data.push_back(encode_doubles({"velocity", 3, velocities}, points_));
  for (const FrameArray& array : frame.point_arrays)
    arrays.point_data.push_back(encode_doubles(array, points_));
  arrays.cell_data.push_back(encode_doubles({"von_mises", 1, von_mises}, cells_));
  for (const FrameArray& array : frame.cell_arrays)
    arrays.cell_data.push_back(encode_doubles(array, cells_));
  return arrays;
}

void VtuWriter::write(const std::filesystem::path& path, const FrameData& frame) const {
  const Arrays arrays = encode_frame(frame);
  VtkXmlDocument document("UnstructuredGrid", encoding_);
  document.text(fmt::format(
      "{}<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData Vectors=\"velocity\">\n",
      field_data(frame), points_, cells_));
  document.arrays(arrays.point_data);
  document.text("</PointData>\n<CellData Scalars=\"von_mises\">\n");
  document.arrays(cell_labels_);
  document.arrays(arrays.cell_data);
  document.text("</CellData>\n<Points>\n");
  document.arrays(arrays.points);
  document.text("</Points>\n<Cells>\n");
  document.arrays(topology_);
  document.text("</Cells>\n</Piece>\n");
  document.write(path);
}

}  // namespace pliant
