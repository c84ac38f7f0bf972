// A few sparse rows over the coordinates of nodes: what constrains or couples a handful of nodes
// each, such as contacts. A row is a list of nodes with three coefficients each, no node twice.
#pragma once

#include <pliant/core/types.hpp>

#include <vector>

namespace pliant {

class NodeRows {
 public:
  void clear();
  void add(std::span<const Index> nodes, std::span<const Vec3> coefficients);

  Index rows() const { return static_cast<Index>(start_.size()) - 1; }
  std::span<const Index> nodes(Index row) const { return part(nodes_, row); }
  std::span<const Vec3> coefficients(Index row) const { return part(coefficients_, row); }

  double dot(Index row, std::span<const double> x) const;
  void multiply(std::span<const double> x, std::span<double> z) const;        // z = G x
  void add_transposed(std::span<const double> y, std::span<double> x) const;  // x += Gᵀ y

 private:
  template <class T>
  std::span<const T> part(const std::vector<T>& list, Index row) const {
    const auto r = static_cast<std::size_t>(row);
    return {list.data() + start_[r], static_cast<std::size_t>(start_[r + 1] - start_[r])};
  }
  std::vector<Index> start_ = {0}, nodes_;
  std::vector<Vec3> coefficients_;
};

}  // namespace pliant
