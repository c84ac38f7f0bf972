// A result folder read back: which frames there are and what each of them holds, for pictures,
// exports, replay and comparison. Frames are read one at a time, since all of a long run need not
// fit into memory; a folder that is still being written to gives the frames that are whole.
#pragma once

#include <pliant/mesh/mesh.hpp>
#include <pliant/mesh/surface.hpp>
#include <pliant/mesh/tubes.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

struct ResultBody {
  std::string name;
  Index first_node = 0, nodes = 0;  // among the points of a frame
};

struct ResultObstacle {
  std::string name;
  Index first_node = 0, nodes = 0;  // among the points of all obstacles
  bool plane = false;               // all space behind a plane; what is drawn is a part of it
};

// One frame: the points of all bodies one after the other, cells in the order of Results::mesh.
struct ResultFrame {
  double time = 0;  // s
  std::int64_t step = 0;
  std::vector<Vec3> points;         // m
  std::vector<Vec3> velocities;     // m/s
  std::vector<double> von_mises;    // Pa, one per cell
  std::vector<double> det;          // det F, the smallest in the cell; 1 where there is none
  std::vector<char> pinned;         // one per point
  std::vector<Vec3> contact_force;  // N, one per point; empty where nothing can touch
  std::vector<Vec3> obstacles;      // m, points of Results::obstacle_mesh
  std::vector<Vec3> threads;        // m, points of springs, tendons, muscles and rods
};

class Results {
 public:
  // InputError where the folder is missing, is none of ours or has no frame.
  explicit Results(std::filesystem::path folder);

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& name() const { return name_; }            // of the scene
  const std::string& scene_json() const { return scene_; }     // as run
  std::size_t size() const { return times_.size(); }           // frames
  const std::vector<double>& times() const { return times_; }  // s, one per frame
  const std::vector<ResultBody>& bodies() const { return bodies_; }
  // Points and cells of all bodies as in frame 0; what moves is in the frames.
  const Mesh& mesh() const { return mesh_; }
  // One per cell of the mesh, which holds all cells of a type together: an index into bodies().
  const std::vector<Index>& body_of_cell() const { return body_of_cell_; }
  // Triangles over the points of a frame; `element` counts the cells of the mesh.
  const Surface& surface() const { return surface_; }

  // What stands in the way, as triangles; an analytic obstacle is drawn by them, not met.
  const std::vector<ResultObstacle>& obstacles() const { return obstacles_; }
  const Mesh& obstacle_mesh() const { return obstacle_mesh_; }  // as in frame 0
  bool obstacles_move() const { return obstacles_move_; }

  // Cables, springs, tendons, muscles and rods. Their points are those of a frame, then its
  // threads.
  const Tubes& tubes() const { return tubes_; }
  std::vector<Vec3> tube_vertices(const ResultFrame& frame) const;
  bool has_contact_force() const { return has_contact_force_; }

  // InputError where the file is damaged or its cells are not those of frame 0.
  ResultFrame read(std::size_t frame) const;
  void refresh();  // looks for frames that were written since

 private:
  void read_cells();
  void name_bodies();
  void read_obstacles();
  void read_threads();

  std::filesystem::path folder_;
  std::string name_, scene_;
  std::vector<double> times_;
  std::vector<ResultBody> bodies_;
  Mesh mesh_;
  std::vector<Index> body_of_cell_;
  std::vector<std::size_t> place_;  // of each cell of the mesh in the files
  Surface surface_;
  std::vector<ResultObstacle> obstacles_;
  Mesh obstacle_mesh_;
  bool obstacles_move_ = false;
  std::size_t thread_points_ = 0;
  Tubes tubes_;
  bool has_contact_force_ = false;
};

// A value per cell as a value per point: the mean of the cells around it, which shading needs.
std::vector<double> cells_to_points(const Mesh& mesh, const std::vector<double>& values);

}  // namespace pliant
