#include <pliant/contact/near_pairs.hpp>

#include <pliant/contact/contact_set.hpp>
#include <pliant/core/parallel.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kWays = 2;         // of the next way: room for those to come, which are shorter
constexpr double kTooMuch = 8;      // of the room that is needed: with more, a list holds too much
constexpr double kOfEdges = 0.125;  // of a mean edge: with more room, neighbours fill the list
constexpr std::size_t kBlock = 1024;

double longest_way(std::span<const double> dq) {
  double squared = 0;
  for (Index n = 0; n < static_cast<Index>(dq.size() / 3); ++n)
    squared = std::max(squared, node(dq, n).squaredNorm());
  return std::sqrt(squared);
}

double mean_edge(const ContactSurface& surface) {
  double sum = 0, count = 0;
  for (std::size_t e = 0; e < surface.edges.size(); ++e)
    if (!at(surface.patches, surface.edge_patch[e]).obstacle)
      sum += std::sqrt(surface.edge_length2[e]), ++count;
  return count > 0 ? sum / count : 0;
}

// How much nearer the sides of a pair can come: by no more than any two points of them.
double longest_relative_way(PairKind kind, const PairPoints& dx) {
  double squared = 0;
  const int first = kind == PairKind::edge_edge ? 2 : 1;
  for (int a = 0; a < first; ++a)
    for (int b = first; b < points_of(kind); ++b)
      squared = std::max(squared, (dx.col(a) - dx.col(b)).squaredNorm());
  return std::sqrt(squared);
}

}  // namespace

NearPairs::NearPairs(const ContactSurface& surface, double reach)
    : surface_(surface),
      reach_(reach),
      most_room_(std::max(4 * reach, kOfEdges * mean_edge(surface))),
      broad_(surface) {}

void NearPairs::look_along(std::span<const double> q, std::span<const double> dq) {
  const double room = std::max(reach_, kWays * longest_way(dq));
  if (room_ > 0 && room_ <= kTooMuch * room && lasts(q, dq)) return;
  ++searches_;
  if (room <= most_room_)
    look_around(q, room);
  else
    look_on_way(q, dq);
}

// Both ends are within the room, and so is the way between them.
bool NearPairs::lasts(std::span<const double> q, std::span<const double> dq) const {
  if (place_.size() != q.size()) return false;
  for (Index n = 0; n < static_cast<Index>(q.size() / 3); ++n) {
    const Vec3 from = node(q, n) - node(place_, n);
    const Vec3 to = dq.empty() ? from : from + node(dq, n);
    if (!(std::max(from.squaredNorm(), to.squaredNorm()) <= room_ * room_)) return false;
  }
  return true;
}

// near(kind, pair, nodes) for every pair of the list: those that are not near go.
template <class Near>
void NearPairs::keep(Near&& near) {
  for (const PairKind kind : pair_kinds) {
    std::vector<CandidatePair>& pairs = pairs_.of(kind);
    is_near_.resize(pairs.size());
    parallel_for_each(pairs.size(), kBlock, [&](std::size_t k) {
      is_near_[k] = near(kind, pairs[k], nodes_of(surface_, kind, pairs[k]));
    });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (is_near_[k]) pairs[kept++] = pairs[k];
    pairs.resize(kept);
  }
}

void NearPairs::look_around(std::span<const double> q, double room) {
  const double within = reach_ + 2 * room;
  broad_.find(q, {}, within, pairs_);
  keep([&](PairKind kind, const CandidatePair& pair, const std::array<Index, 4>& nodes) {
    return !(distance(kind, gather(q, nodes)) - thickness_of(surface_, kind, pair) >= within);
  });
  place_.assign(q.begin(), q.end());
  room_ = room;
}

void NearPairs::look_on_way(std::span<const double> q, std::span<const double> dq) {
  broad_.find(q, dq, reach_, pairs_);
  keep([&](PairKind kind, const CandidatePair& pair, const std::array<Index, 4>& nodes) {
    const double within = reach_ + longest_relative_way(kind, gather(dq, nodes));
    return !(distance(kind, gather(q, nodes)) - thickness_of(surface_, kind, pair) >= within);
  });
  room_ = 0;
}

}  // namespace pliant
