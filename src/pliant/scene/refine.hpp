// The same shape with a finer or coarser mesh.
#pragma once

#include <pliant/scene/description.hpp>

namespace pliant {

// So many times finer, or coarser where that is less than one; nothing where the mesh has no size
// that could be changed, such as one from a file.
std::optional<MeshDescription> refined(MeshDescription mesh, double times);

}  // namespace pliant
