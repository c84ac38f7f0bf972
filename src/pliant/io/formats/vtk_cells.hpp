// What the legacy and the XML files of VTK share: numbered cell types, and cells as a flat list of
// points with the end of each. Both readers fill a VtkPiece; one function makes elements of it.
// Source: "VTK File Formats" (The VTK User's Guide), vtkCellType.h.
#pragma once

#include <pliant/io/mesh_builder.hpp>
#include <pliant/mesh/mesh.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pliant::formats {

struct VtkPiece {
  std::vector<Vec3> points;
  std::vector<std::int64_t> connectivity;  // points of all cells, in VTK's order
  std::vector<std::int64_t> ends;          // one per cell: where its points end in connectivity
  std::vector<std::int64_t> types;         // one per cell
  std::vector<std::int64_t> region;        // one per cell, or empty
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> node_sets;  // not 0: in the set
};

int vtk_cell_type(ElementType type);

// Cell arrays of whole numbers that are taken for regions, the first that is there; and the prefix
// of point arrays that are node sets. Our writers use the first name.
bool better_region_array(std::string_view name, std::string_view than);
inline constexpr std::string_view node_set_prefix = "set:";
inline constexpr std::string_view region_array = "region";
inline constexpr std::string_view region_names_array = "region_names";

// Adds points and cells, checking every number; `file` names the file in errors. Regions beyond
// `region_names` are called by their number.
void add_piece(MeshBuilder& builder, const VtkPiece& piece,
               const std::vector<std::string>& region_names, const std::string& file);

}  // namespace pliant::formats
