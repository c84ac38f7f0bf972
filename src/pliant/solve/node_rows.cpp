#include <pliant/solve/node_rows.hpp>

namespace pliant {

void NodeRows::clear() {
  start_.assign(1, 0);
  nodes_.clear();
  coefficients_.clear();
}

void NodeRows::add(std::span<const Index> nodes, std::span<const Vec3> coefficients) {
  nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
  coefficients_.insert(coefficients_.end(), coefficients.begin(), coefficients.end());
  start_.push_back(static_cast<Index>(nodes_.size()));
}

double NodeRows::dot(Index row, std::span<const double> x) const {
  const auto n = nodes(row);
  const auto a = coefficients(row);
  double sum = 0;
  for (std::size_t k = 0; k < n.size(); ++k) sum += a[k].dot(node(x, n[k]));
  return sum;
}

void NodeRows::multiply(std::span<const double> x, std::span<double> z) const {
  for (Index r = 0; r < rows(); ++r) z[static_cast<std::size_t>(r)] = dot(r, x);
}

void NodeRows::add_transposed(std::span<const double> y, std::span<double> x) const {
  for (Index r = 0; r < rows(); ++r) {
    const auto n = nodes(r);
    const auto a = coefficients(r);
    for (std::size_t k = 0; k < n.size(); ++k)
      node(x, n[k]) += y[static_cast<std::size_t>(r)] * a[k];
  }
}

}  // namespace pliant
