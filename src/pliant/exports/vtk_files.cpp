// Legacy VTK files of the volume, binary (big-endian, double precision), one for each frame, and
// frames.vtk.series, which gives ParaView their times. Source: "VTK File Formats" (The VTK User's
// Guide), version 3.0.
#include <pliant/exports/bytes.hpp>
#include <pliant/exports/job.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/formats/vtk_cells.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pliant::exports {
namespace {

constexpr std::endian big = std::endian::big;

// Points per cell and cell types, which are the same in every frame.
std::string make_cells(const Volume& volume) {
  const std::size_t cells = volume.types.size();
  std::string bytes = fmt::format("CELLS {} {}\n", cells, cells + volume.nodes.size());
  std::size_t next = 0;
  for (const ElementType type : volume.types) {
    const int count = nodes_per_element(type);
    append<big>(bytes, std::int32_t{count});
    for (int i = 0; i < count; ++i) append<big>(bytes, volume.nodes[next++]);
  }
  bytes += fmt::format("\nCELL_TYPES {}\n", cells);
  for (const ElementType type : volume.types)
    append<big>(bytes, std::int32_t{formats::vtk_cell_type(type)});
  return bytes + "\n";
}

void add_vectors(std::string& bytes, const std::vector<Vec3>& values) {
  for (const Vec3& x : values) append<big, double>(bytes, x);
  bytes += '\n';
}

void add_cell_scalars(std::string& bytes, const char* name, const Volume& volume,
                      const std::vector<double>& values) {
  bytes += fmt::format("SCALARS {} double 1\nLOOKUP_TABLE default\n", name);
  for (const std::int32_t cell : volume.cell)
    append<big>(bytes, values[static_cast<std::size_t>(cell)]);
  bytes += '\n';
}

std::string make_file(const Job& job, const Volume& volume, const std::string& cells,
                      const ResultFrame& frame) {
  const std::vector<Vec3> points = job.points_of(frame.points);
  std::string bytes = fmt::format(
      "# vtk DataFile Version 3.0\nPliant, time {} s\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
      "FIELD FieldData 1\nTIME 1 1 double\n",
      frame.time);
  append<big>(bytes, frame.time);
  bytes += fmt::format("\nPOINTS {} double\n", points.size());
  add_vectors(bytes, points);
  bytes += cells;
  bytes += fmt::format("POINT_DATA {}\nVECTORS velocity double\n", points.size());
  add_vectors(bytes, job.points_of(frame.velocities));
  bytes += fmt::format("CELL_DATA {}\n", volume.cell.size());
  add_cell_scalars(bytes, "von_mises", volume, frame.von_mises);
  add_cell_scalars(bytes, "det_F", volume, frame.det);
  bytes += "SCALARS body int 1\nLOOKUP_TABLE default\n";
  for (const std::int32_t body : volume.body) append<big>(bytes, body);
  return bytes + "\n";
}

std::string make_series(const Job& job) {
  nlohmann::ordered_json series = {{"file-series-version", "1.0"}, {"files", nullptr}};
  for (std::size_t k = 0; k < job.frames().size(); ++k)
    series["files"].push_back(
        {{"name", job.frame_path(k).filename().string()}, {"time", job.time(k)}});
  return series.dump(1) + "\n";
}

}  // namespace

void write_vtk(const Job& job) {
  const Volume volume = job.volume();
  const std::string cells = make_cells(volume);
  job.for_each_frame([&](std::size_t k, const ResultFrame& frame) {
    write_file_atomically(job.frame_path(k), make_file(job, volume, cells, frame));
  });
  if (!job.one_file) write_file_atomically(job.out / "frames.vtk.series", make_series(job));
}

}  // namespace pliant::exports
