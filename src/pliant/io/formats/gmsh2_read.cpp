// Gmsh MSH 2: nodes and elements in one list each. In binary files every number is an int32 or a
// double, and elements come in runs of one type.
#include <fmt/format.h>
#include <pliant/io/formats/gmsh.hpp>

namespace pliant::formats {

void GmshFile::read_nodes_2() {
  if (have_nodes()) cursor_.fail("there is a second $Nodes section");
  const auto claimed = cursor_.number<std::int64_t>("the number of nodes");
  if (data_coding != Coding::text) cursor_.rest_of_line();
  cursor_.coding = data_coding;
  const std::size_t each = data_coding == Coding::text ? 8 : 28;
  const std::size_t count = cursor_.checked_count(claimed, each, "nodes");
  builder_.points.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    tags_.add(cursor_.number<std::int32_t>("a node number"));
    read_point();
  }
  tags_.sort(cursor_);
}

// An element after its number: tags, of which the first is the physical group, then nodes.
void GmshFile::read_element_2(const GmshType& type, std::int64_t tag_count) {
  int group = MeshBuilder::no_group;
  for (std::int64_t i = 0; i < tag_count; ++i) {
    const auto tag = cursor_.number<std::int32_t>("a tag");
    if (i == 0) group = physical_group(type.dimension, tag);
  }
  add_element(type, std::span(&group, 1));
}

void GmshFile::read_elements_2() {
  if (!have_nodes()) cursor_.fail("$Elements comes before $Nodes");
  have_elements_ = true;
  const auto claimed = cursor_.number<std::int64_t>("the number of elements");
  if (data_coding != Coding::text) cursor_.rest_of_line();
  cursor_.coding = data_coding;
  const std::size_t count = cursor_.checked_count(claimed, 8, "elements");
  for (std::size_t done = 0; done < count;) {
    std::int64_t run = 1;
    if (data_coding == Coding::text) cursor_.number<std::int32_t>("an element number");
    const GmshType& type = element_type(cursor_.number<std::int32_t>("an element type"));
    if (data_coding != Coding::text) run = cursor_.number<std::int32_t>("the length of a run");
    if (run < 1 || static_cast<std::size_t>(run) > count - done)
      cursor_.fail(fmt::format("a run of {} elements does not fit into {}", run, count));
    const auto tag_count = cursor_.number<std::int32_t>("the number of tags");
    cursor_.checked_count(tag_count, cursor_.bytes_per_word(4), "tags");
    for (std::int64_t i = 0; i < run; ++i) {
      if (data_coding != Coding::text) cursor_.number<std::int32_t>("an element number");
      read_element_2(type, tag_count);
    }
    done += static_cast<std::size_t>(run);
  }
}

}  // namespace pliant::formats
