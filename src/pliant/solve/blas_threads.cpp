#include <pliant/solve/blas_threads.hpp>

#include <dlfcn.h>

#include <thread>

namespace pliant {
namespace {

// Found at run time, since Debian lets the user switch BLAS by package, and with it what else is
// loaded.
template <class F>
F loaded(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_DEFAULT, name));
}

using SetInt = void (*)(int);
using GetInt = int (*)();

struct OpenMp {
  GetInt levels = loaded<GetInt>("omp_get_max_active_levels");
  SetInt set_levels = loaded<SetInt>("omp_set_max_active_levels");
  bool there() const { return levels && set_levels; }
};

const OpenMp& openmp() {
  static const OpenMp functions;
  return functions;
}

}  // namespace

void set_blas_threads(int count) {
  static const auto set = loaded<SetInt>("openblas_set_num_threads");
  if (set) set(count > 0 ? count : static_cast<int>(std::thread::hardware_concurrency()));
}

WithoutOpenMp::WithoutOpenMp() {
  if (!openmp().there()) return;
  levels_ = openmp().levels();
  openmp().set_levels(0);
}

WithoutOpenMp::~WithoutOpenMp() {
  if (openmp().there()) openmp().set_levels(levels_);
}

}  // namespace pliant
