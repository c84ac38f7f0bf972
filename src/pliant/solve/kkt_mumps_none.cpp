// Builds without PLIANT_MUMPS: says so.
#include <pliant/core/error.hpp>
#include <pliant/solve/kkt_factors.hpp>
#include <pliant/solve/kkt_solver.hpp>

namespace pliant {

bool mumps_built() { return false; }

std::unique_ptr<KktFactors> make_mumps_factors() {
  throw InputError(
      "this build has no MUMPS; configure it with -DPLIANT_MUMPS=ON, or choose \"schur\" or "
      "\"minres\" for constraints");
}

}  // namespace pliant
