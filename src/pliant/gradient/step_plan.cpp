#include <pliant/gradient/step_plan.hpp>

#include <pliant/core/error.hpp>
#include <pliant/integrate/dirk_table.hpp>
#include <pliant/integrate/newmark_stepper.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

using Kind = PlannedStage::Kind;

StepPlan plan_of(const DirkTable& table) {
  StepPlan plan;
  for (int i = 0; i < table.stages; ++i) {
    PlannedStage& stage = plan.stages.emplace_back();
    stage.c = table.c(i);
    stage.gamma_q = stage.gamma_v = table.a(i, i);
    if (stage.gamma_v == 0) stage.kind = Kind::start;
    for (int j = 0; j < i; ++j) stage.a.push_back(table.a(i, j));
    stage.b = stage.a;
  }
  if (!table.stiffly_accurate()) plan.weights.assign(table.b.begin(), table.b.end());
  return plan;
}

// integrate/newmark_stepper.hpp; without averages the carried acceleration is that at the start.
StepPlan plan_of(const NewmarkCoefficients& n) {
  const double m = 1 / (1 - n.alpha_m), gamma_q = n.beta / n.gamma;
  const bool averages = n.alpha_m != 0 || n.alpha_f != 0;
  PlannedStage end{.c = 1, .gamma_q = gamma_q, .gamma_v = n.gamma * (1 - n.alpha_f) * m};
  end.a = {1 - gamma_q};
  end.b = {1 - n.gamma};
  end.d = {0.5 - n.beta - gamma_q * (1 - n.gamma)};
  StepPlan plan;
  plan.stages.push_back({.kind = Kind::start});
  if (averages) {
    plan.stages.push_back({.kind = Kind::carried});
    end.a = {end.a[0], 0};
    end.b = {n.gamma * m * n.alpha_f, end.b[0] - n.gamma * m * n.alpha_m};
    end.d = {0, end.d[0]};
    plan.carry_gamma = n.gamma;
  }
  plan.stages.push_back(std::move(end));
  return plan;
}

}  // namespace

StepPlan plan_step(const IntegratorOptions& integrator, std::size_t n) {
  const std::string& name = integrator.type;
  if (name == "bdf2") {  // its first step is one of sdirk2
    if (n == 0) return plan_of(*find_dirk_table("sdirk2"));
    return {{{.c = 1, .gamma_q = 2. / 3, .gamma_v = 2. / 3, .alpha = 4. / 3, .beta = -1. / 3}}};
  }
  if (name == "newmark")
    return plan_of(NewmarkCoefficients{.beta = integrator.beta, .gamma = integrator.gamma});
  if (name == "generalized-alpha") return plan_of(generalized_alpha(integrator.rho_inf));
  if (const DirkTable* table = find_dirk_table(name)) return plan_of(*table);
  throw InputError(fmt::format(
      "gradients go through the stages of a method, and \"{}\" is no list of them; be, bdf2, "
      "sdirk2, trbdf2 and the other Runge–Kutta methods, newmark and generalized-alpha are",
      name));
}

}  // namespace pliant
