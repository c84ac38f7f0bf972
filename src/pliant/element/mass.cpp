#include <pliant/element/mass.hpp>

#include <pliant/element/shapes.hpp>

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

}  // namespace

void add_mass(const MassInput& input, NodeMatrix& M) {
  visit_shape(input.type, [&]<class S>(S) { add_block_mass<S>(input, M); });
}

}  // namespace pliant
