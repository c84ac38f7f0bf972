// What a writer gets: where to write, and the frames and bodies that were asked for, as surfaces
// for programs that draw and as cells for programs that compute.
#pragma once

#include <pliant/exports/export.hpp>

#include <array>
#include <span>

namespace pliant::exports {

// Triangles of one body over its own surface points alone.
struct BodySurface {
  std::string name;
  std::vector<Index> points;                    // places in a frame, ascending
  std::vector<std::array<Index, 3>> triangles;  // places in `points`
};

// All cells of the bodies that were asked for, in the order of the results.
struct Volume {
  std::vector<ElementType> types;        // one per cell
  std::vector<std::int32_t> nodes;       // of all cells, places in Job::points_of
  std::vector<std::int32_t> body, cell;  // one per cell: its body, and its place in the results
};

struct Stopped {  // thrown between two frames after a signal
  int signal = 0;
};

class Job {
 public:
  Job(const Results& results, const ExportRequest& request);

  const Results& results() const { return results_; }
  const std::vector<std::size_t>& frames() const { return frames_; }
  const std::vector<ResultBody>& bodies() const { return bodies_; }
  double time(std::size_t k) const {
    return results_.times()[frames_[k]];
  }  // s, of frame k of ours

  // InputError where the bodies have no triangles.
  std::vector<BodySurface> surfaces() const;
  Volume volume() const;
  // The values of the bodies' points, one body after the other.
  template <class T>
  std::vector<T> points_of(const std::vector<T>& values) const {
    std::vector<T> chosen;
    for (const ResultBody& body : bodies_)
      chosen.insert(chosen.end(), values.begin() + body.first_node,
                    values.begin() + body.first_node + body.nodes);
    return chosen;
  }

  // Calls `visit` with each frame and its place among ours. Throws Stopped after a signal.
  void for_each_frame(const std::function<void(std::size_t, const ResultFrame&)>& visit) const;

  // A file for frame k of ours: numbered as in the results, or the one that was named.
  std::filesystem::path frame_path(std::size_t k) const;

  std::filesystem::path out;
  ExportFormat format;
  bool one_file = false;  // of a format with a file for each frame: `out` is that file

 private:
  const Results& results_;
  std::vector<std::size_t> frames_;
  std::vector<ResultBody> bodies_;
  std::function<int()> interrupted_;
};

// The writers behind the list of formats.
void write_glb(const Job& job);
void write_gltf(const Job& job);
void write_obj(const Job& job);
void write_ply(const Job& job);
void write_stl(const Job& job);
void write_vtk(const Job& job);
void write_mdd(const Job& job);
void write_pc2(const Job& job);
void write_xdmf(const Job& job);

// All surfaces in one mesh, a region for each body: at frame 0, or where `points` are.
Mesh make_surface_mesh(const std::vector<BodySurface>& surfaces, const std::vector<Vec3>& points);

}  // namespace pliant::exports
