// Gmsh MSH 4.1: nodes and elements in blocks, one for each entity of the geometry; the entities say
// which physical groups they belong to. Text and binary files have the same numbers in the same
// order.
#include <fmt/format.h>
#include <pliant/io/formats/gmsh.hpp>

namespace pliant::formats {

std::int64_t GmshFile::size_number(std::string_view what) {
  if (cursor_.coding == Coding::text) return cursor_.number<std::int64_t>(what);
  return cursor_.integer_as(size_bytes == 8 ? Scalar::uint64 : Scalar::uint32, what);
}

// tag, corner(s) of the bounding box, physical tags and, above points, bounding entities.
void GmshFile::read_entity_4(int dimension) {
  const auto tag = cursor_.number<std::int32_t>("an entity's tag");
  for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) cursor_.number<double>("a coordinate");
  const std::size_t word = cursor_.bytes_per_word(4);
  const std::size_t physical =
      cursor_.checked_count(size_number("the number of physical tags"), word, "physical tags");
  // Each group past the first costs memory for every element: no small file may ask for much.
  if (physical > 32)
    cursor_.fail(fmt::format("an entity may be in at most 32 physical groups, got {}", physical));
  std::vector<int>& groups = entity_groups_[{dimension, tag}];
  for (std::size_t i = 0; i < physical; ++i) {
    const int group = physical_group(dimension, cursor_.number<std::int32_t>("a physical tag"));
    if (group != MeshBuilder::no_group) groups.push_back(group);
  }
  if (dimension == 0) return;
  const std::size_t bounding =
      cursor_.checked_count(size_number("the number of bounding entities"), word, "entities");
  for (std::size_t i = 0; i < bounding; ++i) cursor_.number<std::int32_t>("a bounding entity");
}

void GmshFile::read_entities_4() {
  if (data_coding != Coding::text) cursor_.rest_of_line();
  cursor_.coding = data_coding;
  std::array<std::size_t, 4> counts;
  for (std::size_t& count : counts)
    count = cursor_.checked_count(size_number("the number of entities"), 8, "entities");
  for (int dimension = 0; dimension <= 3; ++dimension)
    for (std::size_t i = 0; i < counts[static_cast<std::size_t>(dimension)]; ++i)
      read_entity_4(dimension);
}

void GmshFile::read_node_block_4() {
  const auto dimension = cursor_.number<std::int32_t>("an entity's dimension");
  if (dimension < 0 || dimension > 3)
    cursor_.fail(fmt::format("an entity's dimension must be 0 to 3, got {}", dimension));
  cursor_.number<std::int32_t>("an entity's tag");
  const auto parametric = cursor_.number<std::int32_t>("whether nodes are parametric");
  const std::size_t each = data_coding == Coding::text ? 8 : size_bytes + 24;
  const std::size_t count =
      cursor_.checked_count(size_number("the number of nodes in a block"), each, "nodes");
  for (std::size_t i = 0; i < count; ++i) tags_.add(size_number("a node number"));
  for (std::size_t i = 0; i < count; ++i) {
    read_point();
    for (int p = 0; parametric != 0 && p < dimension; ++p) cursor_.number<double>("a parameter");
  }
}

void GmshFile::read_nodes_4() {
  if (have_nodes()) cursor_.fail("there is a second $Nodes section");
  if (data_coding != Coding::text) cursor_.rest_of_line();
  cursor_.coding = data_coding;
  const std::size_t blocks =
      cursor_.checked_count(size_number("the number of blocks"), 8, "blocks of nodes");
  const std::int64_t claimed = size_number("the number of nodes");
  size_number("the smallest node number");
  size_number("the largest node number");
  for (std::size_t i = 0; i < blocks; ++i) read_node_block_4();
  if (static_cast<std::size_t>(claimed) != tags_.size())
    cursor_.fail(fmt::format("claims {} nodes, but its blocks hold {}", claimed, tags_.size()));
  tags_.sort(cursor_);
}

void GmshFile::read_element_block_4() {
  const auto dimension = cursor_.number<std::int32_t>("an entity's dimension");
  const auto entity = cursor_.number<std::int32_t>("an entity's tag");
  const GmshType& type = element_type(cursor_.number<std::int32_t>("an element type"));
  if (type.dimension != dimension)
    cursor_.fail(fmt::format("elements of type {} do not belong to an entity of dimension {}",
                             type.name, dimension));
  const std::size_t each =
      static_cast<std::size_t>(type.nodes + 1) * cursor_.bytes_per_word(size_bytes);
  const std::size_t count =
      cursor_.checked_count(size_number("the number of elements in a block"), each, "elements");
  const auto groups = entity_groups_.find({dimension, entity});
  const std::span<const int> none;
  for (std::size_t i = 0; i < count; ++i) {
    size_number("an element number");
    add_element(type, groups == entity_groups_.end() ? none : std::span<const int>(groups->second));
  }
}

void GmshFile::read_elements_4() {
  if (!have_nodes()) cursor_.fail("$Elements comes before $Nodes");
  have_elements_ = true;
  if (data_coding != Coding::text) cursor_.rest_of_line();
  cursor_.coding = data_coding;
  const std::size_t blocks =
      cursor_.checked_count(size_number("the number of blocks"), 8, "blocks of elements");
  for (const char* what :
       {"the number of elements", "the smallest element number", "the largest element number"})
    size_number(what);
  for (std::size_t i = 0; i < blocks; ++i) read_element_block_4();
}

}  // namespace pliant::formats
