#include <pliant/solve/blas_threads.hpp>

#include <dlfcn.h>

#include <gtest/gtest.h>

namespace pliant {
namespace {

// A program that uses OpenMP itself must find it as it left it.
TEST(WithoutOpenMp, GivesBackWhatItTook) {
  const auto levels = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_active_levels"));
  if (!levels) {  // no OpenMP is loaded: nothing to take
    const WithoutOpenMp alone;
    return;
  }
  const int before = levels();
  ASSERT_GT(before, 0);
  {
    const WithoutOpenMp alone;
    EXPECT_EQ(levels(), 0);
    {
      const WithoutOpenMp again;
      EXPECT_EQ(levels(), 0);
    }
    EXPECT_EQ(levels(), 0);
  }
  EXPECT_EQ(levels(), before);
}

}  // namespace
}  // namespace pliant
