#include <fmt/format.h>
#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/mesh_cursor.hpp>
#include <pliant/io/mesh_file.hpp>

#include <algorithm>
#include <cctype>

namespace pliant {
namespace {

using formats::Source;

struct Entry {
  MeshFormat format;
  Mesh (*read)(const Source&);
  std::string (*write)(const Mesh&, const MeshWriteOptions&);  // null where it only reads
  int lowest = 1, highest = 3;                                 // dimensions that a file can hold
};

std::vector<Entry> entries() {
  using namespace formats;
  std::vector<Entry> all = {
      {{"gmsh",
        {".msh"},
        true,
        true,
        "Gmsh 2.2 and 4.1, text and binary; physical groups are kept"},
       read_gmsh,
       write_gmsh},
      {{"medit", {".mesh"}, true, true, "MEDIT, text; references number regions and node sets"},
       read_medit,
       write_medit},
      {{"vtu", {".vtu"}, true, true, "VTK XML unstructured grid, as ParaView writes it"},
       read_vtu,
       write_vtu},
      {{"vtk", {".vtk"}, true, true, "VTK legacy unstructured grid, text and binary"},
       read_vtk,
       write_vtk},
      {{"tetgen", {".node", ".ele"}, true, false, "TetGen, both files; either one may be named"},
       read_tetgen,
       nullptr},
      {{"off", {".off"}, true, true, "OFF surface, text"}, read_off, write_off, 2, 2},
      {{"obj", {".obj"}, true, true, "Wavefront surface or lines; groups are regions"},
       read_obj,
       write_obj,
       1,
       2},
      {{"stl", {".stl"}, true, true, "STL surface, text and binary; equal corners are merged"},
       read_stl,
       write_stl,
       2,
       2},
      {{"ply", {".ply"}, true, true, "PLY surface, text and binary"}, read_ply, write_ply, 2, 2},
  };
  return all;
}

Entry find_entry(const std::filesystem::path& path, bool writing) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<std::string> known;
  for (const Entry& entry : entries()) {
    if (writing && entry.write == nullptr) continue;
    for (const std::string& one : entry.format.extensions) {
      if (one == extension) return entry;
      known.push_back(one);
    }
  }
  const std::string problem = extension.empty()
                                  ? "has no extension"
                                  : fmt::format("extension {} is not a mesh format that is {}",
                                                in_quotes(extension), writing ? "written" : "read");
  throw InputError(fmt::format("{}: {}{}", path.string(), problem, suggestion(extension, known)));
}

// A mesh may come from anywhere; a writer must not index outside it.
void check_writable(const std::filesystem::path& path, const Mesh& mesh, const Entry& entry) {
  if (mesh.points.empty() || mesh.element_count() == 0)
    throw InputError(fmt::format("{}: a mesh without elements is not written", path.string()));
  for (const ElementBlock& block : mesh.blocks) {
    const int d = dimension(block.type);
    if (block.size() > 0 && (d < entry.lowest || d > entry.highest))
      throw InputError(fmt::format("{}: {} files cannot hold elements of type {}", path.string(),
                                   entry.format.extensions.front(), name_of(block.type)));
    if (block.region.size() != static_cast<std::size_t>(block.size()))
      throw InputError(fmt::format("{}: {} elements of type {} have {} regions", path.string(),
                                   block.size(), name_of(block.type), block.region.size()));
    for (const Index n : block.nodes)
      if (n < 0 || n >= mesh.point_count())
        throw InputError(fmt::format("{}: an element names node {} of {}", path.string(), n,
                                     mesh.point_count()));
    for (const Index r : block.region)
      if (r < 0 || r >= static_cast<Index>(mesh.region_names.size()))
        throw InputError(fmt::format("{}: an element names region {} of {}", path.string(), r,
                                     mesh.region_names.size()));
  }
  for (const auto& [name, nodes] : mesh.node_sets)
    for (const Index n : nodes)
      if (n < 0 || n >= mesh.point_count())
        throw InputError(fmt::format("{}: node set {} names node {} of {}", path.string(),
                                     in_quotes(name), n, mesh.point_count()));
}

}  // namespace

std::vector<MeshFormat> mesh_formats() {
  std::vector<MeshFormat> all;
  for (const Entry& entry : entries()) all.push_back(entry.format);
  return all;
}

Mesh read_mesh(const std::filesystem::path& path, const Log& log) {
  find_entry(path, false);  // a wrong name is said before a missing file
  return parse_mesh(path, load_mesh_file(path), log);
}

Mesh parse_mesh(const std::filesystem::path& path, std::string_view bytes, const Log& log) {
  const Entry entry = find_entry(path, false);
  if (bytes.empty()) throw InputError(fmt::format("{}: is empty", path.string()));
  return entry.read({path, path.string(), bytes, log});
}

void write_mesh(const std::filesystem::path& path, const Mesh& mesh,
                const MeshWriteOptions& options) {
  const Entry entry = find_entry(path, true);
  check_writable(path, mesh, entry);
  write_file_atomically(path, entry.write(mesh, options));
}

}  // namespace pliant
