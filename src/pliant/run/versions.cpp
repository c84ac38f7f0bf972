#include <pliant/run/versions.hpp>

#include <pliant/analysis/plot.hpp>
#include <pliant/core/types.hpp>
#include <pliant/exports/export.hpp>
#include <pliant/mesh/tetrahedralize.hpp>
#include <pliant/render/ray_scene.hpp>
#include <pliant/robots/xml.hpp>
#include <pliant/solve/kkt_solver.hpp>

#include <cholmod.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <tbb/version.h>

namespace pliant {
namespace {

// Which BLAS answers is the system's choice, made when the program starts; only some say so.
std::string blas() {
  using Config = char* (*)();
  const auto config = reinterpret_cast<Config>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
  return config ? config() : "one that does not say its name";
}

}  // namespace

std::map<std::string, std::string> versions() {
  return {{"pliant", PLIANT_VERSION},
          {"compiler", __VERSION__},
          {"eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"cholmod", fmt::format("{}.{}.{}", CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION,
                                  CHOLMOD_SUBSUB_VERSION)},
          {"blas", blas()},
          {"tbb", TBB_VERSION_STRING}};
}

std::map<std::string, std::string> build_options() {
  return {{"CMAKE_BUILD_TYPE", PLIANT_BUILD_TYPE},
          {"PLIANT_CGAL", mesher_available() ? "ON" : "OFF"},
          {"PLIANT_EMBREE", renderer_built() ? "ON" : "OFF"},
          {"PLIANT_HDF5", hdf5_built() ? "ON" : "OFF"},
          {"PLIANT_MUMPS", mumps_built() ? "ON" : "OFF"},
          {"PLIANT_PLOTS", plots_built() ? "ON" : "OFF"},
          {"PLIANT_PYTHON", PLIANT_PYTHON},
          {"PLIANT_SANITIZE", *PLIANT_SANITIZE == '\0' ? "none" : PLIANT_SANITIZE},
          {"PLIANT_SUPERNODAL", PLIANT_SUPERNODAL},
          {"PLIANT_XML", robots::xml_built() ? "ON" : "OFF"}};
}

}  // namespace pliant
