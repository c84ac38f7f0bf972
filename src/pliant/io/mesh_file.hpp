// Mesh files of other programs, by extension. Readers guarantee finite points and indices in range;
// whether elements are well shaped and surfaces closed is for mesh/validate.hpp. One list of
// formats serves dispatch, `pliant mesh`, the documentation and the tests.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/mesh/mesh.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

struct MeshFormat {
  std::string_view name;
  std::vector<std::string> extensions;  // with their dot, the usual one first
  bool reads = false, writes = false;
  std::string_view description;
};

std::vector<MeshFormat> mesh_formats();

// Lengths are taken as metres. Groups of the highest dimension become regions, groups of lower
// dimension node sets; elements of lower dimension and points that no element uses are left out and
// the log says so. Faces of surface formats (.off .obj .stl .ply) become triangles. Throws
// InputError in one sentence that names file, and line, byte or element.
Mesh read_mesh(const std::filesystem::path& path, const Log& log = {});

// The same for bytes at hand, as the file `path` would hold them. (TetGen's partner is a file
// still.)
Mesh parse_mesh(const std::filesystem::path& path, std::string_view bytes, const Log& log = {});

struct MeshWriteOptions {
  bool ascii = false;    // text where the format has both (.vtu, .stl, .ply); .vtk, .msh always are
  bool gmsh_22 = false;  // .msh in version 2.2 instead of 4.1
};

// Node sets and the names of regions survive in .msh, .vtu and .vtk; .mesh keeps numbers of
// regions; surface formats hold triangles and quads only, and refuse solids. The file appears whole
// or not at all. Throws InputError where the format cannot hold the mesh, WriteError where writing
// fails.
void write_mesh(const std::filesystem::path& path, const Mesh& mesh,
                const MeshWriteOptions& options = {});

}  // namespace pliant
