// Surfaces as a file for each frame: .obj with all digits, .stl and .ply in single precision. The
// PLY files carry velocity (vx, vy, vz, m/s) and von Mises stress (Pa, the mean of the cells around
// a point) as properties of their vertices. Source of the latter: G. Turk, The PLY Polygon File
// Format, 1994.
#include <pliant/exports/bytes.hpp>
#include <pliant/exports/job.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/mesh_file.hpp>

#include <fmt/format.h>

namespace pliant::exports {
namespace {

constexpr std::endian little_endian = std::endian::little;

void write_meshes(const Job& job) {
  const std::vector<BodySurface> surfaces = job.surfaces();
  job.for_each_frame([&](std::size_t k, const ResultFrame& frame) {
    write_mesh(job.frame_path(k), make_surface_mesh(surfaces, frame.points));
  });
}

std::string ply_header(double time, std::size_t points, std::size_t triangles) {
  std::string text = "ply\nformat binary_little_endian 1.0\n";
  text += fmt::format("comment Pliant, time {} s, metres, y up\nelement vertex {}\n", time, points);
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "von_mises"})
    text += fmt::format("property float {}\n", name);
  return text + fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n",
                            triangles);
}

}  // namespace

void write_obj(const Job& job) { write_meshes(job); }
void write_stl(const Job& job) { write_meshes(job); }

void write_ply(const Job& job) {
  const std::vector<BodySurface> surfaces = job.surfaces();
  const Mesh shape = make_surface_mesh(surfaces, job.results().mesh().points);
  const std::vector<Index>& corners = shape.blocks[0].nodes;
  job.for_each_frame([&](std::size_t k, const ResultFrame& frame) {
    const std::vector<double> stress = cells_to_points(job.results().mesh(), frame.von_mises);
    std::string bytes = ply_header(frame.time, shape.points.size(), corners.size() / 3);
    for (const BodySurface& surface : surfaces)
      for (const Index n : surface.points) {
        const auto i = static_cast<std::size_t>(n);
        append<little_endian>(bytes, frame.points[i]);
        append<little_endian>(bytes, frame.velocities[i]);
        append<little_endian>(bytes, static_cast<float>(stress[i]));
      }
    for (std::size_t c = 0; c < corners.size(); ++c) {
      if (c % 3 == 0) append<little_endian>(bytes, std::uint8_t{3});
      append<little_endian>(bytes, corners[c]);
    }
    write_file_atomically(job.frame_path(k), bytes);
  });
}

}  // namespace pliant::exports
