#include <pliant/sparse/column_products.hpp>

#include <pliant/core/lanes.hpp>
#include <pliant/core/parallel.hpp>

namespace pliant {
namespace {

constexpr std::size_t kRowsOfProduct = 256;
constexpr Eigen::Index kTogether = 4;  // columns: two pairs

// Row r of four columns, side by side.
struct Four {
  Lanes first{}, second{};
  static Four of(const double* x) { return {load_pair(x), load_pair(x + 2)}; }
  void add(double a, const Four& x) {
    first += a * x.first;
    second += a * x.second;
  }
};

struct ThreeByFour {
  Four row[3];
  static ThreeByFour of(const double* x) {
    return {{Four::of(x), Four::of(x + kTogether), Four::of(x + 2 * kTogether)}};
  }
  void add(const double* a, const ThreeByFour& x) {  // a block, column by column
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) row[r].add(a[3 * c + r], x.row[c]);
  }
  void add(double a, const ThreeByFour& x) {
    for (int r = 0; r < 3; ++r) row[r].add(a, x.row[r]);
  }
  void write(Eigen::MatrixXd& Y, Eigen::Index at, Eigen::Index first, Eigen::Index count) const {
    for (int r = 0; r < 3; ++r) {
      const double values[kTogether] = {row[r].first[0], row[r].first[1], row[r].second[0],
                                        row[r].second[1]};
      for (Eigen::Index k = 0; k < count; ++k) Y(at + r, first + k) = values[k];
    }
  }
};

// `entry(k)` is what block k multiplies by: nine numbers, or one.
template <class Entry>
void multiply_columns(const BlockPattern& pattern, const Entry& entry, const Eigen::MatrixXd& X,
                      Eigen::MatrixXd& Y) {
  Y.resize(X.rows(), X.cols());
  std::vector<double> packed(static_cast<std::size_t>(kTogether * X.rows()), 0.0);
  for (Eigen::Index first = 0; first < X.cols(); first += kTogether) {
    const Eigen::Index count = std::min(kTogether, X.cols() - first);
    for (Eigen::Index k = 0; k < count; ++k)
      for (Eigen::Index i = 0; i < X.rows(); ++i)
        packed[static_cast<std::size_t>(kTogether * i + k)] = X(i, first + k);
    parallel_for_each(static_cast<std::size_t>(pattern.rows), kRowsOfProduct, [&](std::size_t r) {
      ThreeByFour y;
      for (Index k = pattern.row_start[r]; k < pattern.row_start[r + 1]; ++k)
        y.add(entry(k), ThreeByFour::of(packed.data() + 3 * kTogether * pattern.column[k]));
      y.write(Y, 3 * static_cast<Eigen::Index>(r), first, count);
    });
  }
}

}  // namespace

void multiply(const BlockMatrix& A, const Eigen::MatrixXd& X, Eigen::MatrixXd& Y) {
  multiply_columns(
      A.pattern(), [&A](Index k) { return A.block(k); }, X, Y);
}

void multiply(const NodeMatrix& A, const Eigen::MatrixXd& X, Eigen::MatrixXd& Y) {
  const double* values = A.values().data();
  multiply_columns(
      A.pattern(), [values](Index k) { return values[k]; }, X, Y);
}

}  // namespace pliant
