// Shape functions N_a(ξ) on reference elements, with the quadrature that each needs: `stiffness`
// integrates the energy of an affine element of a linear material exactly, `mass` the products N_a
// N_b on elements with curved or skewed sides. Node order is VTK's (mesh/mesh.hpp).
#pragma once

#include <pliant/element/quadrature.hpp>
#include <pliant/mesh/mesh.hpp>

#include <concepts>

namespace pliant {

template <class S>
concept Shape = requires(const Vec3& xi) {
  { S::nodes } -> std::convertible_to<int>;
  { S::points } -> std::convertible_to<int>;
  { S::values(xi) } -> std::same_as<Eigen::Matrix<double, S::nodes, 1>>;
  { S::gradients(xi) } -> std::same_as<Eigen::Matrix<double, S::nodes, 3>>;
};

struct Tet4 {
  static constexpr ElementType type = ElementType::tet4;
  static constexpr int nodes = 4, points = 1;
  static const Quadrature& stiffness() { return tet_rule_1(); }
  static const Quadrature& mass() { return tet_rule_4(); }
  static Eigen::Matrix<double, 4, 1> values(const Vec3& xi) {
    return {1 - xi.x() - xi.y() - xi.z(), xi.x(), xi.y(), xi.z()};
  }
  static Eigen::Matrix<double, 4, 3> gradients(const Vec3&) {
    Eigen::Matrix<double, 4, 3> G;
    G << -1, -1, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1;
    return G;
  }
};

struct Tet10 {
  static constexpr ElementType type = ElementType::tet10;
  static constexpr int nodes = 10, points = 4;
  static constexpr int edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
  static const Quadrature& stiffness() { return tet_rule_4(); }
  static const Quadrature& mass() { return tet_rule_conical(); }
  // With barycentric coordinates L: N = L_a (2 L_a − 1) at corners, 4 L_a L_b on edges.
  static Eigen::Matrix<double, 10, 1> values(const Vec3& xi) {
    const Eigen::Matrix<double, 4, 1> L = Tet4::values(xi);
    Eigen::Matrix<double, 10, 1> N;
    for (int a = 0; a < 4; ++a) N[a] = L[a] * (2 * L[a] - 1);
    for (int e = 0; e < 6; ++e) N[4 + e] = 4 * L[edges[e][0]] * L[edges[e][1]];
    return N;
  }
  static Eigen::Matrix<double, 10, 3> gradients(const Vec3& xi) {
    const Eigen::Matrix<double, 4, 1> L = Tet4::values(xi);
    const Eigen::Matrix<double, 4, 3> dL = Tet4::gradients(xi);
    Eigen::Matrix<double, 10, 3> G;
    for (int a = 0; a < 4; ++a) G.row(a) = (4 * L[a] - 1) * dL.row(a);
    for (int e = 0; e < 6; ++e) {
      const int a = edges[e][0], b = edges[e][1];
      G.row(4 + e) = 4 * (L[b] * dL.row(a) + L[a] * dL.row(b));
    }
    return G;
  }
};

struct Hex8 {
  static constexpr ElementType type = ElementType::hex8;
  static constexpr int nodes = 8, points = 8;
  static constexpr int corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                       {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  static const Quadrature& stiffness() { return hex_rule_8(); }
  static const Quadrature& mass() { return hex_rule_27(); }
  static Eigen::Matrix<double, 8, 1> values(const Vec3& xi) {
    Eigen::Matrix<double, 8, 1> N;
    for (int a = 0; a < 8; ++a)
      N[a] =
          (1 + corner[a][0] * xi[0]) * (1 + corner[a][1] * xi[1]) * (1 + corner[a][2] * xi[2]) / 8;
    return N;
  }
  static Eigen::Matrix<double, 8, 3> gradients(const Vec3& xi) {
    Eigen::Matrix<double, 8, 3> G;
    for (int a = 0; a < 8; ++a)
      for (int j = 0; j < 3; ++j) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        G(a, j) = corner[a][j] * (1 + corner[a][k] * xi[k]) * (1 + corner[a][l] * xi[l]) / 8;
      }
    return G;
  }
};

// Calls visit(Shape{}) for the shape of a solid element type; false where it is none.
template <class Visit>
bool visit_shape(ElementType type, Visit&& visit) {
  switch (type) {
    case ElementType::tet4:
      visit(Tet4{});
      return true;
    case ElementType::tet10:
      visit(Tet10{});
      return true;
    case ElementType::hex8:
      visit(Hex8{});
      return true;
    default:
      return false;
  }
}

}  // namespace pliant
