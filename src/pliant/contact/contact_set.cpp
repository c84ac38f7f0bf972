#include <pliant/contact/contact_set.hpp>

#include <pliant/contact/axis_gap.hpp>
#include <pliant/contact/barrier.hpp>
#include <pliant/contact/ccd.hpp>
#include <pliant/core/parallel.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kConeWidth = 0.05;  // the sine beyond a normal within which an edge fades out
constexpr double kParallel = 1e-3;   // ‖e₁×e₂‖² over the product of the squared lengths
constexpr double kParallelInGuard = 1e-4;  // of that
// Of a gap, see CcdOptions. A surface that slides over a bent one comes nearer by the square of its
// way, and is stopped where the gap allows; a Newton step that has to make room at most doubles the
// gap. So where a guard alone is between two surfaces half of it is kept: with less, gaps and ways
// shrink together, and Newton's method creeps along the bend.
constexpr double kKept = 0.1, kKeptInGuard = 0.5;
constexpr std::size_t kCandidateBlock = 256;

double mean_positive(std::span<const double> values, std::span<const Index> patch, Index which) {
  double sum = 0;
  int count = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (patch[k] == which && values[k] > 0) sum += values[k], ++count;
  return count > 0 ? sum / count : 0;
}

// An area of one's own, but no more than is usual on the other side: a point of a coarse obstacle
// presses on no more of a fine body than one of the body's own would. Zero: neither has one.
double common_area(double own, double theirs) {
  return own > 0 && theirs > 0 ? std::min(own, theirs) : std::max(own, theirs);
}

}  // namespace

PairPoints gather(std::span<const double> q, const std::array<Index, 4>& nodes) {
  PairPoints x;
  for (int i = 0; i < 4; ++i) x.col(i) = node(q, nodes[static_cast<std::size_t>(i)]);
  return x;
}

ContactFinder::ContactFinder(const ContactSurface& surface, double delta)
    : surface_(surface), delta_(delta) {
  for (Index k = 0; k < static_cast<Index>(surface.patches.size()); ++k) {
    mean_point_area_.push_back(mean_positive(surface.point_area, surface.point_patch, k));
    mean_edge_area_.push_back(mean_positive(surface.edge_area, surface.edge_patch, k));
  }
}

// Two bodies meet each other's points: half of the stiffness for each side.
double ContactFinder::stiffness(Index a, Index b, double area) const {
  const double one = at(surface_.patches, a).modulus, other = at(surface_.patches, b).modulus;
  const double modulus = one > 0 && other > 0 ? 0.5 * std::min(one, other) : std::max(one, other);
  return modulus * area / (barrier_slope_at_tenth * delta_);
}

double ContactFinder::point_area(Index point, Index patch) const {
  // The flat parts of an obstacle press on nothing themselves: all of it is borne from this side.
  const double own = at(surface_.point_area, point);
  if (own > 0 && at(surface_.patches, patch).obstacle) return own;
  const double area = common_area(own, at(mean_point_area_, patch));
  return area > 0 ? area : delta_ * delta_;
}

double ContactFinder::edge_area(Index e, Index f) const {
  const double one = at(mean_edge_area_, at(surface_.edge_patch, e));
  const double other = at(mean_edge_area_, at(surface_.edge_patch, f));
  const double area = common_area(common_area(at(surface_.edge_area, e), other),
                                  common_area(at(surface_.edge_area, f), one));
  return area > 0 ? area : delta_ * delta_;
}

// One where `away`, a unit vector from the edge, lies between the normals of its triangles: then
// going into neither triangle comes nearer to what it points to.
double ContactFinder::edge_weight(Index edge, const Vec3& away,
                                  std::span<const double> start) const {
  const auto [i, j] = at(surface_.edges, edge);
  const Vec3 direction = (node(start, j) - node(start, i)).normalized();
  double weight = 1;
  for (const Index wing : surface_.wings_of(edge)) {
    Vec3 inward = node(start, wing) - node(start, i);
    inward -= inward.dot(direction) * direction;
    const double beyond = std::clamp(away.dot(inward.normalized()) / kConeWidth, 0.0, 1.0);
    weight *= (1 - beyond) * (1 - beyond) * (1 + 2 * beyond);
  }
  return weight;
}

