// Running a piece of work with a given number of threads, also more than there are cores.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace pliant::test {

template <class Work>
void with_threads(int threads, Work&& work) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute(work);
}

}  // namespace pliant::test
