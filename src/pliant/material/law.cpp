#include <pliant/material/law.hpp>

namespace pliant {
namespace {

Mat3 cross_matrix(const Vec3& a) {  // [a]×, so that [a]× b = a × b
  Mat3 A;
  A << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return A;
}

}  // namespace

Mat9 expand(const InvariantTangent& t, const Mat3& F) {
  const Mat3 G = cofactor(F);
  Mat9 C = t.a * Mat9::Identity();
  C += vec(F) * (t.b * vec(F) + t.c * vec(G)).transpose();
  C += vec(G) * (t.c * vec(F) + t.d * vec(G)).transpose();
  // Column j of G is F_{j+1} × F_{j+2}: its derivative by F_{j+1} is −[F_{j+2}]×, by F_{j+2} it is
  // [F_{j+1}]×.
  for (int j = 0; j < 3; ++j) {
    const int next = (j + 1) % 3, after = (j + 2) % 3;
    C.block<3, 3>(3 * j, 3 * next) -= t.e * cross_matrix(F.col(after));
    C.block<3, 3>(3 * j, 3 * after) += t.e * cross_matrix(F.col(next));
  }
  return C;
}

}  // namespace pliant
