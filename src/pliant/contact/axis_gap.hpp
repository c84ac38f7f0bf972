// How far apart the boxes around the two simplices of a pair are along the axes: no more than the
// distance, for a small part of its cost. Most candidates of a broad phase are far enough apart to
// be told by it, so it is the first that is asked of each.
#pragma once

#include <pliant/contact/nearest.hpp>

#include <algorithm>
#include <limits>

namespace pliant {

// Along one axis: of the first behind the second, and the other way round; negative where they
// overlap.
struct AxisGap {
  double behind, before;
};

// Of the two sides of a pair, the first `first` of `count` points and the others.
template <int first, int count>
struct Sides {
  static AxisGap along(int axis, const PairPoints& x) {
    double low = x(axis, 0), high = low, other_low = x(axis, first), other_high = other_low;
    for (int i = 1; i < first; ++i) {
      low = std::min(low, x(axis, i));
      high = std::max(high, x(axis, i));
    }
    for (int i = first + 1; i < count; ++i) {
      other_low = std::min(other_low, x(axis, i));
      other_high = std::max(other_high, x(axis, i));
    }
    return {low - other_high, other_low - high};
  }
};

// The widest of gap_of(sides, axis) over the axes.
template <class S, class GapOf>
double widest_gap(GapOf&& gap_of) {
  double widest = -std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const AxisGap gap = gap_of(S(), axis);
    widest = std::max(widest, std::max(gap.behind, gap.before));
  }
  return widest;
}

template <class GapOf>
double widest_gap(PairKind kind, GapOf&& gap_of) {
  switch (kind) {
    case PairKind::point_point:
      return widest_gap<Sides<1, 2>>(gap_of);
    case PairKind::point_edge:
      return widest_gap<Sides<1, 3>>(gap_of);
    case PairKind::point_triangle:
      return widest_gap<Sides<1, 4>>(gap_of);
    case PairKind::edge_edge:
      break;
  }
  return widest_gap<Sides<2, 4>>(gap_of);
}

// At x; negative where the boxes overlap.
inline double axis_gap(PairKind kind, const PairPoints& x) {
  return widest_gap(kind, [&](auto sides, int axis) { return sides.along(axis, x); });
}

// All the way from x to x + dx: along an axis differences of points change evenly, so they are
// never less than at both ends.
inline double axis_gap_on_way(PairKind kind, const PairPoints& x, const PairPoints& dx) {
  const PairPoints end = x + dx;
  return widest_gap(kind, [&](auto sides, int axis) {
    const AxisGap from = sides.along(axis, x), to = sides.along(axis, end);
    return AxisGap{std::min(from.behind, to.behind), std::min(from.before, to.before)};
  });
}

}  // namespace pliant
