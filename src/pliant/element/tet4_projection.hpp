// The PSD projection of linear tetrahedra under an invariant law, several in lanes.
#pragma once

#include <pliant/core/plain3.hpp>
#include <pliant/element/contraction.hpp>

namespace pliant {

// Adds, between nodes 1, 2 and 3 with shape gradients g, what makes the tangent t at F positive
// semi-definite in every lane. `weight` scales it, as it scaled K.
void add_psd_correction(const Mat3Of<Lanes>& F, const InvariantTangentOf<Lanes>& t,
                        const Vec3Of<Lanes> (&g)[3], Lanes weight, ElementMatrix<4, Lanes>& K);

}  // namespace pliant
