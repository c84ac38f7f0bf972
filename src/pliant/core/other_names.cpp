#include <pliant/core/other_names.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

namespace pliant {
namespace {

using Names = std::pair<std::string_view, std::string_view>;

// Letters and digits alone; theirs, ours.
constexpr std::array kNames = {
    // integrators
    Names{"backwardeuler", "be"}, Names{"backwardseuler", "be"}, Names{"impliciteuler", "be"},
    Names{"euler", "be"}, Names{"bdf1", "be"}, Names{"cranknicolson", "trapezoidal"},
    Names{"cranknicholson", "trapezoidal"}, Names{"trapezoid", "trapezoidal"},
    Names{"implicitmidpoint", "midpoint"}, Names{"newmarkbeta", "newmark"},
    Names{"hht", "generalized-alpha"}, Names{"hhtalpha", "generalized-alpha"},
    Names{"chunghulbert", "generalized-alpha"}, Names{"forwardeuler", "symplectic-euler"},
    Names{"expliciteuler", "symplectic-euler"}, Names{"leapfrog", "verlet"},
    Names{"velocityverlet", "verlet"}, Names{"stormerverlet", "verlet"},
    Names{"centraldifference", "verlet"}, Names{"centraldifferences", "verlet"},
    Names{"rungekutta", "rk4"}, Names{"rungekutta4", "rk4"},
    // contact
    Names{"ipc", "barrier"}, Names{"incrementalpotentialcontact", "barrier"},
    Names{"logbarrier", "barrier"}, Names{"lcp", "unilateral"},
    Names{"complementarity", "unilateral"}, Names{"signorini", "unilateral"},
    // materials
    Names{"saintvenantkirchhoff", "stvk"}, Names{"stvenantkirchhoff", "stvk"},
    Names{"neohooke", "neo-hookean"}, Names{"stableneohooke", "stable-neo-hookean"},
    Names{"snh", "stable-neo-hookean"}, Names{"corotational", "corotated"},
    Names{"corotationallinear", "corotated"}, Names{"linearcorotational", "corotated"},
    Names{"fixedcorotational", "fixed-corotated"}, Names{"fcr", "fixed-corotated"},
    Names{"linearelastic", "linear"}, Names{"linearelasticity", "linear"}, Names{"hooke", "linear"},
    Names{"hookean", "linear"},
    // solvers
    Names{"newtonraphson", "newton"}, Names{"projectivedynamics", "admm"}, Names{"cg", "pcg"},
    Names{"conjugategradient", "pcg"}, Names{"conjugategradients", "pcg"},
    Names{"cholmod", "cholesky"}, Names{"llt", "cholesky"}, Names{"direct", "cholesky"},
    // bodies and joints
    Names{"deformable", "solid"}, Names{"softbody", "solid"}, Names{"rope", "cable"},
    Names{"shell", "cloth"}, Names{"membrane", "cloth"}, Names{"revolute", "hinge"},
    Names{"prismatic", "slider"}, Names{"spherical", "ball"}, Names{"weld", "fixed"}};

}  // namespace

std::string_view our_name_of(std::string_view word) {
  std::string plain;
  for (const char c : word)
    if (const auto letter = static_cast<unsigned char>(c); std::isalnum(letter))
      plain += static_cast<char>(std::tolower(letter));
  const auto found =
      std::find_if(kNames.begin(), kNames.end(), [&](const Names& n) { return n.first == plain; });
  return found == kNames.end() ? std::string_view() : found->second;
}

}  // namespace pliant
