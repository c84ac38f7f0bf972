// CHEN §2.1 and Figure 4: the coarser the mesh, the stiffer the body. The lowest eigenvalue of the
// 1-D wave equation by linear elements (5), and the first frequencies of a bar in 3-D, beside the
// frequency of a slender beam.
#include <pliant/analysis/modes.hpp>
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

// K_h u = λ M_h u of (5) with c = 1 and n elements between fixed ends.
double lowest_of_string(int n) {
  const double h = 1.0 / n;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n - 1, n - 1), M = K;
  for (int i = 0; i < n - 1; ++i) {
    K(i, i) = 2 / h, M(i, i) = 4 * h / 6;
    if (i > 0) K(i, i - 1) = K(i - 1, i) = -1 / h, M(i, i - 1) = M(i - 1, i) = h / 6;
  }
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M).eigenvalues()[0];
}

bool falls(const std::vector<double>& y, double limit) {
  for (std::size_t k = 0; k < y.size(); ++k)
    if (y[k] < limit || (k > 0 && y[k] >= y[k - 1])) return false;
  return true;
}

// Of a slender beam held at one end: (1.8751²/2π) √(E I/(ρ A)) / L² with I/A = d²/12.
double beam_frequency(double young, double density, double length, double depth) {
  constexpr double k = 1.875104068711961;
  return k * k / (2 * std::numbers::pi) * std::sqrt(young / density / 12) * depth /
         (length * length);
}

}  // namespace

CaseResult numerical_stiffening(const CaseContext& context) {
  CaseResult result;
  constexpr double exact = std::numbers::pi * std::numbers::pi;
  std::vector<double> elements, lowest, off;
  for (const int n : {2, 4, 8, 16, 32, 64}) {
    elements.push_back(n);
    lowest.push_back(lowest_of_string(n));
    off.push_back(lowest.back() / exact - 1);
  }
  // λ_h = π² (1 + (π h)²/12 + …): halving h quarters the error.
  const double order = std::log2(off[off.size() - 2] / off.back());
  result.figures = {
      {"string: lowest eigenvalue with 2 and 64 elements", "towards π² = 9.8696 from above",
       fmt::format("{:.4f}, {:.4f}", lowest.front(), lowest.back()),
       verdict_of(falls(lowest, exact))},
      {"string: order of its error", "(2, from (5))", fmt::format("{:.3f}", order),
       verdict_of(std::abs(order - 2) < 0.05)}};
  TextTable table(
      {"cells across", "nodes", "mode 1 (Hz)", "mode 2 (Hz)", "mode 3 (Hz)", "mode 6 (Hz)"});
  std::vector<double> across, first;
  const StudyScene study = context.load("twisted-bar", {});
  for (const Index n : context.full ? std::vector<Index>{1, 2, 3, 4, 6, 8, 12}
                                    : std::vector<Index>{1, 2, 3, 4, 6}) {
    if (context.stopped()) return result;
    SceneDescription scene = study.scene;
    scene.bodies[0].coarsen.reset();
    scene.bodies[0].pins.resize(1);
    auto& box = std::get<BoxSpec>(scene.bodies[0].mesh);
    box.cells = {4 * n, n, n};
    const BuiltScene built = build_scene(scene, context.log);
    const Modes modes = find_modes(*built.model.system, built.start, 6);
    across.push_back(static_cast<double>(n));
    first.push_back(modes.list[0].frequency);
    std::vector<std::string> row = {fmt::format("{}", n),
                                    fmt::format("{}", built.model.system->nodes())};
    for (const std::size_t k : {0U, 1U, 2U, 5U})
      row.push_back(fmt::format("{:.4f}", modes.list[k].frequency));
    table.add(row);
  }
  result.figures.push_back({"bar: first frequency, from one cell across to the finest",
                            "falls as the mesh is refined",
                            fmt::format("{:.3f} Hz to {:.3f} Hz", first.front(), first.back()),
                            verdict_of(falls(first, 0))});
  // What the clamped end holds besides and shear go against each other, some percent each.
  const double slender = beam_frequency(1e5, 1000, 2, 0.4);
  result.figures.push_back(
      {"bar: first frequency of the finest over that of a slender beam", "(towards 1 from above)",
       fmt::format("{:.3f} of {:.4f} Hz", first.back() / slender, slender),
       verdict_of(first.back() > 0.97 * slender && first.back() < 1.1 * slender)});
  result.tables.emplace_back("bar", table);
  Plot plot;
  plot.title = "a coarse mesh is too stiff";
  plot.x = {"elements", Scale::log, {}, {}};
  plot.y = {"lowest eigenvalue (1/s²)", Scale::linear, {}, {}};
  plot.series = {{"linear elements", elements, lowest},
                 {"π²", {elements.front(), elements.back()}, {exact, exact}}};
  result.plots.emplace_back("string", plot);
  result.remarks = {
      "The bar is 2 × 0.5 × 0.4 m, E = 1e5, ν = 0.45, held at one end; five tetrahedra "
      "to a cell, consistent mass."};
  return result;
}

}  // namespace pliant
