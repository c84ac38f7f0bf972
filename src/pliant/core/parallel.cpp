#include <pliant/core/parallel.hpp>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace pliant {
namespace {

// Whether no other thread may help: then loops need no scheduler, which costs as much as the work
// of small ones.
bool alone() {
  using Control = tbb::global_control;
  return tbb::this_task_arena::max_concurrency() <= 1 ||
         Control::active_value(Control::max_allowed_parallelism) <= 1;
}

}  // namespace

std::size_t items_per_block(std::size_t, std::size_t asked) { return asked; }

void run_blocks(std::size_t blocks, BlockTask task) {
  if (blocks <= 1 || alone()) {
    for (std::size_t k = 0; k < blocks; ++k) task(k);
    return;
  }
  tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t k) { task(k); });
}

}  // namespace pliant
