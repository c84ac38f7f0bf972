#include <pliant/element/mass.hpp>

#include <pliant/element/shapes.hpp>
#include <pliant/element/triangle_frame.hpp>
#include <pliant/mesh/element_geometry.hpp>

namespace pliant {
namespace {

template <Shape S>
Eigen::Matrix<double, S::nodes, S::nodes> element_mass(const Eigen::Matrix<double, 3, S::nodes>& X,
                                                       double density) {
  Eigen::Matrix<double, S::nodes, S::nodes> m = Eigen::Matrix<double, S::nodes, S::nodes>::Zero();
  for (const QuadraturePoint& point : S::mass()) {
    const auto N = S::values(point.xi);
    const double volume = point.weight * (X * S::gradients(point.xi)).determinant();
    m += density * volume * N * N.transpose();
  }
  return m;
}

template <Shape S>
void add_block_mass(const MassInput& input, NodeMatrix& M) {
  constexpr int n = S::nodes;
  const std::size_t count = input.connectivity.size() / n;
  std::span<double> values = M.values();
  for (std::size_t e = 0; e < count; ++e) {
    const Index* nodes = input.connectivity.data() + e * n;
    Eigen::Matrix<double, 3, n> X;
    for (int a = 0; a < n; ++a) X.col(a) = input.rest[nodes[a]];
    const auto m = element_mass<S>(X, input.density[input.density.size() == 1 ? 0 : e]);
    if (input.lumped) {
      const double scale = m.sum() / m.trace();
      for (int a = 0; a < n; ++a) values[M.pattern().diagonal[nodes[a]]] += scale * m(a, a);
      continue;
    }
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) values[M.pattern().find(nodes[a], nodes[b])] += m(a, b);
  }
}

void add_quad_mass(const MassInput& input, NodeMatrix& M) {
  std::span<double> values = M.values();
  for (std::size_t e = 0; e < input.connectivity.size() / 4; ++e) {
    const std::span<const Index> nodes = input.connectivity.subspan(4 * e, 4);
    QuadCorners X;
    for (std::size_t a = 0; a < 4; ++a) X.col(static_cast<Eigen::Index>(a)) = input.rest[nodes[a]];
    const auto frames = make_quad_frames(X, Vec3::Zero());
    const double density = input.density[input.density.size() == 1 ? 0 : e];
    Eigen::Matrix4d m = Eigen::Matrix4d::Zero();
    for (std::size_t g = 0; g < 4; ++g)
      m += density * frames[g].area * quad_shapes()[g] * quad_shapes()[g].transpose();
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const double share = input.lumped ? (a == b ? m.row(a).sum() : 0) : m(a, b);
        if (share != 0)
          values[M.pattern().find(nodes[static_cast<std::size_t>(a)],
                                  nodes[static_cast<std::size_t>(b)])] += share;
      }
  }
}

}  // namespace

void add_mass(const MassInput& input, NodeMatrix& M) {
  visit_shape(input.type, [&]<class S>(S) { add_block_mass<S>(input, M); });
}

// ∫ N_a N_b over a simplex of n corners is its measure times (1 + δ_ab)/(n (n + 1)).
void add_thin_mass(const MassInput& input, NodeMatrix& M) {
  if (input.type == ElementType::quad4) return add_quad_mass(input, M);
  const auto n = static_cast<std::size_t>(nodes_per_element(input.type));
  std::span<double> values = M.values();
  for (std::size_t e = 0; e < input.connectivity.size() / n; ++e) {
    const std::span<const Index> nodes = input.connectivity.subspan(n * e, n);
    std::array<Vec3, 3> x;
    for (std::size_t a = 0; a < n; ++a) x[a] = input.rest[nodes[a]];
    const double mass = measure(input.type, std::span(x).first(n)) *
                        input.density[input.density.size() == 1 ? 0 : e];
    const double part = mass / static_cast<double>(n * (n + 1));
    for (std::size_t a = 0; a < n; ++a)
      if (input.lumped)
        values[M.pattern().diagonal[nodes[a]]] += mass / static_cast<double>(n);
      else
        for (std::size_t b = 0; b < n; ++b)
          values[M.pattern().find(nodes[a], nodes[b])] += a == b ? 2 * part : part;
  }
}

}  // namespace pliant
