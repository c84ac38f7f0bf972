#include <pliant/integrate/stepper.hpp>

namespace pliant {

void StepReport::add(const StageReport& stage) {
  newton += stage.newton;
  factorizations += stage.factorizations;
  projections += stage.projections;
  linear += stage.linear;
}

void StepReport::count(const StepReport& part) {
  newton += part.newton;
  factorizations += part.factorizations;
  projections += part.projections;
  linear += part.linear;
}

}  // namespace pliant
