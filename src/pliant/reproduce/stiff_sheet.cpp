// TOURNIER §4.1 and Figure 4: an inextensible sheet of rods along both threads, held at two
// corners, with weights of 500 particles each at the two others, is let go flat. One linear solve a
// step of 10 ms, (21), by factors or by 50 iterations of MINRES. The paper gives neither size nor
// step.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/rod_net.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kSheetStep = 0.01, kRatio = 500;  // s
constexpr int kIterations = 50;

struct Drape {
  Index side;
  std::string solver;
  NetRun run;
};

SolverOptions options_of(const std::string& solver) {
  if (solver == "newton") return {};
  if (solver == "without") return one_linear_solve(GeometricStiffness::off);
  if (solver == "with") return one_linear_solve(GeometricStiffness::exact);
  // Multipliers are rough here, and those that push would take stiffness away.
  SolverOptions options = one_linear_solve(GeometricStiffness::positive);
  options.minres = kIterations;
  return options;
}

std::string described(const std::string& solver) {
  if (solver == "with") return "with geometric stiffness";
  if (solver == "without") return "without geometric stiffness";
  if (solver == "minres")
    return fmt::format("with its positive part, {} iterations of MINRES", kIterations);
  return "with, to convergence";
}

// What happens without geometric stiffness is shown.
void add_figures(const Drape& d, CaseResult& result) {
  const std::string sheet = fmt::format("{}×{}, ", d.side, d.side);
  const bool by_factors = d.solver == "with";
  if (d.solver == "without") {
    result.figures.push_back({sheet + described(d.solver), "", d.run.words(), Verdict::shown});
    return;
  }
  result.figures.push_back(
      {sheet + described(d.solver), "stable", d.run.words(), verdict_of(d.run.holds_together())});
  result.figures.push_back({sheet + (by_factors ? "factors" : "MINRES") + ", steps per second",
                            by_factors ? "more than 500" : "",
                            fmt::format("{:.0f}", d.run.steps_per_second), Verdict::shown});
}

}  // namespace

CaseResult stiff_sheet(const CaseContext& context) {
  CaseResult result;
  const double duration = context.full ? 10 : 2;
  TextTable table({"sheet", "solve", "outcome", "energy gained (of the fall)", "steps per second"});
  std::vector<Drape> all;
  for (const Index side : {10, 30})
    for (const char* solver : {"without", "with", "minres", "newton"}) {
      if (context.stopped()) return result;
      if (!context.full && side == 30 && std::string_view(solver) == "newton") continue;
      const RodNet net = make_sheet({.side = side, .weight = kRatio - 1});
      const Drape& d = all.emplace_back(
          Drape{side, solver, run_net(net, options_of(solver), kSheetStep, duration)});
      table.add({fmt::format("{}×{}", side, side), described(solver), d.run.words(),
                 fmt::format("{:.2g}", d.run.gained),
                 fmt::format("{:.0f}", d.run.steps_per_second)});
    }
  for (const Drape& d : all)
    if (d.solver != "newton") add_figures(d, result);
  result.tables.emplace_back("sheets", table);
  result.remarks = {fmt::format(
      "10 m wide, particles of 1 kg, 1:{:g}, {} s. Stable: its energy never rises above the "
      "start's, as nothing gives it any. {} iterations of MINRES from nothing, without a "
      "preconditioner, leave rods stretched for a while, and at 30×30 by too much to call it "
      "inextensible; the paper does not say for which sheet it takes so few. One "
      "thread of this machine; the paper's was one of a Xeon at 2.4 GHz, and its sheet for 500 "
      "steps per second is not given.",
      kRatio, duration, kIterations)};
  return result;
}

}  // namespace pliant
