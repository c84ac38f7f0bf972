// What the list of cases is made of.
#pragma once

#include <pliant/reproduce/case.hpp>

namespace pliant {

CaseResult stiff_scalar(const CaseContext& context);

}  // namespace pliant