Contact ContactFinder::from_feature(Index point, const PointFeature& feature) const {
  const CandidatePair pair{point, feature.number};
  const auto [own, patch] = patches_of(surface_, feature.kind, pair);
  Contact contact;
  contact.kind = feature.kind;
  contact.nodes = nodes_of(surface_, feature.kind, pair);
  contact.thickness = thickness_of(surface_, feature.kind, pair);
  contact.range = feature.range;
  contact.stiffness =
      feature.weight / feature.range * stiffness(own, patch, point_area(point, patch));
  return contact;
}

void ContactFinder::add_edges(const CandidatePair& pair, std::span<const double> q,
                              const WeightsFrom& start, ContactPart& part) const {
  const ContactSurface& s = surface_;
  const PairKind kind = PairKind::edge_edge;
  const auto [one, other] = patches_of(s, kind, pair);
  Contact contact{kind, nodes_of(s, kind, pair), 0, thickness_of(s, kind, pair), 0};
  const PairPoints x = gather(q, contact.nodes);
  if (axis_gap(kind, x) - contact.thickness >= std::max(delta_, part.min_gap)) return;
  const double gap = distance(kind, x) - contact.thickness;
  part.min_gap = std::min(part.min_gap, gap);
  const bool flat = at(s.flat_edge, pair.first) || at(s.flat_edge, pair.second);
  const bool guarded = gap < guard_range * delta_;
  if (gap >= delta_ || (flat && !guarded)) return;
  const PairPoints before = gather(start.q, contact.nodes);
  // An edge that has shrunk is no more parallel for that.
  contact.parallel =
      kParallel *
      std::min(at(s.edge_length2, pair.first), (before.col(1) - before.col(0)).squaredNorm()) *
      std::min(at(s.edge_length2, pair.second), (before.col(3) - before.col(2)).squaredNorm());
  const double full = stiffness(one, other, edge_area(pair.first, pair.second));
  if (!flat) {
    const Vec3 n = find_nearest(kind, before).connection(before).normalized();
    contact.stiffness = full * edge_weight(pair.first, -n, start.q);
    if (contact.stiffness > 0) contact.stiffness *= edge_weight(pair.second, n, start.q);
    if (start.shares) contact.stiffness *= start.shares->of(contact.nodes);
    if (contact.stiffness > 0) part.contacts.push_back(contact);
  }
  if (!guarded) return;
  // Ends that are further away than the guard reaches do not bear what the edges press with: they
  // are parallel only where hardly anything is between them.
  contact.range = guard_range;
  contact.parallel *= kParallelInGuard;
  contact.stiffness = full / guard_range;
  part.contacts.push_back(contact);
}

// A point and a wire, or two lone points: nothing is counted twice.
void ContactFinder::add_simple(PairKind kind, const CandidatePair& pair, std::span<const double> q,
                               ContactPart& part) const {
  Contact contact = from_feature(pair.first, {kind, pair.second, 1});
  const double gap = distance(kind, gather(q, contact.nodes)) - contact.thickness;
  part.min_gap = std::min(part.min_gap, gap);
  if (gap < delta_) part.contacts.push_back(contact);
}

void ContactFinder::add_planes(std::span<const double> q, ContactSet& out) const {
  const ContactSurface& s = surface_;
  for (std::size_t k = 0; k < s.planes.size(); ++k)
    for (std::size_t p = 0; p < s.points.size(); ++p) {
      if (!s.meets_plane(s.point_patch[p], k)) continue;
      const ContactPatch& patch = at(s.patches, s.point_patch[p]);
      const double gap =
          s.planes[k].normal.dot(node(q, s.points[p]) - node(q, s.planes[k].node)) - patch.radius;
      out.min_gap = std::min(out.min_gap.value_or(gap), gap);
      if (gap >= delta_) continue;
      const double area = s.point_area[p] > 0 ? s.point_area[p] : delta_ * delta_;
      out.planes.push_back({s.points[p], static_cast<Index>(k),
                            patch.modulus * area / (barrier_slope_at_tenth * delta_),
                            patch.radius});
    }
}

