#include <pliant/io/vtp.hpp>

#include <pliant/io/encoding.hpp>
#include <pliant/io/formats/vtu_numbers.hpp>
#include <pliant/io/vtk_xml.hpp>

#include <fmt/format.h>

#include <cassert>

namespace pliant {
namespace {

using formats::VtuNumbers;

template <class T>
std::vector<VtkArray> one_array(VtkArrayHead head, const std::vector<T>& values) {
  return {
      make_vtk_array(std::move(head), std::as_bytes(std::span<const T>(values)), VtuEncoding::raw)};
}

}  // namespace

void write_vtp(const std::filesystem::path& path, const VtpSurface& surface) {
  std::vector<double> x;
  for (const Vec3& point : surface.points) x.insert(x.end(), point.begin(), point.end());
  std::vector<std::int32_t> corners;
  std::vector<std::int64_t> ends;
  for (const auto& triangle : surface.triangles) {
    corners.insert(corners.end(), triangle.begin(), triangle.end());
    ends.push_back(static_cast<std::int64_t>(corners.size()));
  }
  std::vector<VtkArray> labels;
  for (const VtpSurface::Labels& label : surface.labels) {
    assert(label.values.size() == surface.triangles.size());
    labels.push_back(one_array({label.name, "Int32", 1}, label.values)[0]);
  }
  const std::vector<VtkArray> points = one_array({"Points", "Float64", 3}, x),
                              connectivity = one_array({"connectivity", "Int32", 1}, corners),
                              offsets = one_array({"offsets", "Int64", 1}, ends);
  VtkXmlDocument document("PolyData", VtuEncoding::raw);
  document.text(fmt::format(
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n<CellData>\n",
      surface.points.size(), surface.triangles.size()));
  document.arrays(labels);
  document.text("</CellData>\n<Points>\n");
  document.arrays(points);
  document.text("</Points>\n<Polys>\n");
  document.arrays(connectivity);
  document.arrays(offsets);
  document.text("</Polys>\n</Piece>\n");
  document.write(path);
}

VtpSurface read_vtp(const std::filesystem::path& path, const std::string& label) {
  const std::string bytes = load_mesh_file(path);
  VtuNumbers file(path.string(), bytes, "PolyData");
  const auto& [points, cells] = file.document().pieces[0];
  const std::vector<double> x = file.reals(file.require("Points", "Points"), "point", 3);
  const std::vector<std::int64_t> corners = file.integers(file.require("Polys", "connectivity"));
  const std::vector<std::int64_t> ends = file.integers(file.require("Polys", "offsets"));
  const std::vector<std::int64_t> values = file.integers(file.require("CellData", label));
  const auto polygons = static_cast<std::size_t>(cells);
  if (x.size() != 3 * static_cast<std::size_t>(points) || ends.size() != polygons ||
      values.size() != polygons || corners.size() != 3 * polygons)
    file.fail("its arrays have other lengths than its numbers of points and triangles ask for");
  VtpSurface surface;
  for (std::size_t n = 0; n + 2 < x.size(); n += 3)
    surface.points.emplace_back(x[n], x[n + 1], x[n + 2]);
  surface.labels.push_back({label, {}});
  for (std::size_t t = 0; t < polygons; ++t) {
    if (ends[t] != static_cast<std::int64_t>(3 * (t + 1)))
      file.fail(fmt::format("polygon {} is not a triangle", t));
    std::array<Index, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int64_t n = corners[3 * t + k];
      if (n < 0 || n >= points) file.fail(fmt::format("triangle {} names point {}", t, n));
      triangle[k] = static_cast<Index>(n);
    }
    surface.triangles.push_back(triangle);
    surface.labels[0].values.push_back(static_cast<std::int32_t>(values[t]));
  }
  return surface;
}

}  // namespace pliant
