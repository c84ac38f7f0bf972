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
void search_block(const Mesh& mesh, const ElementBlock& block, const Vec3& x, Index first,
                  PointSearch& best) {
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
    best.element = first + e;
    for (int a = 0; a < S::nodes; ++a) {
      best.point.nodes[a] = nodes[a];
      best.point.weights[a] = N[a];
    }
    if (distance == 0) return;
  }
}

// Triangles and segments: the nearest point has barycentric weights. A quadrilateral is two
// triangles here.
void search_thin(const Mesh& mesh, const ElementBlock& block, const Vec3& x, Index first,
                 PointSearch& best) {
  const bool quads = block.type == ElementType::quad4;
  const int n = quads ? 3 : nodes_per_element(block.type);
  const PairKind kind = n == 3 ? PairKind::point_triangle : PairKind::point_edge;
  for (Index k = 0; k < (quads ? 2 : 1) * block.size(); ++k) {
    const std::span<const Index> all = block.element(quads ? k / 2 : k);
    std::array<Index, 3> nodes{};
    for (int a = 0; a < n; ++a) nodes[a] = all[quads && k % 2 == 1 ? (a + 2) % 4 : a];
    PairPoints points = PairPoints::Zero();
    points.col(0) = x;
    for (int a = 0; a < n; ++a) points.col(a + 1) = mesh.points[nodes[a]];
    const Nearest nearest = find_nearest(kind, points);
    const double distance = nearest.connection(points).norm();
    if (distance >= best.distance) continue;
    best.distance = distance;
    best.point.count = n;
    best.element = first + (quads ? k / 2 : k);
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
  Index first = 0;
  for (const ElementBlock& block : mesh.blocks) {
    if (dimension(block.type) != mesh.top_dimension()) continue;
    if (dimension(block.type) < 3) search_thin(mesh, block, x, first, best);
    visit_shape(block.type, [&]<class S>(S) { search_block<S>(mesh, block, x, first, best); });
    first += block.size();
  }
  return best;
}

PointSearch attach_point(const Mesh& mesh, const Vec3& x) {
  PointSearch found = find_point(mesh, x);
  if (mesh.top_dimension() != 3 || found.distance == 0) return found;
  // The corner with the largest weight and its three neighbours.
  const MappedPoint nearest = found.point;
  std::array<int, 4> corners = {0, 1, 2, 3};
  if (nearest.count == 8) {
    constexpr std::array<std::array<int, 3>, 8> neighbours = {
        {{1, 3, 4}, {0, 2, 5}, {1, 3, 6}, {0, 2, 7}, {0, 5, 7}, {1, 4, 6}, {2, 5, 7}, {3, 4, 6}}};
    const auto at = std::max_element(nearest.weights.begin(), nearest.weights.begin() + 8) -
                    nearest.weights.begin();
    const auto& [a, b, c] = neighbours[static_cast<std::size_t>(at)];
    corners = {static_cast<int>(at), a, b, c};
  }
  const auto corner = [&](int k) -> const Vec3& {
    return mesh.points[nearest.nodes[static_cast<std::size_t>(corners[k])]];
  };
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = corner(k + 1) - corner(0);
  const Vec3 weights = edges.inverse() * (x - corner(0));
  if (!weights.allFinite()) return found;
  found.point = MappedPoint::of_node(nearest.nodes[static_cast<std::size_t>(corners[0])]);
  found.point.count = 4;
  found.point.weights[0] = 1 - weights.sum();
  for (int k = 0; k < 3; ++k) {
    found.point.nodes[k + 1] = nearest.nodes[static_cast<std::size_t>(corners[k + 1])];
    found.point.weights[k + 1] = weights[k];
  }
  return found;
}

}  // namespace pliant
