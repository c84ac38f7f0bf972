#include <pliant/contact/near_pairs.hpp>

#include <pliant/contact/axis_gap.hpp>
#include <pliant/contact/contact_set.hpp>
#include <pliant/core/parallel.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kWays = 2;         // of the next way: room for those to come, which are shorter
constexpr double kTooMuch = 8;      // of the room that is needed: with more, a list holds too much
constexpr double kClose = 0.125;    // of the reach: the least room of a close list
constexpr double kOfEdges = 0.125;  // of a mean edge: with more room, neighbours fill the list
constexpr std::size_t kNearBlock = 1024;

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

// Where points are no numbers, too: such a pair is not left out.
bool is_nearer(PairKind kind, const PairPoints& x, double than) {
  return !(axis_gap(kind, x) >= than) && !(distance(kind, x) >= than);
}

}  // namespace

NearPairs::NearPairs(const ContactSurface& surface, double reach)
    : surface_(surface),
      reach_(reach),
      most_room_(std::max(4 * reach, kOfEdges * mean_edge(surface))),
      broad_(surface) {}

bool NearPairs::List::serves(double needed, double spare, std::span<const double> q,
                             std::span<const double> dq) const {
  if (room <= 0 || room > kTooMuch * needed || place.size() != q.size()) return false;
  const double within = room - spare;
  if (within < 0) return false;
  // Both ends are, and so is the way between them.
  for (Index n = 0; n < static_cast<Index>(q.size() / 3); ++n) {
    const Vec3 from = node(q, n) - node(place, n);
    const Vec3 to = dq.empty() ? from : from + node(dq, n);
    if (!(std::max(from.squaredNorm(), to.squaredNorm()) <= within * within)) return false;
  }
  return true;
}

void NearPairs::look_along(std::span<const double> q, std::span<const double> dq) {
  const double way = kWays * longest_way(dq);
  const double close = std::max(kClose * reach_, way), wide = std::max(reach_, way);
  if (close_.serves(close, 0, q, dq)) return;
  if (wide > most_room_) return look_on_way(q, dq);
  // What is close to q is not further from the place of the wide list than q is.
  if (!wide_.serves(wide, close, q, {})) {
    ++searches_;
    broad_.find(q, {}, reach_ + 2 * wide, wide_.pairs);
    pick_around(q, wide, wide_.pairs, wide_);
  }
  pick_around(q, close, wide_.pairs, close_);
}

template <class Near>
void NearPairs::pick(const Candidates& from, Candidates& to, Near&& near) {
  for (const PairKind kind : pair_kinds) {
    const std::vector<CandidatePair>& pairs = from.of(kind);
    is_near_.resize(pairs.size());
    parallel_for_each(pairs.size(), kNearBlock, [&](std::size_t k) {
      is_near_[k] = near(kind, pairs[k], nodes_of(surface_, kind, pairs[k]));
    });
    std::vector<CandidatePair>& picked = to.of(kind);
    if (&to != &from) picked.resize(pairs.size());
    std::size_t count = 0;
    for (std::size_t k = 0; k < is_near_.size(); ++k)
      if (is_near_[k]) picked[count++] = pairs[k];
    picked.resize(count);
  }
}

void NearPairs::pick_around(std::span<const double> q, double room, const Candidates& from,
                            List& to) {
  const double within = reach_ + 2 * room;
  pick(from, to.pairs,
       [&](PairKind kind, const CandidatePair& pair, const std::array<Index, 4>& nodes) {
         return is_nearer(kind, gather(q, nodes), within + thickness_of(surface_, kind, pair));
       });
  to.place.assign(q.begin(), q.end());
  to.room = room;
}

void NearPairs::look_on_way(std::span<const double> q, std::span<const double> dq) {
  ++searches_;
  broad_.find(q, dq, reach_, close_.pairs);
  pick(close_.pairs, close_.pairs,
       [&](PairKind kind, const CandidatePair& pair, const std::array<Index, 4>& nodes) {
         const double within = reach_ + longest_relative_way(kind, gather(dq, nodes));
         return is_nearer(kind, gather(q, nodes), within + thickness_of(surface_, kind, pair));
       });
  close_.room = 0;
}

}  // namespace pliant
