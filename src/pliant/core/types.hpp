// The scalar, index and small-matrix types that every module shares.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <span>

namespace pliant {

using Index = std::int32_t;  // nodes, elements, blocks: two thousand million are enough
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Vec9 = Eigen::Matrix<double, 9, 1>;
using Mat9 = Eigen::Matrix<double, 9, 9>;
using Vector = Eigen::VectorXd;

using ConstMap3 = Eigen::Map<const Vec3>;
using Map3 = Eigen::Map<Vec3>;

// The three coordinates of node n in a vector of all coordinates.
inline ConstMap3 node(std::span<const double> q, Index n) { return ConstMap3(q.data() + 3 * n); }
inline Map3 node(std::span<double> q, Index n) { return Map3(q.data() + 3 * n); }

inline std::span<const double> view(const Vector& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
inline std::span<double> view(Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
inline Eigen::Map<const Vector> as_vector(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
inline Eigen::Map<Vector> as_vector(std::span<double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

}  // namespace pliant
