#include <reliability/checker.hpp>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Exact_rational.h>
#include <CGAL/box_intersection_d.h>

#include <fmt/format.h>

#include <algorithm>

namespace pliant::reliability {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Segment = Kernel::Segment_3;
using Triangle = Kernel::Triangle_3;
using FaceBox = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, const std::size_t*>;

Point point_of(std::span<const double> q, Index n) {
  const auto x = node(q, n);
  return {x.x(), x.y(), x.z()};
}

Segment segment_of(std::span<const double> q, const std::array<Index, 2>& nodes) {
  return {point_of(q, nodes[0]), point_of(q, nodes[1])};
}

Triangle triangle_of(std::span<const double> q, const std::array<Index, 3>& nodes) {
  return {point_of(q, nodes[0]), point_of(q, nodes[1]), point_of(q, nodes[2])};
}

template <std::size_t count>
bool share_a_node(const std::array<Index, count>& a, const std::array<Index, count>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&b](Index n) { return std::find(b.begin(), b.end(), n) != b.end(); });
}

// Is x strictly in front of the plane? Where doubles leave it in doubt, rationals decide.
bool is_in_front(const Vec3& x, const Vec3& on, const Vec3& normal) {
  const double side = normal.dot(x - on);
  if (std::abs(side) > 1e-12 * (x.norm() + on.norm())) return side > 0;
  CGAL::Exact_rational sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += CGAL::Exact_rational(normal[i]) *
           (CGAL::Exact_rational(x[i]) - CGAL::Exact_rational(on[i]));
  return sum > 0;
}

double squared_distance_of(const Segment& rod, const Triangle& face) {
  if (CGAL::do_intersect(rod, face)) return 0;
  double least = std::min(CGAL::squared_distance(rod.source(), face),
                          CGAL::squared_distance(rod.target(), face));
  for (int k = 0; k < 3; ++k)
    least =
        std::min(least, CGAL::squared_distance(rod, Segment(face.vertex(k), face.vertex(k + 1))));
  return least;
}

