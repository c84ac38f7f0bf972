// Vectors and matrices of three as plain numbers of a scalar T (lanes.hpp), for kernels: they stay
// in registers where Eigen's pass through memory, and inline without the layers of its expressions.
#pragma once

#include <pliant/core/lanes.hpp>
#include <pliant/core/types.hpp>

namespace pliant {

template <class T>
struct Vec3Of {
  T x, y, z;
};
template <class T>
struct Mat3Of {
  Vec3Of<T> x, y, z;  // columns
};
template <class T>
struct Symmetric3Of {
  T xx, yy, zz, xy, xz, yz;
};

inline Mat3Of<double> plain(const Mat3& F) {
  const double* f = F.data();
  return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}, {f[6], f[7], f[8]}};
}
// The matrix in lane l.
inline Mat3 lane(const Mat3Of<Lanes>& A, int l) {
  Mat3 Q;
  Q << A.x.x[l], A.y.x[l], A.z.x[l], A.x.y[l], A.y.y[l], A.z.y[l], A.x.z[l], A.y.z[l], A.z.z[l];
  return Q;
}

template <class T>
Vec3Of<T> operator*(T a, Vec3Of<T> v) {
  return {a * v.x, a * v.y, a * v.z};
}
template <class T>
Vec3Of<T> operator+(Vec3Of<T> a, Vec3Of<T> b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vec3Of<T> operator-(Vec3Of<T> a, Vec3Of<T> b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vec3Of<T> operator-(Vec3Of<T> a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
T dot(Vec3Of<T> a, Vec3Of<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vec3Of<T> cross(Vec3Of<T> a, Vec3Of<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class Condition, class T>
Vec3Of<T> select(Condition condition, Vec3Of<T> a, Vec3Of<T> b) {
  return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z)};
}

template <class T>
Vec3Of<T> operator*(const Mat3Of<T>& A, Vec3Of<T> v) {
  return v.x * A.x + v.y * A.y + v.z * A.z;
}

template <class T>
Symmetric3Of<T> operator*(T a, const Symmetric3Of<T>& A) {
  return {a * A.xx, a * A.yy, a * A.zz, a * A.xy, a * A.xz, a * A.yz};
}
template <class T>
Vec3Of<T> operator*(const Symmetric3Of<T>& A, Vec3Of<T> v) {
  return {A.xx * v.x + A.xy * v.y + A.xz * v.z, A.xy * v.x + A.yy * v.y + A.yz * v.z,
          A.xz * v.x + A.yz * v.y + A.zz * v.z};
}
template <class T>
T norm_squared(const Symmetric3Of<T>& A) {
  return ((A.xx * A.xx + A.yy * A.yy) + A.zz * A.zz) +
         2 * ((A.xy * A.xy + A.xz * A.xz) + A.yz * A.yz);
}
template <class T>
T determinant(const Symmetric3Of<T>& A) {
  return A.xx * (A.yy * A.zz - A.yz * A.yz) + A.xy * (A.xz * A.yz - A.xy * A.zz) +
         A.xz * (A.xy * A.yz - A.yy * A.xz);
}
template <class T>
Symmetric3Of<T> adjugate(const Symmetric3Of<T>& A) {
  return {A.yy * A.zz - A.yz * A.yz, A.xx * A.zz - A.xz * A.xz, A.xx * A.yy - A.xy * A.xy,
          A.xz * A.yz - A.xy * A.zz, A.xy * A.yz - A.yy * A.xz, A.xy * A.xz - A.xx * A.yz};
}

}  // namespace pliant
