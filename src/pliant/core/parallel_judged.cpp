// What stands in for parallel.cpp under the thread sanitizer, which does not see into oneTBB's
// library: there it takes the scheduler's own hand-overs for races, and a suppression of these
// hides ours as well, since our blocks are called from the same templates. Here the blocks of each
// loop are dealt to a few threads of its own. Nothing orders these but what the blocks do, so that
// any two neighbours that race are found at the first try, however busy the machine.
#include <pliant/core/parallel.hpp>

#include <exception>
#include <thread>

namespace pliant {
namespace {

constexpr std::size_t kThreads = 3;

}  // namespace

// The meshes of most tests would fit into one block.
std::size_t items_per_block(std::size_t n, std::size_t asked) {
  return std::clamp((n + kThreads - 1) / kThreads, std::size_t{1}, std::max<std::size_t>(asked, 1));
}

// Also where the caller has told oneTBB to use one thread alone.
void run_blocks(std::size_t blocks, BlockTask task) {
  const std::size_t count = std::min(blocks, kThreads);
  std::array<std::exception_ptr, kThreads> thrown;
  const auto deal = [&](std::size_t first) {
    try {
      for (std::size_t k = first; k < blocks; k += count) task(k);
    } catch (...) {
      thrown[first] = std::current_exception();
    }
  };
  std::array<std::thread, kThreads> others;
  for (std::size_t i = 1; i < count; ++i) others[i] = std::thread(deal, i);
  deal(0);
  for (std::thread& other : others)
    if (other.joinable()) other.join();
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
}

}  // namespace pliant
