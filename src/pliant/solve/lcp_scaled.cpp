#include <pliant/solve/lcp_scaled.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

// How exact a proof of infeasibility has to be: of each part, and of the length λ / |b| at which
// the curvature of an ill-conditioned W would end the fall all the same.
constexpr double kRecession = 1e-7, kCurvature = 1e-12;
constexpr double kDiagonalRounding = 1e-12;  // of the largest W_ii

Eigen::Vector2d pair(const Vector& x, const std::array<Index, 2>& rows) {
  return {x[rows[0]], x[rows[1]]};
}

void set_pair(Vector& x, const std::array<Index, 2>& rows, const Eigen::Vector2d& value) {
  x[rows[0]] = value[0], x[rows[1]] = value[1];
}

Eigen::Vector2d onto_disc(const Eigen::Vector2d& u, double radius) {
  const double length = u.norm();
  return length > radius ? Eigen::Vector2d(radius / length * u) : u;
}

}  // namespace

void ScaledLcp::check(const LcpProblem& p) {
  const auto n = p.b.size();
  if (p.W.rows() != n || p.W.cols() != n || p.lower.size() != n || p.upper.size() != n)
    throw InputError(fmt::format(
        "a complementarity problem's sizes must match: got W {}×{}, b of length {} and bounds of "
        "lengths {} and {}",
        p.W.rows(), p.W.cols(), n, p.lower.size(), p.upper.size()));
  for (Index i = 0; i < n; ++i)
    if (!(p.lower[i] <= p.upper[i]))
      throw InputError(fmt::format(
          "row {} of a complementarity problem: the lower bound {} is above the upper one, {}", i,
          p.lower[i], p.upper[i]));
  cone_of_.assign(static_cast<std::size_t>(n), -1);
  tangent_of_ = cone_of_;
  for (std::size_t c = 0; c < p.cones.size(); ++c) {
    const FrictionCone& cone = p.cones[c];
    for (const Index row : {cone.normal, cone.tangents[0], cone.tangents[1]}) {
      if (row < 0 || row >= n || cone_of_[static_cast<std::size_t>(row)] >= 0)
        throw InputError(fmt::format(
            "friction cone {}: row {} must be one of {} and in no other cone", c, row, n));
      cone_of_[static_cast<std::size_t>(row)] = static_cast<Index>(c);
    }
    for (const Index row : cone.tangents)
      tangent_of_[static_cast<std::size_t>(row)] = static_cast<Index>(c);
    if (!(cone.mu >= 0) || !std::isfinite(cone.mu) || !(p.lower[cone.normal] >= 0))
      throw InputError(fmt::format(
          "friction cone {}: μ and the lower bound of its normal row must not be negative, got {} "
          "and {}",
          c, cone.mu, p.lower[cone.normal]));
  }
}

ScaledLcp::ScaledLcp(const LcpProblem& p)
    : W(p.W), b(p.b), lower(p.lower), upper(p.upper), cones(p.cones) {
  check(p);
  Vector diagonal = W.diagonal();
  // What can move nothing, as friction along a direction that a joint blocks, has a zero but for
  // rounding.
  const double rounding = rows() > 0 ? kDiagonalRounding * std::max(0.0, diagonal.maxCoeff()) : 0;
  for (Index i = 0; i < rows(); ++i)
    if (diagonal[i] < 0 && diagonal[i] >= -rounding) W.coeffRef(i, i) = diagonal[i] = 0;
  for (Index i = 0; i < rows(); ++i)
    if (!(diagonal[i] >= 0))
      throw InputError(
          fmt::format("row {} of a complementarity problem: W_ii must not be negative, got {}", i,
                      diagonal[i]));
  for (const FrictionCone& cone : cones) {
    const double larger = pair(diagonal, cone.tangents).maxCoeff();
    set_pair(diagonal, cone.tangents, Eigen::Vector2d::Constant(larger));
  }
  scale = diagonal.unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 1; });
  W = scale.asDiagonal() * W * scale.asDiagonal();
  b = b.cwiseProduct(scale);
  lower = lower.cwiseQuotient(scale), upper = upper.cwiseQuotient(scale);
  for (FrictionCone& cone : cones) {
    cone.mu *= scale[cone.normal] / scale[cone.tangents[0]];
    const auto& [s, t] = cone.tangents;
    const double mean = 0.5 * (W.coeff(s, s) + W.coeff(t, t));
    const double largest = mean + std::hypot(0.5 * (W.coeff(s, s) - W.coeff(t, t)), W.coeff(s, t));
    cone_step_.push_back(largest > 0 ? 1 / largest : 1);
  }
}

