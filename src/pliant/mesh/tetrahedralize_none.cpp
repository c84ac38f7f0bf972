// The mesher of builds without PLIANT_CGAL: says so.
#include <pliant/mesh/mesher.hpp>

#include <pliant/core/error.hpp>
#include <pliant/mesh/tetrahedralize.hpp>

namespace pliant {

bool mesher_available() { return false; }

namespace mesher {
namespace {

[[noreturn]] void refuse() {
  throw InputError(
      "this build has no tetrahedral mesher; configure it with -DPLIANT_CGAL=ON, or give a volume "
      "mesh");
}

}  // namespace

Mesh fill(const TriangleSoup&, const Limits&) { refuse(); }
Mesh fill(const Sdf&, const SdfBounds&, const Limits&) { refuse(); }

}  // namespace mesher
}  // namespace pliant
