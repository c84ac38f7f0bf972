#include <pliant/stage/stage.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/stage/admm_stage.hpp>
#include <pliant/stage/linear_stage.hpp>
#include <pliant/stage/newton_stage.hpp>

#include <array>

namespace pliant {
namespace {

constexpr std::array<StageSolverInfo, 3> kStageSolvers = {{
    {"newton", "Newton's method to tolerance, line search on the incremental potential"},
    {"linear", "one linear solve about the start of the step (semi-implicit)"},
    {"admm", "local–global: one factorisation for the run, elements on their own (BROWN 2018)"},
}};

}  // namespace

std::span<const StageSolverInfo> stage_solvers() { return kStageSolvers; }

std::unique_ptr<StageSolver> make_stage_solver(const SolverOptions& options) {
  if (options.type == "newton") return std::make_unique<NewtonStage>(options);
  if (options.type == "linear") return std::make_unique<LinearStage>(options);
  if (options.type == "admm") return std::make_unique<AdmmStage>(options);
  std::vector<std::string> known;
  for (const StageSolverInfo& info : kStageSolvers) known.emplace_back(info.name);
  throw InputError("unknown stage solver \"" + options.type + "\"" +
                   suggestion(options.type, known));
}

}  // namespace pliant
