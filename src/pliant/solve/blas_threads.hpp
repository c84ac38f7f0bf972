// How many threads BLAS may use inside a factorisation. One by default: the supernodes of our
// matrices are small, BLAS workers would spin against TBB's, and results would depend on the count.
#pragma once

namespace pliant {

void set_blas_threads(
    int count);  // 0: as many as there are cores; no effect on a BLAS without threads

}  // namespace pliant
