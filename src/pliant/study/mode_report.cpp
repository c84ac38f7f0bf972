#include <pliant/study/mode_report.hpp>

#include <pliant/io/folder.hpp>
#include <pliant/io/vtu_writer.hpp>
#include <pliant/study/figures.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

std::string kind_in_words(const Mode& mode) {
  switch (mode.kind) {
    case ModeKind::rigid:
      return "rigid";
    case ModeKind::unstable:
      return "unstable";
    case ModeKind::oscillating:
      return "";
  }
  return "";
}

std::string percent(double part) { return fmt::format("{:.1f}", 100 * part); }

Plot frequency_plot(const Modes& modes) {
  Plot plot;
  plot.title = "Natural frequencies";
  plot.x = {"mode", Scale::linear, 0.5, static_cast<double>(modes.list.size()) + 0.5};
  plot.y = {"frequency (Hz)", Scale::linear, {}, {}};
  Series series;
  series.line = false;
  series.markers = true;
  for (std::size_t k = 0; k < modes.list.size(); ++k) {
    series.x.push_back(static_cast<double>(k + 1));
    series.y.push_back(modes.list[k].frequency);
  }
  if (std::all_of(series.y.begin(), series.y.end(), [](double f) { return f >= 0; }))
    plot.y.min = 0;
  plot.series.push_back(std::move(series));
  return plot;
}

void write_shapes(const std::filesystem::path& folder, const BuiltScene& built, const State& about,
                  const Modes& modes) {
  const System& system = *built.model.system;
  std::vector<FrameBodyCells> cells;
  for (const Body& body : built.model.bodies)
    cells.push_back({body.mesh.point_count(), body.mesh.blocks, body.material_of_element});
  const VtuWriter writer(cells);
  const Vector rest = Vector::Zero(system.dofs());
  for (std::size_t k = 0; k < modes.list.size(); ++k) {
    const Vector shape = modes.shapes.col(static_cast<Eigen::Index>(k));
    const double largest = shape.lpNorm<Eigen::Infinity>();
    const Vector q = about.q + (largest > 0 ? 0.05 * system.size() / largest : 0) * shape;
    FrameData frame;
    frame.step = static_cast<std::int64_t>(k) + 1;
    for (const Body& body : built.model.bodies) {
      const auto first = 3 * static_cast<std::size_t>(body.first_node);
      const auto count = 3 * static_cast<std::size_t>(body.mesh.point_count());
      frame.bodies.push_back({view(q).subspan(first, count), view(rest).subspan(first, count), {}});
    }
    // Frames of rigid bodies and obstacles have nodes behind those of bodies.
    frame.point_arrays.push_back({"mode", 3, view(shape).first(3 * writer.point_count())});
    writer.write(folder / fmt::format("mode_{:03}.vtu", k + 1), frame);
  }
}

}  // namespace

std::string mode_table(const Modes& modes) {
  TextTable table({"mode", "frequency (Hz)", "period (s)", "mass x %", "mass y %", "mass z %", ""});
  for (std::size_t k = 0; k < modes.list.size(); ++k) {
    const Mode& mode = modes.list[k];
    table.add({std::to_string(k + 1), fmt::format("{:.6g}", mode.frequency),
               mode.kind == ModeKind::oscillating ? fmt::format("{:.4g}", 1 / mode.frequency) : "",
               percent(mode.mass_fraction.x()), percent(mode.mass_fraction.y()),
               percent(mode.mass_fraction.z()), kind_in_words(mode)});
  }
  return table.text();
}

std::string mode_table(const Modes& modes, const Modes& other) {
  TextTable table({"mode", "frequency (Hz)", "other (Hz)", "difference", ""});
  for (std::size_t k = 0; k < std::min(modes.list.size(), other.list.size()); ++k) {
    const double f = modes.list[k].frequency, g = other.list[k].frequency;
    table.add({std::to_string(k + 1), fmt::format("{:.6g}", f), fmt::format("{:.6g}", g),
               g != 0 ? fmt::format("{:+.2f} %", 100 * (f / g - 1)) : "",
               kind_in_words(modes.list[k])});
  }
  return table.text();
}

void write_modes(const std::filesystem::path& folder, const BuiltScene& built, const State& about,
                 const Modes& modes) {
  make_folder(folder);
  TextTable table(
      {"mode", "frequency_hz", "lambda", "residual", "kind", "mass_x", "mass_y", "mass_z"});
  for (std::size_t k = 0; k < modes.list.size(); ++k) {
    const Mode& mode = modes.list[k];
    const std::string kind = kind_in_words(mode);
    table.add({std::to_string(k + 1), shortest(mode.frequency), shortest(mode.lambda),
               shortest(mode.residual), kind.empty() ? "oscillating" : kind,
               shortest(mode.mass_fraction.x()), shortest(mode.mass_fraction.y()),
               shortest(mode.mass_fraction.z())});
  }
  write_table(folder, "modes", table);
  write_figure(folder, "frequencies", frequency_plot(modes));
  write_shapes(folder, built, about, modes);
}

}  // namespace pliant
