// Triangles and lines as VTK's polygonal data (.vtp), which ParaView opens beside the frames:
// obstacles, threads, and what is wrong with a start. Source: "VTK File Formats" (The VTK User's
// Guide), version 1.0.
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

struct VtpLines {
  std::vector<Vec3> points;               // m
  std::vector<std::vector<Index>> lines;  // of points, two each at least
  std::vector<std::int32_t> kind;         // one per line
  std::vector<double> tension;            // N, likewise
};

// Atomically; WriteError where it fails.
void write_vtp(const std::filesystem::path& path, const VtpSurface& surface);
void write_vtp(const std::filesystem::path& path, const VtpLines& lines);

// With the labels of that name alone. InputError where the file is missing, is damaged or holds
// polygons with other than three corners.
VtpSurface read_vtp(const std::filesystem::path& path, const std::string& label);
// Likewise for a file that is missing, damaged or without lines.
VtpLines read_vtp_lines(const std::filesystem::path& path);

}  // namespace pliant
