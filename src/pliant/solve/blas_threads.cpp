#include <pliant/solve/blas_threads.hpp>

#include <dlfcn.h>

#include <thread>

namespace pliant {

void set_blas_threads(int count) {
  // OpenBLAS and its kin are found at run time, since Debian lets the user switch BLAS by package.
  using Set = void (*)(int);
  static const Set set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set) set(count > 0 ? count : static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace pliant
