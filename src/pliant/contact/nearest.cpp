#include <pliant/contact/nearest.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

// Sines above this, squared, leave solve_plane the digits to tell where its solution lies: one
// inside is the nearest of all, since the distance is convex.
constexpr double kWide = 1e-6;

Nearest point_point(int i, int j, double sign) {
  Nearest nearest;
  nearest.w[i] = sign, nearest.w[j] = -sign;
  return nearest;
}

// Point i against the edge from j to k; `sign` is that of the point's weight.
Nearest point_edge(const PairPoints& x, int i, std::array<int, 2> edge, double sign) {
  const auto [j, k] = edge;
  const Vec3 e = x.col(k) - x.col(j);
  const double length2 = e.squaredNorm();
  const double beta = length2 > 0 ? (x.col(i) - x.col(j)).dot(e) / length2 : 0;
  if (!(beta > 0)) return point_point(i, j, sign);
  if (!(beta < 1)) return point_point(i, k, sign);
  Nearest nearest;
  nearest.parameters = 1;
  nearest.w[i] = sign, nearest.w[j] = -sign * (1 - beta), nearest.w[k] = -sign * beta;
  nearest.dw(j, 0) = sign, nearest.dw(k, 0) = -sign;
  return nearest;
}

// The squared distance of point i from the edge, as point_edge finds it.
double squared_to_edge(const PairPoints& x, int i, std::array<int, 2> edge) {
  const Vec3 e = x.col(edge[1]) - x.col(edge[0]), r = x.col(i) - x.col(edge[0]);
  const double length2 = e.squaredNorm();
  const double beta = length2 > 0 ? r.dot(e) / length2 : 0;
  if (!(beta > 0)) return r.squaredNorm();
  if (!(beta < 1)) return (r - e).squaredNorm();
  return (r - beta * e).squaredNorm();
}

// The nearest of several points and edges; on a tie the first.
struct PointAndEdge {
  int point;
  std::array<int, 2> edge;
  double sign;
};
template <std::size_t N>
std::pair<const PointAndEdge*, double> nearest_of(const PairPoints& x,
                                                  const std::array<PointAndEdge, N>& list) {
  std::pair<const PointAndEdge*, double> best{list.data(),
                                              squared_to_edge(x, list[0].point, list[0].edge)};
  for (std::size_t k = 1; k < N; ++k)
    if (const double squared = squared_to_edge(x, list[k].point, list[k].edge);
        squared < best.second)
      best = {&list[k], squared};
  return best;
}

// min ½‖r₀ + E β‖² over all β: the normal equations, columns scaled to length one. Returns the
// squared sine between the columns, 0 where they are parallel up to rounding.
double solve_plane(const Vec3& r0, const Vec3& e0, const Vec3& e1, double (&beta)[2]) {
  const double l0 = e0.norm(), l1 = e1.norm();
  if (!(l0 > 0) || !(l1 > 0)) return 0;
  const Vec3 u = e0 / l0, v = e1 / l1;
  const Vec3 n = u.cross(v);
  const double sine2 = n.squaredNorm();
  if (!(sine2 > 1e-30)) return 0;
  // Cramer's rule with cross products, which keeps the digits that uᵀu·vᵀv − (uᵀv)² loses.
  beta[0] = -r0.cross(v).dot(n) / sine2 / l0;
  beta[1] = -u.cross(r0).dot(n) / sine2 / l1;
  return sine2;
}

// `inside` where it is the nearest, else the nearest of the list; on a tie the former, which is of
// higher dimension.
template <std::size_t N>
Nearest nearest_with(const PairPoints& x, const Nearest* inside,
                     const std::array<PointAndEdge, N>& list) {
  const auto [best, squared] = nearest_of(x, list);
  if (inside && !(squared < inside->connection(x).squaredNorm())) return *inside;
  return point_edge(x, best->point, best->edge, best->sign);
}

Nearest point_triangle(const PairPoints& x) {
  static constexpr std::array<PointAndEdge, 3> sides = {
      {{0, {1, 2}, 1}, {0, {2, 3}, 1}, {0, {3, 1}, 1}}};
  double beta[2] = {0, 0};
  const Vec3 e0 = x.col(1) - x.col(2), e1 = x.col(1) - x.col(3);
  const double sine2 = solve_plane(x.col(0) - x.col(1), e0, e1, beta);
  const double rest = 1 - beta[0] - beta[1];
  if (!(sine2 > 0 && rest >= 0 && beta[0] >= 0 && beta[1] >= 0))
    return nearest_with(x, nullptr, sides);
  Nearest inside;
  inside.parameters = 2;
  inside.w << 1, -rest, -beta[0], -beta[1];
  inside.dw.col(0) << 0, 1, -1, 0;
  inside.dw.col(1) << 0, 1, 0, -1;
  return sine2 > kWide ? inside : nearest_with(x, &inside, sides);
}

Nearest edge_edge(const PairPoints& x) {
  static constexpr std::array<PointAndEdge, 4> ends = {
      {{0, {2, 3}, 1}, {1, {2, 3}, 1}, {2, {0, 1}, -1}, {3, {0, 1}, -1}}};
  double beta[2] = {0, 0};
  const Vec3 e0 = x.col(1) - x.col(0), e1 = x.col(2) - x.col(3);
  const double sine2 = solve_plane(x.col(0) - x.col(2), e0, e1, beta);
  if (!(sine2 > 0 && beta[0] >= 0 && beta[0] <= 1 && beta[1] >= 0 && beta[1] <= 1))
    return nearest_with(x, nullptr, ends);
  Nearest inside;
  inside.parameters = 2;
  inside.w << 1 - beta[0], beta[0], -(1 - beta[1]), -beta[1];
  inside.dw.col(0) << -1, 1, 0, 0;
  inside.dw.col(1) << 0, 0, 1, -1;
  return sine2 > kWide ? inside : nearest_with(x, &inside, ends);
}

}  // namespace

Nearest find_nearest(PairKind kind, const PairPoints& x) {
  switch (kind) {
    case PairKind::point_point:
      return point_point(0, 1, 1);
    case PairKind::point_edge:
      return point_edge(x, 0, {1, 2}, 1);
    case PairKind::point_triangle:
      return point_triangle(x);
    case PairKind::edge_edge:
      break;
  }
  return edge_edge(x);
}

}  // namespace pliant
