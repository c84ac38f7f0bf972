#include <pliant/scene/build_carried.hpp>

#include <pliant/core/error.hpp>
#include <pliant/mesh/statistics.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {

FramesInput make_frames(const FramesDescription& said, const Mesh& mesh) {
  FramesInput frames{said.places, said.power};
  if (frames.places.empty()) frames.places = spread_frames(mesh.points, said.count);
  const MeshStatistics statistics = statistics_of(mesh);
  frames.size = (statistics.max - statistics.min).norm();
  return frames;
}

Mesh skin_of(const Mesh& mesh, const std::string& where) {
  Mesh skin;
  skin.region_names = {"skin"};
  ElementBlock block;
  block.type = ElementType::tri3;
  std::vector<Index> number(mesh.points.size(), -1);
  for (const auto& triangle : make_surface(mesh).triangles)
    for (const Index n : triangle) {
      Index& own = number[static_cast<std::size_t>(n)];
      if (own < 0) {
        own = skin.point_count();
        skin.points.push_back(mesh.points[static_cast<std::size_t>(n)]);
      }
      block.nodes.push_back(own);
    }
  if (block.nodes.empty()) throw InputError(where + ": has no surface to carry");
  block.region.assign(block.nodes.size() / 3, 0);
  skin.blocks.push_back(std::move(block));
  return skin;
}

Mesh make_skin(const BodyDescription& body, const Mesh& host, const Log& log) {
  const std::string where = body.where + "/embed";
  Mesh mesh = build_mesh(*body.embed, where, log);
  apply(body.transform, mesh);
  Mesh skin = skin_of(mesh, where);
  const MeshStatistics statistics = statistics_of(host);
  const double size = (statistics.max - statistics.min).norm();
  double farthest = 0;
  for (const Vec3& x : skin.points)
    farthest = std::max(farthest, (statistics.min - x).cwiseMax(x - statistics.max).maxCoeff());
  if (farthest > size)
    throw InputError(fmt::format(
        "{}: lies up to {:.3g} m beside the body, which is {:.3g} m large; it is placed by the "
        "body's \"transform\", too",
        where, farthest, size));
  return skin;
}

}  // namespace pliant
