// The one list of cases; each is a file of its own.
#include <pliant/reproduce/cases.hpp>

namespace pliant {
namespace {

constexpr CaseInfo kCases[] = {
    // ASCHER
    {"damping-curves", "ASCHER Figure 3", "artificial damping d/ω of q̈ + ω² q = 0 against hω",
     "the two DIRKs are close, TR-BDF2 slightly lower; BDF2 damps more near hω = 1 and less far "
     "beyond; BE about twice as much as BDF2; exponential methods not at all",
     damping_curves},
    {"stiff-scalar", "ASCHER Example 2", "u' = −1000 u, w' = log u with h = 0.1, u(0) = 1",
     "the trapezoidal stages of both DIRKs go to −1 of the start and log fails; backward Euler "
     "stays positive",
     stiff_scalar},
    {"soft-beam-energy", "ASCHER Figure 6",
     "potential energy of a soft beam that swings under gravity, both ends held",
     "amplitude kept: BE < SIERE (10 modes) < STR-SBDF2ERE (10 modes) < TR-BDF2 ≈ SDIRK",
     soft_beam_energy},
    {"eigen-gap", "ASCHER Figure 5",
     "first eigenvalues of a soft beam and of an arm with stiff bones in soft flesh",
     "no clear gap behind which a small number of modes could be left out", eigen_gap},
};

}  // namespace

std::span<const CaseInfo> cases() { return kCases; }

}  // namespace pliant
