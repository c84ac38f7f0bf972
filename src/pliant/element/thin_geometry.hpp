// What the points of segments (N = 2), triangles (3) and quadrilaterals (4) know of the undeformed
// cable or sheet, as RestGeometry says it of solids: gradients of the shape functions along the
// rest surface, as vectors of space, so that F = Σ_a x_a ⊗ ∇N_a maps its tangents and takes what is
// across it to zero.
#pragma once

#include <pliant/core/types.hpp>

#include <cmath>
#include <span>
#include <vector>

namespace pliant {

template <int nodes>
class ThinGeometry {
 public:
  static_assert(nodes >= 2 && nodes <= 4);
  static constexpr int N = nodes, G = N == 4 ? 4 : 1;
  using Gradients = Eigen::Matrix<double, 3, N>;  // column a: ∇N_a in rest coordinates, 1/m

  // `depth` is what makes a volume of it: the thickness of a sheet, m, the section of a cable, m².
  ThinGeometry(std::span<const Index> connectivity, std::span<const Vec3> rest, double depth)
      : gradients_(connectivity.size() / N * G * 3 * N), weights_(connectivity.size() / N * G) {
    for (std::size_t e = 0; e < connectivity.size() / N; ++e) {
      Gradients X;
      for (int a = 0; a < N; ++a)
        X.col(a) =
            rest[static_cast<std::size_t>(connectivity[e * N + static_cast<std::size_t>(a)])];
      for (int g = 0; g < G; ++g) {
        const Reference dN = reference(g);
        const Eigen::Matrix<double, 3, kDimension> J = X * dN;  // ∂X/∂ξ
        const Metric metric = J.transpose() * J;
        const std::size_t k = e * G + static_cast<std::size_t>(g);
        Eigen::Map<Gradients>(gradients_.data() + 3 * N * k) =
            J * metric.inverse() * dN.transpose();
        weights_[k] = depth * kArea * std::sqrt(metric.determinant());
      }
    }
  }

  Eigen::Map<const Gradients> gradients(std::size_t e, int g) const {
    return Eigen::Map<const Gradients>(gradients_.data() +
                                       3 * N * (e * G + static_cast<std::size_t>(g)));
  }
  double weight(std::size_t e, int g) const {  // m³
    return weights_[e * G + static_cast<std::size_t>(g)];
  }
  const double* all_weights() const { return weights_.data(); }

 private:
  static constexpr int kDimension = N == 2 ? 1 : 2;
  static constexpr double kArea = N == 3 ? 0.5 : 1;  // of the reference element, at each point
  using Reference = Eigen::Matrix<double, N, kDimension>;
  using Metric = Eigen::Matrix<double, kDimension, kDimension>;

  // ∂N/∂ξ over [0, 1], the unit triangle, or at the points of Gauss's rule of 2×2 in [−1, 1]².
  static Reference reference(int g) {
    Reference dN;
    if constexpr (N == 2) {
      dN << -1, 1;
    } else if constexpr (N == 3) {
      dN << -1, -1, 1, 0, 0, 1;
    } else {
      constexpr double at = 0.57735026918962576451;  // 1/√3
      constexpr int corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
      for (int a = 0; a < 4; ++a) {
        dN(a, 0) = 0.25 * corner[a][0] * (1 + at * corner[a][1] * corner[g][1]);
        dN(a, 1) = 0.25 * corner[a][1] * (1 + at * corner[a][0] * corner[g][0]);
      }
    }
    return dN;
  }

  std::vector<double> gradients_, weights_;
};

}  // namespace pliant
