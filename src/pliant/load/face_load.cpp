#include <pliant/load/face_load.hpp>

#include <cmath>
#include <map>

namespace pliant {
namespace {

Mat3 cross_matrix(const Vec3& e) {
  Mat3 X;
  X << 0, -e.z(), e.y(), e.z(), 0, -e.x(), -e.y(), e.x(), 0;
  return X;
}

}  // namespace

FaceLoad::FaceLoad(const LoadFaces& faces, Index nodes) : weights_(faces.weights) {
  for (const auto& triangle : faces.triangles)
    connectivity_.insert(connectivity_.end(), triangle.begin(), triangle.end());
  plan_ = AssemblyPlan(connectivity_, 3, nodes);
}

FaceLoad::Face FaceLoad::face(std::size_t e, std::span<const double> q) const {
  Face face;
  for (int a = 0; a < 3; ++a) face.x[a] = node(q, corners(e)[a]);
  face.area = 0.5 * (face.x[1] - face.x[0]).cross(face.x[2] - face.x[0]);
  return face;
}

// 2N = e₁ × e₂ with e₁ = x₁ − x₀ and e₂ = x₂ − x₀, so 2 dN = −[e₂]ₓ de₁ + [e₁]ₓ de₂; the edge
// opposite to corner b decides: ∂N/∂x_b = ½ [x_{b+2} − x_{b+1}]ₓ.
Mat3 FaceLoad::Face::area_derivative(int b) const {
  return 0.5 * cross_matrix(x[(b + 2) % 3] - x[(b + 1) % 3]);
}

bool FaceLoad::closed() const {
  std::map<std::pair<Index, Index>, double> balance;
  for (std::size_t e = 0; e < weights_.size(); ++e)
    for (int a = 0; a < 3; ++a) {
      const Index i = corners(e)[a], j = corners(e)[(a + 1) % 3];
      balance[std::minmax(i, j)] += i < j ? weights_[e] : -weights_[e];
    }
  for (const auto& [edge, sum] : balance)
    if (std::abs(sum) > 1e-9) return false;
  return !balance.empty();
}

void FaceLoad::scatter(std::size_t e, const std::array<Mat3, 3>& block, BlockMatrix& A) const {
  const Index* places = plan_.blocks(e);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) Eigen::Map<Mat3>(A.block(places[3 * a + b])) += block[b];
}

Pressure::Pressure(Curve pressure, const LoadFaces& faces, std::span<const double> rest)
    : FaceLoad(faces, static_cast<Index>(rest.size() / 3)), pressure_(std::move(pressure)) {
  closed_ = closed();
  rest_volume_ = volume(rest);
}

double Pressure::volume(std::span<const double> q) const {
  return parallel_sum(weights_.size(), 1024, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t e = begin; e < end; ++e) {
      const Face f = face(e, q);
      sum += weights_[e] * f.x[0].dot(f.x[1].cross(f.x[2])) / 6;
    }
    return sum;
  });
}

double Pressure::potential(const Configuration& c) const {
  return closed_ ? pressure_.at(c.t).value[0] * (volume(c.q) - rest_volume_) : 0;
}

void Pressure::add_force(const Configuration& c, std::span<double> f) const {
  const double p = pressure_.at(c.t).value[0];
  plan_.for_each_element([&](std::size_t e) {
    const Vec3 share = -p / 3 * weights_[e] * face(e, c.q).area;
    for (int a = 0; a < 3; ++a) node(f, corners(e)[a]) += share;
  });
}

void Pressure::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  const double p = tangent.stiffness * pressure_.at(c.t).value[0];
  // Follower loads are indefinite by nature: asked for a positive tangent, they contribute nothing.
  if (p == 0 || tangent.projection == Projection::psd) return;
  plan_.for_each_element([&](std::size_t e) {
    const Face current = face(e, c.q);
    std::array<Mat3, 3> block;
    for (int b = 0; b < 3; ++b) block[b] = p / 3 * weights_[e] * current.area_derivative(b);
    scatter(e, block, A);
  });
}

Vec3 Wind::relative_velocity(const Configuration& c, std::size_t e) const {
  const Index* n = corners(e);
  return velocity_.at(c.t).value - (node(c.v, n[0]) + node(c.v, n[1]) + node(c.v, n[2])) / 3;
}

void Wind::add_force(const Configuration& c, std::span<double> f) const {
  plan_.for_each_element([&](std::size_t e) {
    const Vec3 N = face(e, c.q).area;
    const double area2 = N.squaredNorm();
    if (area2 == 0) return;
    const double s = relative_velocity(c, e).dot(N);
    const Vec3 share = weights_[e] * drag_ / 6 * std::abs(s) * s / area2 * N;
    for (int a = 0; a < 3; ++a) node(f, corners(e)[a]) += share;
  });
}

// −∂f_a/∂v_b = c/9 |s|/A² N Nᵀ, and −∂f_a/∂x_b = −c/6 ∂(|s| s N/A²)/∂N · ∂N/∂x_b with
// ∂(|s| s N/A²)/∂N = (2|s| N rᵀ + |s| s I)/A² − 2 |s| s N Nᵀ/A⁴, r the relative velocity.
void Wind::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  const bool positive = tangent.projection == Projection::psd;
  plan_.for_each_element([&](std::size_t e) {
    const Face current = face(e, c.q);
    const Vec3& N = current.area;
    const double area2 = N.squaredNorm();
    if (area2 == 0) return;
    const Vec3 r = relative_velocity(c, e);
    const double s = r.dot(N);
    const Mat3 normal = N * N.transpose();
    const double c_w = weights_[e] * drag_;
    const Mat3 drag = tangent.damping * c_w / 9 * std::abs(s) / area2 * normal;
    const Mat3 by_area =
        (2 * std::abs(s) * N * r.transpose() + std::abs(s) * s * Mat3::Identity()) / area2 -
        2 * std::abs(s) * s / (area2 * area2) * normal;
    std::array<Mat3, 3> block;
    for (int b = 0; b < 3; ++b) {
      block[b] = drag;
      if (!positive) block[b] -= tangent.stiffness * c_w / 6 * by_area * current.area_derivative(b);
    }
    scatter(e, block, A);
  });
}

}  // namespace pliant
