#include <fmt/format.h>
#include <pliant/core/error.hpp>
#include <pliant/core/log.hpp>
#include <pliant/io/mesh_builder.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <algorithm>

namespace pliant {

std::string group_name(int dimension, std::int64_t tag) {
  constexpr std::array<std::string_view, 4> kinds = {"point", "curve", "surface", "volume"};
  return fmt::format("{}_{}", kinds[static_cast<std::size_t>(dimension)], tag);
}

int MeshBuilder::group(int dimension, const std::string& name) {
  const auto [entry, added] =
      group_of_.try_emplace({dimension, name}, static_cast<int>(group_names_.size()));
  if (added) {
    group_names_.push_back(name);
    region_of_group_.push_back(-1);
  }
  return entry->second;
}

void MeshBuilder::add(ElementType type, std::span<const Index> nodes, int group) {
  Cells& cells = cells_[static_cast<std::size_t>(type)];
  cells.nodes.insert(cells.nodes.end(), nodes.begin(), nodes.end());
  cells.group.push_back(group);
}

void MeshBuilder::add_fan(std::span<const Index> corners, int group) {
  for (std::size_t i = 2; i < corners.size(); ++i)
    add(ElementType::tri3, std::array{corners[0], corners[i - 1], corners[i]}, group);
}

void MeshBuilder::note_unsupported(int dimension, std::string_view type, const std::string& where) {
  unsupported_[static_cast<std::size_t>(dimension)] = fmt::format(
      "{}: elements of type {} are not supported, known: segment2, tri3, quad4, tet4, tet10, hex8",
      where, type);
}

void MeshBuilder::add_members(std::span<const Index> nodes, int group) {
  if (group == no_group) return;
  for (const Index n : nodes) members_.push_back({group, n});
}

int MeshBuilder::top_dimension() const {
  int top = 0;
  for (std::size_t type = 0; type < cells_.size(); ++type)
    if (!cells_[type].group.empty()) top = std::max(top, dimension(static_cast<ElementType>(type)));
  for (int d = 1; d <= 3; ++d)
    if (!unsupported_[static_cast<std::size_t>(d)].empty()) top = std::max(top, d);
  return top;
}

Index MeshBuilder::region_of(Mesh& mesh, int group) {
  const auto new_region = [&mesh](const std::string& name) {
    mesh.region_names.push_back(name);
    return static_cast<Index>(mesh.region_names.size() - 1);
  };
  if (group == no_group) {
    if (!default_region_) default_region_ = new_region("default");
    return *default_region_;
  }
  const auto g = static_cast<std::size_t>(group);
  if (region_of_group_[g] < 0) region_of_group_[g] = new_region(group_names_[g]);
  return region_of_group_[g];
}

void MeshBuilder::take_blocks(Mesh& mesh, int top) {
  mesh.region_names.clear();
  for (std::size_t type = 0; type < cells_.size(); ++type) {
    Cells& cells = cells_[type];
    if (cells.group.empty() || dimension(static_cast<ElementType>(type)) != top) continue;
    ElementBlock& block = mesh.blocks.emplace_back();
    block.type = static_cast<ElementType>(type);
    block.nodes = std::move(cells.nodes);
    block.region.reserve(cells.group.size());
    for (const int g : cells.group) block.region.push_back(region_of(mesh, g));
  }
}

void MeshBuilder::gather_lower(int top) {
  std::size_t ignored = 0;
  for (std::size_t type = 0; type < cells_.size(); ++type) {
    const Cells& cells = cells_[type];
    const auto kind = static_cast<ElementType>(type);
    if (dimension(kind) >= top) continue;
    const auto n = static_cast<std::size_t>(nodes_per_element(kind));
    for (std::size_t e = 0; e < cells.group.size(); ++e)
      add_members(std::span<const Index>(cells.nodes).subspan(e * n, n), cells.group[e]);
    ignored += cells.group.size();
  }
  for (int d = 0; d < top; ++d)
    ignored += static_cast<std::size_t>(unsupported_count_[static_cast<std::size_t>(d)]);
  if (ignored > 0)
    log_.info(fmt::format("{}: {} elements of dimension below {} give node sets only", file_,
                          ignored, top));
}

void MeshBuilder::drop_unused_points(Mesh& mesh) {
  std::vector<Index> renumbered(points.size(), -1);
  for (const ElementBlock& block : mesh.blocks)
    for (const Index n : block.nodes) renumbered[static_cast<std::size_t>(n)] = 0;
  for (std::size_t n = 0; n < points.size(); ++n) {
    if (renumbered[n] < 0) continue;
    renumbered[n] = mesh.point_count();
    mesh.points.push_back(points[n]);
  }
  if (mesh.points.size() == points.size()) return;
  log_.info(fmt::format("{}: {} points that no element uses were left out", file_,
                        points.size() - mesh.points.size()));
  for (ElementBlock& block : mesh.blocks)
    for (Index& n : block.nodes) n = renumbered[static_cast<std::size_t>(n)];
  for (auto& [group, n] : members_) n = renumbered[static_cast<std::size_t>(n)];
  std::erase_if(members_, [](const auto& member) { return member.second < 0; });
}

void MeshBuilder::make_node_sets(Mesh& mesh) {
  for (const auto& [group, n] : members_)
    mesh.node_sets[group_names_[static_cast<std::size_t>(group)]].push_back(n);
  for (auto& [name, nodes] : mesh.node_sets) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
}

Mesh MeshBuilder::finish() {
  const int top = top_dimension();
  if (top == 0)
    throw InputError(fmt::format("{}: holds no elements, only {} points", file_, points.size()));
  if (const std::string& problem = unsupported_[static_cast<std::size_t>(top)]; !problem.empty())
    throw InputError(problem);
  Mesh mesh;
  gather_lower(top);
  take_blocks(mesh, top);
  drop_unused_points(mesh);
  std::sort(members_.begin(), members_.end());
  members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
  make_node_sets(mesh);
  return mesh;
}

void NodeTags::sort(const FileCursor& at) {
  std::sort(tags_.begin(), tags_.end());
  for (std::size_t i = 1; i < tags_.size(); ++i)
    if (tags_[i].first == tags_[i - 1].first)
      at.fail(fmt::format("node {} is given twice", tags_[i].first));
  consecutive_ = tags_.empty() || static_cast<std::uint64_t>(tags_.back().first) -
                                          static_cast<std::uint64_t>(tags_.front().first) ==
                                      tags_.size() - 1;
}

Index NodeTags::index(std::int64_t tag, const FileCursor& at) const {
  if (consecutive_ && !tags_.empty() && tag >= tags_.front().first && tag <= tags_.back().first)
    return tags_[static_cast<std::size_t>(tag - tags_.front().first)].second;
  const auto entry = std::lower_bound(tags_.begin(), tags_.end(), std::pair{tag, Index{-1}});
  if (entry == tags_.end() || entry->first != tag)
    at.fail(fmt::format("node {} is not among the {} nodes of the file", tag, tags_.size()));
  return entry->second;
}

}  // namespace pliant
