#include <pliant/core/lanes.hpp>
#include <pliant/core/parallel.hpp>
#include <pliant/sparse/block_matrix.hpp>

#include <algorithm>
#include <cassert>

namespace pliant {
namespace {

constexpr std::size_t kRowsPerTask = 256;
constexpr std::size_t kValuesPerTask = 1 << 15;

}  // namespace

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)),
      values_(9 * static_cast<std::size_t>(pattern_->blocks()), 0.0) {}

void BlockMatrix::set_zero() {
  parallel_ranges(values_.size(), kValuesPerTask, [&](std::size_t begin, std::size_t end) {
    std::fill(values_.begin() + static_cast<std::ptrdiff_t>(begin),
              values_.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
  });
}

void BlockMatrix::add_scaled(double scale, std::span<const double> values) {
  assert(values.size() == values_.size());
  parallel_for_each(values_.size(), kValuesPerTask,
                    [&](std::size_t i) { values_[i] += scale * values[i]; });
}

void BlockMatrix::symmetrize() {
  for (Index i = 0; i < pattern_->rows; ++i) {
    const auto r = static_cast<std::size_t>(i);
    for (Index k = pattern_->diagonal[r]; k < pattern_->row_start[r + 1]; ++k) {
      Eigen::Map<Mat3> a(block(k)), b(block(pattern_->mirror[static_cast<std::size_t>(k)]));
      const Mat3 mean = 0.5 * (a + b.transpose());
      a = mean;
      b = mean.transpose();
    }
  }
}

void BlockMatrix::remove(const DofMask& mask) {
  for (Index n = 0; n < pattern_->rows; ++n) {
    const auto r = static_cast<std::size_t>(n);
    for (int c = 0; c < 3; ++c) {
      if (!mask[3 * r + static_cast<std::size_t>(c)]) continue;
      double* own = block(pattern_->diagonal[r]) + 4 * c;
      const double kept = *own > 0 ? *own : 1.0;
      for (Index k = pattern_->row_start[r]; k < pattern_->row_start[r + 1]; ++k) {
        Eigen::Map<Mat3>(block(k)).row(c).setZero();
        Eigen::Map<Mat3>(block(pattern_->mirror[static_cast<std::size_t>(k)])).col(c).setZero();
      }
      *own = kept;
    }
  }
}

inline Vec3 BlockMatrix::multiply_row(const double* x, std::size_t r) const {
  const Index* column = pattern_->column.data();
  Lanes y01 = {0, 0};
  double y2 = 0;
  const double* a = block(pattern_->row_start[r]);
  for (Index k = pattern_->row_start[r]; k < pattern_->row_start[r + 1]; ++k, a += 9) {
    const double* xk = x + 3 * static_cast<std::size_t>(column[k]);
    const double x0 = xk[0], x1 = xk[1], x2 = xk[2];
    y01 += load_pair(a) * x0 + load_pair(a + 3) * x1 + load_pair(a + 6) * x2;
    y2 += a[2] * x0 + a[5] * x1 + a[8] * x2;
  }
  return {y01[0], y01[1], y2};
}

void BlockMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  parallel_for_each(pattern_->rows, kRowsPerTask,
                    [&](std::size_t r) { Map3(y.data() + 3 * r) = multiply_row(x.data(), r); });
}

void BlockMatrix::multiply_subtract(std::span<const double> x, std::span<double> y) const {
  parallel_for_each(pattern_->rows, kRowsPerTask,
                    [&](std::size_t r) { Map3(y.data() + 3 * r) -= multiply_row(x.data(), r); });
}

double BlockMatrix::multiply_dot(std::span<const double> x, std::span<double> y) const {
  return parallel_sum(pattern_->rows, kRowsPerTask, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t r = begin; r < end; ++r) {
      const Vec3 row = multiply_row(x.data(), r);
      Map3(y.data() + 3 * r) = row;
      sum += row.dot(ConstMap3(x.data() + 3 * r));
    }
    return sum;
  });
}

double BlockMatrix::quadratic_form(std::span<const double> x) const {
  return parallel_sum(pattern_->rows, kRowsPerTask, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t r = begin; r < end; ++r)
      sum += multiply_row(x.data(), r).dot(ConstMap3(x.data() + 3 * r));
    return sum;
  });
}

NodeMatrix::NodeMatrix(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)), values_(static_cast<std::size_t>(pattern_->blocks()), 0.0) {}

void NodeMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  const auto rows = static_cast<std::size_t>(pattern_->rows);
  parallel_ranges(rows, kRowsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      double y0 = 0, y1 = 0, y2 = 0;
      for (auto k = static_cast<std::size_t>(pattern_->row_start[r]);
           k < static_cast<std::size_t>(pattern_->row_start[r + 1]); ++k) {
        const double* xk = x.data() + 3 * static_cast<std::size_t>(pattern_->column[k]);
        y0 += values_[k] * xk[0];
        y1 += values_[k] * xk[1];
        y2 += values_[k] * xk[2];
      }
      y[3 * r] = y0;
      y[3 * r + 1] = y1;
      y[3 * r + 2] = y2;
    }
  });
}

void NodeMatrix::write_to(BlockMatrix& A) const {
  assert(&A.pattern() == pattern_.get());
  parallel_ranges(values_.size(), kValuesPerTask / 9, [&](std::size_t begin, std::size_t end) {
    // Zeros first, in one stretch: then no cache line is read only to be overwritten.
    double* a = A.block(static_cast<Index>(begin));
    std::fill(a, a + 9 * (end - begin), 0.0);
    for (std::size_t k = begin; k < end; ++k, a += 9) a[0] = a[4] = a[8] = values_[k];
  });
}

}  // namespace pliant
