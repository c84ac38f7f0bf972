#include <pliant/scene/locate.hpp>

#include <pliant/core/error.hpp>
#include <pliant/mesh/statistics.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {

void require_inside(double distance, const Mesh& mesh, const Vec3& point, std::string_view body,
                    std::string_view where) {
  const MeshStatistics statistics = statistics_of(mesh);
  if (!(distance <= 1e-6 * (statistics.max - statistics.min).norm()))
    throw InputError(fmt::format("{}: [{}, {}, {}] is outside body \"{}\", by {} m", where,
                                 point.x(), point.y(), point.z(), body, distance));
}

const Body& find_body(std::span<const Body> bodies, const std::string& name) {
  return *std::find_if(bodies.begin(), bodies.end(),
                       [&](const Body& body) { return body.name == name; });
}

MappedPoint locate(const Body& body, const Vec3& point, std::string_view where) {
  const PointSearch found = body.find(point);
  require_inside(found.distance, body.mesh, point, body.name, where);
  return found.point;
}

}  // namespace pliant
