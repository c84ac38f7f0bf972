#include <pliant/constraint/volume_row.hpp>

#include <pliant/core/symmetric.hpp>

#include <algorithm>

namespace pliant {
namespace {

Mat3 cross_matrix(const Vec3& x) {
  return Mat3{{0, -x.z(), x.y()}, {x.z(), 0, -x.x()}, {-x.y(), x.x(), 0}};
}

// ∂²/∂x² of x_0 · (x_1 × x_2).
Mat9 curvature_of(const Vec3& x0, const Vec3& x1, const Vec3& x2) {
  Mat9 H = Mat9::Zero();
  H.block<3, 3>(0, 3) = -cross_matrix(x2), H.block<3, 3>(0, 6) = cross_matrix(x1);
  H.block<3, 3>(3, 0) = cross_matrix(x2), H.block<3, 3>(3, 6) = -cross_matrix(x0);
  H.block<3, 3>(6, 0) = -cross_matrix(x1), H.block<3, 3>(6, 3) = cross_matrix(x0);
  return H;
}

}  // namespace

VolumeConstraint::VolumeConstraint(VolumeInput input, std::span<const double> rest)
    : input_(std::move(input)) {
  for (const auto& triangle : input_.triangles)
    nodes_.insert(nodes_.end(), triangle.begin(), triangle.end());
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  for (const auto& triangle : input_.triangles) {
    std::array<Index, 3> own{};
    for (std::size_t a = 0; a < 3; ++a)
      own[a] = static_cast<Index>(std::lower_bound(nodes_.begin(), nodes_.end(), triangle[a]) -
                                  nodes_.begin());
    corners_.push_back(own);
    const Vec3 x = node(rest, triangle[0]);
    area_ += (node(rest, triangle[1]) - x).cross(node(rest, triangle[2]) - x).norm() / 2;
  }
  volume_ = input_.volume.value_or(Target{.start = volume(rest), .curve = {}});
}

std::vector<Vec3> VolumeConstraint::centred(std::span<const double> q) const {
  std::vector<Vec3> x;
  Vec3 middle = Vec3::Zero();
  for (const Index n : nodes_) x.push_back(node(q, n)), middle += x.back();
  middle /= static_cast<double>(nodes_.size());
  for (Vec3& place : x) place -= middle;
  return x;
}

double VolumeConstraint::volume(std::span<const double> q) const {
  const std::vector<Vec3> x = centred(q);
  double sum = 0;
  for (const auto& [a, b, c] : corners_) sum += x[a].dot(x[b].cross(x[c]));
  return sum / 6;
}

void VolumeConstraint::value(double t, std::span<const double> q, std::span<double> phi) const {
  phi[0] = (volume(q) - volume_.at(t)) / area_;
}

void VolumeConstraint::add_jacobian(std::span<const double> q, Index first_row,
                                    std::vector<JacobianEntry>& out) const {
  const std::vector<Vec3> x = centred(q);
  const std::size_t base = out.size();
  for (const Index n : nodes_) out.push_back({first_row, n, Vec3::Zero()});
  for (const auto& [a, b, c] : corners_) {
    out[base + a].gradient += x[b].cross(x[c]) / (6 * area_);
    out[base + b].gradient += x[c].cross(x[a]) / (6 * area_);
    out[base + c].gradient += x[a].cross(x[b]) / (6 * area_);
  }
}

void VolumeConstraint::add_geometric_stiffness(std::span<const double> q,
                                               std::span<const double> lambda, double scale,
                                               GeometricStiffness part,
                                               std::vector<NodeBlock>& out) const {
  if (part == GeometricStiffness::off) return;
  const std::vector<Vec3> x = centred(q);
  const double s = -scale * lambda[0] / (6 * area_);
  for (const auto& corners : corners_) {
    Mat9 H = s * curvature_of(x[corners[0]], x[corners[1]], x[corners[2]]);
    if (part == GeometricStiffness::positive) H = positive_part(H);
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b)
        out.push_back({nodes_[corners[a]], nodes_[corners[b]], H.block<3, 3>(3 * a, 3 * b)});
  }
}

void VolumeConstraint::curvature(double t, std::span<const double> q, std::span<const double> v,
                                 std::span<double> out) const {
  const std::vector<Vec3> x = centred(q), u = centred(v);
  double sum = 0;
  for (const auto& [a, b, c] : corners_)
    sum +=
        2 * (u[a].dot(u[b].cross(x[c])) + u[a].dot(x[b].cross(u[c])) + x[a].dot(u[b].cross(u[c])));
  out[0] = (sum / 6 - volume_.acceleration(t)) / area_;
}

}  // namespace pliant
