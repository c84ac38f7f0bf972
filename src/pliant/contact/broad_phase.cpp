#include <pliant/contact/broad_phase.hpp>

#include <pliant/core/parallel.hpp>

#include <algorithm>

namespace pliant {
namespace {

constexpr std::size_t kQueryBlock = 256;  // queries searched together

template <std::size_t N>
bool contains(const std::array<Index, N>& nodes, Index n) {
  return std::find(nodes.begin(), nodes.end(), n) != nodes.end();
}

}  // namespace

std::array<Index, 4> nodes_of(const ContactSurface& s, PairKind kind, const CandidatePair& pair) {
  const auto [a, b] = pair;
  if (kind == PairKind::edge_edge) {
    const auto &e = at(s.edges, a), &f = at(s.edges, b);
    return {e[0], e[1], f[0], f[1]};
  }
  const Index n = at(s.points, a);
  if (kind == PairKind::point_triangle) {
    const auto& t = at(s.triangles, b);
    return {n, t[0], t[1], t[2]};
  }
  if (kind == PairKind::point_edge) {
    const auto& e = at(s.edges, b);
    return {n, e[0], e[1], e[1]};
  }
  const Index other = at(s.points, b);
  return {n, other, other, other};
}

std::array<Index, 2> patches_of(const ContactSurface& s, PairKind kind, const CandidatePair& pair) {
  const auto [a, b] = pair;
  if (kind == PairKind::edge_edge) return {at(s.edge_patch, a), at(s.edge_patch, b)};
  const Index first = at(s.point_patch, a);
  if (kind == PairKind::point_triangle) return {first, at(s.triangle_patch, b)};
  if (kind == PairKind::point_edge) return {first, at(s.edge_patch, b)};
  return {first, at(s.point_patch, b)};
}

double thickness_of(const ContactSurface& s, PairKind kind, const CandidatePair& pair) {
  const auto [a, b] = patches_of(s, kind, pair);
  return at(s.patches, a).radius + at(s.patches, b).radius;
}

std::vector<CandidatePair>& Candidates::of(PairKind kind) {
  switch (kind) {
    case PairKind::point_point:
      return point_point;
    case PairKind::point_edge:
      return point_edge;
    case PairKind::point_triangle:
      return point_triangle;
    case PairKind::edge_edge:
      break;
  }
  return edge_edge;
}

const std::vector<CandidatePair>& Candidates::of(PairKind kind) const {
  return const_cast<Candidates&>(*this).of(kind);
}

BroadPhase::BroadPhase(const ContactSurface& surface, Use use) : surface_(surface), use_(use) {}

// A tree that lasts must hold all boxes, since bodies go to where others are.
void BroadPhase::leave_out_far_obstacles() {
  const auto leave_out = [&](std::vector<Box>& boxes, const std::vector<Index>& patch) {
    for (std::size_t k = 0; k < boxes.size(); ++k)
      if (at(surface_.patches, patch[k]).obstacle && !boxes[k].overlaps(bodies_)) boxes[k] = Box();
  };
  leave_out(edges_, surface_.edge_patch);
  leave_out(triangles_, surface_.triangle_patch);
}

void BroadPhase::make_boxes(std::span<const double> q, std::span<const double> dq, double reach) {
  const auto box_of = [&](const auto& nodes, Index patch) {
    Box box;
    for (const Index n : nodes) {
      box.add(node(q, n));
      if (!dq.empty()) box.add(node(q, n) + node(dq, n));
    }
    box.grow(at(surface_.patches, patch).radius + 0.5 * reach);
    return box;
  };
  points_.resize(surface_.points.size());
  edges_.resize(surface_.edges.size());
  triangles_.resize(surface_.triangles.size());
  parallel_for_each(points_.size(), 4096, [&](std::size_t k) {
    points_[k] = box_of(std::array{surface_.points[k]}, surface_.point_patch[k]);
  });
  parallel_for_each(edges_.size(), 4096, [&](std::size_t k) {
    edges_[k] = box_of(surface_.edges[k], surface_.edge_patch[k]);
  });
  parallel_for_each(triangles_.size(), 4096, [&](std::size_t k) {
    triangles_[k] = box_of(surface_.triangles[k], surface_.triangle_patch[k]);
  });
  bodies_ = Box();
  for (std::size_t k = 0; k < points_.size(); ++k)
    if (!at(surface_.patches, surface_.point_patch[k]).obstacle) bodies_.add(points_[k]);
  if (use_ == Use::once) leave_out_far_obstacles();
  wire_boxes_.clear(), lone_boxes_.clear();
  for (const Index e : surface_.wires) wire_boxes_.push_back(at(edges_, e));
  for (const Index p : surface_.lone_points) lone_boxes_.push_back(at(points_, p));
}

// allowed(i, j) for query i and item j of the tree. Obstacles meet bodies alone: those that are not
// where bodies are find nothing, and are not asked. So a wide terrain costs little more than the
// part of it that is trodden on.
template <class Allowed>
void BroadPhase::search(std::span<const Box> queries, const BoxTree& tree, Among among,
                        Allowed&& allowed, std::vector<CandidatePair>& out) {
  const std::size_t size = items_per_block(queries.size(), kQueryBlock);
  const std::size_t blocks = (queries.size() + size - 1) / size;
  found_.resize(std::max(found_.size(), blocks));
  parallel_ranges(queries.size(), size, [&](std::size_t begin, std::size_t end) {
    std::vector<CandidatePair>& found = found_[begin / size];
    found.clear();
    for (std::size_t k = begin; k < end; ++k) {
      const auto i = static_cast<Index>(k);
      const std::size_t first = found.size();
      if (!queries[k].overlaps(bodies_)) continue;
      tree.for_each_overlap(
          queries[k],
          [&](Index j) {
            if (allowed(i, j)) found.push_back({i, j});
          },
          among == Among::itself ? i : -1);
      // By number, so that the order does not depend on when the tree was built.
      std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                [](const auto& a, const auto& b) { return a.second < b.second; });
    }
  });
  out.clear();
  for (std::size_t k = 0; k < blocks; ++k)
    out.insert(out.end(), found_[k].begin(), found_[k].end());
}

