#include <pliant/element/quadrature.hpp>

#include <cmath>

namespace pliant {
namespace {

struct LinePoint {
  double x, weight;
};

// Gauss–Legendre on [−1, 1] by Newton's method on the Legendre polynomial P_n.
std::vector<LinePoint> gauss(int n) {
  std::vector<LinePoint> rule;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(M_PI * (n - i - 0.25) / (n + 0.5)), derivative = 1;
    for (int k = 0; k < 100; ++k) {
      double p0 = 1, p1 = x;
      for (int m = 2; m <= n; ++m) {
        const double p2 = ((2 * m - 1) * x * p1 - (m - 1) * p0) / m;
        p0 = p1;
        p1 = p2;
      }
      derivative = n * (x * p1 - p0) / (x * x - 1);
      const double change = p1 / derivative;
      x -= change;
      if (std::abs(change) < 1e-16) break;
    }
    rule.push_back({x, 2 / ((1 - x * x) * derivative * derivative)});
  }
  return rule;
}

Quadrature cube(int n) {
  const std::vector<LinePoint> line = gauss(n);
  Quadrature rule;
  for (const LinePoint& z : line)
    for (const LinePoint& y : line)
      for (const LinePoint& x : line)
        rule.push_back({Vec3(x.x, y.x, z.x), x.weight * y.weight * z.weight});
  return rule;
}

// The cube collapsed onto the tetrahedron (Stroud's conical product): with r, s, t in [0, 1],
// ξ = r (1 − s)(1 − t), η = s (1 − t), ζ = t and Jacobian (1 − s)(1 − t)². Five Gauss points in
// each direction are exact to degree 9 in r, 8 in s and 7 in t.
Quadrature conical() {
  const std::vector<LinePoint> line = gauss(5);
  Quadrature rule;
  for (const LinePoint& a : line)
    for (const LinePoint& b : line)
      for (const LinePoint& c : line) {
        const double r = (1 + a.x) / 2, s = (1 + b.x) / 2, t = (1 + c.x) / 2;
        const double jacobian = (1 - s) * (1 - t) * (1 - t) / 8;
        rule.push_back({Vec3(r * (1 - s) * (1 - t), s * (1 - t), t),
                        a.weight * b.weight * c.weight * jacobian});
      }
  return rule;
}

Quadrature four_points() {
  const double a = (5 + 3 * std::sqrt(5.0)) / 20, b = (5 - std::sqrt(5.0)) / 20;
  return {{Vec3(b, b, b), 1. / 24},
          {Vec3(a, b, b), 1. / 24},
          {Vec3(b, a, b), 1. / 24},
          {Vec3(b, b, a), 1. / 24}};
}

}  // namespace

const Quadrature& tet_rule_1() {
  static const Quadrature rule = {{Vec3(0.25, 0.25, 0.25), 1. / 6}};
  return rule;
}
const Quadrature& tet_rule_4() {
  static const Quadrature rule = four_points();
  return rule;
}
const Quadrature& tet_rule_conical() {
  static const Quadrature rule = conical();
  return rule;
}
const Quadrature& hex_rule_8() {
  static const Quadrature rule = cube(2);
  return rule;
}
const Quadrature& hex_rule_27() {
  static const Quadrature rule = cube(3);
  return rule;
}

}  // namespace pliant
