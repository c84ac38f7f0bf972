#include <pliant/element/bending.hpp>

#include <pliant/element/contraction.hpp>

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

std::vector<Index> connectivity_of(std::span<const Hinge> hinges) {
  std::vector<Index> nodes;
  for (const Hinge& hinge : hinges)
    nodes.insert(nodes.end(), hinge.nodes.begin(), hinge.nodes.end());
  return nodes;
}

HingePoints points_at(const Index* nodes, std::span<const Vec3> rest) {
  HingePoints x;
  for (int a = 0; a < 4; ++a) x.col(a) = rest[static_cast<std::size_t>(nodes[a])];
  return x;
}
HingePoints points_at(const Index* nodes, std::span<const double> q) {
  HingePoints x;
  for (int a = 0; a < 4; ++a) x.col(a) = node(q, nodes[a]);
  return x;
}

double area_of(const HingePoints& x) {
  const Vec3 e = x.col(1) - x.col(0);
  return 0.5 * (e.cross(x.col(2) - x.col(0)).norm() + e.cross(x.col(3) - x.col(0)).norm());
}

double cotangent(const Vec3& a, const Vec3& b) { return a.dot(b) / a.cross(b).norm(); }

}  // namespace

bool is_flat(std::span<const Hinge> hinges, std::span<const Vec3> rest) {
  for (const Hinge& hinge : hinges)
    if (std::abs(hinge_angle(points_at(hinge.nodes.data(), rest))) > 1e-9) return false;
  return true;
}

QuadraticBending::QuadraticBending(BendingInput input, std::span<const Vec3> rest)
    : StencilTerm(connectivity_of(input.hinges), rest.size()) {
  for (const Hinge& hinge : input.hinges) {
    const HingePoints x = points_at(hinge.nodes.data(), rest);
    const Vec3 e = x.col(1) - x.col(0);
    const double a0 = cotangent(e, x.col(2) - x.col(0)), a1 = cotangent(-e, x.col(2) - x.col(1)),
                 b0 = cotangent(e, x.col(3) - x.col(0)), b1 = cotangent(-e, x.col(3) - x.col(1));
    const double scale = std::sqrt(input.stiffness[weights_.size()] / area_of(x));
    weights_.push_back(
        {scale * (a1 + b1), scale * (a0 + b0), -scale * (a0 + a1), -scale * (b0 + b1)});
  }
}

Vec3 QuadraticBending::curvature(std::size_t e, std::span<const double> q) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t a = 0; a < 4; ++a) sum += weights_[e][a] * node(q, connectivity_[4 * e + a]);
  return sum;
}

double QuadraticBending::potential(const Configuration& c) const {
  return parallel_sum(weights_.size(), 512, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t e = begin; e < end; ++e) sum += 0.5 * curvature(e, c.q).squaredNorm();
    return sum;
  });
}

double QuadraticBending::add_force_and_potential(const Configuration& c,
                                                 std::span<double> f) const {
  return plan_.sum_over_elements([&](std::size_t e) {
    const Vec3 sum = curvature(e, c.q);
    for (std::size_t a = 0; a < 4; ++a) node(f, connectivity_[4 * e + a]) -= weights_[e][a] * sum;
    return 0.5 * sum.squaredNorm();
  });
}

void QuadraticBending::add_tangent(const Configuration&, Tangent tangent, BlockMatrix& A) const {
  if (tangent.stiffness == 0) return;
  plan_.for_each_element([&](std::size_t e) {
    ElementMatrix<4> K;
    K.set_zero();
    for (int a = 0; a < 4; ++a)
      for (int b = a; b < 4; ++b) {
        const double w = tangent.stiffness * weights_[e][static_cast<std::size_t>(a)] *
                         weights_[e][static_cast<std::size_t>(b)];
        for (const int i : {0, 4, 8}) K.block[K.pair(a, b)][i] = w;
      }
    scatter(K, plan_.blocks(e), A);
  });
}

