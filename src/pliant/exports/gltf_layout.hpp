// Where everything stands in the buffer of a glTF file, and the JSON that says so. The buffer holds
//   indices of all bodies (uint32)
//   for each frame and body: positions, then normals (three floats each); of frame 0 themselves, of
//   the others what they differ from those by (a morph target)
//   times (float, from 0) and, for each time, the weights of all targets: one 1, the rest 0
// so that it can be written frame by frame.
#pragma once

#include <pliant/exports/shading.hpp>

#include <Eigen/Geometry>

namespace pliant::exports {

struct GltfLayout {
  std::vector<ShadedSurface> bodies;
  std::vector<float> times;                              // s, since the first frame
  std::vector<std::vector<Eigen::AlignedBox3f>> bounds;  // of positions, by frame and body

  std::uint64_t index_bytes() const;
  std::uint64_t frame_bytes() const;  // of one frame, all bodies
  std::uint64_t time_bytes() const;   // 0 where there is one frame: nothing moves
  std::uint64_t weight_bytes() const;
  std::uint64_t buffer_bytes() const;
};

// With `uri` as the buffer's file, or the chunk that follows in a .glb where it is empty.
std::string make_gltf_json(const GltfLayout& layout, const std::string& uri);

}  // namespace pliant::exports
