// The lowest eigenpairs of small motion under constraints: K x = λ M x among the x with J x = 0,
// rows with a compliance C > 0 being springs instead, K + Jᶜᵀ C⁻¹ Jᶜ. K is symmetric and may be
// indefinite; rows may depend on each other.
//   dense   the null space of the hard rows from a rank-revealing QR factorisation, and a dense
//           eigenvalue problem on it: problems that are small, as those of articulated bodies are;
//   sparse  Rayleigh–Ritz on a basis that grows by what
//             [ K + σM  Jᵀ ] [t]   [r]
//             [ J      −C  ] [y] = [0]
//           makes of the residuals r, and so never leaves the null space. Whole blocks go through
//           it, so that repeated eigenvalues come out as often as they are there.
#pragma once

#include <pliant/solve/eigenpairs.hpp>
#include <pliant/solve/kkt_solver.hpp>

namespace pliant {

struct ConstrainedEigenProblem {
  KktMatrix stiffness;            // K, J and C
  Eigen::SparseMatrix<double> M;  // the lower triangle, positive definite
};

struct ConstrainedEigenOptions : EigenOptions {
  Index dense_size = 900;  // unknowns up to which a dense solve is taken
};

// `values`, `vectors` (over the unknowns), `residuals`, `scale` and `method` of the result are set;
// `method` is dense or cold. `scale` is the largest eigenvalue, or about that. There are no more
// pairs than the constraints leave freedoms.
[[nodiscard]] Eigenpairs solve_constrained_eigenpairs(const ConstrainedEigenProblem& problem,
                                                      Index count,
                                                      const ConstrainedEigenOptions& options = {});

}  // namespace pliant
