// The one list of cases; each is a file of its own.
#include <pliant/reproduce/cases.hpp>

#include <array>

namespace pliant {
namespace {

constexpr std::array<CaseInfo, 1> kCases = {{
    {"stiff-scalar", "ASCHER Example 2", "u' = −1000 u, w' = log u with h = 0.1, u(0) = 1",
     "the trapezoidal stages of both DIRKs go to −1 of the start and log fails; backward Euler "
     "stays "
     "positive",
     stiff_scalar},
}};

}  // namespace

std::span<const CaseInfo> cases() { return kCases; }

}  // namespace pliant
