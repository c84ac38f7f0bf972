#include <pliant/solve/kkt_factors.hpp>

#include <pliant/core/error.hpp>

#include <metis.h>
#include <Eigen/OrderingMethods>

namespace pliant {
namespace {

constexpr Index kSmall = 3000;  // rows; nested dissection pays beyond

std::vector<Index> order_by_degree(const SparseLower& K) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(K.selfadjointView<Eigen::Lower>(), order);
  return {order.indices().data(), order.indices().data() + order.size()};
}

// METIS wants every edge from both of its ends, and no loops.
std::vector<Index> order_by_dissection(const SparseLower& K) {
  auto n = static_cast<idx_t>(K.rows());
  std::vector<idx_t> start(static_cast<std::size_t>(n) + 1, 0);
  const auto each_edge = [&](auto&& visit) {
    for (Index c = 0; c < n; ++c)
      for (SparseLower::InnerIterator it(K, c); it; ++it)
        if (it.row() != c) visit(static_cast<std::size_t>(it.row()), static_cast<std::size_t>(c));
  };
  each_edge([&](std::size_t a, std::size_t b) { ++start[a + 1], ++start[b + 1]; });
  for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
  std::vector<idx_t> neighbour(static_cast<std::size_t>(start.back())), next = start;
  each_edge([&](std::size_t a, std::size_t b) {
    neighbour[static_cast<std::size_t>(next[a]++)] = static_cast<idx_t>(b);
    neighbour[static_cast<std::size_t>(next[b]++)] = static_cast<idx_t>(a);
  });
  std::vector<idx_t> order(static_cast<std::size_t>(n)), place(static_cast<std::size_t>(n));
  if (METIS_NodeND(&n, start.data(), neighbour.data(), nullptr, nullptr, order.data(),
                   place.data()) != METIS_OK)
    throw CannotContinue("the matrix could not be ordered (out of memory?)");
  return {order.begin(), order.end()};
}

}  // namespace

std::vector<Index> order_kkt(const SparseLower& K, Index unknowns) {
  const std::vector<Index> wished = K.rows() > kSmall ? order_by_dissection(K) : order_by_degree(K);
  std::vector<int> waits_for(static_cast<std::size_t>(K.rows()), 0);  // unknowns not yet placed
  for (Index c = 0; c < unknowns; ++c)
    for (SparseLower::InnerIterator it(K, c); it; ++it)
      if (it.row() >= unknowns) ++waits_for[static_cast<std::size_t>(it.row())];
  std::vector<bool> due(static_cast<std::size_t>(K.rows()), false);
  std::vector<Index> order;
  order.reserve(wished.size());
  for (const Index k : wished) {
    due[static_cast<std::size_t>(k)] = true;
    if (waits_for[static_cast<std::size_t>(k)] > 0) continue;
    order.push_back(k);
    if (k >= unknowns) continue;
    for (SparseLower::InnerIterator it(K, k); it; ++it) {
      const auto row = static_cast<std::size_t>(it.row());
      if (it.row() >= unknowns && --waits_for[row] == 0 && due[row]) order.push_back(it.row());
    }
  }
  return order;
}

}  // namespace pliant
