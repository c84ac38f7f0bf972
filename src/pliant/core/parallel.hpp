// Loops over flat arrays on all cores whose results do not depend on how many there are: work is
// cut into blocks of a fixed size, and sums are added block by block in the order of the blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace pliant {

// What is done with one block: a function of its number that somebody else owns. Loops of any kind
// come to this one type, so that the scheduler is compiled once, not for each of them.
class BlockTask {
 public:
  template <class Body>
  explicit BlockTask(Body& body)
      : body_(&body), call_([](void* of, std::size_t k) { (*static_cast<Body*>(of))(k); }) {}
  void operator()(std::size_t k) const { call_(body_, k); }

 private:
  void* body_;
  void (*call_)(void*, std::size_t);
};

// Calls task(k) for all k below `blocks`, in any order and on all cores.
void run_blocks(std::size_t blocks, BlockTask task);

// As many as asked for; under the thread sanitizer fewer, where else there would be one block
// (parallel_judged.cpp). Asked once more with its own answer, it answers the same.
std::size_t items_per_block(std::size_t n, std::size_t asked);

// Calls body(begin, end) for consecutive ranges that cover [0, n), each of at most `block` items:
// of items_per_block(n, block), for those who number their ranges.
template <class Body>
void parallel_ranges(std::size_t n, std::size_t block, Body&& body) {
  block = items_per_block(n, block);
  auto run = [&](std::size_t k) { body(k * block, std::min(n, (k + 1) * block)); };
  run_blocks((n + block - 1) / block, BlockTask(run));
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
  block = std::max(items_per_block(n, block), (n + 255) / 256);
  std::array<double, 256> sums{};
  parallel_ranges(n, block, [&](std::size_t begin, std::size_t end) {
    sums[begin / block] = partial(begin, end);
  });
  double total = 0;
  for (std::size_t k = 0; k < (n + block - 1) / block; ++k) total += sums[k];
  return total;
}

}  // namespace pliant
