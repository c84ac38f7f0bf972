#include <pliant/io/encoding.hpp>
#include <pliant/io/formats/vtu_numbers.hpp>
#include <pliant/io/vtk_xml.hpp>
#include <pliant/io/vtp.hpp>

#include <fmt/format.h>

#include <cassert>

namespace pliant {
namespace {

using formats::VtuNumbers;

template <class T>
VtkArray array_of(VtkArrayHead head, const std::vector<T>& values) {
  return make_vtk_array(std::move(head), std::as_bytes(std::span<const T>(values)),
                        VtuEncoding::raw);
}

}  // namespace

void write_vtp(const std::filesystem::path& path, const VtpLines& lines) {
  assert(lines.kind.size() == lines.lines.size() && lines.tension.size() == lines.lines.size());
  std::vector<double> x;
  for (const Vec3& point : lines.points) x.insert(x.end(), point.begin(), point.end());
  std::vector<std::int32_t> nodes;
  std::vector<std::int64_t> ends;
  for (const std::vector<Index>& line : lines.lines) {
    nodes.insert(nodes.end(), line.begin(), line.end());
    ends.push_back(static_cast<std::int64_t>(nodes.size()));
  }
  const std::vector<VtkArray> cell_data = {array_of({"kind", "Int32", 1}, lines.kind),
                                           array_of({"tension", "Float64", 1}, lines.tension)},
                              points = {array_of({"Points", "Float64", 3}, x)},
                              cells = {array_of({"connectivity", "Int32", 1}, nodes),
                                       array_of({"offsets", "Int64", 1}, ends)};
  VtkXmlDocument document("PolyData", VtuEncoding::raw);
  document.text(
      fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" "
                  "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<CellData>\n",
                  lines.points.size(), lines.lines.size()));
  document.arrays(cell_data);
  document.text("</CellData>\n<Points>\n");
  document.arrays(points);
  document.text("</Points>\n<Lines>\n");
  document.arrays(cells);
  document.text("</Lines>\n</Piece>\n");
  document.write(path);
}

VtpLines read_vtp_lines(const std::filesystem::path& path) {
  const std::string bytes = load_mesh_file(path);
  VtuNumbers file(path.string(), bytes, "PolyData");
  const std::int64_t points = file.document().pieces[0].points;
  const std::vector<double> x = file.reals(file.require("Points", "Points"), "point", 3);
  const std::vector<std::int64_t> nodes = file.integers(file.require("Lines", "connectivity"));
  const std::vector<std::int64_t> ends = file.integers(file.require("Lines", "offsets"));
  const std::vector<std::int64_t> kinds = file.integers(file.require("CellData", "kind"));
  VtpLines lines;
  lines.tension = file.reals(file.require("CellData", "tension"));
  if (x.size() != 3 * static_cast<std::size_t>(points) || kinds.size() != ends.size() ||
      lines.tension.size() != ends.size())
    file.fail("its arrays have other lengths than its numbers of points and lines ask for");
  for (std::size_t n = 0; n + 2 < x.size(); n += 3)
    lines.points.emplace_back(x[n], x[n + 1], x[n + 2]);
  std::int64_t begin = 0;
  for (std::size_t k = 0; k < ends.size(); begin = ends[k++]) {
    if (ends[k] < begin + 2 || ends[k] > static_cast<std::int64_t>(nodes.size()))
      file.fail(fmt::format("line {} ends at {}", k, ends[k]));
    lines.lines.emplace_back();
    for (std::int64_t i = begin; i < ends[k]; ++i) {
      const std::int64_t n = nodes[static_cast<std::size_t>(i)];
      if (n < 0 || n >= points) file.fail(fmt::format("line {} names point {}", k, n));
      lines.lines.back().push_back(static_cast<Index>(n));
    }
    lines.kind.push_back(static_cast<std::int32_t>(kinds[k]));
  }
  return lines;
}

}  // namespace pliant
