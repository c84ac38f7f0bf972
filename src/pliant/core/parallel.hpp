// Loops over flat arrays on all cores whose results do not depend on how many there are: work is
// cut into blocks of a fixed size, and sums are added block by block in the order of the blocks.
#pragma once

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace pliant {

// Whether no other thread may help: then loops need no scheduler, which costs as much as the work
// of small ones.
inline bool alone() {
  using Control = tbb::global_control;
  return tbb::this_task_arena::max_concurrency() <= 1 ||
         Control::active_value(Control::max_allowed_parallelism) <= 1;
}

// Calls body(begin, end) for consecutive ranges that cover [0, n), each of at most `block` items.
template <class Body>
void parallel_ranges(std::size_t n, std::size_t block, Body&& body) {
  const std::size_t blocks = (n + block - 1) / block;
  const auto run = [&](std::size_t k) { body(k * block, std::min(n, (k + 1) * block)); };
  if (blocks <= 1 || alone())
    for (std::size_t k = 0; k < blocks; ++k) run(k);
  else
    tbb::parallel_for(std::size_t{0}, blocks, run);
}

template <class Body>
void parallel_for_each(std::size_t n, std::size_t block, Body&& body) {
  parallel_ranges(n, block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

// Σ partial(begin, end) over the same ranges, always added in the same order. Up to 256 blocks need
// no memory from the heap.
template <class Partial>
double parallel_sum(std::size_t n, std::size_t block, Partial&& partial) {
  block = std::max(block, (n + 255) / 256);
  std::array<double, 256> sums{};
  parallel_ranges(n, block, [&](std::size_t begin, std::size_t end) {
    sums[begin / block] = partial(begin, end);
  });
  double total = 0;
  for (std::size_t k = 0; k < (n + block - 1) / block; ++k) total += sums[k];
  return total;
}

}  // namespace pliant
