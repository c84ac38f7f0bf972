#include <pliant/core/parallel.hpp>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace pliant {
namespace {

// Whether no other thread may help: then loops need no scheduler, which costs as much as the work
// of small ones.
bool alone() {
  using Control = tbb::global_control;
  return tbb::this_task_arena::max_concurrency() <= 1 ||
         Control::active_value(Control::max_allowed_parallelism) <= 1;
}

// The thread sanitizer does not see into oneTBB's library. It is told what the scheduler promises
// and no more: a loop begins after what its caller did, and its caller goes on after all of it;
// blocks of one loop have no order.
struct Fork {
#if defined(__SANITIZE_THREAD__)
  void begin() { __tsan_release(this); }
  void enter() { __tsan_acquire(this); }
  void leave() { __tsan_release(&done); }
  void join() { __tsan_acquire(&done); }
  char done = 0;
#else
  void begin() {}
  void enter() {}
  void leave() {}
  void join() {}
#endif
};

}  // namespace

void run_blocks(std::size_t blocks, BlockTask task) {
  if (blocks <= 1 || alone()) {
    for (std::size_t k = 0; k < blocks; ++k) task(k);
    return;
  }
  Fork fork;
  fork.begin();
  tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t k) {
    fork.enter();
    task(k);
    fork.leave();
  });
  fork.join();
}

}  // namespace pliant
