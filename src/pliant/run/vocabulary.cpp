#include <pliant/run/vocabulary.hpp>

#include <pliant/dissipation/damping_law.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/material/law_names.hpp>
#include <pliant/solve/kkt_solver.hpp>

#include <fmt/format.h>

namespace pliant {

Vocabulary built_vocabulary() {
  Vocabulary words;
  for (const IntegratorInfo& info : integrators())
    words.integrators.push_back(
        {std::string(info.name),
         fmt::format("{}, order {}, {}: {}", info.family, info.order,
                     info.implicit_stages == 0 ? std::string("explicit")
                     : info.implicit_stages == 1
                         ? std::string("one implicit stage")
                         : fmt::format("{} implicit stages", info.implicit_stages),
                     fmt::format("{} ({})", info.title, info.source))});
  for (const LawInfo& law : solid_laws())
    words.materials.push_back({std::string(law.name), std::string(law.source)});
  for (const MembraneInfo& law : membrane_laws())
    if (!is_solid_law(law.name))
      words.materials.push_back({std::string(law.name), fmt::format("for cloth: {}", law.source)});
  for (const DampingModelInfo& model : damping_models())
    words.damping.push_back({std::string(model.name), std::string(model.description)});
  for (const StageSolverInfo& info : stage_solvers())
    words.solvers.push_back({std::string(info.name), std::string(info.description)});
  for (const LinearSolverInfo& info : linear_solvers())
    words.linear_solvers.push_back({std::string(info.name), std::string(info.description)});
  for (const LinearSolverInfo& info : kkt_solvers())
    if (info.name == "minres")
      words.linear_solvers.push_back({"minres", "minimal residuals, for scenes with constraints"});
  return complete_vocabulary(std::move(words));
}

}  // namespace pliant
