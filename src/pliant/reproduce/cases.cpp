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
    {"stiffness-cost", "ASCHER Figure 4",
     "cost of a step of a swinging body by ERE and SIERE, Young's modulus from 1e4 to 1e9 Pa",
     "ERE's cost climbs steeply with stiffness, SIERE's stays nearly the same", stiffness_cost},
    {"big-tree", "ASCHER Figure 1",
     "a swaying tree of 90 000 position unknowns (--full) by SIERE and TR-BDF2",
     "it runs; cost per step", big_tree},
    {"eigen-gap", "ASCHER Figure 5",
     "first eigenvalues of a soft beam and of an arm with stiff bones in soft flesh",
     "no clear gap behind which a small number of modes could be left out", eigen_gap},
    {"si-diverges", "ASCHER Example 1", "a squeezed soft bar is let go, by SI and by BE",
     "SI diverges wildly where BE, its equations solved, stays bounded", si_diverges},
    {"barrier-shapes", "ASCHER Figures 8 and 9",
     "the barrier (28) and the friction step (32c) for several δ and ε",
     "b ends smoothly at δ and grows without bound towards contact; s tends to Coulomb's law",
     barrier_shapes},
    {"velocity-contact", "ASCHER Figure 7",
     "a vertex before a convex obstacle takes a large step, constrained in velocity or in position",
     "a constraint on velocities rejects plausible steps", velocity_contact},
    // LOESCHNER
    {"clamped-beam", "LOESCHNER Figure 3",
     "an undamped beam swings under gravity; change of its total specific energy at 33 and 5 ms",
     "backward Euler loses nearly two orders of magnitude more than all others; SDIRK2 and "
     "TR-BDF2(B) best at 33 ms, SDIRK(4,3,4,7) and SDIRK(3,3,4,5) at 5 ms",
     clamped_beam},
    {"beam-convergence", "LOESCHNER Figure 4",
     "the same beam at steps from 1e-1 s down: change of energy at the end, and error of positions",
     "first order for backward Euler, between two and three for the rest, three or more for "
     "SDIRK(3,3,4,5) and SDIRK(4,3,4,7)",
     beam_convergence},
    {"jello", "LOESCHNER Figure 5 and Table 1",
     "corotated jello on a nudged plate: SDIRK2 at 5 ms against backward Euler at 0.05 ms",
     "SDIRK2 at 5 ms as lively as backward Euler at 0.05 ms and more than 55 times faster", jello},
    {"thick-cloth", "LOESCHNER Figure 6 and Table 1",
     "one layer of hexahedra in gusts: SDIRK2 at 5 ms against backward Euler at 0.05 ms",
     "comparable folds at a fifteenth of the time; backward Euler at 5 ms loses almost all of them",
     thick_cloth},
    {"extreme", "LOESCHNER Figure 7",
     "a ring whose nodes are scattered at random finds back to its shape, E = 1e6, h = 5 ms",
     "backward Euler recovers with reduced steps only, higher-order methods make no progress with "
     "a "
     "line search on the residual",
     extreme},
    {"bouncing-ball", "LOESCHNER Figure 8",
     "a soft undamped ball is dropped from 3 m, by backward Euler and SDIRK2, barrier and qp",
     "SDIRK2 dissipates visibly less per collision and between; smaller steps less still",
     bouncing_ball},
    {"suspended", "LOESCHNER Figure 1, right", "balls are thrown at a hanging creature",
     "kinetic energy passes over to the creature, whose motion lasts", suspended},
    {"duck-party", "LOESCHNER Figure 1, left",
     "30 ducks fall through 10 thin trampolines (--full; fewer in the short form)",
     "many contacts are handled robustly with a method of higher order", duck_party},
    // BROWN
    {"sliding-block", "BROWN Figure 4", "a block slides to a stop on a plane, μ = 0.2",
     "its deceleration is μ g", sliding_block},
    {"leaning-block", "BROWN Figure 9",
     "a slender block leans against a wall: three angles, three coefficients of friction",
     "it stays in the cells of the diagonal and of the upper triangle", leaning_block},
    {"spinning-ball", "BROWN Figure 5", "a spinning ball is dropped on a plane with friction",
     "it gains horizontal speed and rolls off", spinning_ball},
    {"spinning-beam", "BROWN Figure 6", "a stretched beam spins, free and undamped",
     "energy and angular momentum kept: TR-BDF2 at 2h more than BDF2, BDF2 far more than BE",
     spinning_beam},
    {"momentum-damping", "BROWN Figure 7", "a damped beam spins, with and without the correction",
     "with it angular momentum is lost at the integrator's own rate only", momentum_damping},
    {"damping-order", "BROWN Figure 8", "TR-BDF2 with damping against RK4 at a tiny step",
     "second order with (26), first order without it for Rayleigh damping", damping_order},
    {"power-law", "BROWN Figures 3 and 11",
     "a struck bar, a dropped and a shaken body, p = 0, 1 and 2",
     "super-exponential, exponential and sub-exponential decay; p = 0 stops", power_law},
    {"spline-damping", "BROWN Figure 12", "a spline that damps only far from the rest shape",
     "large motion is damped at once, small motion goes on", spline_damping},
    {"cloth-swing", "BROWN Figure 2", "strain-limited cloth swings from two corners",
     "TR-BDF2 at 40 ms keeps more energy and wrinkles than BE and BDF2 at 20 ms", cloth_swing},
    {"restitution", "BROWN §8", "a stiff block and cloth fall on the floor with TR-BDF2",
     "TR-BDF2 bounces where it should not; a limit of restitution keeps it down", restitution},
    {"terrain", "BROWN Figure 1", "a neo-Hookean creature goes down an uneven slope",
     "it stops earlier with more friction", terrain},
    {"drape", "BROWN Figure 10", "cloth falls on a sphere, with and without friction",
     "with friction it stays, without it slides off", drape},
    {"admm-vs-newton", "BROWN §7.1", "the same TR-BDF2 steps by ADMM and by Newton's method",
     "the motions agree, the better the more iterations", admm_vs_newton},
    {"heavy-cable", "TOURNIER Table 1", "an inextensible cable carries 10 t to 1e15 t",
     "without geometric stiffness it diverges, with it the cable does not stretch", heavy_cable},
};

}  // namespace

std::span<const CaseInfo> cases() { return kCases; }

}  // namespace pliant
