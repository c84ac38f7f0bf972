#include <pliant/scene/vocabulary.hpp>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace pliant {
namespace {

void add_missing(Names& names, std::initializer_list<Name> promised) {
  for (const Name& name : promised)
    if (!find_name(names, name.name)) names.push_back(name);
}

void reserve(Names& names, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    add_missing(names, {{std::string(words.substr(0, end)), "not yet available", false}});
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

}  // namespace

Vocabulary complete_vocabulary(Vocabulary built) {
  reserve(
      built.integrators,
      "be si bdf2 sbdf2 trapezoidal midpoint newmark generalized-alpha trbdf2 trbdf2b strbdf2 "
      "sdirk2 sdirk3 ncs23 nc34 sdirk3345 sdirk4347 esdirk32 esdirk43 ros3pl ros3prl2 ere siere "
      "beere bdf2ere sbdf2ere strbdf2ere trbdf2ere symplectic-euler verlet rk4");
  reserve(built.materials,
          "linear corotated fixed-corotated stvk neo-hookean stable-neo-hookean mooney-rivlin arap "
          "spline orthotropic");
  reserve(built.damping, "rayleigh strain-rate principal-strain power-law spline drag");
  reserve(built.solvers, "newton linear admm");
  reserve(built.linear_solvers, "auto cholesky ldlt pcg minres petsc");
  add_missing(
      built.contact,
      {{"none", "bodies pass through each other"},
       {"barrier", "a potential that keeps everything apart (ASCHER 2021, after Li 2020)"},
       {"qp", "a quadratic program corrects each step of any integrator (LOESCHNER 2020)"},
       {"unilateral",
        "a complementarity problem corrects each step of any integrator, with constraints and "
        "rigid bodies (TOURNIER 2015)"},
       {"admm", "solver admm keeps points of bodies off obstacles, with friction (BROWN 2018)"}});
  add_missing(built.bodies, {{"solid", "a volume mesh of tetrahedra or hexahedra"},
                             {"cloth", "a sheet of triangles that stretches and bends"},
                             {"cable", "segments that stretch and bend"},
                             {"rigid", "a shape that does not deform"},
                             {"frames", "a solid moved by a few frames, each with its weights"}});
  return built;
}

const Name* find_name(const Names& names, std::string_view name) {
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const Name& n) { return n.name == name; });
  return found == names.end() ? nullptr : &*found;
}

std::vector<std::string> available_names(const Names& names) {
  std::vector<std::string> available;
  for (const Name& name : names)
    if (name.available) available.push_back(name.name);
  return available;
}

}  // namespace pliant
