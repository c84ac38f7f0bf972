#include <pliant/scene/refine.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

// False where there is no size to change.
struct Refiner {
  double times;
  bool operator()(BoxSpec& box) const {
    for (Index& cells : box.cells)
      cells =
          std::max(Index{1}, static_cast<Index>(std::lround(times * static_cast<double>(cells))));
    return true;
  }
  template <class Spec>
  bool operator()(Spec& spec) const {
    if constexpr (requires { spec.size /= 2.0; }) {
      spec.size /= times;
      return true;
    }
    return false;
  }
};

}  // namespace

std::optional<MeshDescription> refined(MeshDescription mesh, double times) {
  if (!std::visit(Refiner{times}, mesh)) return std::nullopt;
  return mesh;
}

}  // namespace pliant
