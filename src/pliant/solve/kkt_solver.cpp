#include <pliant/solve/kkt_solver.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/solve/kkt_direct.hpp>
#include <pliant/solve/kkt_minres.hpp>

#include <array>
#include <string>

namespace pliant {
namespace {

constexpr std::array<LinearSolverInfo, 4> kKktSolvers = {{
    {"auto", "schur where that takes little work and does well, else mumps where it is built"},
    {"mumps", "sparse L D Lᵀ factorisation with pivoting (MUMPS); A may be indefinite"},
    {"schur", "Schur complements J A⁻¹ Jᵀ + C in sparse elimination; A positive definite"},
    {"minres", "minimal residuals, preconditioned; A positive definite"},
}};

}  // namespace

std::span<const LinearSolverInfo> kkt_solvers() { return kKktSolvers; }

std::unique_ptr<KktSolver> make_kkt_solver(std::string_view name, int iterations) {
  if (name == "auto") {
    if (!mumps_built()) return std::make_unique<DirectKkt>(name, make_schur_factors());
    return std::make_unique<DirectKkt>(name, make_mumps_factors(), make_schur_factors());
  }
  if (name == "mumps") return std::make_unique<DirectKkt>(name, make_mumps_factors());
  if (name == "schur") return std::make_unique<DirectKkt>(name, make_schur_factors());
  if (name == "minres") return std::make_unique<MinresKkt>(iterations);
  std::vector<std::string> known;
  for (const LinearSolverInfo& info : kKktSolvers) known.emplace_back(info.name);
  throw InputError("unknown solver of constraints \"" + std::string(name) + "\"" +
                   suggestion(name, known));
}

}  // namespace pliant
