// Vertex caches: the positions of all frames in one file, over the vertices of an .obj of the first
// frame of the run that is written beside it; Blender and Houdini move the one by the other. Both
// hold single precision.
//   MDD (LightWave), big-endian: frames, points (int32), the times of the frames (s), then the
//   positions frame by frame.
//   PC2 (3ds Max), little-endian: "POINTCACHE2\0", version 1, points (int32), the first frame and
//   frames per sample (float), samples (int32), then the positions. It knows no times.
#include <pliant/core/error.hpp>
#include <pliant/exports/bytes.hpp>
#include <pliant/exports/job.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/mesh_file.hpp>

#include <string>

namespace pliant::exports {
namespace {

template <std::endian order>
void write_cache(const Job& job, const std::vector<BodySurface>& surfaces,
                 const std::string& header) {
  AtomicFile file(job.out);
  file.write(header);
  job.for_each_frame([&](std::size_t, const ResultFrame& frame) {
    std::string bytes;
    for (const BodySurface& surface : surfaces)
      for (const Index n : surface.points)
        append<order>(bytes, frame.points[static_cast<std::size_t>(n)]);
    file.write(bytes);
  });
  const Mesh rest = make_surface_mesh(surfaces, job.results().mesh().points);
  write_mesh(std::filesystem::path(job.out).replace_extension(job.format.companion), rest);
  file.commit();
}

std::int32_t point_count(const std::vector<BodySurface>& surfaces) {
  std::size_t count = 0;
  for (const BodySurface& surface : surfaces) count += surface.points.size();
  return static_cast<std::int32_t>(count);
}

}  // namespace

void write_mdd(const Job& job) {
  constexpr std::endian big = std::endian::big;
  const std::vector<BodySurface> surfaces = job.surfaces();
  std::string header;
  append<big>(header, static_cast<std::int32_t>(job.frames().size()));
  append<big>(header, point_count(surfaces));
  for (std::size_t k = 0; k < job.frames().size(); ++k)
    append<big>(header, static_cast<float>(job.time(k)));
  write_cache<big>(job, surfaces, header);
}

void write_pc2(const Job& job) {
  constexpr std::endian little = std::endian::little;
  const std::vector<BodySurface> surfaces = job.surfaces();
  std::string header("POINTCACHE2", 12);  // with its zero
  append<little>(header, std::int32_t{1});
  append<little>(header, point_count(surfaces));
  append<little>(header, 0.0F);
  append<little>(header, 1.0F);
  append<little>(header, static_cast<std::int32_t>(job.frames().size()));
  write_cache<little>(job, surfaces, header);
}

}  // namespace pliant::exports
