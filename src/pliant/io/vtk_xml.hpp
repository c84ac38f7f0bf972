// The frame of VTK's XML files as we write them: a head that names each array and its place, then
// the arrays, compressed by zlib and appended. Source: "VTK File Formats" (The VTK User's Guide),
// version 1.0, appended data.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

// `raw` is small and what ParaView itself writes, but not text; `base64` is a third larger and
// well-formed XML throughout.
enum class VtuEncoding { raw, base64 };

struct VtkArrayHead {
  std::string name, type;  // "Float64" and its like
  int components = 1;
};
struct VtkArray : VtkArrayHead {  // with its bytes as they stand in the file
  std::vector<std::byte> bytes;
};
VtkArray make_vtk_array(VtkArrayHead head, std::span<const std::byte> values, VtuEncoding encoding);

class VtkXmlDocument {
 public:
  // "UnstructuredGrid", "PolyData".
  VtkXmlDocument(std::string kind, VtuEncoding encoding);

  void text(std::string_view part) { head_ += part; }
  void arrays(const std::vector<VtkArray>& arrays);  // they must stay until all is written
  void write(const std::filesystem::path& path);     // atomically; WriteError where it fails

 private:
  std::string kind_, head_;
  VtuEncoding encoding_;
  std::size_t offset_ = 0;
  std::vector<std::span<const std::byte>> pieces_;
};

}  // namespace pliant
