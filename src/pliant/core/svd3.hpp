// The 3×3 decompositions that the inner loops live on. They are direct: no iteration, no tolerance,
// a time that hardly depends on the matrix, and the same bits everywhere. A NaN or an infinity in F
// gives NaN in every entry of the result.
#pragma once

#include <pliant/core/plain3.hpp>
#include <pliant/core/types.hpp>

namespace pliant {

// F = U diag(sigma) Vᵀ with rotations U and V, so that the sign of det F sits on the smallest
// singular value: sigma[0] ≥ sigma[1] ≥ |sigma[2]|. Error about 1e-15 ‖F‖, at any rank and
// magnitude.
struct Svd3 {
  Mat3 U;
  Vec3 sigma;
  Mat3 V;
};
Svd3 svd(const Mat3& F);

// The same for a matrix in every lane, with the same bits.
template <class T>
struct Svd3Of {
  Mat3Of<T> U;
  Vec3Of<T> sigma;
  Mat3Of<T> V;
};
Svd3Of<Lanes> svd(const Mat3Of<Lanes>& F);

// The sigma of svd(F) without U and V, within about 1e-14 ‖F‖ and in a third of the time.
Vec3 singular_values(const Mat3& F);

// F = R S with a rotation R and a symmetric S. Where F is inverted S has one negative eigenvalue,
// the one smallest in size; where the rotation is not unique (det F = 0 twice over) R is one of
// them.
struct Polar3 {
  Mat3 R;
  Mat3 S;
};
Polar3 polar(const Mat3& F);
Mat3 rotation_of(const Mat3& F);  // R alone

// A = vectors diag(values) vectorsᵀ for a symmetric A, of which the lower triangle is read; values
// fall, vectors is a rotation.
struct SymmetricEigen3 {
  Vec3 values;
  Mat3 vectors;
};
SymmetricEigen3 symmetric_eigen(const Mat3& A);

}  // namespace pliant
