// TOURNIER Table 1: an inextensible cable of 10 m and 500 kg carries a weight, at steps of 10 ms.
// One linear solve a step, (21), with and without geometric stiffness; and Newton's method to the
// end.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/rod_net.hpp>

#include <pliant/integrate/stepper.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

constexpr Index kLinks = 20;
constexpr double kCableLength = 10, kMass = 500, kCableStep = 0.01;  // m, kg, s
constexpr double kDiverged = 1;                                      // %

// %, the largest of the whole cable over the run; nothing where a step failed.
struct Elongation {
  double percent = 0;
  std::string words() const {
    return percent < kDiverged ? fmt::format("{:.1g}", percent) : "diverges";
  }
};

Elongation lift(double weight, bool disturbed, const SolverOptions& solver, double duration) {
  const auto system = make_system(make_cable({.links = kLinks,
                                              .length = kCableLength,
                                              .mass = kMass,
                                              .weight = weight,
                                              .direction = Vec3(0, -1, 0)}));
  State state = system->make_state();
  if (disturbed)
    for (Index k = 0; k < kLinks; ++k) state.q[3 * k] += k % 2 ? 1e-6 : -1e-6;
  const auto stepper = make_stepper("be", solver);
  Elongation out;
  Vector phi;
  for (int k = 0; k < std::lround(duration / kCableStep) && out.percent < kDiverged; ++k) {
    if (!stepper->step(*system, state, kCableStep).ok || !state.q.allFinite()) return {1e300};
    system->constraints().value(state.t, view(state.q), phi);
    out.percent = std::max(out.percent, 100 * phi.lpNorm<1>() / kCableLength);
  }
  return out;
}

}  // namespace

CaseResult heavy_cable(const CaseContext& context) {
  CaseResult result;
  const double duration = context.full ? 20 : 2;
  TextTable table({"weight (t)", "tight, without", "tight, with", "disturbed, without",
                   "disturbed, with", "disturbed, newton"});
  const SolverOptions with = one_linear_solve(GeometricStiffness::exact);
  const SolverOptions without = one_linear_solve(GeometricStiffness::off);
  std::vector<std::array<Elongation, 5>> all;
  const std::vector<double> tonnes = {10, 100, 1000, 1e6, 1e9, 1e12, 1e15};
  for (const double t : tonnes) {
    if (context.stopped()) return result;
    const double kg = 1000 * t;
    all.push_back({lift(kg, false, without, duration), lift(kg, false, with, duration),
                   lift(kg, true, without, duration), lift(kg, true, with, duration),
                   lift(kg, true, {}, duration)});
    std::vector<std::string> row = {fmt::format("{:g}", t)};
    for (const Elongation& e : all.back()) row.push_back(e.words());
    table.add(row);
  }
  const auto add = [&](const std::string& what, const std::string& paper, std::size_t weight,
                       std::size_t column, double bar) {
    const Elongation& e = all[weight][column];
    result.figures.push_back({what, paper, e.words() + (e.percent < kDiverged ? " %" : ""),
                              verdict_of(bar > 0 ? e.percent <= bar : e.percent >= kDiverged)});
  };
  add("10 t without geometric stiffness, tight", "5e-14 %", 0, 0, 1e-9);
  add("100 t without, disturbed by 1e-6 m", "diverges", 1, 2, 0);
  add("1000 t with, tight", "at most 1e-9 %", 2, 1, 1e-9);
  add("1e15 t with, tight", "0.009 %", 6, 1, 0.01);
  add("1000 t with, disturbed", "stable", 2, 3, 1e-6);
  add("1e9 t with, disturbed, to convergence", "stable", 4, 4, 1e-6);
  add("1e15 t, disturbed, to convergence", "a mass ratio above 1/epsilon", 6, 4, 1);
  result.figures.back().verdict = Verdict::shown;
  result.tables.emplace_back("elongation", table);
  result.remarks = {fmt::format(
      "{} links; largest elongation of the cable in percent over {} s of steps of 10 ms with be. "
      "Tight: hanging straight. The paper's figures are of a tight start.",
      kLinks, duration)};
  return result;
}

}  // namespace pliant
