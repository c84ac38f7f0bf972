// Selecting bodies and frames. A body's nodes are a run of the points of a frame, so cells and
// triangles belong to the body that their first node is in.
#include <pliant/exports/job.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/io/numbered_name.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant::exports {
namespace {

bool holds(const ResultBody& body, Index node) {
  return node >= body.first_node && node < body.first_node + body.nodes;
}

std::vector<ResultBody> choose_bodies(const Results& results, const std::string& name) {
  if (name.empty()) return results.bodies();
  std::vector<std::string> known;
  for (const ResultBody& body : results.bodies()) {
    if (body.name == name) return {body};
    known.push_back(body.name);
  }
  throw InputError(fmt::format("{}: there is no body \"{}\"{}", results.folder().string(), name,
                               suggestion(name, known)));
}

BodySurface surface_of(const ResultBody& body, const Surface& whole) {
  BodySurface surface;
  surface.name = body.name;
  std::vector<Index> place(static_cast<std::size_t>(body.nodes), -1);
  const auto of = [&](Index n) -> Index& {
    return place[static_cast<std::size_t>(n - body.first_node)];
  };
  for (const std::array<Index, 3>& triangle : whole.triangles)
    if (holds(body, triangle[0]))
      for (const Index n : triangle) of(n) = 0;
  for (Index n = body.first_node; n < body.first_node + body.nodes; ++n)
    if (of(n) == 0) {
      of(n) = static_cast<Index>(surface.points.size());
      surface.points.push_back(n);
    }
  for (const auto& [a, b, c] : whole.triangles)
    if (holds(body, a)) surface.triangles.push_back({of(a), of(b), of(c)});
  return surface;
}

}  // namespace

Job::Job(const Results& results, const ExportRequest& request)
    : results_(results),
      frames_(parse_frames(request.frames, results.size())),
      bodies_(choose_bodies(results, request.body)),
      interrupted_(request.interrupted) {}

std::vector<BodySurface> Job::surfaces() const {
  std::vector<BodySurface> all;
  for (const ResultBody& body : bodies_) {
    BodySurface surface = surface_of(body, results_.surface());
    if (!surface.triangles.empty()) all.push_back(std::move(surface));
  }
  if (all.empty())
    throw InputError(
        fmt::format("{}: there is no surface to export; vtk and xdmf hold bodies that have none",
                    results_.folder().string()));
  return all;
}

Volume Job::volume() const {
  Volume volume;
  std::int32_t cell = 0;
  for (const ElementBlock& block : results_.mesh().blocks)
    for (Index e = 0; e < block.size(); ++e, ++cell) {
      const std::span<const Index> nodes = block.element(e);
      Index first = 0;  // of the body's points among those of points_of
      for (const ResultBody& body : bodies_) {
        if (holds(body, nodes[0])) {
          volume.types.push_back(block.type);
          volume.body.push_back(results_.body_of_cell()[static_cast<std::size_t>(cell)]);
          volume.cell.push_back(cell);
          for (const Index n : nodes) volume.nodes.push_back(n - body.first_node + first);
        }
        first += body.nodes;
      }
    }
  return volume;
}

void Job::for_each_frame(const std::function<void(std::size_t, const ResultFrame&)>& visit) const {
  for (std::size_t k = 0; k < frames_.size(); ++k) {
    if (const int signal = interrupted_ ? interrupted_() : 0) throw Stopped{signal};
    visit(k, results_.read(frames_[k]));
  }
}

std::filesystem::path Job::frame_path(std::size_t k) const {
  return one_file ? out : out / numbered_name("frame_", frames_[k], format.extension);
}

Mesh make_surface_mesh(const std::vector<BodySurface>& surfaces, const std::vector<Vec3>& points) {
  Mesh mesh;
  mesh.region_names.clear();
  ElementBlock& block = mesh.blocks.emplace_back();
  block.type = ElementType::tri3;
  for (const BodySurface& surface : surfaces) {
    const Index first = mesh.point_count();
    const auto region = static_cast<Index>(mesh.region_names.size());
    mesh.region_names.push_back(surface.name);
    for (const Index n : surface.points) mesh.points.push_back(points[static_cast<std::size_t>(n)]);
    for (const std::array<Index, 3>& triangle : surface.triangles) {
      for (const Index n : triangle) block.nodes.push_back(first + n);
      block.region.push_back(region);
    }
  }
  return mesh;
}

}  // namespace pliant::exports
