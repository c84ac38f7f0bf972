#include <pliant/integrate/stepper.hpp>

#include <algorithm>

namespace pliant {

void StepReport::add(const StageReport& stage) {
  newton += stage.newton;
  factorizations += stage.factorizations;
  projections += stage.projections;
  linear += stage.linear;
  contacts = std::max(contacts, stage.contacts);
}

void StepReport::count(const StepReport& part) {
  newton += part.newton;
  factorizations += part.factorizations;
  projections += part.projections;
  linear += part.linear;
  redone += part.redone;
  contacts = std::max(contacts, part.contacts);
  qp_primal = std::max(qp_primal, part.qp_primal);
  qp_dual = std::max(qp_dual, part.qp_dual);
}

}  // namespace pliant
