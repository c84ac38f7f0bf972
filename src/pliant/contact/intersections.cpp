#include <pliant/contact/intersections.hpp>

#include <pliant/contact/broad_phase.hpp>
#include <pliant/contact/contact_set.hpp>

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using Rational = boost::multiprecision::cpp_rational;

template <class Number>
Number determinant(const std::array<std::array<Number, 3>, 3>& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::array<std::array<Rational, 3>, 3> m;
  const std::array<const Vec3*, 3> rows = {&a, &b, &c};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      m[i][j] = Rational((*rows[i])[static_cast<Eigen::Index>(j)]) -
                Rational(d[static_cast<Eigen::Index>(j)]);
  return determinant(m).sign();
}

bool shares_node(const std::array<Index, 2>& edge, const std::array<Index, 3>& triangle) {
  return std::any_of(edge.begin(), edge.end(), [&](Index n) {
    return std::find(triangle.begin(), triangle.end(), n) != triangle.end();
  });
}

class Search {
 public:
  Search(const ContactSurface& surface, std::span<const double> q, double near)
      : s_(surface), q_(q), near_(near) {}

  std::vector<Intersection> run() {
    find_edges_in_triangles();
    find_near();
    find_behind_planes();
    return std::move(found_);
  }

 private:
  Vec3 x(Index n) const { return node(q_, n); }
  const std::string& name(Index patch) const { return at(s_.patches, patch).name; }

  void find_edges_in_triangles() {
    std::vector<Box> boxes(s_.triangles.size());
    for (std::size_t t = 0; t < boxes.size(); ++t)
      for (const Index n : s_.triangles[t]) boxes[t].add(x(n));
    BoxTree tree;
    tree.update(boxes);
    for (std::size_t e = 0; e < s_.edges.size(); ++e) {
      Box box;
      for (const Index n : s_.edges[e]) box.add(x(n));
      std::vector<Index> near;
      tree.for_each_overlap(box, [&near](Index t) { near.push_back(t); });
      std::sort(near.begin(), near.end());
      for (const Index t : near) check(static_cast<Index>(e), t);
    }
  }

  void check(Index e, Index t) {
    const auto& edge = at(s_.edges, e);
    const auto& corner = at(s_.triangles, t);
    const Index a = at(s_.edge_patch, e), b = at(s_.triangle_patch, t);
    if (!s_.may_touch(a, b) || shares_node(edge, corner)) return;
    const std::array<Vec3, 3> face = {x(corner[0]), x(corner[1]), x(corner[2])};
    if (!segment_meets_triangle({x(edge[0]), x(edge[1])}, face)) return;
    const Vec3 normal = (face[1] - face[0]).cross(face[2] - face[0]).stableNormalized();
    const double h0 = normal.dot(x(edge[0]) - face[0]), h1 = normal.dot(x(edge[1]) - face[0]);
    // Where the edge passes the plane of the triangle; its middle where it lies in that plane.
    const double s = h0 == h1 ? 0.5 : std::clamp(h0 / (h0 - h1), 0.0, 1.0);
    Intersection found{name(a), name(b), (1 - s) * x(edge[0]) + s * x(edge[1])};
    found.depth = std::min(std::abs(h0), std::abs(h1));
    found.first_patch = a, found.second_patch = b;
    found.first_nodes = {edge[0], edge[1]};
    found.second_nodes = {corner[0], corner[1], corner[2]};
    found_.push_back(std::move(found));
  }

  // By distance: what is thick, and what almost touches.
  void find_near() {
    const bool thick = std::any_of(s_.patches.begin(), s_.patches.end(),
                                   [](const ContactPatch& patch) { return patch.radius > 0; });
    if (!thick && !(near_ > 0)) return;
    Candidates candidates;
    BroadPhase(s_, BroadPhase::Use::once).find(q_, {}, near_, candidates);
    for (const PairKind kind : pair_kinds)
      for (const CandidatePair& pair : candidates.of(kind)) {
        const double reach = thickness_of(s_, kind, pair) + near_;
        if (reach > 0) check(kind, pair, reach);
      }
  }

  void check(PairKind kind, const CandidatePair& pair, double reach) {
    const std::array<Index, 4> nodes = nodes_of(s_, kind, pair);
    const PairPoints points = gather(q_, nodes);
    const Vec3 between = find_nearest(kind, points).connection(points);
    const double apart = between.norm();
    if (!(apart <= reach)) return;
    const auto [a, b] = patches_of(s_, kind, pair);
    Intersection found{name(a), name(b), points.col(0)};
    found.depth = reach - near_ - apart;
    found.away = between.stableNormalized();
    found.first_patch = a, found.second_patch = b;
    const int first = kind == PairKind::edge_edge ? 2 : 1;
    for (int k = 0; k < points_of(kind); ++k)
      (k < first ? found.first_nodes : found.second_nodes)
          .push_back(nodes[static_cast<std::size_t>(k)]);
    found_.push_back(std::move(found));
  }

  void find_behind_planes() {
    for (std::size_t k = 0; k < s_.planes.size(); ++k)
      for (std::size_t p = 0; p < s_.points.size(); ++p) {
        if (!s_.meets_plane(s_.point_patch[p], k)) continue;
        const Vec3 place = x(s_.points[p]);
        const double gap = s_.planes[k].normal.dot(place - x(s_.planes[k].node)) -
                           at(s_.patches, s_.point_patch[p]).radius;
        if (gap > near_) continue;
        Intersection found{name(s_.point_patch[p]), s_.planes[k].name, place};
        found.depth = -gap;
        found.away = s_.planes[k].normal;
        found.first_patch = s_.point_patch[p];
        found.first_nodes = {s_.points[p]};
        found_.push_back(std::move(found));
      }
  }

  const ContactSurface& s_;
  std::span<const double> q_;
  double near_;
  std::vector<Intersection> found_;
};

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = a - d, v = b - d, w = c - d;
  const double volume = u.dot(v.cross(w));
  // The rounding errors of six products of three factors each, generously.
  const double size = u.lpNorm<1>() * v.lpNorm<1>() * w.lpNorm<1>();
  if (std::abs(volume) > 1e-14 * size) return volume > 0 ? 1 : -1;
  return exact_orientation(a, b, c, d);
}

bool segment_meets_triangle(const std::array<Vec3, 2>& s, const std::array<Vec3, 3>& t) {
  const int first = orientation(t[0], t[1], t[2], s[0]);
  const int second = orientation(t[0], t[1], t[2], s[1]);
  if (first * second > 0) return false;
  if (first == 0 && second == 0) {
    double nearest = std::numeric_limits<double>::infinity(), size = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      PairPoints x;
      x << s[0], s[1], t[k], t[(k + 1) % 3];
      nearest = std::min(nearest, distance(PairKind::edge_edge, x));
      size = std::max(size, x.cwiseAbs().maxCoeff());
    }
    PairPoints x;
    x << s[0], t[0], t[1], t[2];
    nearest = std::min(nearest, distance(PairKind::point_triangle, x));
    return nearest <= 1e-15 * size;
  }
  std::array<int, 3> side{};
  for (std::size_t k = 0; k < 3; ++k) side[k] = orientation(s[0], s[1], t[k], t[(k + 1) % 3]);
  const auto [low, high] = std::minmax_element(side.begin(), side.end());
  return *low * *high >= 0;
}

std::vector<Intersection> find_intersections(const ContactSurface& surface,
                                             std::span<const double> q, double near) {
  return Search(surface, q, near).run();
}

}  // namespace pliant
