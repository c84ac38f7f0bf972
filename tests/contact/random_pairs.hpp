// Pairs of simplices for the tests: random ones, and those that are degenerate in every way that a
// mesh can make them.
#pragma once

#include <pliant/contact/nearest.hpp>

#include <random>
#include <vector>

namespace pliant::fixtures {

inline constexpr std::array<PairKind, 4> all_pair_kinds = {
    PairKind::point_point, PairKind::point_edge, PairKind::point_triangle, PairKind::edge_edge};

class RandomPairs {
 public:
  explicit RandomPairs(unsigned seed) : random_(seed) {}

  PairPoints general() {
    PairPoints x;
    for (int i = 0; i < 4; ++i) x.col(i) = vector();
    return x;
  }
  // Coordinates from a grid of few points: coincident points, parallel and collinear edges, flat
  // triangles, touching and crossing pairs, all of them often.
  PairPoints on_grid() {
    std::uniform_int_distribution<int> pick(-1, 1);
    PairPoints x;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 3; ++j) x(j, i) = pick(random_);
    return x;
  }
  Vec3 vector() {
    std::uniform_real_distribution<double> pick(-1, 1);
    return Vec3(pick(random_), pick(random_), pick(random_));
  }

 private:
  std::mt19937 random_;
};

// The corners of the first simplex and of the second.
inline std::array<std::vector<int>, 2> corners(PairKind kind) {
  switch (kind) {
    case PairKind::point_point:
      return {{{0}, {1}}};
    case PairKind::point_edge:
      return {{{0}, {1, 2}}};
    case PairKind::point_triangle:
      return {{{0}, {1, 2, 3}}};
    case PairKind::edge_edge:
      break;
  }
  return {{{0, 1}, {2, 3}}};
}

}  // namespace pliant::fixtures
