// One frame as a VTK XML unstructured grid (.vtu, "VTK File Formats", version 1.0), as ParaView
// reads it: all bodies in one grid, arrays compressed by zlib and appended. Cells do not change
// over a run, so they are compressed once and their bytes used again in every frame. Positions and
// velocities keep all 64 bits: a frame shows the state itself, not a rounded picture of it.
#pragma once

#include <pliant/io/vtk_xml.hpp>
#include <pliant/mesh/mesh.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace pliant {

// What of a body stays the same over the run.
struct FrameBodyCells {
  Index points = 0;
  std::span<const ElementBlock> blocks;  // node indices are the body's own, from 0
  std::span<const Index> material;  // one per cell, the blocks one after the other; or one for all
};

// What of a body moves.
struct FrameBody {
  std::span<const double> positions;   // m, three per point
  std::span<const double> velocities;  // m/s, three per point
  std::span<const double>
      von_mises;  // Pa, one per cell; empty for bodies without stress: written as 0
};

// A further array over the points or cells of the whole grid, bodies one after the other.
struct FrameArray {
  std::string name;
  int components = 1;
  std::span<const double> values;
};

struct FrameData {
  double time = 0;  // s
  std::int64_t step = 0;
  std::vector<FrameBody> bodies;
  std::vector<FrameArray> point_arrays, cell_arrays;
};

class VtuWriter {
 public:
  // InputError where a node index or the number of materials does not fit its body.
  explicit VtuWriter(std::span<const FrameBodyCells> bodies,
                     VtuEncoding encoding = VtuEncoding::raw);

  // Atomically; WriteError where it fails. InputError where a span has another length than the
  // cells and points of its body ask for.
  void write(const std::filesystem::path& path, const FrameData& frame) const;

  std::size_t point_count() const { return points_; }
  std::size_t cell_count() const { return cells_; }

 private:
  VtkArray encode_doubles(const FrameArray& array, std::size_t items) const;
  std::vector<double> gather(const FrameData& frame, std::span<const double> FrameBody::*member,
                             bool per_point) const;
  struct Arrays {
    std::vector<VtkArray> points, point_data, cell_data;
  };
  Arrays encode_frame(const FrameData& frame) const;
  void encode_cells(std::span<const FrameBodyCells> bodies);

  VtuEncoding encoding_;
  std::size_t points_ = 0, cells_ = 0;
  std::vector<std::size_t> body_points_, body_cells_;
  std::vector<VtkArray> topology_;     // connectivity, offsets, types
  std::vector<VtkArray> cell_labels_;  // body, material
};

}  // namespace pliant
