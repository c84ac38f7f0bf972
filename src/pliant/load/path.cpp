#include <pliant/load/path.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

namespace pliant {
namespace {

constexpr double kSmooth = 1e-5;  // ε, of the path

}  // namespace

Path::Path(std::span<const PathPoint> points, PathLaw law, std::span<const double> rest)
    : law_(std::move(law)) {
  assert(points.size() >= 2);
  for (const PathPoint& point : points)
    for (int a = 0; a < point.carried.count; ++a) nodes_.push_back(point.carried.nodes[a]);
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  g_.assign((points.size() - 1) * nodes_.size(), 0);
  const auto add = [&](std::size_t s, double sign, const PathPoint& point) {
    for (int a = 0; a < point.carried.count; ++a) {
      const auto n = std::lower_bound(nodes_.begin(), nodes_.end(), point.carried.nodes[a]);
      g_[s * nodes_.size() + static_cast<std::size_t>(n - nodes_.begin())] +=
          sign * point.carried.weights[a];
    }
    if (point.carried.count == 0) offsets_.back() += sign * point.world;
  };
  for (std::size_t s = 0; s + 1 < points.size(); ++s) {
    offsets_.push_back(Vec3::Zero());
    add(s, -1, points[s]);
    add(s, 1, points[s + 1]);
  }
  law_.rest = length(rest);  // ε is still zero
  const double longest = std::max(
      law_.rest, law_.kind == PathKind::muscle ? law_.optimal : law_.drive.values()[0].x());
  // Points that are all in one place say nothing of a length; a tension is none.
  epsilon_ = kSmooth * (law_.kind == PathKind::tension ? law_.rest : longest);
  if (!(epsilon_ > 0)) epsilon_ = kSmooth;
}

Vec3 Path::z(std::size_t s, std::span<const double> x) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t a = 0; a < nodes_.size(); ++a)
    if (weight(s, a) != 0) sum += weight(s, a) * node(x, nodes_[a]);
  return sum;
}

Path::Segment Path::segment(std::size_t s, const Vec3& z) const {
  const Vec3 e = z + offsets_[s];
  const double length = std::sqrt(e.squaredNorm() + epsilon_ * epsilon_);
  return {length > 0 ? Vec3(e / length) : Vec3(Vec3::Zero()), length};
}

double Path::length(std::span<const double> q) const {
  double sum = 0;
  for (std::size_t s = 0; s < segments(); ++s) sum += segment(s, z(s, q)).length;
  return sum;
}

double Path::rate(std::span<const double> q, std::span<const double> v) const {
  double sum = 0;
  for (std::size_t s = 0; s < segments(); ++s) sum += segment(s, z(s, q)).along.dot(z(s, v));
  return sum;
}

void Path::add_gradient(std::span<const double> q, double scale, std::span<double> f) const {
  for (std::size_t s = 0; s < segments(); ++s) {
    const Vec3 pull = scale * segment(s, z(s, q)).along;
    for (std::size_t a = 0; a < nodes_.size(); ++a)
      if (weight(s, a) != 0) node(f, nodes_[a]) += weight(s, a) * pull;
  }
}

std::vector<Vec3> Path::gradient(std::span<const double> q) const {
  std::vector<Vec3> out(nodes_.size(), Vec3::Zero());
  for (std::size_t s = 0; s < segments(); ++s) {
    const Vec3 along = segment(s, z(s, q)).along;
    for (std::size_t a = 0; a < nodes_.size(); ++a) out[a] += weight(s, a) * along;
  }
  return out;
}

std::vector<Vec3> Path::rate_gradient(std::span<const double> q, std::span<const double> v) const {
  std::vector<Vec3> out(nodes_.size(), Vec3::Zero());
  for (std::size_t s = 0; s < segments(); ++s) {
    const Vec3 change = segment(s, z(s, q)).bend() * z(s, v);
    for (std::size_t a = 0; a < nodes_.size(); ++a) out[a] += weight(s, a) * change;
  }
  return out;
}

void Path::locate(const BlockPattern& pattern) {
  blocks_.clear();
  for (const Index a : nodes_)
    for (const Index b : nodes_) {
      blocks_.push_back(pattern.find(a, b));
      if (blocks_.back() < 0)
        throw std::logic_error("a path couples nodes that the pattern does not");
    }
}

// ∂²L/∂x_a∂x_b = Σ_s g_sa g_sb (I − u uᵀ)/l
void Path::add_hessian(std::span<const double> q, double scale, BlockMatrix& A) const {
  const std::size_t n = nodes_.size();
  for (std::size_t s = 0; s < segments(); ++s) {
    const Mat3 bend = scale * segment(s, z(s, q)).bend();
    for (std::size_t a = 0; a < n; ++a) {
      if (weight(s, a) == 0) continue;
      for (std::size_t b = 0; b < n; ++b)
        if (weight(s, b) != 0)
          Eigen::Map<Mat3>(A.block(blocks_[n * a + b])) += weight(s, a) * weight(s, b) * bend;
    }
  }
}

void Path::add_product(double scale, std::span<const Vec3> a, std::span<const Vec3> b,
                       BlockMatrix& A) const {
  const std::size_t n = nodes_.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      Eigen::Map<Mat3>(A.block(blocks_[n * i + j])) += scale * a[i] * b[j].transpose();
}

}  // namespace pliant
