#include <pliant/mesh/validate.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace pliant {
namespace {

std::string text_of(const ElementId& id) { return fmt::format("{} {}", name_of(id.type), id.e); }

std::string list(const std::vector<ElementId>& ids) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(ids.size(), shown); ++i)
    text += (i ? ", " : "") + text_of(ids[i]);
  return text + (ids.size() > shown ? ", …" : "");
}

std::string plural(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

const ElementBlock& block_of(const Mesh& mesh, ElementType type) {
  return *std::find_if(mesh.blocks.begin(), mesh.blocks.end(),
                       [&](const ElementBlock& block) { return block.type == type; });
}

std::string out_of_range_text(const Mesh& mesh, const ElementId& id) {
  const ElementBlock& block = block_of(mesh, id.type);
  for (const Index n : block.element(id.e))
    if (n < 0 || n >= mesh.point_count())
      return fmt::format("{} refers to point {}, but there are {} (counted from 0)", text_of(id), n,
                         mesh.point_count());
  return fmt::format("{} refers to region {}, but there are {} (counted from 0)", text_of(id),
                     block.region[static_cast<std::size_t>(id.e)], mesh.region_names.size());
}

Index repeated_node(const Mesh& mesh, const ElementId& id) {
  const auto nodes = block_of(mesh, id.type).element(id.e);
  std::vector<Index> sorted(nodes.begin(), nodes.end());
  std::sort(sorted.begin(), sorted.end());
  return *std::adjacent_find(sorted.begin(), sorted.end());
}

void refuse_broken(const Mesh& mesh, const MeshReport& report, std::string_view source) {
  const auto refuse = [&](const std::string& text) {
    throw InputError(fmt::format("{}: {}", source, text));
  };
  if (mesh.points.empty()) refuse("the mesh is empty, it has no points");
  if (report.empty) refuse("the mesh is empty, it has no elements");
  if (!report.nonfinite_points.empty()) {
    const Index n = report.nonfinite_points[0];
    const Vec3& x = mesh.points[static_cast<std::size_t>(n)];
    refuse(fmt::format("point {} is not finite: ({}, {}, {})", n, x.x(), x.y(), x.z()));
  }
  if (!report.out_of_range.empty()) refuse(out_of_range_text(mesh, report.out_of_range[0]));
  if (!report.repeated_nodes.empty()) {
    const ElementId& id = report.repeated_nodes[0];
    refuse(fmt::format("{} uses point {} twice", text_of(id), repeated_node(mesh, id)));
  }
  if (!report.duplicates.empty())
    refuse(fmt::format("{} and {} have the same points", text_of(report.duplicates[0][0]),
                       text_of(report.duplicates[0][1])));
  if (!report.crowded_faces.empty()) {
    const auto& [a, b, c] = report.crowded_faces[0];
    refuse(fmt::format("the mesh is not manifold: {}, {} and {} share one face", text_of(a),
                       text_of(b), text_of(c)));
  }
  for (const auto& [name, set] : mesh.node_sets)
    for (const Index n : set)
      if (n < 0 || n >= mesh.point_count())
        refuse(fmt::format("node set \"{}\" refers to point {}, but there are {} (counted from 0)",
                           name, n, mesh.point_count()));
}

void refuse_infeasible(const Mesh& mesh, const MeshReport& report, std::string_view source) {
  const int top = mesh.top_dimension();
  if (!report.flat.empty() && top < 3)
    throw InputError(fmt::format("{}: {} no {}: {} (counted from 0)", source,
                                 plural(report.flat.size(), "element has", "elements have"),
                                 top == 2 ? "area" : "length", list(report.flat)));
  if (!report.flat.empty())
    throw InfeasibleStart(fmt::format("{}: {} no volume: {} (counted from 0)", source,
                                      plural(report.flat.size(), "element has", "elements have"),
                                      list(report.flat)));
  if (!report.inverted.empty())
    throw InfeasibleStart(fmt::format("{}: {} inverted: {} (counted from 0)", source,
                                      plural(report.inverted.size(), "element is", "elements are"),
                                      list(report.inverted)));
}

std::vector<Index> drop_points(Mesh& mesh, const std::vector<Index>& dropped) {
  std::vector<Index> number(mesh.points.size(), 0);
  for (const Index n : dropped) number[static_cast<std::size_t>(n)] = -1;
  Index next = 0;
  for (std::size_t n = 0; n < number.size(); ++n)
    if (number[n] == 0) {
      mesh.points[static_cast<std::size_t>(next)] = mesh.points[n];
      number[n] = next++;
    }
  mesh.points.resize(static_cast<std::size_t>(next));
  for (ElementBlock& block : mesh.blocks)
    for (Index& n : block.nodes) n = number[static_cast<std::size_t>(n)];
  for (auto& [name, set] : mesh.node_sets) {
    for (Index& n : set) n = number[static_cast<std::size_t>(n)];
    std::erase(set, -1);
  }
  return number;
}

void require_shape_of_data(const Mesh& mesh, std::string_view source) {
  for (std::size_t i = 0; i < mesh.blocks.size(); ++i) {
    const ElementBlock& block = mesh.blocks[i];
    assert(block.nodes.size() % static_cast<std::size_t>(nodes_per_element(block.type)) == 0);
    assert(block.region.empty() || block.region.size() == static_cast<std::size_t>(block.size()));
    for (std::size_t j = 0; j < i; ++j)
      if (mesh.blocks[j].type == block.type)
        throw InputError(fmt::format("{}: has two blocks of {}", source, name_of(block.type)));
  }
}

}  // namespace

void flip(ElementBlock& block) {
  const auto per = static_cast<std::size_t>(nodes_per_element(block.type));
  for (std::size_t i = 0; i < block.nodes.size(); i += per) {
    Index* n = block.nodes.data() + i;
    if (block.type == ElementType::hex8) {
      for (int k = 0; k < 4; ++k) std::swap(n[k], n[k + 4]);
      continue;
    }
    std::swap(n[0], n[1]);
    if (block.type == ElementType::tet10) {  // edges 12 and 02, 03 and 13 change places
      std::swap(n[5], n[6]);
      std::swap(n[7], n[8]);
    }
  }
}

std::vector<Index> require_valid(Mesh& mesh, std::string_view source, const Log& log) {
  require_shape_of_data(mesh, source);
  for (ElementBlock& block : mesh.blocks)
    if (block.region.empty()) block.region.assign(static_cast<std::size_t>(block.size()), 0);
  MeshReport report = check(mesh);
  refuse_broken(mesh, report, source);
  if (!report.flipped.empty()) {
    for (ElementBlock& block : mesh.blocks)
      if (std::ranges::count(report.flipped, block.type)) flip(block);
    for (const ElementType type : report.flipped)
      log.warn(fmt::format("{}: all {} {} elements were inside out; their nodes were reordered",
                           source, block_of(mesh, type).size(), name_of(type)));
    report = check(mesh);
  }
  refuse_infeasible(mesh, report, source);
  if (!report.slivers.empty())
    log.warn(fmt::format("{}: {} badly shaped: {} (counted from 0)", source,
                         plural(report.slivers.size(), "element is", "elements are"),
                         list(report.slivers)));
  if (report.unused_points.empty()) return {};
  log.warn(fmt::format("{}: {} no element, the first point {}; dropped", source,
                       plural(report.unused_points.size(), "point belongs to", "points belong to"),
                       report.unused_points[0]));
  return drop_points(mesh, report.unused_points);
}

}  // namespace pliant
