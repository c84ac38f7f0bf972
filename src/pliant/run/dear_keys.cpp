#include <pliant/run/dear_keys.hpp>

#include <pliant/integrate/stepper.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

constexpr double kTight = 1e-5;  // what asks for less is no great cost

int stages_of(const std::string& integrator) {
  for (const IntegratorInfo& info : integrators())
    if (info.name == integrator) return info.implicit_stages;
  return 0;
}

bool rubs(const SceneDescription& scene) {
  const ContactDescription& contact = scene.contact;
  return contact.friction > 0 ||
         std::any_of(contact.pairs.begin(), contact.pairs.end(),
                     [](const auto& pair) { return pair.friction > 0; }) ||
         std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                     [](const auto& o) { return o.friction.value_or(0) > 0; });
}

}  // namespace

std::vector<std::string> dear_keys(const SceneDescription& scene) {
  std::vector<std::string> lines;
  const int stages = stages_of(scene.integrator.type);
  if (stages > 2)
    lines.push_back(
        fmt::format("integrator: {} solves {} stages a step; trbdf2 and sdirk2 solve "
                    "two, bdf2 and be one",
                    scene.integrator.type, stages));
  const bool newton = scene.solver.type == "newton" && stages > 0;
  if (newton && solves_by_newton(scene.integrator.type) && !scene.solver.auto_tolerance &&
      scene.solver.tolerance < kTight)
    lines.push_back(fmt::format(
        "solver.tolerance: velocities are solved for to {:g} of the largest; \"auto\" goes by "
        "the error of each step, in up to two fifths fewer iterations",
        scene.solver.tolerance));
  if (newton && scene.contact.method == "barrier" && rubs(scene)) {
    const int* times = std::get_if<int>(&scene.contact.lag);
    if (!times || *times > 1)
      lines.push_back(fmt::format(
          "contact.lag: a stage is solved {} with normal forces found anew for "
          "friction; 1 takes those of the step before, in less than half the iterations",
          times ? fmt::format("up to {} times", *times) : "again and again"));
  }
  if (newton && !scene.solver.reuse)
    lines.emplace_back(
        "solver.reuse: false factorises in every iteration; true keeps factors "
        "while they serve");
  return lines;
}

}  // namespace pliant
