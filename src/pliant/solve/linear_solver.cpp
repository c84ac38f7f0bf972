#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/solve/auto_solver.hpp>

#include <array>
#include <string>

namespace pliant {
namespace {

constexpr std::array<LinearSolverInfo, 4> kSolvers = {{
    {"auto", "conjugate gradients or Cholesky, whichever costs less by iteration counts"},
    {"cholesky", "sparse Cholesky factorisation (CHOLMOD, ordered by METIS)"},
    {"ldlt", "sparse L D Lᵀ factorisation without pivoting (CHOLMOD, simplicial)"},
    {"pcg", "conjugate gradients preconditioned with 3×3 diagonal blocks"},
}};

}  // namespace

std::string_view name_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::ok:
      return "ok";
    case SolveStatus::not_positive_definite:
      return "not positive definite";
    case SolveStatus::not_converged:
      return "not converged";
    case SolveStatus::failed:
      return "failed";
  }
  return "";
}

std::span<const LinearSolverInfo> linear_solvers() { return kSolvers; }

std::unique_ptr<LinearSolver> make_linear_solver(std::string_view name,
                                                 const LinearOptions& options) {
  if (name == "auto") return std::make_unique<AutoSolver>(options);
  if (name == "cholesky")
    return std::make_unique<CholmodSolver>(CholmodSolver::Kind::llt, options.fast);
  if (name == "ldlt")
    return std::make_unique<CholmodSolver>(CholmodSolver::Kind::ldlt, options.fast);
  if (name == "pcg") return std::make_unique<PcgSolver>(options.precision);
  std::vector<std::string> known;
  for (const LinearSolverInfo& info : kSolvers) known.emplace_back(info.name);
  throw InputError("unknown linear solver \"" + std::string(name) + "\"" + suggestion(name, known));
}

bool PreparedSolver::prepare(const std::shared_ptr<const BlockPattern>& pattern) {
  if (pattern_ == pattern) return false;
  pattern_ = pattern;
  solver_->analyze(pattern);
  solver_->restore(waiting_);
  waiting_.clear();
  return true;
}

}  // namespace pliant
