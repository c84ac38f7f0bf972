// What the quadrature points of a batch of elements know of the undeformed body: the gradients of
// the shape functions in rest coordinates and the volume each point stands for. Elastic and viscous
// batches share it.
#pragma once

#include <pliant/element/shapes.hpp>
#include <pliant/term/local_potential.hpp>

#include <span>
#include <vector>

namespace pliant {

// One vector per node of element e, as columns.
template <Shape S>
Eigen::Matrix<double, 3, S::nodes> gather(std::span<const Index> connectivity, std::size_t e,
                                          std::span<const double> x) {
  Eigen::Matrix<double, 3, S::nodes> columns;
  for (int a = 0; a < S::nodes; ++a) columns.col(a) = node(x, connectivity[e * S::nodes + a]);
  return columns;
}

template <Shape S>
class RestGeometry {
 public:
  static constexpr int N = S::nodes, G = S::points;
  using Gradients = Eigen::Matrix<double, 3, N>;  // column a: ∇N_a in rest coordinates, 1/m

  RestGeometry(std::span<const Index> connectivity, std::span<const Vec3> rest)
      : gradients_(connectivity.size() / N * G * 3 * N), weights_(connectivity.size() / N * G) {
    const Quadrature& rule = S::stiffness();
    for (std::size_t e = 0; e < connectivity.size() / N; ++e) {
      Gradients X;
      for (int a = 0; a < N; ++a) X.col(a) = rest[connectivity[e * N + a]];
      for (int g = 0; g < G; ++g) {
        const auto dN = S::gradients(rule[g].xi);
        const Mat3 J = X * dN;  // ∂X/∂ξ
        Eigen::Map<Gradients>(gradients_.data() + (e * G + g) * 3 * N) =
            J.inverse().transpose() * dN.transpose();
        weights_[e * G + g] = rule[g].weight * J.determinant();
      }
    }
  }

  Eigen::Map<const Gradients> gradients(std::size_t e, int g) const {
    return Eigen::Map<const Gradients>(gradients_.data() + (e * G + g) * 3 * N);
  }
  double weight(std::size_t e, int g) const { return weights_[e * G + g]; }  // m³

  // A part at each quadrature point, its z the deformation gradient.
  LocalMaps local_maps(std::span<const Index> connectivity) const {
    LocalMaps maps{N, 3, {}, gradients_};
    for (std::size_t e = 0; e < connectivity.size() / N; ++e)
      for (int g = 0; g < G; ++g)
        maps.connectivity.insert(maps.connectivity.end(), connectivity.begin() + N * e,
                                 connectivity.begin() + N * (e + 1));
    return maps;
  }

  const double* all_gradients() const { return gradients_.data(); }
  const double* all_weights() const { return weights_.data(); }

 private:
  std::vector<double> gradients_, weights_;
};

}  // namespace pliant
