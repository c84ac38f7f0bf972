#include <pliant/contact/impacts.hpp>

#include <pliant/contact/ccd.hpp>
#include <pliant/contact/contact_set.hpp>
#include <pliant/core/parallel.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace pliant {
namespace {

constexpr double kSlack = 1e-3;      // of the gap to be kept, within which a pair counts as apart
constexpr double kExact = 1e-4;      // likewise, where rows are exact
constexpr double kKeptAtHit = 1e-8;  // see CcdOptions: how near to the hit a pair is followed
constexpr double kRoom = 0.5;        // of what two ways differ by, for those that follow
constexpr double kMostRoom = 20;     // margins: with more, too many pairs would be looked at
constexpr std::size_t kImpactBlock = 256;

}  // namespace

double Impact::gap(std::span<const double> q) const {
  double sum = -thickness;
  for (int i = 0; i < points(); ++i)
    sum += w[i] * normal.dot(node(q, nodes[static_cast<std::size_t>(i)]));
  return sum;
}

std::string names_of(const ContactSurface& surface, const Impact& impact) {
  const auto name = [&](Index patch) { return '"' + at(surface.patches, patch).name + '"'; };
  if (impact.plane)
    return name(at(surface.point_patch, impact.pair.first)) + " and \"" +
           at(surface.planes, impact.pair.second).name + '"';
  const auto [one, other] = patches_of(surface, impact.kind, impact.pair);
  return name(one) + " and " + (one == other ? "itself" : name(other));
}

ImpactFinder::ImpactFinder(const ContactSurface& surface, double margin)
    : surface_(surface), margin_(margin), broad_(surface) {}

void ImpactFinder::find_planes(std::span<const double> q, std::span<const double> dq,
                               std::vector<Impact>& out) const {
  const ContactSurface& s = surface_;
  for (std::size_t k = 0; k < s.planes.size(); ++k)
    for (std::size_t p = 0; p < s.points.size(); ++p) {
      if (!s.meets_plane(s.point_patch[p], k)) continue;
      const ContactPlane& plane = s.planes[k];
      const Index n = s.points[p];
      const double before = plane.normal.dot(node(q, n) - node(q, plane.node)) -
                            at(s.patches, s.point_patch[p]).radius;
      const double moved = plane.normal.dot(node(dq, n) - node(dq, plane.node));
      if (before + moved >= std::min(margin_, before) - kExact * margin_) continue;
      Impact impact;
      impact.kind = PairKind::point_point;
      impact.plane = true;
      impact.pair = {static_cast<Index>(p), static_cast<Index>(k)};
      impact.nodes = {n, plane.node, plane.node, plane.node};
      impact.w << 1, -1, 0, 0;
      impact.normal = plane.normal;
      impact.thickness = at(s.patches, s.point_patch[p]).radius;
      impact.time = std::clamp((before - margin_) / -moved, 0.0, 1.0);
      impact.through = before + moved < 0.5 * std::min(margin_, before);
      out.push_back(impact);
    }
}

// Two questions: does the pair go through half of its gap on the way, and is it short of its gap at
// the end? A gap that dips a little on the way, since bodies turn, is nobody's business.
bool ImpactFinder::meets(const PairPoints& x, const PairPoints& dx, Impact& impact) const {
  const double wanted = std::min(margin_, distance(impact.kind, x) - impact.thickness);
  const CcdAnswer answer = find_impact(
      impact.kind, x, dx, {.thickness = impact.thickness + 0.5 * wanted, .kept = kKeptAtHit});
  impact.time = answer.time;
  impact.through = answer.hit;
  const PairPoints then = x + answer.time * dx;
  const Nearest nearest = find_nearest(impact.kind, then);
  const Vec3 r = nearest.connection(then);
  impact.gap_then = r.norm() - impact.thickness;
  impact.w = nearest.w;
  impact.normal = r.stableNormalized();
  return answer.hit || impact.gap_then < (1 - kSlack) * wanted;
}

void ImpactFinder::find_pairs(PairKind kind, std::span<const double> q, std::span<const double> dq,
                              std::vector<Impact>& out) const {
  const std::vector<CandidatePair>& pairs = candidates_.of(kind);
  const std::size_t size = items_per_block(pairs.size(), kImpactBlock);
  std::vector<std::vector<Impact>> parts((pairs.size() + size - 1) / size);
  parallel_ranges(pairs.size(), size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      Impact impact;
      impact.kind = kind;
      impact.pair = pairs[k];
      impact.nodes = nodes_of(surface_, kind, pairs[k]);
      impact.thickness = thickness_of(surface_, kind, pairs[k]);
      if (meets(gather(q, impact.nodes), gather(dq, impact.nodes), impact))
        parts[begin / size].push_back(impact);
    }
  });
  for (const std::vector<Impact>& part : parts) out.insert(out.end(), part.begin(), part.end());
}

// The first of each point, or edge, on each patch; the nearest of those at the end of the way.
void ImpactFinder::keep_first(std::vector<Impact>& hits) const {
  std::stable_sort(hits.begin(), hits.end(), [](const Impact& a, const Impact& b) {
    return std::pair(a.time, a.gap_then) < std::pair(b.time, b.gap_then);
  });
  std::map<std::pair<Index, Index>, bool> seen;
  std::vector<Impact> kept;
  for (const Impact& hit : hits) {
    const Index patch =
        hit.plane ? -1 - hit.pair.second : patches_of(surface_, hit.kind, hit.pair)[1];
    bool& taken = seen[{hit.pair.first, patch}];
    if (!taken || hit.thickness > 0) kept.push_back(hit);
    taken = true;
  }
  hits = std::move(kept);
}

// The second of a series of ways shows how far those to come may differ.
void ImpactFinder::find_candidates(std::span<const double> q, std::span<const double> dq) {
  const Vector to = as_vector(q) + as_vector(dq);
  double differs = std::numeric_limits<double>::infinity();
  if (from_.size() == to.size() && to.size() > 0)
    differs = std::max((as_vector(q) - from_).lpNorm<Eigen::Infinity>(),
                       (to - to_).lpNorm<Eigen::Infinity>());
  if (differs <= room_) return;
  const bool alike = from_.size() == to.size() && as_vector(q) == from_ && std::isfinite(differs);
  room_ = alike && kRoom * differs <= kMostRoom * margin_ ? kRoom * differs : 0;
  from_ = as_vector(q), to_ = to;
  broad_.find(q, dq, margin_ + 2 * room_, candidates_);
}

void ImpactFinder::find_points(std::span<const double> q, std::span<const double> dq,
                               std::vector<Impact>& out) {
  out.clear();
  find_candidates(q, dq);
  find_planes(q, dq, out);
  for (const PairKind kind :
       {PairKind::point_triangle, PairKind::point_edge, PairKind::point_point})
    find_pairs(kind, q, dq, out);
  keep_first(out);
}

void ImpactFinder::find_edges(std::span<const double> q, std::span<const double> dq,
                              std::vector<Impact>& out) const {
  out.clear();
  find_pairs(PairKind::edge_edge, q, dq, out);
  keep_first(out);
}

double ImpactFinder::true_gap(const Impact& impact, std::span<const double> q) const {
  if (impact.plane) return impact.gap(q);
  const PairPoints x = gather(q, impact.nodes);
  const Vec3 r = find_nearest(impact.kind, x).connection(x);
  return (r.dot(impact.normal) < 0 ? -r.norm() : r.norm()) - impact.thickness;
}

}  // namespace pliant
