// Small mesh files of every format, written from the formats' descriptions and not by our writers,
// for the tests of the readers. Most hold the unit cube or parts of it, so volumes and areas are
// known.
#pragma once

#include <pliant/io/mesh_file.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::test {

class TempFolder {  // removed with all it holds
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  std::filesystem::path write(std::string_view name, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

enum class Order { text, little, big };

// Numbers one after the other, as text with blanks between them or as bytes.
class Numbers {
 public:
  explicit Numbers(Order order) : order_(order) {}
  template <class T>
  Numbers& put(std::initializer_list<T> values) {
    for (const T value : values) {
      if (order_ == Order::text) {
        bytes_ += std::to_string(value) + " ";
      } else {
        auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
        if ((order_ == Order::big) == (std::endian::native == std::endian::little))
          std::reverse(raw.begin(), raw.end());
        bytes_.append(raw.data(), raw.size());
      }
    }
    return *this;
  }
  Numbers& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  Order order_;
  std::string bytes_;
};

struct Sample {
  std::string name;  // of the file
  std::string bytes;
  std::string partner;  // a second file beside it, for TetGen
  std::string partner_bytes;
};

// Two tetrahedra of the unit cube in regions "left" and "right", the set "fixed" on nodes 0, 1, 2.
std::string gmsh_2(Order order);
std::string gmsh_4(Order order);
std::string vtk_legacy(Order order, int version);  // one hexahedron, a cell array "region"
std::string vtu_appended(Order order);             // the same, raw
std::string stl_binary();                          // a tetrahedron's four faces
std::string ply(Order order);                      // the unit cube's six quads
extern const std::string_view medit_text, vtu_text, node_text, ele_text, off_text, obj_text,
    stl_text;

std::vector<Sample> all_samples();

double volume(const Mesh& mesh);           // of tetrahedra and hexahedra
double enclosed_volume(const Mesh& mesh);  // of a closed surface of triangles, outward

// The message of the InputError that reading throws; empty where it throws none.
std::string error_of(const std::filesystem::path& path);

}  // namespace pliant::test
