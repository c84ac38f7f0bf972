#include <pliant/mesh/element_geometry.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace pliant {
namespace {

using LocalEdge = std::array<int, 2>;

constexpr std::array<LocalEdge, 1> segment_edges = {{{0, 1}}};
constexpr std::array<LocalEdge, 3> tri_edges = {{{0, 1}, {1, 2}, {2, 0}}};
constexpr std::array<LocalEdge, 4> quad_edges = {{{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
constexpr std::array<LocalEdge, 6> tet_edges = {{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
constexpr std::array<LocalEdge, 12> hex_edges = {{{0, 1},
                                                  {1, 2},
                                                  {3, 2},
                                                  {0, 3},
                                                  {4, 5},
                                                  {5, 6},
                                                  {7, 6},
                                                  {4, 7},
                                                  {0, 4},
                                                  {1, 5},
                                                  {2, 6},
                                                  {3, 7}}};

// Hex corners in reference coordinates ±1.
constexpr std::array<std::array<int, 3>, 8> hex_corners = {{{-1, -1, -1},
                                                            {1, -1, -1},
                                                            {1, 1, -1},
                                                            {-1, 1, -1},
                                                            {-1, -1, 1},
                                                            {1, -1, 1},
                                                            {1, 1, 1},
                                                            {-1, 1, 1}}};

double det(const Vec3& a, const Vec3& b, const Vec3& c) { return a.dot(b.cross(c)); }

double tet_jacobian(std::span<const Vec3> x) { return det(x[1] - x[0], x[2] - x[0], x[3] - x[0]); }

double hex_jacobian(std::span<const Vec3> x, const Vec3& xi) {
  Mat3 J = Mat3::Zero();  // ∂x/∂ξ = Σ x_n ⊗ ∂N_n/∂ξ,  N_n = ⅛ Π (1 + ξ_i s_i)
  for (std::size_t n = 0; n < 8; ++n) {
    const Vec3 s(hex_corners[n][0], hex_corners[n][1], hex_corners[n][2]);
    const Vec3 f = Vec3::Ones() + s.cwiseProduct(xi);
    const Vec3 gradient(s[0] * f[1] * f[2], f[0] * s[1] * f[2], f[0] * f[1] * s[2]);
    J += x[n] * gradient.transpose() / 8;
  }
  return J.determinant();
}

Vec3 hex_point(std::span<const Vec3> x, const Vec3& xi) {
  Vec3 point = Vec3::Zero();
  for (std::size_t n = 0; n < 8; ++n) {
    const Vec3 s(hex_corners[n][0], hex_corners[n][1], hex_corners[n][2]);
    point += x[n] * (Vec3::Ones() + s.cwiseProduct(xi)).prod() / 8;
  }
  return point;
}

// At barycentric coordinates b.
double tet10_jacobian(std::span<const Vec3> x, const Eigen::Vector4d& b) {
  // N_i = b_i (2 b_i − 1) at corners, N_ij = 4 b_i b_j on edges
  Eigen::Matrix<double, 3, 4> D = Eigen::Matrix<double, 3, 4>::Zero();  // ∂x/∂b
  for (int i = 0; i < 4; ++i) D.col(i) += x[static_cast<std::size_t>(i)] * (4 * b[i] - 1);
  for (std::size_t k = 0; k < 6; ++k) {
    const auto [i, j] = tet_edges[k];
    D.col(i) += 4 * b[j] * x[4 + k];
    D.col(j) += 4 * b[i] * x[4 + k];
  }
  return det(D.col(1) - D.col(0), D.col(2) - D.col(0), D.col(3) - D.col(0));
}

// det J is a polynomial of degree 3; the five-point rule of that degree (Keast 1986).
double tet10_volume(std::span<const Vec3> x) {
  double sum = -0.8 * tet10_jacobian(x, Eigen::Vector4d::Constant(0.25));
  for (int i = 0; i < 4; ++i) {
    Eigen::Vector4d b = Eigen::Vector4d::Constant(1.0 / 6);
    b[i] = 0.5;
    sum += 0.45 * tet10_jacobian(x, b);
  }
  return sum / 6;
}

template <class F>
void for_hex_quadrature(F&& visit) {
  const double g = 1 / std::sqrt(3.0);
  for (const auto& s : hex_corners) visit(Vec3(g * s[0], g * s[1], g * s[2]));
}

double quad_area(std::span<const Vec3> x) {
  const double g = 1 / std::sqrt(3.0);
  double area = 0;
  for (const double u : {-g, g})
    for (const double v : {-g, g}) {
      const Vec3 du = ((1 - v) * (x[1] - x[0]) + (1 + v) * (x[2] - x[3])) / 4;
      const Vec3 dv = ((1 - u) * (x[3] - x[0]) + (1 + u) * (x[2] - x[1])) / 4;
      area += du.cross(dv).norm();
    }
  return area;
}

struct RangeOf {
  JacobianRange range{std::numeric_limits<double>::infinity(),
                      -std::numeric_limits<double>::infinity(),
                      std::numeric_limits<double>::infinity()};

  void inside(double d) {
    range.inside_min = std::min(range.inside_min, d);
    range.inside_max = std::max(range.inside_max, d);
    node(d);
  }
  void node(double d) { range.all_min = std::min(range.all_min, d); }
};

JacobianRange tet10_range(std::span<const Vec3> x) {
  RangeOf r;
  for (int i = 0; i < 4; ++i) {
    Eigen::Vector4d b = Eigen::Vector4d::Constant((5 - std::sqrt(5.0)) / 20);  // degree 2
    b[i] = (5 + 3 * std::sqrt(5.0)) / 20;
    r.inside(tet10_jacobian(x, b));
    r.node(tet10_jacobian(x, Eigen::Vector4d::Unit(i)));
  }
  for (const auto& [i, j] : tet_edges)
    r.node(tet10_jacobian(x, (Eigen::Vector4d::Unit(i) + Eigen::Vector4d::Unit(j)) / 2));
  return r.range;
}

double degrees(double radians) { return radians * 180 / std::numbers::pi; }

double angle_between(const Vec3& a, const Vec3& b) {
  return degrees(std::atan2(a.cross(b).norm(), a.dot(b)));
}

}  // namespace

ElementPoints gather(const Mesh& mesh, const ElementBlock& block, Index e) {
  ElementPoints points;
  for (const Index n : block.element(e))
    points.x[static_cast<std::size_t>(points.count++)] = mesh.points[static_cast<std::size_t>(n)];
  return points;
}

double measure(ElementType type, std::span<const Vec3> x) {
  switch (type) {
    case ElementType::segment2:
      return (x[1] - x[0]).norm();
    case ElementType::tri3:
      return (x[1] - x[0]).cross(x[2] - x[0]).norm() / 2;
    case ElementType::quad4:
      return quad_area(x);
    case ElementType::tet4:
      return tet_jacobian(x) / 6;
    case ElementType::tet10:
      return tet10_volume(x);
    case ElementType::hex8: {
      double volume = 0;  // det J is of degree 2 in each coordinate: two points each are exact
      for_hex_quadrature([&](const Vec3& xi) { volume += hex_jacobian(x, xi); });
      return volume;
    }
  }
  return 0;
}

Vec3 first_moment(ElementType type, std::span<const Vec3> x) {
  Vec3 moment = Vec3::Zero();
  if (type == ElementType::hex8) {
    for_hex_quadrature([&](const Vec3& xi) { moment += hex_point(x, xi) * hex_jacobian(x, xi); });
    return moment;
  }
  if (type == ElementType::quad4)  // as two triangles, exact where it is flat
    return first_moment(ElementType::tri3, std::array{x[0], x[1], x[2]}) +
           first_moment(ElementType::tri3, std::array{x[0], x[2], x[3]});
  const auto corners = static_cast<std::size_t>(dimension(type)) + 1;
  for (std::size_t n = 0; n < corners; ++n) moment += x[n];
  return moment / static_cast<double>(corners) * measure(type, x);
}

JacobianRange jacobian_range(ElementType type, std::span<const Vec3> x) {
  if (type == ElementType::tet10) return tet10_range(x);
  RangeOf r;
  if (type == ElementType::tet4) r.inside(tet_jacobian(x));
  if (type == ElementType::hex8) {
    for_hex_quadrature([&](const Vec3& xi) { r.inside(hex_jacobian(x, xi)); });
    for (const auto& s : hex_corners) r.node(hex_jacobian(x, Vec3(s[0], s[1], s[2])));
  }
  return r.range;
}

std::span<const std::array<int, 2>> edges_of(ElementType type) {
  switch (type) {
    case ElementType::segment2:
      return segment_edges;
    case ElementType::tri3:
      return tri_edges;
    case ElementType::quad4:
      return quad_edges;
    case ElementType::tet4:
    case ElementType::tet10:
      return tet_edges;
    case ElementType::hex8:
      return hex_edges;
  }
  return {};
}

double longest_edge(ElementType type, std::span<const Vec3> x) {
  double longest = 0;
  for (const auto& [a, b] : edges_of(type))
    longest =
        std::max(longest, (x[static_cast<std::size_t>(a)] - x[static_cast<std::size_t>(b)]).norm());
  return longest;
}

AngleRange dihedral_angles(std::span<const Vec3> x) {
  AngleRange range{180, 0};
  for (std::size_t k = 0; k < 6; ++k) {
    const auto i = static_cast<std::size_t>(tet_edges[k][0]),
               j = static_cast<std::size_t>(tet_edges[k][1]);
    std::array<std::size_t, 2> rest{};
    for (std::size_t n = 0, r = 0; n < 4; ++n)
      if (n != i && n != j) rest[r++] = n;
    const Vec3 edge = x[j] - x[i];
    const double angle =
        angle_between(edge.cross(x[rest[0]] - x[i]), edge.cross(x[rest[1]] - x[i]));
    range = {std::min(range.min, angle), std::max(range.max, angle)};
  }
  return range;
}

AngleRange corner_angles(std::span<const Vec3> x) {
  AngleRange range{180, 0};
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = angle_between(x[(i + 1) % n] - x[i], x[(i + n - 1) % n] - x[i]);
    range = {std::min(range.min, angle), std::max(range.max, angle)};
  }
  return range;
}

double scaled_jacobian(std::span<const Vec3> x) {
  double smallest = 1;
  for (std::size_t n = 0; n < 8; ++n) {
    Mat3 J;
    for (const auto& [a, b] : hex_edges)
      for (const int end : {a, b})
        if (static_cast<std::size_t>(end) == n) {
          const Vec3 edge = x[static_cast<std::size_t>(b)] - x[static_cast<std::size_t>(a)];
          int axis = 0;
          while (hex_corners[static_cast<std::size_t>(a)][static_cast<std::size_t>(axis)] ==
                 hex_corners[static_cast<std::size_t>(b)][static_cast<std::size_t>(axis)])
            ++axis;
          J.col(axis) = edge.normalized();
        }
    smallest = std::min(smallest, J.determinant());
  }
  return smallest;
}

}  // namespace pliant