LocalMaps QuadraticBending::local_maps() const {
  LocalMaps maps{4, 1, connectivity_, {}};
  for (const auto& w : weights_) maps.g.insert(maps.g.end(), w.begin(), w.end());
  return maps;
}

void QuadraticBending::local_gradient(const Configuration&, LocalRange range,
                                      std::span<const double> z, std::span<double> gradient) const {
  for (std::size_t i = 3 * range.begin; i < 3 * range.end; ++i) gradient[i] = z[i];
}

bool QuadraticBending::local_minimise(const Configuration&, LocalRange range,
                                      std::span<const double> weights,
                                      std::span<const double> target, std::span<double> z) const {
  for (std::size_t k = range.begin; k < range.end; ++k)
    for (std::size_t i = 3 * k; i < 3 * k + 3; ++i)
      z[i] = weights[k] * target[i] / (1 + weights[k]);
  return true;
}

ShellBending::ShellBending(BendingInput input, std::span<const Vec3> rest)
    : LocalStencil(connectivity_of(input.hinges), rest.size()) {
  for (const Hinge& hinge : input.hinges) {
    const HingePoints x = points_at(hinge.nodes.data(), rest);
    stiffness_.push_back(input.stiffness[stiffness_.size()] * (x.col(1) - x.col(0)).squaredNorm() /
                         area_of(x));
    rest_angle_.push_back(hinge_angle(x));
  }
  measure_stiffness(rest);
}

double ShellBending::bent(std::size_t e, const HingePoints& x) const {
  return std::remainder(hinge_angle(x) - rest_angle_[e], 2 * std::numbers::pi);
}

double ShellBending::energy_at(std::size_t e, const HingePoints& x) const {
  const double angle = bent(e, x);
  return 0.5 * stiffness_[e] * angle * angle;
}

HingePoints ShellBending::gradient_at(std::size_t e, const HingePoints& x) const {
  return stiffness_[e] * bent(e, x) * hinge_gradient(x);
}

// k (∇θ ∇θᵀ + (θ − θ₀) ∇²θ); the first part alone is positive semi-definite.
ShellBending::Hessian ShellBending::hessian_at(std::size_t e, const HingePoints& x,
                                               Projection projection) const {
  const HingePoints g = hinge_gradient(x);
  const Eigen::Map<const Eigen::Matrix<double, 12, 1>> gradient(g.data());
  Hessian H = stiffness_[e] * gradient * gradient.transpose();
  if (projection == Projection::none) H += stiffness_[e] * bent(e, x) * hinge_hessian(x);
  return H;
}

double ShellBending::potential(const Configuration& c) const {
  return parallel_sum(stiffness_.size(), 256, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t e = begin; e < end; ++e)
      sum += energy_at(e, points_at(connectivity_.data() + 4 * e, c.q));
    return sum;
  });
}

double ShellBending::add_force_and_potential(const Configuration& c, std::span<double> f) const {
  return plan_.sum_over_elements([&](std::size_t e) {
    const HingePoints x = points_at(connectivity_.data() + 4 * e, c.q);
    const HingePoints g = gradient_at(e, x);
    for (int a = 0; a < 4; ++a)
      node(f, connectivity_[4 * e + static_cast<std::size_t>(a)]) -= g.col(a);
    return energy_at(e, x);
  });
}

void ShellBending::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  if (tangent.stiffness == 0) return;
  plan_.for_each_element([&](std::size_t e) {
    const HingePoints x = points_at(connectivity_.data() + 4 * e, c.q);
    const Hessian H = tangent.stiffness * hessian_at(e, x, tangent.projection);
    ElementMatrix<4> K;
    for (int a = 0; a < 4; ++a)
      for (int b = a; b < 4; ++b)
        Eigen::Map<Mat3>(K.block[K.pair(a, b)]) = H.block<3, 3>(3 * a, 3 * b);
    scatter(K, plan_.blocks(e), A);
  });
}

}  // namespace pliant
