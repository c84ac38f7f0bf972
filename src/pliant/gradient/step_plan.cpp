#include <pliant/gradient/step_plan.hpp>

#include <pliant/core/error.hpp>
#include <pliant/integrate/dirk_table.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

StepPlan plan_of(const DirkTable& table) {
  StepPlan plan;
  for (int i = 0; i < table.stages; ++i) {
    PlannedStage& stage = plan.stages.emplace_back();
    stage.c = table.c(i);
    stage.gamma = table.a(i, i);
    for (int j = 0; j < i; ++j) stage.a.push_back(table.a(i, j));
  }
  if (!table.stiffly_accurate()) plan.b.assign(table.b.begin(), table.b.end());
  return plan;
}

}  // namespace

StepPlan plan_step(const std::string& integrator, std::size_t n) {
  if (integrator == "bdf2") {  // its first step is one of sdirk2
    if (n == 0) return plan_of(*find_dirk_table("sdirk2"));
    return {{{.c = 1, .gamma = 2. / 3, .alpha = 4. / 3, .beta = -1. / 3, .a = {}}}, {}};
  }
  if (const DirkTable* table = find_dirk_table(integrator)) return plan_of(*table);
  throw InputError(fmt::format(
      "gradients go through the stages of a method, and \"{}\" is no list of them; be, bdf2, "
      "sdirk2, trbdf2 and the other Runge–Kutta methods are",
      integrator));
}

}  // namespace pliant