void ContactFinder::find(const Candidates& candidates, std::span<const double> q,
                         const WeightsFrom& start, ContactSet& out) const {
  out.contacts.clear(), out.planes.clear(), out.min_gap.reset();
  const auto take = [&out](const ContactPart& part) {
    out.contacts.insert(out.contacts.end(), part.contacts.begin(), part.contacts.end());
    if (std::isfinite(part.min_gap))
      out.min_gap = std::min(out.min_gap.value_or(part.min_gap), part.min_gap);
  };
  const auto gather_parts = [&](std::size_t count, auto&& fill) {
    const std::size_t size = items_per_block(count, kCandidateBlock);
    const std::size_t blocks = (count + size - 1) / size;
    if (out.parts.size() < blocks) out.parts.resize(blocks);
    parallel_ranges(count, size, [&](std::size_t begin, std::size_t end) {
      out.parts[begin / size].clear();
      fill(begin, end, out.parts[begin / size]);
    });
    for (std::size_t k = 0; k < blocks; ++k) take(out.parts[k]);
  };
  // Runs of triangles near the same point; a run belongs to the block in which it begins.
  const std::vector<CandidatePair>& pt = candidates.point_triangle;
  gather_parts(pt.size(), [&](std::size_t begin, std::size_t end, ContactPart& part) {
    while (begin > 0 && begin < end && pt[begin].first == pt[begin - 1].first) ++begin;
    while (begin < end) {
      std::size_t last = begin + 1;
      while (last < pt.size() && pt[last].first == pt[begin].first) ++last;
      const PointFeatures near(surface_, delta_, std::span(pt).subspan(begin, last - begin), q,
                               part.features);
      part.min_gap = std::min(part.min_gap, near.smallest_gap());
      for (const PointFeature& feature : near.features())
        if (feature.range < 1 || !at(surface_.flat_point, pt[begin].first))
          part.contacts.push_back(from_feature(pt[begin].first, feature));
      begin = last;
    }
  });
  const std::vector<CandidatePair>& ee = candidates.edge_edge;
  gather_parts(ee.size(), [&](std::size_t begin, std::size_t end, ContactPart& part) {
    for (std::size_t k = begin; k < end; ++k) add_edges(ee[k], q, start, part);
  });
  for (const PairKind kind : {PairKind::point_edge, PairKind::point_point}) {
    const std::vector<CandidatePair>& pairs = candidates.of(kind);
    gather_parts(pairs.size(), [&](std::size_t begin, std::size_t end, ContactPart& part) {
      for (std::size_t k = begin; k < end; ++k) add_simple(kind, pairs[k], q, part);
    });
  }
  add_planes(q, out);
}

double ContactFinder::safe_step_from_planes(std::span<const double> q,
                                            std::span<const double> dq) const {
  const ContactSurface& s = surface_;
  double step = 1;
  for (std::size_t k = 0; k < s.planes.size(); ++k)
    for (std::size_t p = 0; p < s.points.size(); ++p) {
      if (!s.meets_plane(s.point_patch[p], k)) continue;
      const ContactPlane& plane = s.planes[k];
      const ContactPatch& patch = at(s.patches, s.point_patch[p]);
      const double gap =
          plane.normal.dot(node(q, s.points[p]) - node(q, plane.node)) - patch.radius;
      const double closing = -plane.normal.dot(node(dq, s.points[p]) - node(dq, plane.node));
      if (closing > (1 - kKept) * gap) step = std::min(step, (1 - kKept) * gap / closing);
    }
  return step;
}

double ContactFinder::safe_step(const Candidates& candidates, std::span<const double> q,
                                std::span<const double> dq) const {
  double step = safe_step_from_planes(q, dq);
  for (const PairKind kind : pair_kinds) {
    const std::vector<CandidatePair>& pairs = candidates.of(kind);
    std::array<double, 256> parts;
    parts.fill(1);
    const std::size_t block = items_per_block(
        pairs.size(), std::max(kCandidateBlock, (pairs.size() + parts.size() - 1) / parts.size()));
    parallel_ranges(pairs.size(), block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const std::array<Index, 4> n = nodes_of(surface_, kind, pairs[k]);
        const PairPoints x = gather(q, n), dx = gather(dq, n);
        const double thickness = thickness_of(surface_, kind, pairs[k]);
        // A pair that stays out of its range is not asked how much of its gap it keeps.
        if (axis_gap_on_way(kind, x, dx) - thickness >= delta_) continue;
        const double guarded = thickness + guard_range * delta_;
        const bool in_guard = axis_gap(kind, x) < guarded && distance(kind, x) < guarded;
        const CcdOptions options{.thickness = thickness, .kept = in_guard ? kKeptInGuard : kKept};
        const CcdAnswer answer = find_impact(kind, x, dx, options);
        parts[begin / block] = std::min(parts[begin / block], answer.time);
      }
    });
    for (const double part : parts) step = std::min(step, part);
  }
  return step;
}

}  // namespace pliant
