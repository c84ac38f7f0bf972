// How far apart the boxes around the two simplices of a pair are along the axes: no more than the
// distance, for a small part of its cost. Most candidates of a broad phase are far enough apart to
// be told by it.
#pragma once

#include <pliant/contact/nearest.hpp>

#include <algorithm>

namespace pliant {

struct PairBoxes {
  Vec3 low_first, high_first, low_second, high_second;

  PairBoxes(PairKind kind, const PairPoints& x)
      : low_first(x.col(0)),
        high_first(x.col(0)),
        low_second(x.col(points_of(kind) - 1)),
        high_second(low_second) {
    const int first = kind == PairKind::edge_edge ? 2 : 1;
    if (first == 2) {
      low_first = low_first.cwiseMin(x.col(1));
      high_first = high_first.cwiseMax(x.col(1));
    }
    for (int i = first; i < points_of(kind) - 1; ++i) {
      low_second = low_second.cwiseMin(x.col(i));
      high_second = high_second.cwiseMax(x.col(i));
    }
  }
  // By axis: of the first behind the second, and the other way round; negative where they overlap.
  Vec3 behind() const { return low_first - high_second; }
  Vec3 before() const { return low_second - high_first; }
};

// At x; negative where the boxes overlap.
inline double axis_gap(PairKind kind, const PairPoints& x) {
  const PairBoxes boxes(kind, x);
  return std::max(boxes.behind().maxCoeff(), boxes.before().maxCoeff());
}

// All the way from x to x + dx: along an axis differences of points change evenly, so they are
// never less than at both ends.
inline double axis_gap_on_way(PairKind kind, const PairPoints& x, const PairPoints& dx) {
  const PairBoxes from(kind, x), to(kind, x + dx);
  return std::max(from.behind().cwiseMin(to.behind()).maxCoeff(),
                  from.before().cwiseMin(to.before()).maxCoeff());
}

}  // namespace pliant
