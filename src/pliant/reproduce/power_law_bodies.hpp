// The two bodies of BROWN Fig. 11, for the case power-law.
#pragma once

#include <pliant/reproduce/case.hpp>

namespace pliant {

// A soft one dropped with p = 0 and 1, and one shaken by its foot with p = 2 and 1.
void add_clay(const CaseContext& context, CaseResult& result);
void add_shaken(const CaseContext& context, CaseResult& result);

}  // namespace pliant
