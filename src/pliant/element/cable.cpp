#include <pliant/element/cable.hpp>

#include <pliant/core/symmetric.hpp>
#include <pliant/element/contraction.hpp>

#include <unsupported/Eigen/AutoDiff>

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant {
namespace {

// c² + ε², so that a joint with a bend of its own has a slope when it is straight.
constexpr double kSmooth = 1e-12;

using JointPoints = Eigen::Matrix<double, 3, 3>;
template <class T>
using Vector3 = Eigen::Matrix<T, 3, 1>;

// With a = |e₁||e₂| and d = e₁·e₂, c² = 4 (a − d)/(a + d).
template <class T>
T bend(const Vector3<T>& e1, const Vector3<T>& e2) {
  using std::sqrt;
  const T a = sqrt(e1.dot(e1) * e2.dot(e2)), d = e1.dot(e2);
  return sqrt(4 * (a - d) / (a + d) + kSmooth);
}

// −∂U/∂x of the three points: ∂c²/∂e₁ = 8 a (d e₁/|e₁|² − e₂)/(a + d)².
template <class T>
std::array<Vector3<T>, 3> bending_force(const std::array<Vector3<T>, 3>& x, double k, double rest) {
  using std::sqrt;
  const Vector3<T> e1 = x[1] - x[0], e2 = x[2] - x[1];
  const T a = sqrt(e1.dot(e1) * e2.dot(e2)), d = e1.dot(e2), sum = a + d;
  const T c = bend<T>(e1, e2);
  const T scale = 0.5 * k * (1 - rest / c) * 8 * a / (sum * sum);
  const Vector3<T> g1 = scale * ((d / e1.dot(e1)) * e1 - e2);
  const Vector3<T> g2 = scale * ((d / e2.dot(e2)) * e2 - e1);
  return {g1, Vector3<T>(g2 - g1), Vector3<T>(-g2)};
}

std::vector<Index> flat(std::span<const std::array<Index, 3>> joints) {
  std::vector<Index> nodes;
  for (const auto& joint : joints) nodes.insert(nodes.end(), joint.begin(), joint.end());
  return nodes;
}

Mat9 bending_hessian(const JointPoints& x, double k, double rest) {
  using Ad = Eigen::AutoDiffScalar<Vec9>;
  std::array<Vector3<Ad>, 3> points;
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) points[static_cast<std::size_t>(a)][i] = Ad(x(i, a), 9, 3 * a + i);
  const auto f = bending_force<Ad>(points, k, rest);
  Mat9 H;
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i)
      H.row(3 * a + i) = -f[static_cast<std::size_t>(a)][i].derivatives().transpose();
  return 0.5 * (H + H.transpose());
}

}  // namespace

CableStretch::CableStretch(CableStretchInput input, std::span<const Vec3> rest)
    : connectivity_(std::move(input.connectivity)),
      young_(std::move(input.young)),
      area_(input.area),
      plan_(connectivity_, 2, static_cast<Index>(rest.size())) {
  for (std::size_t e = 0; e < connectivity_.size() / 2; ++e)
    length_.push_back((rest[static_cast<std::size_t>(connectivity_[2 * e + 1])] -
                       rest[static_cast<std::size_t>(connectivity_[2 * e])])
                          .norm());
}

double CableStretch::potential(const Configuration& c) const {
  return parallel_sum(length_.size(), 512, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t e = begin; e < end; ++e)
      sum += 0.5 * young_[e] * area_ * length_[e] * std::pow(strain(e, c.q), 2);
    return sum;
  });
}

double CableStretch::add_force_and_potential(const Configuration& c, std::span<double> f) const {
  return plan_.sum_over_elements([&](std::size_t e) {
    const Vec3 x = along(e, c.q);
    const double l = x.norm(), strain = l / length_[e] - 1, tension = young_[e] * area_ * strain;
    const Vec3 pull = l > 0 ? Vec3(tension / l * x) : Vec3(Vec3::Zero());
    node(f, connectivity_[2 * e]) += pull;
    node(f, connectivity_[2 * e + 1]) -= pull;
    return 0.5 * tension * strain * length_[e];
  });
}

Mat3 CableStretch::tangent(std::size_t e, const Vec3& x, Projection projection) const {
  const double l = x.norm(), stiff = stiffness(e);
  double across = l > 0 ? stiff * (1 - length_[e] / l) : 0;
  if (projection == Projection::psd) across = std::max(across, 0.0);
  const Vec3 n = l > 0 ? Vec3(x / l) : Vec3(Vec3::Zero());
  return across * Mat3::Identity() + (stiff - across) * n * n.transpose();
}

void CableStretch::add_tangent(const Configuration& c, Tangent scale, BlockMatrix& A) const {
  if (scale.stiffness == 0) return;
  plan_.for_each_element([&](std::size_t e) {
    const Mat3 k = scale.stiffness * tangent(e, along(e, c.q), scale.projection);
    ElementMatrix<2> K;
    Eigen::Map<Mat3>(K.block[K.pair(0, 0)]) = k;
    Eigen::Map<Mat3>(K.block[K.pair(0, 1)]) = -k;
    Eigen::Map<Mat3>(K.block[K.pair(1, 1)]) = k;
    scatter(K, plan_.blocks(e), A);
  });
}

