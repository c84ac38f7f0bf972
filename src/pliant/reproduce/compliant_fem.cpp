// TOURNIER §4.2: a soft cantilever of St. Venant–Kirchhoff tetrahedra, by stiffness and by
// constraints on its strain: the same motion; without geometric stiffness, transverse oscillations
// that are not there.
#include <pliant/body/solid.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/rod_net.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kFemStep = 0.01;  // s

struct Bar {
  Model model;
  MappedPoint tip;
};

Bar make_bar(bool compliant, bool full) {
  SolidInput bar;
  bar.name = "bar";
  const Index across = full ? 4 : 2;
  bar.mesh = make_box({{2, 0.4, 0.4}, {5 * across, across, across}, ElementType::tet4});
  SolidMaterial material{.law = "stvk", .constants = {}};
  material.constants.young = 2e4, material.constants.poisson = 0.3;
  bar.materials = {material};
  if (compliant) bar.strain = StrainMeasure::green;
  Pin pin;
  for (Index n = 0; n < bar.mesh.point_count(); ++n)
    if (bar.mesh.points[n].x() < -0.999) pin.nodes.push_back(n);
  std::vector<SolidInput> bodies;
  bodies.push_back(std::move(bar));
  Bar out{make_model(std::move(bodies)), {}};
  System& system = *out.model.system;
  system.add_term(std::make_unique<Gravity>(Vec3(0, -9.81, 0), system.mass(), view(system.rest())));
  system.add_pin(std::move(pin));
  out.tip = out.model.bodies[0].find({1, 0, 0}).point;
  return out;
}

struct TipMotion {
  bool ok = true;
  std::vector<double> t, height;  // of the tip, m
  double restless = 0;            // Σ |Δ² height| over what it would be of a smooth motion
};

TipMotion move(bool compliant, const SolverOptions& solver, const CaseContext& context) {
  TipMotion out;
  const Bar bar = make_bar(compliant, context.full);
  const System& system = *bar.model.system;
  State state = system.make_state();
  const auto stepper = make_stepper("be", solver);
  const long steps = std::lround(2 / kFemStep);
  for (long k = 0; k < steps && out.ok && !context.stopped(); ++k) {
    out.ok = stepper->step(system, state, kFemStep).ok && state.q.allFinite();
    out.t.push_back(state.t);
    out.height.push_back(bar.tip.at(view(state.q)).y());
    out.ok = out.ok && std::abs(out.height.back()) < 100;
  }
  for (std::size_t k = 2; k < out.height.size(); ++k)
    out.restless += std::abs(out.height[k] - 2 * out.height[k - 1] + out.height[k - 2]);
  return out;
}

double apart(const TipMotion& one, const TipMotion& other) {
  double most = 0;
  for (std::size_t k = 0; k < std::min(one.height.size(), other.height.size()); ++k)
    most = std::max(most, std::abs(one.height[k] - other.height[k]));
  return most;
}

}  // namespace

CaseResult compliant_fem(const CaseContext& context) {
  CaseResult result;
  const TipMotion stiffness = move(false, {}, context), compliance = move(true, {}, context);
  const TipMotion with = move(true, one_linear_solve(GeometricStiffness::exact), context);
  const TipMotion without = move(true, one_linear_solve(GeometricStiffness::off), context);
  if (context.stopped()) return result;
  const auto [low, high] = std::minmax_element(stiffness.height.begin(), stiffness.height.end());
  const double swing = *high - *low;
  const auto of_swing = [&](const TipMotion& motion) {
    return motion.ok
               ? fmt::format("{:.2g} % of the swing apart", 100 * apart(stiffness, motion) / swing)
               : "not stable";
  };
  result.figures = {
      {"compliance against stiffness, both converged", "the same motion", of_swing(compliance),
       verdict_of(compliance.ok && apart(stiffness, compliance) < 1e-5 * swing)},
      {"compliance, one linear solve a step", "the same motion", of_swing(with),
       verdict_of(with.ok && apart(stiffness, with) < 0.1 * swing)},
      {"the same without geometric stiffness", "incorrect behaviour", of_swing(without),
       verdict_of(!without.ok || apart(stiffness, without) > 10 * apart(stiffness, with))},
      {"its oscillation", "spurious, transverse",
       fmt::format("{:.2f} times as restless", without.restless / stiffness.restless),
       verdict_of(!without.ok || without.restless > 2 * stiffness.restless)}};
  Plot plot;
  plot.title = "a soft cantilever";
  plot.x.label = "t (s)";
  plot.y.label = "height of the tip (m)";
  plot.series = {{"stiffness", stiffness.t, stiffness.height},
                 {"compliance", compliance.t, compliance.height},
                 {"compliance, linear", with.t, with.height},
                 {"without geometric stiffness", without.t, without.height}};
  result.plots.emplace_back("tip", plot);
  result.remarks = {fmt::format(
      "2 × 0.4 × 0.4 m, E = 2e4, ν = 0.3, 1000 kg/m³, let go under gravity; backward Euler, steps "
      "of "
      "{:g} ms. Six rows for every tetrahedron. Restless: the sum of the second differences of the "
      "height of the tip, over that of the motion by stiffness.",
      1e3 * kFemStep)};
  return result;
}

}  // namespace pliant
