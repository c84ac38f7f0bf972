// What the readers of Gmsh's two file versions share: the table of element types, the tags, and a
// cursor that already knows the coding of the numbers.
// Source: Gmsh reference manual, "Gmsh file formats" (MSH 4.1) and "Legacy formats" (MSH 2).
#pragma once

#include <pliant/io/mesh_builder.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pliant::formats {

struct GmshType {
  std::int32_t number;
  int dimension, nodes;
  std::string_view name;
  int element = -1;  // our ElementType, or -1
};
const GmshType* find_gmsh_type(std::int64_t number);  // null where unknown

class GmshFile {
 public:
  GmshFile(FileCursor& cursor, MeshBuilder& builder) : cursor_(cursor), builder_(builder) {}

  void read_physical_names();
  void read_nodes_2();
  void read_elements_2();
  void read_entities_4();
  void read_nodes_4();
  void read_elements_4();

  std::size_t size_bytes = 8;         // of size_t in version 4.1; 0 in version 2, all int32
  Coding data_coding = Coding::text;  // inside the sections of numbers
  bool have_nodes() const { return tags_.size() > 0; }
  bool have_elements() const { return have_elements_; }

 private:
  std::int64_t size_number(std::string_view what);
  void read_point();
  void read_entity_4(int dimension);
  void read_node_block_4();
  void read_element_block_4();
  void read_element_2(const GmshType& type, std::int64_t tag_count);
  const GmshType& element_type(std::int64_t number);
  void add_element(const GmshType& type, std::span<const int> groups);
  int physical_group(int dimension, std::int64_t tag);

  FileCursor& cursor_;
  MeshBuilder& builder_;
  NodeTags tags_;
  bool have_elements_ = false;
  std::map<std::pair<int, std::int64_t>, std::string> physical_names_;      // (dimension, tag)
  std::map<std::pair<int, std::int64_t>, std::vector<int>> entity_groups_;  // (dimension, entity)
};

}  // namespace pliant::formats
