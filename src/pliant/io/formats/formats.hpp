// The readers and writers behind read_mesh and write_mesh, one pair for each format. A reader gets
// the whole file and returns a mesh; a writer returns the whole file.
#pragma once

#include <pliant/io/mesh_file.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace pliant::formats {

struct Source {
  const std::filesystem::path& path;
  std::string name;        // the path as errors show it
  std::string_view bytes;  // of the file, never empty
  const Log& log;
};

Mesh read_gmsh(const Source&);
Mesh read_medit(const Source&);
Mesh read_vtk(const Source&);
Mesh read_vtu(const Source&);
Mesh read_tetgen(const Source&);
Mesh read_off(const Source&);
Mesh read_obj(const Source&);
Mesh read_stl(const Source&);
Mesh read_ply(const Source&);

std::string write_gmsh(const Mesh&, const MeshWriteOptions&);
std::string write_medit(const Mesh&, const MeshWriteOptions&);
std::string write_vtk(const Mesh&, const MeshWriteOptions&);
std::string write_vtu(const Mesh&, const MeshWriteOptions&);
std::string write_off(const Mesh&, const MeshWriteOptions&);
std::string write_obj(const Mesh&, const MeshWriteOptions&);
std::string write_stl(const Mesh&, const MeshWriteOptions&);
std::string write_ply(const Mesh&, const MeshWriteOptions&);

// A name as a line or an attribute can hold it: control characters become blanks.
inline std::string on_one_line(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
  return name;
}

}  // namespace pliant::formats