void ScaledLcp::project(Vector& lambda) const {
  for (Index i = 0; i < rows(); ++i)
    if (tangent_of_[static_cast<std::size_t>(i)] < 0)
      lambda[i] = std::clamp(lambda[i], lower[i], upper[i]);
  for (const FrictionCone& cone : cones)
    set_pair(lambda, cone.tangents,
             onto_disc(pair(lambda, cone.tangents), cone.mu * lambda[cone.normal]));
}

Vector ScaledLcp::slack(const Vector& lambda) const {
  Vector w = W * lambda + b;
  if (proximal_ > 0) w += proximal_ * (lambda - anchor_);
  return w;
}

double ScaledLcp::natural_map(const Vector& lambda, Vector& F) {
  u_ = lambda - slack(lambda);
  project(u_);
  F = lambda - u_;
  const double size =
      rows() > 0 ? std::max(lambda.lpNorm<Eigen::Infinity>(), b.lpNorm<Eigen::Infinity>()) : 0;
  return size > 0 ? F.lpNorm<Eigen::Infinity>() / size : 0;
}

double ScaledLcp::row_product(Index row, const Vector& lambda) const {
  double sum = b[row];
  for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(W, row); it; ++it)
    sum += it.value() * lambda[it.col()];
  return sum;
}

void ScaledLcp::sweep_cone(const FrictionCone& cone, Vector& lambda, double relaxation) const {
  const auto c = static_cast<std::size_t>(cone_of_[static_cast<std::size_t>(cone.normal)]);
  const Eigen::Vector2d w(row_product(cone.tangents[0], lambda),
                          row_product(cone.tangents[1], lambda));
  set_pair(lambda, cone.tangents,
           onto_disc(pair(lambda, cone.tangents) - relaxation * cone_step_[c] * w,
                     cone.mu * lambda[cone.normal]));
}

// A cone is visited at its normal row: first the normal, then the pair within the new disc.
void ScaledLcp::sweep(Vector& lambda, double relaxation) const {
  for (Index i = 0; i < rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (tangent_of_[at] >= 0) continue;
    lambda[i] = std::clamp(lambda[i] - relaxation * row_product(i, lambda), lower[i], upper[i]);
    if (cone_of_[at] >= 0)
      sweep_cone(cones[static_cast<std::size_t>(cone_of_[at])], lambda, relaxation);
  }
}

// W d = 0 while b·d < 0 and d leads away from no bound and out of no cone: along d the program
// falls for ever.
std::vector<Index> ScaledLcp::recession(const Vector& change) const {
  const double size = rows() > 0 ? change.lpNorm<Eigen::Infinity>() : 0;
  if (!(size > 0)) return {};
  const Vector d = change / size;
  const double fall = -b.dot(d) / std::max(b.lpNorm<Eigen::Infinity>(), 1e-300);
  const Vector Wd = W * d;
  if (!(fall > kRecession) || d.dot(Wd) > kCurvature * fall) return {};
  if (Wd.lpNorm<Eigen::Infinity>() > kRecession) return {};
  for (const FrictionCone& cone : cones)
    if (pair(d, cone.tangents).norm() > cone.mu * std::max(0.0, d[cone.normal]) + kRecession)
      return {};
  std::vector<Index> growing;
  for (Index i = 0; i < rows(); ++i) {
    if (std::abs(d[i]) <= kRecession) continue;
    if (tangent_of_[static_cast<std::size_t>(i)] < 0 &&
        std::isfinite(d[i] > 0 ? upper[i] : lower[i]))
      return {};
    growing.push_back(i);
  }
  return growing;
}

}  // namespace pliant