void CableStretch::von_mises(const Configuration& c, std::span<double> out) const {
  for (std::size_t e = 0; e < length_.size(); ++e) out[e] = young_[e] * std::abs(strain(e, c.q));
}
void CableStretch::smallest_det(const Configuration& c, std::span<double> out) const {
  for (std::size_t e = 0; e < length_.size(); ++e) out[e] = 1 + strain(e, c.q);
}
DeformationExtremes CableStretch::extremes(const Configuration& c) const {
  DeformationExtremes result;
  for (std::size_t e = 0; e < length_.size(); ++e)
    result.min_det = std::min(result.min_det, 1 + strain(e, c.q));
  return result;
}

LocalMaps CableStretch::local_maps() const {
  LocalMaps maps{2, 1, connectivity_, {}};
  for (std::size_t e = 0; e < length_.size(); ++e) maps.g.insert(maps.g.end(), {-1.0, 1.0});
  return maps;
}

void CableStretch::local_gradient(const Configuration&, LocalRange range, std::span<const double> z,
                                  std::span<double> gradient) const {
  for (std::size_t e = range.begin; e < range.end; ++e) {
    const Vec3 x = ConstMap3(z.data() + 3 * e);
    const double l = x.norm();
    Map3(gradient.data() + 3 * e) =
        l > 0 ? Vec3(stiffness(e) * (1 - length_[e] / l) * x) : Vec3(Vec3::Zero());
  }
}

// Along the target: k (l − L) + w (l − |t|) = 0.
bool CableStretch::local_minimise(const Configuration&, LocalRange range,
                                  std::span<const double> weights, std::span<const double> target,
                                  std::span<double> z) const {
  for (std::size_t e = range.begin; e < range.end; ++e) {
    const Vec3 t = ConstMap3(target.data() + 3 * e);
    const double k = stiffness(e), l = t.norm();
    const double wanted = (k * length_[e] + weights[e] * l) / (k + weights[e]);
    if (l > 0) Map3(z.data() + 3 * e) = wanted / l * t;
  }
  return true;
}

LocalMatrix CableStretch::local_tangent(std::size_t part, const double* z) const {
  return tangent(part, ConstMap3(z), Projection::psd);
}

std::vector<std::array<Index, 3>> find_joints(std::span<const Index> segments) {
  std::map<Index, std::vector<Index>> neighbours;
  for (std::size_t e = 0; e < segments.size() / 2; ++e) {
    neighbours[segments[2 * e]].push_back(segments[2 * e + 1]);
    neighbours[segments[2 * e + 1]].push_back(segments[2 * e]);
  }
  std::vector<std::array<Index, 3>> joints;
  for (const auto& [n, others] : neighbours)
    if (others.size() == 2) joints.push_back({others[0], n, others[1]});
  return joints;
}

CableBending::CableBending(CableBendingInput input, std::span<const Vec3> rest)
    : LocalStencil(flat(input.joints), rest.size()) {
  for (const auto& joint : input.joints) {
    const Vec3 e1 =
        rest[static_cast<std::size_t>(joint[1])] - rest[static_cast<std::size_t>(joint[0])];
    const Vec3 e2 =
        rest[static_cast<std::size_t>(joint[2])] - rest[static_cast<std::size_t>(joint[1])];
    const double straight = std::sqrt(kSmooth), c = bend<double>(e1, e2);
    stiffness_.push_back(input.stiffness[stiffness_.size()] / (0.5 * (e1.norm() + e2.norm())));
    rest_.push_back(c < 10 * straight ? 0 : c);
  }
  measure_stiffness(rest);
}

CableBending::Points CableBending::points_at(std::size_t e, std::span<const double> q) const {
  Points x;
  for (std::size_t a = 0; a < 3; ++a)
    x.col(static_cast<Eigen::Index>(a)) = node(q, connectivity_[3 * e + a]);
  return x;
}

double CableBending::energy_at(std::size_t e, const Points& x) const {
  const double bent = bend<double>(x.col(1) - x.col(0), x.col(2) - x.col(1)) - rest_[e];
  return 0.5 * stiffness_[e] * bent * bent;
}

CableBending::Points CableBending::gradient_at(std::size_t e, const Points& x) const {
  const auto force = bending_force<double>({x.col(0), x.col(1), x.col(2)}, stiffness_[e], rest_[e]);
  Points g;
  g << -force[0], -force[1], -force[2];
  return g;
}

CableBending::Hessian CableBending::hessian_at(std::size_t e, const Points& x,
                                               Projection projection) const {
  const Mat9 H = bending_hessian(x, stiffness_[e], rest_[e]);
  if (projection != Projection::psd) return H;
  return positive_part(H);
}

double CableBending::potential(const Configuration& c) const {
  return parallel_sum(stiffness_.size(), 256, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t e = begin; e < end; ++e) sum += energy_at(e, points_at(e, c.q));
    return sum;
  });
}

double CableBending::add_force_and_potential(const Configuration& c, std::span<double> f) const {
  return plan_.sum_over_elements([&](std::size_t e) {
    const Points x = points_at(e, c.q), g = gradient_at(e, x);
    for (std::size_t a = 0; a < 3; ++a)
      node(f, connectivity_[3 * e + a]) -= g.col(static_cast<Eigen::Index>(a));
    return energy_at(e, x);
  });
}

void CableBending::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  if (tangent.stiffness == 0) return;
  plan_.for_each_element([&](std::size_t e) {
    const Hessian H = tangent.stiffness * hessian_at(e, points_at(e, c.q), tangent.projection);
    ElementMatrix<3> K;
    for (int a = 0; a < 3; ++a)
      for (int b = a; b < 3; ++b)
        Eigen::Map<Mat3>(K.block[K.pair(a, b)]) = H.block<3, 3>(3 * a, 3 * b);
    scatter(K, plan_.blocks(e), A);
  });
}

}  // namespace pliant
