#include <pliant/core/lanes.hpp>
#include <pliant/core/parallel.hpp>
#include <pliant/sparse/single_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pliant {
namespace {

constexpr std::size_t kSingleRows = 256;
// A block may be so many times as stiff as its nodes are softest: rounding it then adds at most
// 6e-8 of that to the preconditioned matrix.
constexpr double kStiffest = 100;
constexpr double kLargest = 1e30, kSmallest = 1e-25;  // of what single precision takes

using Singles = float __attribute__((vector_size(16)));

inline Singles load_four(const float* x) {
  Singles four;
  std::memcpy(&four, x, sizeof four);
  return four;
}

// The square of what a block weighs.
double square_of(const double* block) {
  Lanes sum = load_pair(block) * load_pair(block);
  for (int i = 2; i < 8; i += 2) sum += load_pair(block + i) * load_pair(block + i);
  return sum[0] + sum[1] + block[8] * block[8];
}

bool is_kept(double square, double softness) { return square > kStiffest * kStiffest * softness; }

// One row of blocks, a to `end`, times what stands at the columns. Reads a number beyond each.
inline Singles multiply_row(const float* a, const Index* column, const Index* end, const float* x) {
  Singles y0 = {}, y1 = {}, y2 = {};
  for (; column != end; ++column, a += 9) {
    const Singles v = load_four(x + 3 * static_cast<std::size_t>(*column));
    y0 += load_four(a) * __builtin_shufflevector(v, v, 0, 0, 0, 0);
    y1 += load_four(a + 3) * __builtin_shufflevector(v, v, 1, 1, 1, 1);
    y2 += load_four(a + 6) * __builtin_shufflevector(v, v, 2, 2, 2, 2);
  }
  return y0 + y1 + y2;
}

}  // namespace

// kept_start_[r + 1] becomes how many blocks the row keeps.
bool SingleMatrix::copy_row(std::size_t r, std::span<const double> softness) {
  const BlockPattern& pattern = A_->pattern();
  double largest = 0;
  Index count = 0;
  const double* block = A_->block(pattern.row_start[r]);
  float* out = values_.data() + 9 * static_cast<std::size_t>(pattern.row_start[r]);
  for (Index k = pattern.row_start[r]; k < pattern.row_start[r + 1]; ++k, block += 9, out += 9) {
    const auto c = static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]);
    const double square = square_of(block);
    for (int i = 0; i < 9; ++i) out[i] = static_cast<float>(block[i]);
    if (is_kept(square, softness[r] * softness[c])) {
      ++count;
      std::fill_n(out, 9, 0.0f);
    } else {
      largest = std::max(largest, square);
    }
  }
  kept_start_[r + 1] = count;
  return largest < kLargest * kLargest && softness[r] > kSmallest;
}

void SingleMatrix::find_kept(std::span<const double> softness) {
  const BlockPattern& pattern = A_->pattern();
  const auto rows = static_cast<std::size_t>(pattern.rows);
  for (std::size_t r = 0; r < rows; ++r) kept_start_[r + 1] += kept_start_[r];
  kept_.resize(static_cast<std::size_t>(kept_start_[rows]));
  if (kept_.empty()) return;
  parallel_for_each(rows, kSingleRows, [&](std::size_t r) {
    Index next = kept_start_[r];
    if (next == kept_start_[r + 1]) return;
    for (Index k = pattern.row_start[r]; k < pattern.row_start[r + 1]; ++k) {
      const auto c = static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]);
      if (is_kept(square_of(A_->block(k)), softness[r] * softness[c]))
        kept_[static_cast<std::size_t>(next++)] = k;
    }
  });
}

bool SingleMatrix::copy(const BlockMatrix& A, std::span<const double> softness) {
  A_ = &A;
  const auto rows = static_cast<std::size_t>(A.pattern().rows);
  values_.resize(A.values().size() + 3);
  kept_start_.resize(rows + 1);
  const double unfit = parallel_sum(rows, kSingleRows, [&](std::size_t begin, std::size_t end) {
    double count = 0;
    for (std::size_t r = begin; r < end; ++r)
      if (!copy_row(r, softness)) ++count;
    return count;
  });
  find_kept(softness);
  return unfit == 0;
}

double SingleMatrix::multiply_dot(std::span<const double> x, std::span<const float> rounded,
                                  std::span<double> y) const {
  const BlockPattern& pattern = A_->pattern();
  const auto rows = static_cast<std::size_t>(pattern.rows);
  return parallel_sum(rows, kSingleRows, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t r = begin; r < end; ++r) {
      const auto first = static_cast<std::size_t>(pattern.row_start[r]),
                 last = static_cast<std::size_t>(pattern.row_start[r + 1]);
      const Singles row = multiply_row(values_.data() + 9 * first, pattern.column.data() + first,
                                       pattern.column.data() + last, rounded.data());
      Vec3 out(row[0], row[1], row[2]);
      for (Index k = kept_start_[r]; k < kept_start_[r + 1]; ++k) {
        const Index block = kept_[static_cast<std::size_t>(k)];
        const Index c = pattern.column[static_cast<std::size_t>(block)];
        out += Eigen::Map<const Mat3>(A_->block(block)) * node(x, c);
      }
      Map3(y.data() + 3 * r) = out;
      sum += out.dot(ConstMap3(x.data() + 3 * r));
    }
    return sum;
  });
}

}  // namespace pliant
