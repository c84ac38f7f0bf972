#include <pliant/element/strain_points.hpp>

#include <cmath>

namespace pliant {

// Parts of a term may measure in units of their own, as cables do in metres.
StrainPoints::StrainPoints(const LocalElastic& elastic, std::span<const double> rest)
    : maps_(elastic.local_maps()), scale_(maps_.size(), 1) {
  for (std::size_t k = 0; k < size(); ++k) {
    scale_[k] = std::sqrt(d()) / deformation(k, rest).norm();
    const std::size_t numbers = nodes() * static_cast<std::size_t>(d());
    for (std::size_t i = k * numbers; i < (k + 1) * numbers; ++i) maps_.g[i] *= scale_[k];
  }
}

Gradient StrainPoints::deformation(std::size_t point, std::span<const double> x) const {
  Gradient F = Gradient::Zero(3, d());
  for (std::size_t a = 0; a < nodes(); ++a)
    F += Vec3(node(x, node_of(point, a))) * gradient(point, a).transpose();
  return F;
}

// D_ab = (F B_a) : ∂²U/∂F² : (F B_b) at rest, where only strain has a say.
ComponentMatrix StrainPoints::law(const LocalElastic& elastic, std::span<const double> rest,
                                  std::size_t point, StrainMeasure measure) const {
  const int m = component_count(measure, d());
  const Gradient F = deformation(point, rest);
  const Gradient z = F / scale_[point];
  const LocalMatrix tangent = elastic.local_tangent(point, z.data());
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 9, 6> change(3 * d(), m);
  for (int a = 0; a < m; ++a) {
    const Gradient dF = F * component_basis(a, d()) / scale_[point];
    change.col(a) = Eigen::Map<const Vector>(dF.data(), dF.size());
  }
  return change.transpose() * tangent * change;
}

}  // namespace pliant
