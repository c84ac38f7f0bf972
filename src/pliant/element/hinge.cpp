#include <pliant/element/hinge.hpp>

#include <unsupported/Eigen/AutoDiff>

#include <algorithm>
#include <map>

namespace pliant {
namespace {

template <class T>
using Vector3 = Eigen::Matrix<T, 3, 1>;

// ∇θ; see Tamstorf, Grinspun 2013. With edge e, normals n₁ and n₂ of length twice the areas:
//   ∂θ/∂x₂ = −|e| n₁/|n₁|²,  ∂θ/∂x₃ = −|e| n₂/|n₂|², and the edge's ends take the opposite, by
//   lever.
template <class T>
std::array<Vector3<T>, 4> gradient_of(const std::array<Vector3<T>, 4>& x) {
  using std::sqrt;
  const Vector3<T> e = x[1] - x[0];
  const T length2 = e.dot(e), length = sqrt(length2);
  // A triangle that is crushed to a line has no normal; it keeps a hair's breadth of area here.
  const T least = 1e-18 * length2 * length2;
  std::array<Vector3<T>, 2> n = {Vector3<T>(e.cross(x[2] - x[0])),
                                 Vector3<T>((x[3] - x[1]).cross(e))};
  for (Vector3<T>& normal : n) {
    const T square = normal.dot(normal) + least;
    normal = (normal / square).eval();
  }
  std::array<Vector3<T>, 4> g;
  g[2] = -length * n[0];
  g[3] = -length * n[1];
  g[0] = -((x[2] - x[1]).dot(e) / length) * n[0] - ((x[3] - x[1]).dot(e) / length) * n[1];
  g[1] = ((x[2] - x[0]).dot(e) / length) * n[0] + ((x[3] - x[0]).dot(e) / length) * n[1];
  return g;
}

}  // namespace

std::vector<Hinge> find_hinges(std::span<const Index> triangles) {
  struct Side {
    Index from, across, triangle;
  };
  std::map<std::array<Index, 2>, std::vector<Side>> sides;
  for (std::size_t t = 0; t < triangles.size() / 3; ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = triangles[3 * t + k], b = triangles[3 * t + (k + 1) % 3];
      sides[{std::min(a, b), std::max(a, b)}].push_back(
          {a, triangles[3 * t + (k + 2) % 3], static_cast<Index>(t)});
    }
  std::vector<Hinge> hinges;
  for (const auto& [edge, both] : sides) {
    if (both.size() != 2) continue;
    const Index to = both[0].from == edge[0] ? edge[1] : edge[0];
    hinges.push_back(
        {{both[0].from, to, both[0].across, both[1].across}, {both[0].triangle, both[1].triangle}});
  }
  return hinges;
}

double hinge_angle(const HingePoints& x) {
  const Vec3 e = x.col(1) - x.col(0);
  const Vec3 n1 = e.cross(x.col(2) - x.col(0)), n2 = (x.col(3) - x.col(1)).cross(e);
  return std::atan2(n1.cross(n2).dot(e.normalized()), n1.dot(n2));
}

HingePoints hinge_gradient(const HingePoints& x) {
  const auto g =
      gradient_of<double>({Vec3(x.col(0)), Vec3(x.col(1)), Vec3(x.col(2)), Vec3(x.col(3))});
  HingePoints out;
  for (int a = 0; a < 4; ++a) out.col(a) = g[static_cast<std::size_t>(a)];
  return out;
}

Eigen::Matrix<double, 12, 12> hinge_hessian(const HingePoints& x) {
  using Ad = Eigen::AutoDiffScalar<Eigen::Matrix<double, 12, 1>>;
  std::array<Vector3<Ad>, 4> points;
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i) points[static_cast<std::size_t>(a)][i] = Ad(x(i, a), 12, 3 * a + i);
  const auto g = gradient_of<Ad>(points);
  Eigen::Matrix<double, 12, 12> H;
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i)
      H.row(3 * a + i) = g[static_cast<std::size_t>(a)][i].derivatives().transpose();
  return 0.5 * (H + H.transpose());
}

}  // namespace pliant
