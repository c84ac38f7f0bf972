// The lowest modes of a body that deform it: rigid motions, as far as pins leave them, are left
// out. In a deformed body they are no eigenvectors of its stiffness, so they are known by what they
// do, not by their eigenvalue, and the others are made M-orthogonal to them: a force along them
// then changes neither momentum nor, at this configuration, angular momentum.
#pragma once

#include <pliant/coarsen/body_part.hpp>

namespace pliant {

struct ElasticModes {
  bool ok = true;
  std::string reason;  // why not
  Vector values;       // ascending, 1/s²
  Matrix vectors;      // a column each: UᵀMU = I, zero on the mask
  Matrix start;        // where a search in a similar configuration begins
};

// x: the body's nodes where K was made. Fewer than `count` where the body has no more.
ElasticModes find_elastic_modes(const EigenProblem& problem, std::span<const double> x, Index count,
                                EigenpairSolver& solver, const Matrix& start = {});

}  // namespace pliant
