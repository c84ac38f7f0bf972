// The one list of integrators: the tables, and what is not a table.
#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/integrate/bdf2_stepper.hpp>
#include <pliant/integrate/dirk_stepper.hpp>
#include <pliant/integrate/ere_stepper.hpp>
#include <pliant/integrate/explicit_stepper.hpp>
#include <pliant/integrate/newmark_stepper.hpp>
#include <pliant/integrate/rosenbrock_stepper.hpp>
#include <pliant/integrate/stabilized_stepper.hpp>

#include <fmt/format.h>

#include <array>

namespace pliant {
namespace {

SolverOptions with_linear_stages(SolverOptions options) {
  options.type = "linear";  // what makes an S-method
  return options;
}

using Chosen = IntegratorOptions;

void require(bool good, std::string_view what, double got) {
  if (!good) throw InputError(fmt::format("{}, got {}", what, got));
}

template <ExplicitStepper::Method method>
std::unique_ptr<Stepper> make_explicit(const Chosen&, const SolverOptions&) {
  return std::make_unique<ExplicitStepper>(method);
}

using Maker = std::unique_ptr<Stepper> (*)(const Chosen&, const SolverOptions&);
struct Entry {
  IntegratorInfo info;
  Maker make;
};
// A DIRK table by another name: with linear stages, with modes that move by themselves, or both.
struct DirkVariant {
  std::string_view name, table;
  bool linear = false, hybrid = false;
  LinearizeAbout base = LinearizeAbout::step_start;
};

std::shared_ptr<ModalFlow> make_modes(const Chosen& o, const SolverOptions& options) {
  require(o.modes >= 0, "modes must not be negative", o.modes);
  require(o.refresh >= kRefreshAuto, "refresh must be a number of steps", o.refresh);
  return std::make_shared<ModalFlow>(o, options.interrupted);
}

std::unique_ptr<Stepper> make_dirk(const DirkVariant& v, const Chosen& o,
                                   const SolverOptions& options) {
  DirkStages stages{.solver = make_stage_solver(v.linear ? with_linear_stages(options) : options),
                    .base = v.base,
                    .modes = v.hybrid ? make_modes(o, options) : nullptr,
                    .paper = o.paper};
  return std::make_unique<DirkStepper>(v.name, *find_dirk_table(v.table), std::move(stages));
}

constexpr std::string_view kHybridOptions = "modes refresh",
                           kBothVariants = "modes refresh variant";

constexpr std::array<Entry, 16> kEntries = {{
    {{"si", "semi-implicit", "backward Euler with one linear solve per step",
      "Baraff and Witkin 1998, ASCHER (6)", 1, 1},
     [](const Chosen& o, const SolverOptions& options) {
       return make_dirk({.name = "si", .table = "be", .linear = true}, o, options);
     }},
    {{"strbdf2", "semi-implicit", "TR-BDF2 with γ = ½ and one linear solve per stage",
      "ASCHER (26)", 2, 2},
     [](const Chosen& o, const SolverOptions& options) {
       return make_dirk({.name = "strbdf2",
                         .table = "trbdf2b",
                         .linear = true,
                         .base = LinearizeAbout::previous_stage},
                        o, options);
     }},
    {{"bdf2", "multistep", "the two-step backward differentiation formula, L-stable",
      "Curtiss and Hirschfelder 1952, ASCHER (7)", 2, 1},
     [](const Chosen&, const SolverOptions& options) -> std::unique_ptr<Stepper> {
       return std::make_unique<Bdf2Stepper>("bdf2", options);
     }},
    {{"sbdf2", "semi-implicit", "BDF2 with one linear solve per step", "ASCHER §3.1", 2, 1},
     [](const Chosen&, const SolverOptions& options) -> std::unique_ptr<Stepper> {
       return std::make_unique<Bdf2Stepper>("sbdf2", with_linear_stages(options));
     }},
    {{"ere", "exponential", "exponential Rosenbrock–Euler, exact for linear bodies",
      "Chen, Ascher and Pai 2018, ASCHER (17)", 2, 0, "krylov_tolerance"},
     [](const Chosen& o, const SolverOptions& options) -> std::unique_ptr<Stepper> {
       require(o.krylov_tolerance > 0 && o.krylov_tolerance < 1,
               "krylov_tolerance must be between 0 and 1", o.krylov_tolerance);
       return std::make_unique<EreStepper>(
           KrylovOptions{.tolerance = o.krylov_tolerance, .interrupted = options.interrupted});
     }},
    {{"siere", "exponential", "the low modes by ere, the rest by si",
      "Chen, Sheen, Ascher and Pai 2020, ASCHER (20)", 1, 1, kHybridOptions},
     [](const Chosen& o, const SolverOptions& options) {
       return make_dirk({.name = "siere", .table = "be", .linear = true, .hybrid = true}, o,
                        options);
     }},
    {{"beere", "exponential", "the low modes by ere, the rest by backward Euler", "ASCHER (19)", 1,
      1, kHybridOptions},
     [](const Chosen& o, const SolverOptions& options) {
       return make_dirk({.name = "beere", .table = "be", .hybrid = true}, o, options);
     }},
    {{"bdf2ere", "exponential", "the low modes by ere, the rest by BDF2", "ASCHER (21)", 2, 1,
      kBothVariants},
     [](const Chosen& o, const SolverOptions& options) -> std::unique_ptr<Stepper> {
       return std::make_unique<Bdf2Stepper>("bdf2ere", options, make_modes(o, options), o.paper);
     }},
    {{"sbdf2ere", "exponential", "the low modes by ere, the rest by SBDF2", "ASCHER (22)", 2, 1,
      kBothVariants},
     [](const Chosen& o, const SolverOptions& options) -> std::unique_ptr<Stepper> {
       return std::make_unique<Bdf2Stepper>("sbdf2ere", with_linear_stages(options),
                                            make_modes(o, options), o.paper);
     }},
    {{"strbdf2ere", "exponential", "the low modes by ere, the rest by strbdf2", "ASCHER (26)", 2, 2,
      kBothVariants},
     [](const Chosen& o, const SolverOptions& options) {
       return make_dirk({.name = "strbdf2ere",
                         .table = "trbdf2b",
                         .linear = true,
                         .hybrid = true,
                         .base = LinearizeAbout::previous_stage},
                        o, options);
     }},
    {{"trbdf2ere", "exponential", "the low modes by ere, the rest by TR-BDF2 with γ = 2 − √2",
      "proposed in ASCHER §4", 2, 2, kHybridOptions},
     [](const Chosen& o, const SolverOptions& options) {
       return make_dirk({.name = "trbdf2ere", .table = "trbdf2", .hybrid = true}, o, options);
     }},
    {{"newmark", "one-step", "Newmark's method, second order for γ = ½", "Newmark 1959", 2, 1,
      "beta gamma"},
     [](const Chosen& o, const SolverOptions& options) -> std::unique_ptr<Stepper> {
       require(o.beta > 0 && o.beta <= 1,
               "beta must be above 0 (explicit: take verlet) and at most 1", o.beta);
       require(o.gamma >= 0.5 && o.gamma <= 1,
               "gamma must be from 0.5 (below it energy grows) to 1", o.gamma);
       return std::make_unique<NewmarkStepper>("newmark", NewmarkCoefficients{o.beta, o.gamma},
                                               make_stage_solver(options));
     }},
    {{"generalized-alpha", "one-step", "Newmark with averaged forces, damps high frequencies only",
      "Chung and Hulbert 1993, ASCHER §3.1", 2, 1, "rho_inf"},
     [](const Chosen& o, const SolverOptions& options) -> std::unique_ptr<Stepper> {
       require(o.rho_inf >= 0 && o.rho_inf <= 1, "rho_inf must be from 0 to 1", o.rho_inf);
       return std::make_unique<NewmarkStepper>("generalized-alpha", generalized_alpha(o.rho_inf),
                                               make_stage_solver(options));
     }},
    {{"symplectic-euler", "explicit", "symplectic (semi-implicit) Euler",
      "Hairer, Lubich and Wanner 2006", 1, 0},
     make_explicit<ExplicitStepper::Method::symplectic_euler>},
    {{"verlet", "explicit", "velocity Verlet, symplectic", "Verlet 1967, Swope et al. 1982", 2, 0},
     make_explicit<ExplicitStepper::Method::verlet>},
    {{"rk4", "explicit", "the classical Runge–Kutta method", "Kutta 1901", 4, 0},
     make_explicit<ExplicitStepper::Method::rk4>},
}};

int implicit_stages(const DirkTable& table) {
  int count = 0;
  for (int i = 0; i < table.stages; ++i) count += table.a(i, i) != 0;
  return count;
}

}  // namespace

std::vector<IntegratorInfo> integrators() {
  std::vector<IntegratorInfo> list;
  for (const DirkTable& t : dirk_tables())
    list.push_back({t.name, "DIRK", t.title, t.source, t.order, implicit_stages(t)});
  for (const RosenbrockTable& t : rosenbrock_tables())
    list.push_back({t.name, "Rosenbrock", t.title, t.source, t.order, t.stages});
  for (const Entry& entry : kEntries) list.push_back(entry.info);
  return list;
}

bool can_meet_contact(std::string_view integrator) {
  if (const DirkTable* table = find_dirk_table(integrator)) return table->stiffly_accurate();
  constexpr std::array<std::string_view, 3> others = {"bdf2", "newmark", "generalized-alpha"};
  return std::find(others.begin(), others.end(), integrator) != others.end();
}

bool takes_stage_solver(std::string_view integrator) {
  return find_dirk_table(integrator) != nullptr || integrator == "bdf2" ||
         integrator == "newmark" || integrator == "generalized-alpha";
}

bool solves_by_newton(std::string_view integrator) {
  return takes_stage_solver(integrator) || integrator == "beere" || integrator == "bdf2ere" ||
         integrator == "trbdf2ere";
}

bool needs_velocities_moved(std::string_view integrator) {
  return integrator == "generalized-alpha" || integrator == "esdirk43";
}

namespace {

std::unique_ptr<Stepper> make_plain_stepper(const IntegratorOptions& integrator,
                                            const SolverOptions& options) {
  const std::string& name = integrator.type;
  if (const DirkTable* table = find_dirk_table(name))
    return std::make_unique<DirkStepper>(table->name, *table,
                                         DirkStages{.solver = make_stage_solver(options)});
  for (const RosenbrockTable& table : rosenbrock_tables())
    if (table.name == name) return std::make_unique<RosenbrockStepper>(table, options);
  for (const Entry& entry : kEntries)
    if (entry.info.name == name) return entry.make(integrator, options);
  std::vector<std::string> known;
  for (const IntegratorInfo& info : integrators()) known.emplace_back(info.name);
  throw InputError("unknown integrator \"" + name + "\"" + suggestion(name, known));
}

}  // namespace

std::unique_ptr<Stepper> make_stepper(const IntegratorOptions& integrator,
                                      const SolverOptions& options) {
  using enum SolverOptions::Stabilize;
  auto stepper = make_plain_stepper(integrator, options);
  const bool needed = options.stabilize == by_method && needs_velocities_moved(integrator.type);
  if (options.stabilize != always && !needed) return stepper;
  return std::make_unique<StabilizedStepper>(
      std::move(stepper), needed ? Stabilized::velocities : Stabilized::places_and_velocities);
}

}  // namespace pliant
