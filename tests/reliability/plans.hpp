// Which scenes and integrators are tried with contact by qp, unilateral and admm, and why these.
#pragma once

#include <reliability/scenes.hpp>
#include <reliability/trial.hpp>

namespace pliant::reliability {

struct Plan {
  ContactMethod method;
  std::vector<std::string> integrators;
  std::vector<std::string> scenes;
  // Those of them that take too long, or are not solved yet, for a set that takes seconds: what
  // becomes of them is in the table alone (bench/results/reliability.json).
  std::vector<std::string> not_quick = {};
};
const std::vector<Plan>& plans_beside_barrier();

// Why the program refuses a scene with this method and integrator (run/combinations.hpp); empty
// where it takes it.
std::string refusal_of(const SceneSpec& spec, ContactMethod method, const std::string& integrator);

}  // namespace pliant::reliability
