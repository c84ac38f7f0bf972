// What all mesh readers share once the numbers are read: it sorts cells into blocks, makes regions
// of the groups of the highest dimension and node sets of the groups below it, and leaves out
// points that no element uses (a free point has no mass). What was left out goes to the log.
#pragma once

#include <pliant/mesh/mesh.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pliant {

class FileCursor;
class Log;

// The name of a group that a file only numbers: point_3, curve_3, surface_3, volume_3.
std::string group_name(int dimension, std::int64_t tag);

class MeshBuilder {
 public:
  static constexpr int no_group = -1;

  MeshBuilder(std::string file, const Log& log) : file_(std::move(file)), log_(log) {}

  std::vector<Vec3> points;

  int group(int dimension, const std::string& name);
  int group(int dimension, std::int64_t tag) {
    return group(dimension, group_name(dimension, tag));
  }

  // Nodes must be below points.size(), in VTK's order.
  void add(ElementType type, std::span<const Index> nodes, int group = no_group);
  // A face with three corners or more as a fan of triangles about the first.
  void add_fan(std::span<const Index> corners, int group = no_group);
  // A cell that Pliant has no element for. It is an error where no other cell has a higher
  // dimension, else nothing. `where` tells the place of the first one in the file.
  template <class Where>
  void add_unsupported(int dimension, std::string_view type, Where&& where) {
    if (unsupported_count_[static_cast<std::size_t>(dimension)]++ == 0)
      note_unsupported(dimension, type, where());
  }
  void add_members(std::span<const Index> nodes, int group);  // to the node set of the group

  Mesh finish();

 private:
  struct Cells {
    std::vector<Index> nodes;
    std::vector<int> group;
  };
  void note_unsupported(int dimension, std::string_view type, const std::string& where);
  int top_dimension() const;
  void take_blocks(Mesh& mesh, int top);
  Index region_of(Mesh& mesh, int group);
  void gather_lower(int top);
  void drop_unused_points(Mesh& mesh);
  void make_node_sets(Mesh& mesh);

  std::string file_;
  const Log& log_;
  std::array<Cells, 6> cells_;              // by ElementType
  std::array<std::string, 4> unsupported_;  // by dimension: what and where, or empty
  std::array<Index, 4> unsupported_count_ = {};
  std::map<std::pair<int, std::string>, int> group_of_;
  std::vector<std::string> group_names_;
  std::vector<Index> region_of_group_;  // -1 until an element of it is met
  std::optional<Index> default_region_;
  std::vector<std::pair<int, Index>> members_;  // (group, node)
};

// Node numbers of a file to indices, for files that number their nodes as they please. Sorted
// rather than hashed, so that no choice of numbers makes it slow.
class NodeTags {
 public:
  void add(std::int64_t tag) { tags_.push_back({tag, static_cast<Index>(tags_.size())}); }
  std::size_t size() const { return tags_.size(); }
  void sort(const FileCursor& at);  // after the last add; refuses a number given twice
  Index index(std::int64_t tag, const FileCursor& at) const;

 private:
  std::vector<std::pair<std::int64_t, Index>> tags_;
  bool consecutive_ = false;
};

}  // namespace pliant
