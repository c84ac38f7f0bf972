// Vertex caches: where every vertex of a mesh is at some times, as programs for animation write
// them and `pliant export` does. Both formats hold single precision.
//   MDD (LightWave), big-endian: frames, points (int32), the times of the frames (s), then the
//   positions frame by frame.
//   PC2 (3ds Max), little-endian: "POINTCACHE2\0", version 1, points (int32), the first frame and
//   frames per sample (float), samples (int32), then the positions. It knows no times, but frames.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace pliant {

struct VertexCache {
  std::size_t points = 0;
  std::vector<double> times;  // rising, one per frame; s, or numbers of frames
  bool times_are_frames = false;
  std::vector<float> places;  // m: x, y, z of all points, frame by frame
  std::size_t frames() const { return times.size(); }
};

// By the ending of the name. Throws InputError with the file and the place in it.
VertexCache read_vertex_cache(const std::filesystem::path& path);

}  // namespace pliant
