#include <pliant/element/mapped_point.hpp>

#include <pliant/contact/nearest.hpp>
#include <pliant/element/shapes.hpp>

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

// The nearest admissible reference point: inside the cube, or inside the tetrahedron.
template <Shape S>
Vec3 clamp_to_reference(Vec3 xi) {
  if constexpr (S::type == ElementType::hex8) return xi.cwiseMax(-1).cwiseMin(1);
  xi = xi.cwiseMax(0);
  const double sum = xi.sum();
  return sum > 1 ? Vec3(xi / sum) : xi;
}

// Newton's method for Σ N_a(ξ) X_a = x, clamped to the element at the end.
template <Shape S>
Vec3 reference_point(const Eigen::Matrix<double, 3, S::nodes>& X, const Vec3& x) {
  Vec3 xi = S::type == ElementType::hex8 ? Vec3::Zero() : Vec3::Constant(0.25);
  for (int k = 0; k < 20; ++k) {
    const Vec3 change = (X * S::gradients(xi)).inverse() * (x - X * S::values(xi));
    if (!change.allFinite()) break;
    xi += change;
    if (change.norm() < 1e-14 || xi.norm() > 1e3) break;
  }
  return clamp_to_reference<S>(xi);
}

template <Shape S>
void search_block(const Mesh& mesh, const ElementBlock& block, const Vec3& x, PointSearch& best) {
  for (Index e = 0; e < block.size(); ++e) {
    const std::span<const Index> nodes = block.element(e);
    Eigen::Matrix<double, 3, S::nodes> X;
    for (int a = 0; a < S::nodes; ++a) X.col(a) = mesh.points[nodes[a]];
    // Elements whose box is farther away than what was found cannot be nearer.
    const Vec3 low = X.rowwise().minCoeff(), high = X.rowwise().maxCoeff();
    const Vec3 outside = (low - x).cwiseMax(x - high).cwiseMax(0);
    if (outside.norm() >= best.distance) continue;
    const auto N = S::values(reference_point<S>(X, x));
    const double distance = (X * N - x).norm();
    if (distance >= best.distance) continue;
    best.distance = distance;
    best.point.count = S::nodes;
    for (int a = 0; a < S::nodes; ++a) {
      best.point.nodes[a] = nodes[a];
      best.point.weights[a] = N[a];
    }
    if (distance == 0) return;
  }
}

// Triangles and segments: the nearest point has barycentric weights.
void search_thin(const Mesh& mesh, const ElementBlock& block, const Vec3& x, PointSearch& best) {
  const int n = nodes_per_element(block.type);
  const PairKind kind = n == 3 ? PairKind::point_triangle : PairKind::point_edge;
  for (Index e = 0; e < block.size(); ++e) {
    const std::span<const Index> nodes = block.element(e);
    PairPoints points = PairPoints::Zero();
    points.col(0) = x;
    for (int a = 0; a < n; ++a) points.col(a + 1) = mesh.points[nodes[a]];
    const Nearest nearest = find_nearest(kind, points);
    const double distance = nearest.connection(points).norm();
    if (distance >= best.distance) continue;
    best.distance = distance;
    best.point.count = n;
    for (int a = 0; a < n; ++a) {
      best.point.nodes[a] = nodes[a];
      best.point.weights[a] = -nearest.w[a + 1];
    }
  }
}

}  // namespace

PointSearch find_point(const Mesh& mesh, const Vec3& x) {
  PointSearch best;
  best.distance = std::numeric_limits<double>::infinity();
  for (const ElementBlock& block : mesh.blocks) {
    if (dimension(block.type) != mesh.top_dimension()) continue;
    if (block.type == ElementType::tri3 || block.type == ElementType::segment2)
      search_thin(mesh, block, x, best);
    visit_shape(block.type, [&]<class S>(S) { search_block<S>(mesh, block, x, best); });
  }
  return best;
}

}  // namespace pliant
