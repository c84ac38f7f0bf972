// The JSON of glTF 2.0. Source: Khronos Group, glTF 2.0 Specification, 2021; sections named where
// they are not obvious.
#include <pliant/exports/gltf_layout.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace pliant::exports {
namespace {

using Json = nlohmann::ordered_json;

constexpr int type_uint32 = 5125, type_float = 5126;            // componentType
constexpr int target_vertices = 34962, target_indices = 34963;  // bufferView.target
constexpr int vertex_stride = 12;                               // bytes

// Okabe and Ito (2008), as our figures; glTF wants them linear, not as sRGB.
Json body_colour(std::size_t body) {
  constexpr std::array<std::array<double, 3>, 6> palette = {{{0.337, 0.706, 0.914},
                                                             {0.902, 0.624, 0.000},
                                                             {0.000, 0.620, 0.451},
                                                             {0.800, 0.475, 0.655},
                                                             {0.835, 0.369, 0.000},
                                                             {0.000, 0.447, 0.698}}};
  Json factor = Json::array();
  for (const double c : palette[body % palette.size()])
    factor.push_back(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  factor.push_back(1.0);
  return factor;
}

class GltfDocument {
 public:
  GltfDocument(const GltfLayout& layout, const std::string& uri) : layout_(layout) {
    json_["asset"] = {{"version", "2.0"}, {"generator", "Pliant"}};
    json_["scene"] = 0;
    add_buffer(uri);
    for (std::size_t b = 0; b < layout.bodies.size(); ++b) add_indices(b);
    for (std::size_t k = 0; k < layout.times.size(); ++k)
      for (std::size_t b = 0; b < layout.bodies.size(); ++b) add_vertices(k, b);
    if (layout.times.size() > 1) add_animation();
    for (std::size_t b = 0; b < layout.bodies.size(); ++b) add_body(b);
  }
  std::string text() const { return json_.dump(-1, ' ', false, Json::error_handler_t::replace); }

 private:
  void add_buffer(const std::string& uri) {
    Json buffer = {{"byteLength", layout_.buffer_bytes()}};
    if (!uri.empty()) buffer["uri"] = uri;
    json_["buffers"] = Json::array({buffer});
    std::uint64_t offset = 0;
    const auto view = [&](std::uint64_t bytes, const char* name, Json more) {
      Json one = {{"name", name}, {"buffer", 0}, {"byteOffset", offset}, {"byteLength", bytes}};
      one.update(more);
      json_["bufferViews"].push_back(std::move(one));
      offset += bytes;
    };
    view(layout_.index_bytes(), "indices", {{"target", target_indices}});
    view(layout_.frame_bytes() * layout_.times.size(), "vertices",
         {{"byteStride", vertex_stride}, {"target", target_vertices}});
    if (layout_.times.size() < 2) return;
    view(layout_.time_bytes(), "times", Json::object());
    view(layout_.weight_bytes(), "weights", Json::object());
  }

  std::size_t add_accessor(std::size_t view, std::uint64_t offset, Json more) {
    Json one = {{"bufferView", view}, {"byteOffset", offset}};
    one.update(more);
    json_["accessors"].push_back(std::move(one));
    return json_["accessors"].size() - 1;
  }

  void add_indices(std::size_t b) {
    const std::size_t count = 3 * layout_.bodies[b].triangles.size();
    indices_.push_back(add_accessor(
        0, index_offset_, {{"componentType", type_uint32}, {"count", count}, {"type", "SCALAR"}}));
    index_offset_ += 4 * count;
  }

  // Accessors of positions and normals; the first number is kept, the second is the next one.
  void add_vertices(std::size_t k, std::size_t b) {
    const std::size_t count = layout_.bodies[b].points.size();
    const Eigen::AlignedBox3f& box = layout_.bounds[k][b];
    const auto corner = [](const Eigen::Vector3f& x) { return Json::array({x.x(), x.y(), x.z()}); };
    const Json kind = {{"componentType", type_float}, {"count", count}, {"type", "VEC3"}};
    Json positions = kind;
    positions["min"] = corner(box.min());
    positions["max"] = corner(box.max());
    vertices_.push_back(add_accessor(1, vertex_offset_, positions));
    vertex_offset_ += vertex_stride * count;
    add_accessor(1, vertex_offset_, kind);
    vertex_offset_ += vertex_stride * count;
  }

  Json attributes(std::size_t k, std::size_t b) const {
    const std::size_t first = vertices_[k * layout_.bodies.size() + b];
    return {{"POSITION", first}, {"NORMAL", first + 1}};
  }

  void add_body(std::size_t b) {
    const std::string& name = layout_.bodies[b].name;
    json_["materials"].push_back(
        {{"name", name},
         {"pbrMetallicRoughness",
          {{"baseColorFactor", body_colour(b)}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.6}}},
         {"doubleSided", true}});
    Json primitive = {{"attributes", attributes(0, b)}, {"indices", indices_[b]}, {"material", b}};
    Json mesh = {{"name", name}};
    Json names = Json::array();
    for (std::size_t k = 1; k < layout_.times.size(); ++k) {
      primitive["targets"].push_back(attributes(k, b));
      names.push_back(fmt::format("{:.6g} s", layout_.times[k]));
    }
    mesh["primitives"] = Json::array({primitive});
    if (!names.empty()) {
      mesh["weights"] = std::vector<double>(names.size(), 0.0);
      mesh["extras"] = {{"targetNames", names}};  // shown by Blender and three.js
    }
    json_["meshes"].push_back(std::move(mesh));
    json_["nodes"].push_back({{"name", name}, {"mesh", b}});
    json_["scenes"][0]["nodes"].push_back(b);
  }

  // One channel for each body; all share times and weights. 3.11: weights of one key frame stand
  // together, and an accessor of times has bounds.
  void add_animation() {
    const std::size_t frames = layout_.times.size();
    const std::size_t times = add_accessor(2, 0,
                                           {{"componentType", type_float},
                                            {"count", frames},
                                            {"type", "SCALAR"},
                                            {"min", Json::array({layout_.times.front()})},
                                            {"max", Json::array({layout_.times.back()})}});
    const std::size_t weights = add_accessor(
        3, 0,
        {{"componentType", type_float}, {"count", frames * (frames - 1)}, {"type", "SCALAR"}});
    Json channels = Json::array();
    for (std::size_t b = 0; b < layout_.bodies.size(); ++b)
      channels.push_back({{"sampler", 0}, {"target", {{"node", b}, {"path", "weights"}}}});
    const Json sampler = {{"input", times}, {"output", weights}, {"interpolation", "LINEAR"}};
    json_["animations"] = Json::array(
        {{{"name", "motion"}, {"channels", channels}, {"samplers", Json::array({sampler})}}});
  }

  const GltfLayout& layout_;
  Json json_;
  std::vector<std::size_t> indices_, vertices_;
  std::uint64_t index_offset_ = 0, vertex_offset_ = 0;
};

}  // namespace

std::uint64_t GltfLayout::index_bytes() const {
  std::uint64_t count = 0;
  for (const ShadedSurface& body : bodies) count += body.triangles.size();
  return 12 * count;
}

std::uint64_t GltfLayout::frame_bytes() const {
  std::uint64_t count = 0;
  for (const ShadedSurface& body : bodies) count += body.points.size();
  return 2 * vertex_stride * count;
}

std::uint64_t GltfLayout::time_bytes() const { return times.size() > 1 ? 4 * times.size() : 0; }

std::uint64_t GltfLayout::weight_bytes() const { return time_bytes() * (times.size() - 1); }

std::uint64_t GltfLayout::buffer_bytes() const {
  return index_bytes() + times.size() * frame_bytes() + time_bytes() + weight_bytes();
}

std::string make_gltf_json(const GltfLayout& layout, const std::string& uri) {
  return GltfDocument(layout, uri).text();
}

}  // namespace pliant::exports
