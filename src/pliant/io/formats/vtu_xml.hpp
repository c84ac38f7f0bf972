// The XML around the arrays of a .vtu (or .vtp) file: which arrays there are, where their numbers
// stand and how they are coded. A flat scan with a stack of open tags, no recursion; names of tags
// that do not matter here are passed over. VTK's raw appended data is not XML, so the scan ends
// where it begins. Source: "VTK File Formats" (The VTK User's Guide), XML file formats.
#pragma once

#include <pliant/io/mesh_cursor.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::formats {

enum class VtuFormat { ascii, inline_base64, appended };

struct VtuArray {
  std::size_t piece = 0;
  std::string section;  // Points, Cells, CellData, PointData, FieldData
  std::string name, type;
  VtuFormat format = VtuFormat::ascii;
  std::size_t offset = 0;          // in the appended data
  std::size_t begin = 0, end = 0;  // of the text between the tags
};
struct VtuPiece {
  std::int64_t points = 0, cells = 0;
};

struct VtuDocument {
  Coding byte_order = Coding::little;
  std::size_t header_word = 4;  // bytes
  bool compressed = false;
  bool appended_raw = false;
  std::size_t appended_begin = 0, appended_end = 0;
  std::vector<VtuPiece> pieces;
  std::vector<VtuArray> arrays;
};

// Of the kind "UnstructuredGrid", or "PolyData", whose cells are its polygons.
VtuDocument scan_vtu(FileCursor& cursor, std::string_view kind = "UnstructuredGrid");

// The bytes of an array that is not text, in the byte order of the file. Every length that its
// header claims is checked against the bytes there are; what is wrong throws InputError.
std::vector<std::byte> decode_vtu_array(const VtuDocument& document, const FileCursor& file,
                                        const VtuArray& array);

}  // namespace pliant::formats
