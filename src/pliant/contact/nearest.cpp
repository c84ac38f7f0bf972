#include <pliant/contact/nearest.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Keeps the candidate whose connection is shortest; on a tie the first, which is the feature of
// highest dimension.
class Shortest {
 public:
  explicit Shortest(const PairPoints& x) : x_(x) {}

  void offer(const Nearest& candidate) {
    const double squared = candidate.connection(x_).squaredNorm();
    if (squared < squared_) {
      squared_ = squared;
      best_ = candidate;
    }
  }
  const Nearest& best() const { return best_; }

 private:
  const PairPoints& x_;
  double squared_ = std::numeric_limits<double>::infinity();
  Nearest best_;
};

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

// min ½‖r₀ + E β‖² over all β: the normal equations, columns scaled to length one. False where the
// columns are parallel up to rounding.
bool solve_plane(const Vec3& r0, const Vec3& e0, const Vec3& e1, double (&beta)[2]) {
  const double l0 = e0.norm(), l1 = e1.norm();
  if (!(l0 > 0) || !(l1 > 0)) return false;
  const Vec3 u = e0 / l0, v = e1 / l1;
  const Vec3 n = u.cross(v);
  const double sine2 = n.squaredNorm();
  if (!(sine2 > 1e-30)) return false;
  // Cramer's rule with cross products, which keeps the digits that uᵀu·vᵀv − (uᵀv)² loses.
  beta[0] = -r0.cross(v).dot(n) / sine2 / l0;
  beta[1] = -u.cross(r0).dot(n) / sine2 / l1;
  return true;
}

Nearest point_triangle(const PairPoints& x) {
  Shortest shortest(x);
  double beta[2] = {0, 0};
  const Vec3 e0 = x.col(1) - x.col(2), e1 = x.col(1) - x.col(3);
  const bool flat = !solve_plane(x.col(0) - x.col(1), e0, e1, beta);
  const double rest = flat ? -1 : 1 - beta[0] - beta[1];
  if (rest >= 0 && beta[0] >= 0 && beta[1] >= 0) {
    Nearest inside;
    inside.parameters = 2;
    inside.w << 1, -rest, -beta[0], -beta[1];
    inside.dw.col(0) << 0, 1, -1, 0;
    inside.dw.col(1) << 0, 1, 0, -1;
    shortest.offer(inside);
  }
  shortest.offer(point_edge(x, 0, {1, 2}, 1));
  shortest.offer(point_edge(x, 0, {2, 3}, 1));
  shortest.offer(point_edge(x, 0, {3, 1}, 1));
  return shortest.best();
}

Nearest edge_edge(const PairPoints& x) {
  Shortest shortest(x);
  double beta[2];
  const Vec3 e0 = x.col(1) - x.col(0), e1 = x.col(2) - x.col(3);
  if (solve_plane(x.col(0) - x.col(2), e0, e1, beta) && beta[0] >= 0 && beta[0] <= 1 &&
      beta[1] >= 0 && beta[1] <= 1) {
    Nearest inside;
    inside.parameters = 2;
    inside.w << 1 - beta[0], beta[0], -(1 - beta[1]), -beta[1];
    inside.dw.col(0) << -1, 1, 0, 0;
    inside.dw.col(1) << 0, 0, 1, -1;
    shortest.offer(inside);
  }
  shortest.offer(point_edge(x, 0, {2, 3}, 1));
  shortest.offer(point_edge(x, 1, {2, 3}, 1));
  shortest.offer(point_edge(x, 2, {0, 1}, -1));
  shortest.offer(point_edge(x, 3, {0, 1}, -1));
  return shortest.best();
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
