// XDMF in builds without PLIANT_HDF5: says so.
#include <pliant/exports/job.hpp>

#include <pliant/core/error.hpp>

namespace pliant {

bool hdf5_built() { return false; }

namespace exports {

void write_xdmf(const Job&) {
  throw InputError(
      "this build writes no HDF5; configure it with -DPLIANT_HDF5=ON, or export to vtk");
}

}  // namespace exports
}  // namespace pliant
