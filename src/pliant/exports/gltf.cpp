// Animated glTF 2.0. The format has no stream of vertices, so every frame after the first is a
// morph target and the animation turns one after the other on; between two frames viewers
// interpolate, which is what we want. Frames are read twice: the JSON, which stands first, names
// the bounds of all positions.
#include <pliant/core/error.hpp>
#include <pliant/exports/bytes.hpp>
#include <pliant/exports/gltf_layout.hpp>
#include <pliant/io/atomic_file.hpp>

#include <fmt/format.h>

#include <cctype>
#include <cstring>
#include <limits>

namespace pliant::exports {
namespace {

constexpr std::endian little = std::endian::little;
constexpr std::uint32_t glb_magic = 0x46546C67, chunk_json = 0x4E4F534A, chunk_bin = 0x004E4942;

// The buffer of a file and its layout: vertices in our first frame as they are, later relative to
// those.
class Morph {
 public:
  explicit Morph(const Job& job) : job_(job) {
    for (const BodySurface& surface : job.surfaces())
      layout_.bodies.push_back(make_shaded(surface, first_points()));
    for (std::size_t k = 0; k < job.frames().size(); ++k) {
      layout_.times.push_back(static_cast<float>(job.time(k) - job.time(0)));
      if (k > 0 && !(layout_.times[k] > layout_.times[k - 1]))
        throw InputError(fmt::format(
            "{}: frames {} and {} are too near in time for glTF's single precision; choose fewer "
            "with --frames",
            job.results().folder().string(), job.frames()[k - 1], job.frames()[k]));
    }
    find_bounds();
  }
  const GltfLayout& layout() const { return layout_; }

  void write_buffer(AtomicFile& file) {
    std::string bytes;
    for (const ShadedSurface& body : layout_.bodies)
      for (const std::array<Index, 3>& t : body.triangles)
        for (const Index v : t) append<little>(bytes, static_cast<std::uint32_t>(v));
    file.write(bytes);
    job_.for_each_frame([&](std::size_t k, const ResultFrame& frame) {
      bytes.clear();
      for (std::size_t b = 0; b < layout_.bodies.size(); ++b) {
        for (const Eigen::Vector3f& x : positions(k, b, frame)) add(bytes, x);
        for (const Eigen::Vector3f& n : normals(k, b, frame)) add(bytes, n);
      }
      file.write(bytes);
    });
    if (layout_.times.size() > 1) write_weights(file);
  }

 private:
  using Vectors = std::vector<Eigen::Vector3f>;

  const std::vector<Vec3>& first_points() {
    if (first_.empty()) first_ = job_.results().read(job_.frames().front()).points;
    return first_;
  }

  // What is added to the rounded base, so that errors of both do not add up.
  Vectors positions(std::size_t k, std::size_t b, const ResultFrame& frame) {
    Vectors values;
    for (const Index n : layout_.bodies[b].points) {
      const auto i = static_cast<std::size_t>(n);
      const Eigen::Vector3f base = first_points()[i].cast<float>();
      values.push_back(k == 0 ? base : (frame.points[i] - base.cast<double>()).cast<float>());
    }
    return values;
  }
  Vectors normals(std::size_t k, std::size_t b, const ResultFrame& frame) {
    const std::vector<Vec3> now = layout_.bodies[b].normals(frame.points);
    Vectors values;
    if (k == 0) base_normals_.resize(layout_.bodies.size());
    if (k == 0) base_normals_[b] = now;
    for (std::size_t v = 0; v < now.size(); ++v)
      values.push_back((k == 0 ? now[v] : Vec3(now[v] - base_normals_[b][v])).cast<float>());
    return values;
  }

  void find_bounds() {
    job_.for_each_frame([&](std::size_t k, const ResultFrame& frame) {
      std::vector<Eigen::AlignedBox3f>& boxes = layout_.bounds.emplace_back();
      for (std::size_t b = 0; b < layout_.bodies.size(); ++b) {
        Eigen::AlignedBox3f& box = boxes.emplace_back();
        for (const Eigen::Vector3f& x : positions(k, b, frame)) box.extend(x);
      }
    });
  }

  static void add(std::string& bytes, const Eigen::Vector3f& x) {
    for (int i = 0; i < 3; ++i) append<little>(bytes, x[i]);
  }

  // Row k has its 1 in column k − 1; at the first time the base shows.
  void write_weights(AtomicFile& file) const {
    std::string bytes;
    for (const float time : layout_.times) append<little>(bytes, time);
    file.write(bytes);
    for (std::size_t k = 0; k < layout_.times.size(); ++k) {
      bytes.clear();
      for (std::size_t target = 1; target < layout_.times.size(); ++target)
        append<little>(bytes, target == k ? 1.0F : 0.0F);
      file.write(bytes);
    }
  }

  const Job& job_;
  GltfLayout layout_;
  std::vector<Vec3> first_;
  std::vector<std::vector<Vec3>> base_normals_;
};

// A file name as a URI (RFC 3986): anything but plain characters as %20.
std::string uri_of(const std::string& name) {
  std::string uri;
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    const bool plain = code < 128 && (std::isalnum(code) || std::strchr("-._~", c));
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", code);
  }
  return uri;
}

}  // namespace

void write_glb(const Job& job) {
  Morph morph(job);
  std::string json = make_gltf_json(morph.layout(), "");
  json.append((4 - json.size() % 4) % 4, ' ');
  const std::uint64_t binary = morph.layout().buffer_bytes();  // a multiple of four
  const std::uint64_t total = 12 + 8 + json.size() + 8 + binary;
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw InputError(fmt::format(
        "{}: would have {:.1f} GB, a .glb can have 4; choose fewer frames with --frames, or export "
        "to mdd, pc2 or xdmf",
        job.out.string(), static_cast<double>(total) * 1e-9));
  std::string head;
  for (const std::uint64_t word : {std::uint64_t{glb_magic}, std::uint64_t{2}, total,
                                   std::uint64_t{json.size()}, std::uint64_t{chunk_json}})
    append<little>(head, static_cast<std::uint32_t>(word));
  head += json;
  append<little>(head, static_cast<std::uint32_t>(binary));
  append<little>(head, chunk_bin);
  AtomicFile file(job.out);
  file.write(head);
  morph.write_buffer(file);
  file.commit();
}

void write_gltf(const Job& job) {
  Morph morph(job);
  const std::filesystem::path data =
      std::filesystem::path(job.out).replace_extension(job.format.companion);
  AtomicFile file(data);
  morph.write_buffer(file);
  file.commit();
  write_file_atomically(job.out, make_gltf_json(morph.layout(), uri_of(data.filename().string())));
}

}  // namespace pliant::exports
