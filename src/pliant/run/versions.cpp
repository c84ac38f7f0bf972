#include <pliant/run/recorder.hpp>

#include <cholmod.h>
#include <fmt/format.h>
#include <tbb/version.h>

namespace pliant {

std::map<std::string, std::string> versions() {
  return {{"pliant", PLIANT_VERSION},
          {"compiler", __VERSION__},
          {"eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"cholmod", fmt::format("{}.{}.{}", CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION,
                                  CHOLMOD_SUBSUB_VERSION)},
          {"tbb", TBB_VERSION_STRING}};
}

}  // namespace pliant
