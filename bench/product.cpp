// The product of matrix and vector, which is most of conjugate gradients, against the rate at which
// this machine copies and reads memory in the same run: box meshes of three sizes, in double and in
// mixed precision. Bytes are those that must move at least: blocks, columns, both vectors once.
//   bench_product   prints a JSON document
#include <pliant/core/timer.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/sparse/single_matrix.hpp>

#include <tbb/global_control.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

using namespace pliant;
using nlohmann::ordered_json;

// Seconds of one call, the least of many: what other programs take is not counted.
template <class Body>
double least_time(double bytes, Body&& body) {
  const int repetitions = std::max(8, static_cast<int>(4e8 / bytes));
  double least = 1e300;
  body();
  for (int k = 0; k < repetitions; ++k) {
    const Timer timer;
    body();
    least = std::min(least, timer.seconds());
  }
  return least;
}

BlockMatrix make_matrix(const std::array<Index, 3>& cells) {
  const Mesh mesh = make_box({.size = Vec3(8, 1, 1), .cells = cells});
  PatternBuilder builder(mesh.point_count());
  builder.add(mesh.blocks[0].nodes, 4);
  BlockMatrix A(std::make_shared<const BlockPattern>(builder.build()));
  for (Index k = 0; k < A.pattern().blocks(); ++k)
    for (int i = 0; i < 9; ++i) A.block(k)[i] = 0.1 * std::sin(9.0 * k + i);
  for (Index i = 0; i < A.pattern().rows; ++i)
    Eigen::Map<Mat3>(A.block(A.pattern().diagonal[i])) += Mat3::Identity();
  return A;
}

ordered_json measure(const std::array<Index, 3>& cells) {
  const BlockMatrix A = make_matrix(cells);
  const auto rows = static_cast<std::size_t>(A.pattern().rows);
  const double blocks = A.pattern().blocks(), n = static_cast<double>(rows);
  const double vectors = 52 * n, exact = 76 * blocks + vectors, mixed = 40 * blocks + vectors;
  Vector x = Vector::Ones(A.pattern().rows * 3), y(x.size());
  const std::vector<float> rounded(3 * rows + 1, 1.0f);
  SingleMatrix single;
  if (!single.copy(A, std::vector<double>(rows, 1.0))) return {};
  std::vector<char> from(static_cast<std::size_t>(exact / 2), 1), to(from.size());
  double sum = 0;
  const double copy = least_time(exact, [&] {
    std::memcpy(to.data(), from.data(), from.size());
    from[0] = static_cast<char>(to[from.size() / 2] + 1);  // so that it must be done
  });
  const double read = least_time(exact, [&] {
    sum += Eigen::Map<const Eigen::ArrayXd>(A.values().data(), 9 * A.pattern().blocks()).sum();
  });
  const double product = least_time(exact, [&] { sum += A.multiply_dot(view(x), view(y)); });
  const double rough =
      least_time(mixed, [&] { sum += single.multiply_dot(view(x), rounded, view(y)); });
  return {{"nodes", rows},
          {"blocks", A.pattern().blocks()},
          {"mib", exact / (1 << 20)},
          {"copy_gb_s", 1e-9 * exact / copy},
          {"read_gb_s", 1e-9 * 72 * blocks / read},
          {"double_gb_s", 1e-9 * exact / product},
          {"mixed_gb_s", 1e-9 * mixed / rough},
          {"double_over_copy", copy / product},
          {"mixed_over_copy", mixed / exact * copy / rough},
          {"mixed_time_over_double", rough / product},
          {"checksum", sum}};
}

}  // namespace

int main() {
  ordered_json out = {{"benchmark", "product"}};
  for (const int threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    ordered_json sizes = ordered_json::array();
    for (const std::array<Index, 3>& cells :
         {std::array<Index, 3>{32, 4, 4}, {96, 12, 12}, {240, 30, 30}})
      sizes.push_back(measure(cells));
    out["threads_" + std::to_string(threads)] = sizes;
  }
  std::printf("%s\n", out.dump(1).c_str());
}
