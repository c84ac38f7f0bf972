// Triangles as VTK's polygonal data (.vtp), which ParaView opens beside the frames: obstacles, and
// what is wrong with a start. Source: "VTK File Formats" (The VTK User's Guide), version 1.0.
#pragma once

#include <pliant/mesh/mesh.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

struct VtpSurface {
  std::vector<Vec3> points;  // m
  std::vector<std::array<Index, 3>> triangles;
  struct Labels {  // cell data
    std::string name;
    std::vector<std::int32_t> values;  // one per triangle
  };
  std::vector<Labels> labels;
};

// Atomically; WriteError where it fails.
void write_vtp(const std::filesystem::path& path, const VtpSurface& surface);

// With the labels of that name alone. InputError where the file is missing, is damaged or holds
// polygons with other than three corners.
VtpSurface read_vtp(const std::filesystem::path& path, const std::string& label);

}  // namespace pliant
