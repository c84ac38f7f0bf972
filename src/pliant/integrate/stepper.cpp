#include <pliant/integrate/stepper.hpp>

#include <algorithm>

namespace pliant {

void StepReport::add(const StageReport& stage) {
  newton += stage.newton;
  work += static_cast<double>(stage.newton > 0 ? stage.newton : stage.linear);  // or rounds
  factorizations += stage.factorizations;
  projections += stage.projections;
  linear += stage.linear;
  contacts = std::max(contacts, stage.contacts);
  primal = std::max(primal, stage.primal);
  dual = std::max(dual, stage.dual);
  unconverged += stage.unconverged;
  if (!stage.warning.empty()) notes.push_back(stage.warning);
}

void StepReport::count(const StepReport& part) {
  newton += part.newton;
  work += part.work;
  factorizations += part.factorizations;
  projections += part.projections;
  linear += part.linear;
  redone += part.redone;
  contacts = std::max(contacts, part.contacts);
  primal = std::max(primal, part.primal);
  dual = std::max(dual, part.dual);
  unconverged += part.unconverged;
}

}  // namespace pliant
