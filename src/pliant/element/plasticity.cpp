#include <pliant/element/plasticity.hpp>

#include <pliant/core/symmetric.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr std::size_t kBlock = 256;

}  // namespace

PlasticTerm::PlasticTerm(const LocalElastic& elastic, std::span<const double> rest,
                         const PlasticLaw& law)
    : points_(elastic, rest),
      law_(law),
      plan_(points_.connectivity(), static_cast<int>(points_.nodes()),
            static_cast<Index>(rest.size() / 3)) {
  for (std::size_t k = 0; k < points_.size(); ++k)
    D_.push_back(points_.law(elastic, rest, k, StrainMeasure::green));
}

// Nothing has flowed yet where the state knows of none.
PlasticTerm::Strain6 PlasticTerm::plastic(const Configuration& c, std::size_t point) const {
  const Vector* all = c.plastic ? c.plastic : c.step ? c.step->plastic.get() : nullptr;
  if (!all) return Strain6::Zero();
  return all->segment<6>(static_cast<Eigen::Index>(first_ + 6 * point));
}

PlasticTerm::Strain6 PlasticTerm::strain(std::size_t point, std::span<const double> q) const {
  return Strain(StrainMeasure::green, points_.deformation(point, q)).components();
}

Mat3 PlasticTerm::offset_stress(const Configuration& c, std::size_t point) const {
  const Strain6 stress = D_[point] * plastic(c, point);
  Mat3 sum = Mat3::Zero();
  for (int k = 0; k < 6; ++k) sum += stress[k] * component_basis(k, 3);
  return sum;
}

std::vector<Mat3> PlasticTerm::offset_stresses(const Configuration& c) const {
  std::vector<Mat3> all(points_.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = offset_stress(c, k);
  return all;
}

double PlasticTerm::potential(const Configuration& c) const {
  return parallel_sum(points_.size(), kBlock, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const Strain6 offset = plastic(c, k);
      sum += (0.5 * offset - strain(k, c.q)).dot(D_[k] * offset);
    }
    return sum;
  });
}

// f_a = F (D E_p) g_a
void PlasticTerm::add_force(const Configuration& c, std::span<double> f) const {
  plan_.for_each_element([&](std::size_t k) {
    const Mat3 P = points_.deformation(k, c.q) * offset_stress(c, k);
    for (std::size_t a = 0; a < points_.nodes(); ++a)
      node(f, points_.node_of(k, a)) += P * points_.gradient(k, a);
  });
}

// −∂f_a/∂x_b = −(g_aᵀ (D E_p) g_b) 1
void PlasticTerm::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  if (tangent.stiffness == 0) return;
  plan_.for_each_element([&](std::size_t k) {
    Mat3 S = -offset_stress(c, k);
    if (tangent.projection == Projection::psd) S = positive_part(S);
    const Index* block = plan_.blocks(k);
    for (std::size_t a = 0; a < points_.nodes(); ++a)
      for (std::size_t b = 0; b < points_.nodes(); ++b)
        Eigen::Map<Mat3>(A.block(*block++)).diagonal().array() +=
            tangent.stiffness * points_.gradient(k, a).dot(S * points_.gradient(k, b));
  });
}

bool PlasticTerm::flow(std::span<const double> q, double h, std::span<double> plastic) const {
  const double share = 1 - std::exp(-law_.creep * h);
  std::vector<char> flowed(points_.size(), 0);
  parallel_for_each(points_.size(), kBlock, [&](std::size_t k) {
    Eigen::Map<Strain6> own(plastic.data() + first_ + 6 * k);
    Strain6 e = strain(k, q) - own;
    e.head<3>().array() -= e.head<3>().mean();
    const double size = e.norm();
    if (!(size > law_.yield) || !std::isfinite(size)) return;
    own += share * (1 - law_.yield / size) * e;
    if (own.norm() > law_.most) own *= law_.most / own.norm();
    flowed[k] = 1;
  });
  return std::any_of(flowed.begin(), flowed.end(), [](char x) { return x != 0; });
}

}  // namespace pliant
