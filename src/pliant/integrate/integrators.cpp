// The one list of integrators: the tables, and what is not a table.
#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/integrate/dirk_stepper.hpp>
#include <pliant/integrate/explicit_stepper.hpp>

#include <array>

namespace pliant {
namespace {

using Method = ExplicitStepper::Method;
struct ExplicitEntry {
  IntegratorInfo info;
  Method method;
};
constexpr std::array<ExplicitEntry, 3> kExplicit = {{
    {{"symplectic-euler", "explicit", "symplectic (semi-implicit) Euler",
      "Hairer, Lubich and Wanner 2006", 1, 0},
     Method::symplectic_euler},
    {{"verlet", "explicit", "velocity Verlet, symplectic", "Verlet 1967, Swope et al. 1982", 2, 0},
     Method::verlet},
    {{"rk4", "explicit", "the classical Runge–Kutta method", "Kutta 1901", 4, 0}, Method::rk4},
}};
constexpr IntegratorInfo kSi = {"si",
                                "semi-implicit",
                                "backward Euler with one linear solve per step",
                                "Baraff and Witkin 1998, ASCHER (6)",
                                1,
                                1};

const DirkTable* find_table(std::string_view name) {
  for (const DirkTable& table : dirk_tables())
    if (table.name == name) return &table;
  return nullptr;
}

int implicit_stages(const DirkTable& table) {
  int count = 0;
  for (int i = 0; i < table.stages; ++i) count += table.a(i, i) != 0;
  return count;
}

}  // namespace

std::vector<IntegratorInfo> integrators() {
  std::vector<IntegratorInfo> list;
  for (const DirkTable& t : dirk_tables()) {
    list.push_back({t.name, "DIRK", t.title, t.source, t.order, implicit_stages(t)});
    if (t.name == "be") list.push_back(kSi);
  }
  for (const ExplicitEntry& entry : kExplicit) list.push_back(entry.info);
  return list;
}

std::unique_ptr<Stepper> make_stepper(std::string_view name, const SolverOptions& options) {
  if (name == kSi.name) {
    SolverOptions linear = options;
    linear.type = "linear";
    return std::make_unique<DirkStepper>(kSi.name, *find_table("be"), make_stage_solver(linear));
  }
  if (const DirkTable* table = find_table(name))
    return std::make_unique<DirkStepper>(table->name, *table, make_stage_solver(options));
  for (const ExplicitEntry& entry : kExplicit)
    if (entry.info.name == name) return std::make_unique<ExplicitStepper>(entry.method);
  std::vector<std::string> known;
  for (const IntegratorInfo& info : integrators()) known.emplace_back(info.name);
  throw InputError("unknown integrator \"" + std::string(name) + "\"" + suggestion(name, known));
}

}  // namespace pliant
