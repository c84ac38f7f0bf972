// How much of each mode of a coarse model is each mode of a fine one: U_cᵀ Bᵀ M_f U_f, CHEN §3.5,
// where B carries displacements of the coarse meshes over to the nodes of the fine ones.
#pragma once

#include <pliant/body/solid.hpp>

namespace pliant {

// Bodies are compared one after the other. Empty where the two have different numbers of them, or
// some that are not solids.
Matrix mode_overlap(const Model& coarse, const Matrix& coarse_shapes, const Model& fine,
                    const Matrix& fine_shapes);

}  // namespace pliant