// The nodes that triangles and edges name, each once.
std::vector<Index> nodes_of(const Surface& surface) {
  std::vector<Index> nodes;
  for (const auto& t : surface.triangles) nodes.insert(nodes.end(), t.begin(), t.end());
  for (const auto& e : surface.edges) nodes.insert(nodes.end(), e.begin(), e.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

SurfaceChecker::SurfaceChecker(const World& world) : world_(world) {
  const auto add = [this](const Surface& surface, Index first, bool moves) {
    for (const auto& t : surface.triangles)
      faces_.push_back({{t[0] + first, t[1] + first, t[2] + first}, moves});
  };
  for (std::size_t k = 0; k < world.model().bodies.size(); ++k) {
    const Body& body = world.model().bodies[k];
    const Piece& piece = world.spec().pieces[k];
    add(body.surface, body.first_node, true);
    if (piece.is_cable())
      for (const auto& edge : body.surface.edges)
        wires_.push_back({{edge[0] + body.first_node, edge[1] + body.first_node}, piece.radius()});
    for (const Index n : nodes_of(body.surface))
      corners_.push_back({n + body.first_node, piece.is_cable() ? piece.radius() : 0});
  }
  for (std::size_t k = 0; k < world.spec().walls.size(); ++k)
    add(world.spec().walls[k].surface, world.first_wall_node(k), false);
}

std::string SurfaceChecker::find_among_faces(std::span<const double> q) const {
  std::vector<Triangle> triangles;
  std::vector<std::size_t> numbers;
  std::vector<FaceBox> boxes;
  numbers.reserve(faces_.size());
  for (std::size_t k = 0; k < faces_.size(); ++k) {
    triangles.push_back(triangle_of(q, faces_[k].nodes));
    numbers.push_back(k);
    boxes.emplace_back(triangles.back().bbox(), &numbers[k]);
  }
  std::string found;
  const auto compare = [&](const FaceBox& one, const FaceBox& other) {
    const std::size_t a = *one.handle(), b = *other.handle();
    if (!found.empty() || (!faces_[a].moves && !faces_[b].moves)) return;
    if (share_a_node(faces_[a].nodes, faces_[b].nodes)) return;
    if (!CGAL::do_intersect(triangles[a], triangles[b])) return;
    const auto& m = faces_[a].nodes;
    const auto& n = faces_[b].nodes;
    found = fmt::format("triangles {} {} {} and {} {} {} intersect", m[0], m[1], m[2], n[0], n[1],
                        n[2]);
  };
  // Pointers are sorted faster than boxes, and short lists faster compared than split.
  std::vector<const FaceBox*> sorted;
  for (const FaceBox& box : boxes) sorted.push_back(&box);
  constexpr std::ptrdiff_t short_list = 400;
  CGAL::box_self_intersection_d(
      sorted.begin(), sorted.end(),
      [&](const FaceBox* one, const FaceBox* other) { compare(*one, *other); },
      CGAL::Box_intersection_d::Box_traits_d<const FaceBox*>(), short_list);
  return found;
}

std::string SurfaceChecker::find_among_wires(std::span<const double> q) const {
  for (const Wire& wire : wires_) {
    const Segment segment = segment_of(q, wire.nodes);
    const auto words = [&](std::string_view what) {
      return fmt::format("segment {} {} is in {}", wire.nodes[0], wire.nodes[1], what);
    };
    for (const Face& face : faces_)
      if (!(squared_distance_of(segment, triangle_of(q, face.nodes)) > wire.radius * wire.radius))
        return words("a triangle");
    for (const Wire& other : wires_) {
      const double least = wire.radius + other.radius;
      if (!share_a_node(wire.nodes, other.nodes) &&
          !(CGAL::squared_distance(segment, segment_of(q, other.nodes)) > least * least))
        return words("another segment");
    }
  }
  return {};
}

std::string SurfaceChecker::find_wire_at_wall(std::size_t k, std::span<const double> q) const {
  const Wall& wall = world_.spec().walls[k];
  const Index first = world_.first_wall_node(k);
  for (const Wire& wire : wires_) {
    const Segment segment = segment_of(q, wire.nodes);
    const double least = wall.radius + wire.radius;
    bool clear = true;
    if (wall.kind == Wall::Kind::plane)
      for (const Index n : wire.nodes)
        clear = clear && is_in_front(node(q, n), node(q, first), wall.normal);
    else if (wall.kind == Wall::Kind::ball)
      clear = CGAL::squared_distance(point_of(q, first), segment) > least * least;
    else if (wall.kind == Wall::Kind::rod)
      clear = CGAL::squared_distance(segment_of(q, {first, first + 1}), segment) > least * least;
    if (!clear)
      return fmt::format("segment {} {} touches wall {}", wire.nodes[0], wire.nodes[1], k);
  }
  return {};
}

std::string SurfaceChecker::find_at_wall(std::size_t k, std::span<const double> q) const {
  const Wall& wall = world_.spec().walls[k];
  const Index first = world_.first_wall_node(k);
  for (const Face& face : faces_) {
    if (!face.moves) continue;
    bool clear = true;
    if (wall.kind == Wall::Kind::plane)
      for (const Index n : face.nodes)
        clear = clear && is_in_front(node(q, n), node(q, first), wall.normal);
    else if (wall.kind == Wall::Kind::ball)
      clear = CGAL::squared_distance(point_of(q, first), triangle_of(q, face.nodes)) >
              wall.radius * wall.radius;
    else if (wall.kind == Wall::Kind::rod)
      clear = squared_distance_of(Segment(point_of(q, first), point_of(q, first + 1)),
                                  triangle_of(q, face.nodes)) > wall.radius * wall.radius;
    if (!clear)
      return fmt::format("triangle {} {} {} touches wall {}", face.nodes[0], face.nodes[1],
                         face.nodes[2], k);
  }
  return {};
}

std::string SurfaceChecker::find_contact(std::span<const double> q) const {
  for (std::size_t k = 0; k < world_.spec().walls.size(); ++k)
    if (world_.spec().walls[k].kind != Wall::Kind::sheet) {
      if (std::string found = find_at_wall(k, q); !found.empty()) return found;
      if (std::string found = find_wire_at_wall(k, q); !found.empty()) return found;
    }
  if (std::string found = find_among_wires(q); !found.empty()) return found;
  return find_among_faces(q);
}

// Round things of no thickness are no obstacle to a point.
std::string SurfaceChecker::find_passage_at_wall(std::size_t k, const Corner& corner,
                                                 std::span<const double> from,
                                                 std::span<const double> to) const {
  const Wall& wall = world_.spec().walls[k];
  const Index first = world_.first_wall_node(k);
  const Point end = point_of(to, corner.node);
  const double least = wall.radius + corner.radius;
  bool clear = true;
  if (wall.kind == Wall::Kind::plane) {
    clear = is_in_front(node(to, corner.node), node(to, first), wall.normal);
  } else if (wall.kind == Wall::Kind::ball) {
    clear = least == 0 || CGAL::squared_distance(point_of(to, first), end) > least * least;
  } else if (wall.kind == Wall::Kind::rod) {
    clear = least == 0 ||
            CGAL::squared_distance(segment_of(to, {first, first + 1}), end) > least * least;
  } else if (wall.motion.at_rest() && point_of(from, corner.node) != end) {
    const Segment way(point_of(from, corner.node), end);
    for (const auto& t : wall.surface.triangles) {
      const Triangle face = triangle_of(to, {t[0] + first, t[1] + first, t[2] + first});
      clear =
          clear && !(CGAL::do_overlap(way.bbox(), face.bbox()) && CGAL::do_intersect(way, face));
    }
  }
  return clear ? std::string() : fmt::format("point {} goes through wall {}", corner.node, k);
}

std::string SurfaceChecker::find_passage(std::span<const double> from,
                                         std::span<const double> to) const {
  for (std::size_t k = 0; k < world_.spec().walls.size(); ++k)
    for (const Corner& corner : corners_)
      if (std::string found = find_passage_at_wall(k, corner, from, to); !found.empty())
        return found;
  return {};
}

}  // namespace pliant::reliability
