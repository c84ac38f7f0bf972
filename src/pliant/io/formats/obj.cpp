// Wavefront .obj: v, f and l lines; the rest (texture, normals, materials, smoothing) is skipped.
// The names behind g and o become regions. Indices start at one; negative ones count back from the
// last vertex so far. Source: Wavefront Advanced Visualizer manual, appendix B1.
#include <fmt/format.h>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/mesh_builder.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <charconv>
#include <iterator>

namespace pliant::formats {
namespace {

class ObjFile {
 public:
  explicit ObjFile(const Source& source)
      : cursor_(source.name, source.bytes, '#'), builder_(source.name, source.log) {}

  Mesh read() {
    while (!cursor_.at_end()) {
      const std::string_view keyword = cursor_.word("a keyword");
      if (keyword == "v") {
        read_vertex();
      } else if (keyword == "f" || keyword == "l") {
        read_corners();
        keyword == "f" ? add_face() : add_line();
      } else if (keyword == "g" || keyword == "o") {
        const std::string name(cursor_.rest_of_line());
        region_ = name.empty() ? MeshBuilder::no_group : builder_.group(2, name);
        curve_ = name.empty() ? MeshBuilder::no_group : builder_.group(1, name);
        continue;
      }
      cursor_.rest_of_line();
    }
    return builder_.finish();
  }

 private:
  void read_vertex() {
    Vec3 x;
    for (int i = 0; i < 3; ++i) {
      if (!cursor_.on_this_line()) cursor_.fail("a vertex needs three coordinates");
      x[i] = cursor_.number<double>("a coordinate");
    }
    builder_.points.push_back(x);
  }

  // The vertices of a face or line, up to the end of the line; "7/1/3" names texture and normal
  // too.
  void read_corners() {
    corners_.clear();
    while (cursor_.on_this_line()) {
      const std::string_view word = cursor_.word("a vertex");
      if (word == "\\") {  // the statement goes on below
        cursor_.rest_of_line();
        continue;
      }
      corners_.push_back(vertex(word));
    }
  }

  Index vertex(std::string_view word) {
    const std::string_view digits = word.substr(0, word.find('/'));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size())
      cursor_.fail(fmt::format("expected a vertex, got {}", in_quotes(word)));
    const std::size_t count = builder_.points.size();
    if (number >= 0) return cursor_.checked_index(number, 1, count, "vertex");
    const auto from_start = static_cast<std::int64_t>(count) + number;
    if (from_start < 0)
      cursor_.fail(fmt::format("vertex {} counts back past the first of {}", number, count));
    return static_cast<Index>(from_start);
  }

  void add_face() {
    if (corners_.size() < 3)
      cursor_.fail(fmt::format("a face needs three corners or more, got {}", corners_.size()));
    builder_.add_fan(corners_, region_);
  }

  void add_line() {
    if (corners_.size() < 2)
      cursor_.fail(fmt::format("a line needs two points or more, got {}", corners_.size()));
    for (std::size_t i = 1; i < corners_.size(); ++i)
      builder_.add(ElementType::segment2, std::array{corners_[i - 1], corners_[i]}, curve_);
  }

  FileCursor cursor_;
  MeshBuilder builder_;
  std::vector<Index> corners_;
  int region_ = MeshBuilder::no_group;
  int curve_ = MeshBuilder::no_group;
};

}  // namespace

Mesh read_obj(const Source& source) { return ObjFile(source).read(); }

std::string write_obj(const Mesh& mesh, const MeshWriteOptions&) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const Vec3& x : mesh.points) fmt::format_to(out, "v {} {} {}\n", x.x(), x.y(), x.z());
  std::string_view region = "default";
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e) {
      const Index r = block.region[static_cast<std::size_t>(e)];
      const std::string& name = mesh.region_names[static_cast<std::size_t>(r)];
      if (name != region) fmt::format_to(out, "g {}\n", on_one_line(name));
      region = name;
      fmt::format_to(out, "{}", dimension(block.type) == 1 ? 'l' : 'f');
      for (const Index n : block.element(e)) fmt::format_to(out, " {}", n + 1);
      fmt::format_to(out, "\n");
    }
  return text;
}

}  // namespace pliant::formats
