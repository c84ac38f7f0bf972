// ASCHER Figure 5: the first eigenvalues of K x = λ M x of a soft body climb without a clear gap,
// so no small number of modes stands out for the exponential of a hybrid method to move. Looked at
// in a homogeneous soft beam and in an arm of stiff bones in soft flesh.
#include <pliant/analysis/modes.hpp>
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

// The very first modes of a slender body are far apart (λ of a clamped bar goes like 1, 39, 309): a
// gap is looked for beyond the ten that hybrid methods usually take.
constexpr std::size_t kFirstFew = 10;
constexpr double kNoGap = 2;  // λ that doubles from one to the next would be one

constexpr double kSwing = 0.15;  // of a mode in its picture, over the body's largest extent

struct Spectrum {
  std::string name;
  Eigen::Index unknowns = 0;
  std::vector<double> lambda;  // 1/s²
  Eigen::Index wanted = 0;
  std::size_t place = 0;  // k of the largest λ_{k+1}/λ_k beyond the first few
  double ratio = 0;       // that one
};

// The body as it swings in its lowest mode.
State in_first_mode(const BuiltScene& scene, const Modes& modes) {
  const auto nodes = [](const Vector& q) { return q.reshaped(3, q.size() / 3); };
  const Vector& rest = scene.start.q;
  const Vector shape = modes.shapes.col(0);
  const double size =
      (nodes(rest).rowwise().maxCoeff() - nodes(rest).rowwise().minCoeff()).maxCoeff();
  State state = scene.start;
  state.q += kSwing * size / nodes(shape).colwise().norm().maxCoeff() * shape;
  return state;
}

Spectrum find_spectrum(const std::string& name, const StudyScene& study, const CaseContext& context,
                       CaseResult& result) {
  const Index count = context.full ? 1000 : 200;
  context.announce(fmt::format("eigen-gap: {} eigenvalues of the {}", count, name));
  const BuiltScene scene = build_scene(study.scene, context.log);
  Spectrum spectrum{name, scene.model.system->dofs(), {}, count};
  const Modes modes =
      find_modes(*scene.model.system, scene.start, count, [&context] { return context.stopped(); });
  for (const Mode& mode : modes.list) spectrum.lambda.push_back(mode.lambda);
  for (std::size_t k = kFirstFew; k < spectrum.lambda.size(); ++k) {
    const double ratio = spectrum.lambda[k] / spectrum.lambda[k - 1];
    if (ratio <= spectrum.ratio) continue;
    spectrum.ratio = ratio;
    spectrum.place = k;
  }
  if (!modes.list.empty())
    add_picture(context, study.scene.name, scene, in_first_mode(scene, modes), result);
  return spectrum;
}

// `value` of the mode's place, from 0.
template <class Value>
Plot make_plot(const std::vector<Spectrum>& spectra, Value&& value) {
  Plot plot;
  plot.subtitle = "K x = λ M x about the undeformed state (ASCHER Figure 5)";
  for (const Spectrum& spectrum : spectra) {
    Series series;
    series.name = spectrum.name;
    series.line = false;
    series.markers = true;
    for (std::size_t k = 0; k + 1 < spectrum.lambda.size(); ++k) {
      series.x.push_back(static_cast<double>(k + 1));
      series.y.push_back(value(spectrum.lambda, k));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Plot eigenvalue_plot(const std::vector<Spectrum>& spectra) {
  Plot plot = make_plot(spectra, [](const auto& lambda, std::size_t k) { return lambda[k]; });
  plot.title = "The lowest eigenvalues leave no gap";
  plot.x = {"number of the mode", Scale::linear, {}, {}};
  plot.y = {"λ = ω² (1/s²)", Scale::log, {}, {}};
  return plot;
}

Plot ratio_plot(const std::vector<Spectrum>& spectra) {
  Plot plot = make_plot(
      spectra, [](const auto& lambda, std::size_t k) { return lambda[k + 1] / lambda[k]; });
  plot.title = "From each eigenvalue to the next";
  plot.x = {"number k of the mode", Scale::log, {}, {}};
  plot.y = {"λₖ₊₁ / λₖ", Scale::log, {}, {}};
  const double last = plot.series[0].x.back();
  Series line;
  line.name = "would be a gap";
  line.guide = true;
  line.x = {static_cast<double>(kFirstFew), last};
  line.y = {kNoGap, kNoGap};
  plot.series.push_back(std::move(line));
  return plot;
}

TextTable make_table(const std::vector<Spectrum>& spectra) {
  TextTable table({"body", "unknowns", "modes", "λ₁", "λ₁₀", "last λ", "largest ratio beyond ten",
                   "after mode"});
  for (const Spectrum& s : spectra)
    table.add({s.name, fmt::format("{}", s.unknowns), fmt::format("{}", s.lambda.size()),
               fmt::format("{:.3g}", s.lambda[0]), fmt::format("{:.3g}", s.lambda[kFirstFew - 1]),
               fmt::format("{:.3g}", s.lambda.back()), fmt::format("{:.3f}", s.ratio),
               fmt::format("{}", s.place)});
  return table;
}

}  // namespace

CaseResult eigen_gap(const CaseContext& context) {
  // A thousand eigenvalues want a mesh with many times as many unknowns.
  const std::vector<std::string> fine_beam = {"bodies.0.mesh.box.cells=[64, 8, 8]"};
  const std::vector<std::string> fine_arm = {"bodies.0.mesh.capsule.size=0.025"};
  using Settings = std::vector<std::string>;
  CaseResult result;
  std::vector<Spectrum> spectra;
  spectra.push_back(find_spectrum("soft beam",
                                  context.load("soft-beam", context.full ? fine_beam : Settings{}),
                                  context, result));
  if (context.stopped()) return {};
  spectra.push_back(find_spectrum(
      "arm with stiff bones",
      context.load("heterogeneous-arm", context.full ? fine_arm : Settings{}), context, result));
  if (context.stopped()) return {};
  for (const Spectrum& s : spectra)
    result.figures.push_back({fmt::format("{}: largest λₖ₊₁/λₖ beyond the first ten", s.name),
                              "no clear gap", fmt::format("{:.3f} at k = {}", s.ratio, s.place),
                              verdict_of(static_cast<Eigen::Index>(s.lambda.size()) == s.wanted &&
                                         s.ratio > 1 && s.ratio < kNoGap)});
  // λ₁ = 4.7300⁴ E I/(ρ A L⁴) of a slender beam held at both ends, 8 × 1 × 1 m, E = 1e5. Shear
  // takes some fifth of it away at this length, a coarse mesh adds to it.
  const double slender = std::pow(4.730040744862704, 4) * 1e5 / 12 / 1000 / std::pow(8, 4);
  const double first = spectra[0].lambda.empty() ? 0 : spectra[0].lambda[0];
  result.figures.push_back({"soft beam: λ₁ over that of a slender beam", "(about 0.8 by shear)",
                            fmt::format("{:.3f} of {:.3f} 1/s²", first / slender, slender),
                            verdict_of(first > 0.8 * slender && first < 1.15 * slender)});
  result.tables.emplace_back("spectra", make_table(spectra));
  result.plots.emplace_back("eigenvalues", eigenvalue_plot(spectra));
  result.plots.emplace_back("ratios", ratio_plot(spectra));
  result.remarks = {
      "The paper does not name its body. A gap is taken to be a factor of two from one eigenvalue "
      "to the next, 1.4 in frequency.",
      "The pictures show the bodies in their lowest mode, enlarged to be seen."};
  return result;
}

}  // namespace pliant
