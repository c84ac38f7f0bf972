// Matrices over nodes with a fixed pattern: BlockMatrix holds a 3×3 block for each pair of nodes,
// NodeMatrix one number (a multiple of the identity, as masses are). Both keep the whole pattern,
// not half of it, so that products run in parallel row by row with a fixed order of summation and
// nonsymmetric terms fit in.
#pragma once

#include <pliant/sparse/pattern.hpp>

#include <memory>
#include <vector>

namespace pliant {

// One flag for each coordinate: 0 where it is solved for.
using DofMask = std::vector<std::uint8_t>;
inline constexpr std::uint8_t kPrescribed = 1;  // it is pinned
inline constexpr std::uint8_t kFollows = 2;     // it goes with others (sparse/followers.hpp)

class BlockMatrix {
 public:
  BlockMatrix() = default;
  explicit BlockMatrix(std::shared_ptr<const BlockPattern> pattern);

  const BlockPattern& pattern() const { return *pattern_; }
  const std::shared_ptr<const BlockPattern>& shared_pattern() const { return pattern_; }
  bool empty() const { return pattern_ == nullptr; }

  // Blocks are stored column by column, nine numbers each.
  double* block(Index k) { return values_.data() + 9 * static_cast<std::size_t>(k); }
  const double* block(Index k) const { return values_.data() + 9 * static_cast<std::size_t>(k); }
  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }

  void set_zero();
  void add_scaled(double scale, std::span<const double> values);  // same pattern
  void symmetrize();                                              // A ← ½ (A + Aᵀ)
  // Removes the masked coordinates: their rows and columns become zero and their diagonal stays
  // positive, so that the matrix keeps its pattern and a solve leaves them at b/d.
  void remove(const DofMask& mask);
  void multiply(std::span<const double> x, std::span<double> y) const;  // y = A x
  double multiply_dot(std::span<const double> x,
                      std::span<double> y) const;  // y = A x, returns x·y
  void multiply_subtract(std::span<const double> x, std::span<double> y) const;  // y −= A x
  double quadratic_form(std::span<const double> x) const;                        // xᵀ A x

 private:
  Vec3 multiply_row(const double* x, std::size_t r) const;

  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> values_;
};

class NodeMatrix {
 public:
  NodeMatrix() = default;
  explicit NodeMatrix(std::shared_ptr<const BlockPattern> pattern);

  const BlockPattern& pattern() const { return *pattern_; }
  const std::shared_ptr<const BlockPattern>& shared_pattern() const { return pattern_; }
  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }
  double diagonal(Index n) const {
    return values_[static_cast<std::size_t>(pattern_->diagonal[static_cast<std::size_t>(n)])];
  }
  void multiply(std::span<const double> x, std::span<double> y) const;  // x, y: three per node
  void write_to(BlockMatrix& A) const;                                  // A ← this ⊗ I₃

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> values_;
};

}  // namespace pliant
