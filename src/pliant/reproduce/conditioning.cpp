// TOURNIER Table 2: condition numbers of the linear system while a stiff sheet of 10×10 falls, of
// inextensible rods against springs of k = 1e15, and of St. Venant–Kirchhoff triangles (1 GPa,
// 0.49) by compliance against the same by stiffness.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/compliant_steps.hpp>
#include <pliant/reproduce/rod_net.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kConditioningStep = 0.01, kSpring = 1e15;  // s, N/m

struct Conditions {
  double compliance = 0, stiffness = 0;  // the largest on the way
  bool ok = true;
  std::vector<double> t, of_compliance, of_stiffness;
};

Conditions watch(const CaseContext& context, const System& system, int steps, int every) {
  Conditions out;
  CompliantSteps motion(system, kConditioningStep);
  for (int k = 1; k <= steps && out.ok && !context.stopped(); ++k) {
    out.ok = motion.step();
    if (!out.ok || k % every != 0) continue;
    out.t.push_back(motion.state().t);
    out.of_compliance.push_back(condition_number(motion.matrix()));
    out.of_stiffness.push_back(
        condition_number(Eigen::MatrixXd(motion.stiffness_form(1 / kSpring))));
    out.compliance = std::max(out.compliance, out.of_compliance.back());
    out.stiffness = std::max(out.stiffness, out.of_stiffness.back());
  }
  return out;
}

// "O(1e5)": the nearest power of ten.
std::string order_of(double x) { return fmt::format("O(1e{:.0f}), {:.1e}", std::log10(x), x); }

void add_figures(const std::string& model, const Conditions& ours, double compliance,
                 double stiffness, CaseResult& result) {
  const auto figure = [&](const char* form, double paper, double x) {
    result.figures.push_back(
        {model + ", " + form, fmt::format("O({:.0e})", paper), order_of(x), Verdict::shown});
  };
  figure("compliance", compliance, ours.compliance);
  figure("stiffness", stiffness, ours.stiffness);
  result.figures.push_back(
      {model + ", stiffness over compliance",
       fmt::format("1e{:.0f}", std::log10(stiffness / compliance)),
       fmt::format("{:.1e}", ours.stiffness / ours.compliance),
       verdict_of(ours.ok && ours.stiffness / ours.compliance >= 0.1 * stiffness / compliance)});
}

}  // namespace

CaseResult conditioning(const CaseContext& context) {
  CaseResult result;
  const int steps = context.full ? 200 : 60, every = context.full ? 10 : 12;
  // Held at one corner: a straight line of rods between two held ones would say a thing twice.
  RodNet net = make_sheet(SheetInput{.side = 10});
  net.held = {0};
  const auto rods = make_system(net);
  const Conditions of_rods = watch(context, *rods, steps, every);
  const Model cloth = make_cloth({});
  const Conditions of_cloth = watch(context, *cloth.system, steps, every);
  if (context.stopped()) return result;
  add_figures("rods (c = 0) or springs (k = 1e15)", of_rods, 1e5, 1e12, result);
  add_figures("StVK triangles", of_cloth, 1e3, 1e6, result);
  TextTable table({"t (s)", "rods", "springs", "triangles, compliance", "triangles, stiffness"});
  for (std::size_t k = 0; k < std::min(of_rods.t.size(), of_cloth.t.size()); ++k)
    table.add({fmt::format("{:.2f}", of_rods.t[k]), fmt::format("{:.2e}", of_rods.of_compliance[k]),
               fmt::format("{:.2e}", of_rods.of_stiffness[k]),
               fmt::format("{:.2e}", of_cloth.of_compliance[k]),
               fmt::format("{:.2e}", of_cloth.of_stiffness[k])});
  result.tables.emplace_back("conditions", table);
  result.remarks = {fmt::format(
      "Sheets of 10×10 nodes, held at one corner (rods) and at two (triangles), fall under gravity "
      "with steps of {:g} ms. "
      "Condition numbers are those of the matrices as they stand, in SI units; the paper gives "
      "neither sizes nor masses, on which they depend: here 10 m and 1 kg a particle for the rods, "
      "10 m, 1 mm and 100 kg/m³ for the triangles. What is judged is by how much compliance is "
      "better, to an order of magnitude.",
      1e3 * kConditioningStep)};
  return result;
}

}  // namespace pliant
