// The lowest modes of a body that deform it: rigid motions, as far as pins leave them, are left
// out. In a deformed body they are no eigenvectors of its stiffness, so they are known by what they
// do, not by their eigenvalue, and the others are made M-orthogonal to them: a force along them
// then changes neither momentum nor, at this configuration, angular momentum.
#pragma once

#include <pliant/coarsen/body_part.hpp>

namespace pliant {

struct ElasticModes {
  bool ok = true;
  int rounds = 0;      // of the search
  std::string reason;  // why not
  Vector values;       // ascending, 1/s²
  Matrix vectors;      // a column each: UᵀMU = I, zero on the mask
  Matrix start;        // where a search in a similar configuration begins
};

struct ElasticSearch {
  EigenProblem problem;
  std::span<const double> x;   // the body's nodes where K was made
  Index count = 0;             // fewer are found where the body has no more
  bool known_factors = false;  // with those that the solver has, or not at all
};
ElasticModes find_elastic_modes(const ElasticSearch& search, EigenpairSolver& solver,
                                const Matrix& start = {});

}  // namespace pliant
