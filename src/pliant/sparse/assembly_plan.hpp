// How the elements of a batch are spread over threads while they add into shared vectors and
// matrices, in a fixed order and without locks or private copies: consecutive elements form chunks,
// chunks that share a node get different colours, colours run one after the other, and the chunks
// of one colour in parallel. The plan depends on the mesh alone, so results do not depend on the
// number of threads. It also keeps, per element, where its blocks lie in the matrix.
#pragma once

#include <pliant/core/parallel.hpp>
#include <pliant/sparse/pattern.hpp>

#include <array>
#include <vector>

namespace pliant {

class AssemblyPlan {
 public:
  AssemblyPlan() = default;
  // `connectivity` holds `stencil` nodes for each element, flat.
  AssemblyPlan(std::span<const Index> connectivity, int stencil, Index nodes);

  // Looks up the blocks of every element in the pattern; needed before `blocks` is used.
  void locate(std::span<const Index> connectivity, const BlockPattern& pattern);

  // The blocks (a, b) of element e, row by row: entry stencil·a + b.
  const Index* blocks(std::size_t e) const {
    return blocks_.data() + e * static_cast<std::size_t>(stencil_ * stencil_);
  }

  // Calls body(begin, end) for ranges of elements that make up the batch; two calls at the same
  // time never share a node.
  template <class Body>
  void for_each_chunk(Body&& body) const {
    for_each_numbered_chunk(
        [&](std::size_t, std::size_t begin, std::size_t end) { body(begin, end); });
  }
  // The same, and returns Σ body(begin, end), always added in the same order.
  template <class Body>
  double sum_over_chunks(Body&& body) const {
    std::array<double, kMostChunks> sums;
    for_each_numbered_chunk([&](std::size_t chunk, std::size_t begin, std::size_t end) {
      sums[chunk] = body(begin, end);
    });
    double total = 0;
    for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) total += sums[chunk];
    return total;
  }
  // Element by element: body(e).
  template <class Body>
  void for_each_element(Body&& body) const {
    for_each_chunk([&](std::size_t begin, std::size_t end) {
      for (std::size_t e = begin; e < end; ++e) body(e);
    });
  }
  template <class Body>
  double sum_over_elements(Body&& body) const {
    return sum_over_chunks([&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t e = begin; e < end; ++e) sum += body(e);
      return sum;
    });
  }
  std::size_t colours() const { return colour_start_.empty() ? 0 : colour_start_.size() - 1; }

 private:
  static constexpr std::size_t kMostChunks = 1024;  // few enough for sums on the stack

  template <class Body>
  void for_each_numbered_chunk(Body&& body) const {
    for (std::size_t colour = 0; colour + 1 < colour_start_.size(); ++colour) {
      const std::size_t first = colour_start_[colour];
      parallel_for_each(colour_start_[colour + 1] - first, 1, [&](std::size_t k) {
        const std::size_t chunk = chunks_[first + k];
        body(chunk, chunk * chunk_size_, std::min(elements_, (chunk + 1) * chunk_size_));
      });
    }
  }

  int stencil_ = 0;
  std::size_t elements_ = 0, chunk_size_ = 1;
  std::vector<std::size_t> chunks_;        // grouped by colour
  std::vector<std::size_t> colour_start_;  // colours + 1
  std::vector<Index> blocks_;
};

}  // namespace pliant
