// How many threads BLAS may use inside a factorisation. One by default: the supernodes of our
// matrices are small, BLAS workers would spin against TBB's, and results would depend on the count.
#pragma once

namespace pliant {

void set_blas_threads(
    int count);  // 0: as many as there are cores; no effect on a BLAS without threads

// While it lives, loops of OpenMP that this thread comes to run on it alone. CHOLMOD has one around
// the columns of every supernode, for four threads whatever OMP_NUM_THREADS says: on small
// supernodes they wait for each other most of the time.
class WithoutOpenMp {
 public:
  WithoutOpenMp();
  ~WithoutOpenMp();
  WithoutOpenMp(const WithoutOpenMp&) = delete;
  WithoutOpenMp& operator=(const WithoutOpenMp&) = delete;

 private:
  int levels_ = 0;  // of nested loops with threads, as it was
};

}  // namespace pliant