void BroadPhase::find(std::span<const double> q, std::span<const double> dq, double reach,
                      Candidates& out) {
  const ContactSurface& s = surface_;
  make_boxes(q, dq, reach);
  triangle_tree_.update(triangles_);
  edge_tree_.update(edges_);
  wire_tree_.update(wire_boxes_);
  lone_tree_.update(lone_boxes_);
  search(
      points_, triangle_tree_, Among::others,
      [&s](Index p, Index t) {
        return s.may_touch(at(s.point_patch, p), at(s.triangle_patch, t)) &&
               !contains(at(s.triangles, t), at(s.points, p));
      },
      out.point_triangle);
  search(
      edges_, edge_tree_, Among::itself,
      [&s](Index e, Index f) {
        return s.may_touch(at(s.edge_patch, e), at(s.edge_patch, f)) &&
               !contains(at(s.edges, f), at(s.edges, e)[0]) &&
               !contains(at(s.edges, f), at(s.edges, e)[1]);
      },
      out.edge_edge);
  search(
      points_, wire_tree_, Among::others,
      [&s](Index p, Index k) {
        const Index e = at(s.wires, k);
        return s.may_touch(at(s.point_patch, p), at(s.edge_patch, e)) &&
               !contains(at(s.edges, e), at(s.points, p));
      },
      out.point_edge);
  for (CandidatePair& pair : out.point_edge) pair.second = at(s.wires, pair.second);
  search(
      lone_boxes_, lone_tree_, Among::itself,
      [&s](Index a, Index b) {
        return s.may_touch(at(s.point_patch, at(s.lone_points, a)),
                           at(s.point_patch, at(s.lone_points, b)));
      },
      out.point_point);
  for (CandidatePair& pair : out.point_point)
    pair = {at(s.lone_points, pair.first), at(s.lone_points, pair.second)};
}

}  // namespace pliant
