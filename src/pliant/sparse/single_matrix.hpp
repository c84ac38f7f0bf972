// A copy of a BlockMatrix in single precision, for products that need no more digits: half the
// bytes, which is what a product costs, and four numbers at once. Blocks that are far stiffer than
// what else holds their nodes (contact, by up to a thousand million times) keep double precision:
// rounded, they would disturb their neighbours by more than these weigh. Sums along a row are in
// single precision, sums over rows are not.
#pragma once

#include <pliant/sparse/block_matrix.hpp>

namespace pliant {

class SingleMatrix {
 public:
  // `softness` has a number for each node: no direction in which it moves is softer, by the
  // diagonal block of A. A stays alive and unchanged until the last product. False, and no copy,
  // where numbers are too large or too small for single precision.
  [[nodiscard]] bool copy(const BlockMatrix& A, std::span<const double> softness);
  // y = A x, returns x·y. `rounded` is x in single precision, with one more number at its end.
  double multiply_dot(std::span<const double> x, std::span<const float> rounded,
                      std::span<double> y) const;
  std::size_t kept() const { return kept_.size(); }  // blocks in double precision

 private:
  bool copy_row(std::size_t r, std::span<const double> softness);  // whether all of it fits
  void find_kept(std::span<const double> softness);

  const BlockMatrix* A_ = nullptr;
  std::vector<float> values_;  // nine for each block, zeros for those kept; three more at the end
  std::vector<Index> kept_start_;  // per row: its first entry in kept_
  std::vector<Index> kept_;        // blocks of A
};

}  // namespace pliant
