#include <pliant/body/carried.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

// Weights above this count as carried; a frame that carries fewer nodes could turn into itself.
constexpr double kCarried = 0.01;
constexpr int kFewest = 5;

void follow_frames(const SolidInput& solid, Body& body, std::vector<Vec3>& rest,
                   Followers& followers) {
  body.frames.emplace(*solid.frames, static_cast<Index>(rest.size()));
  std::vector<int> carried(solid.frames->places.size(), 0);
  for (std::size_t n = 0; n < solid.mesh.points.size(); ++n) {
    const MappedPoint point = body.frames->point(solid.mesh.points[n]);
    std::vector<LeaderWeight> leaders;
    for (std::size_t a = 0; a < static_cast<std::size_t>(point.count); ++a)
      leaders.push_back({point.nodes[a], point.weights[a]});
    followers.add(body.first_node + static_cast<Index>(n), leaders);
    for (std::size_t a = 0; a < leaders.size(); a += 4) {
      double share = 0;
      for (std::size_t b = a; b < a + 4; ++b) share += leaders[b].weight;
      const Index frame = (leaders[a].node - body.frames->first()) / 4;
      carried[static_cast<std::size_t>(frame)] += share > kCarried ? 1 : 0;
    }
  }
  for (std::size_t k = 0; k < carried.size(); ++k)
    if (carried[k] < kFewest)
      throw InputError(fmt::format(
          "body \"{}\": frame {} carries {} of {} nodes, too few to be moved by; take fewer frames "
          "or a finer mesh, and no two frames in one place",
          solid.name, k, carried[k], solid.mesh.points.size()));
  const std::vector<Vec3> corners = body.frames->corners();
  rest.insert(rest.end(), corners.begin(), corners.end());
}

PointSearch of_system(PointSearch found, Index first_node) {
  for (int a = 0; a < found.point.count; ++a)
    found.point.nodes[static_cast<std::size_t>(a)] += first_node;
  return found;
}

}  // namespace

void attach_skin(SolidInput& solid, Body& body, Followers& followers) {
  if (!solid.skin) return;
  const Mesh& skin = *solid.skin;
  std::vector<PointSearch> found;
  for (const Vec3& x : skin.points) found.push_back(attach_point(solid.mesh, x));
  const Surface triangles = make_surface(skin);
  for (const auto& triangle : triangles.triangles)
    body.skin_hosts.push_back(found[static_cast<std::size_t>(triangle[0])].element);
  const Index first = solid.mesh.point_count();
  body.skin_nodes = skin.point_count();
  solid.mesh.points.insert(solid.mesh.points.end(), skin.points.begin(), skin.points.end());
  ElementBlock block;
  block.type = ElementType::tri3;
  for (const auto& triangle : triangles.triangles)
    for (const Index n : triangle) block.nodes.push_back(first + n);
  if (!solid.mesh.blocks[0].region.empty())
    block.region.assign(triangles.triangles.size(), solid.mesh.blocks[0].region[0]);
  solid.mesh.blocks.push_back(std::move(block));
  if (!solid.material_of_element.empty())
    for (const Index host : body.skin_hosts)
      solid.material_of_element.push_back(
          solid.material_of_element[static_cast<std::size_t>(host)]);
  if (solid.frames) return;
  for (std::size_t n = 0; n < found.size(); ++n) {
    std::vector<LeaderWeight> leaders;
    for (std::size_t a = 0; a < static_cast<std::size_t>(found[n].point.count); ++a)
      leaders.push_back({body.first_node + found[n].point.nodes[a], found[n].point.weights[a]});
    followers.add(body.first_node + first + static_cast<Index>(n), leaders);
  }
}

void add_frames(std::span<const SolidInput> solids, std::vector<Body>& bodies,
                std::vector<Vec3>& rest, Followers& followers) {
  for (std::size_t k = 0; k < solids.size(); ++k) {
    if (solids[k].frames) follow_frames(solids[k], bodies[k], rest, followers);
    if (!solids[k].rigid) continue;
    const RigidFrame frame = make_rigid_frame(*solids[k].rigid, static_cast<Index>(rest.size()));
    for (std::size_t n = 0; n < solids[k].mesh.points.size(); ++n)
      followers.add(bodies[k].first_node + static_cast<Index>(n),
                    frame.weights(solids[k].mesh.points[n]));
    rest.insert(rest.end(), frame.corners.begin(), frame.corners.end());
    bodies[k].rigid = frame;
  }
}

Surface outside_of(const Body& body) {
  Surface surface = make_surface(body.mesh);
  if (body.skin_nodes == 0) return surface;
  const ElementBlock& skin = body.mesh.blocks.back();
  surface.triangles.clear(), surface.element.clear();
  for (Index t = 0; t < skin.size(); ++t) {
    const auto n = skin.element(t);
    surface.triangles.push_back({n[0], n[1], n[2]});
    surface.element.push_back(body.mesh.element_count() - skin.size() + t);
  }
  surface.edges = unique_edges(surface.triangles);
  return surface;
}

Surface Body::boundary() const { return skin_nodes > 0 ? make_surface(mesh) : surface; }

Mesh Body::without_skin() const {
  Mesh out = mesh;
  if (skin_nodes == 0) return out;
  out.blocks.pop_back();
  out.points.resize(out.points.size() - static_cast<std::size_t>(skin_nodes));
  return out;
}

void Body::give_to_skin(std::span<double> values) const {
  const std::size_t first = values.size() - skin_hosts.size();
  for (std::size_t t = 0; t < skin_hosts.size(); ++t)
    values[first + t] = values[static_cast<std::size_t>(skin_hosts[t])];
}

PointSearch Body::find(const Vec3& point) const {
  if (rigid) return {rigid->point(point), 0};
  if (frames) return {frames->point(point), find_point(mesh, point).distance};
  return of_system(find_point(mesh, point), first_node);
}

PointSearch Body::attach(const Vec3& point) const {
  return rigid || frames ? find(point) : of_system(attach_point(mesh, point), first_node);
}

}  // namespace pliant
