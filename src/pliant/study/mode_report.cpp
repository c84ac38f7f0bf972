#include <pliant/study/mode_report.hpp>

#include <pliant/coarsen/pairing.hpp>
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

std::string paired_table(const Modes& modes, const Modes& fine, const Eigen::MatrixXd& overlap) {
  TextTable table(
      {"mode", "frequency (Hz)", "fine (Hz)", "difference", "fine mode", "ratio", "overlap", ""});
  const Pairing pairing = pair_modes(overlap);
  for (std::size_t k = 0; k < modes.list.size(); ++k) {
    const Mode& mode = modes.list[k];
    const Index j = pairing.partner[k];
    if (j < 0) {
      table.add({std::to_string(k + 1), fmt::format("{:.6g}", mode.frequency), "", "", "", "", "",
                 kind_in_words(mode)});
      continue;
    }
    const Mode& partner = fine.list[static_cast<std::size_t>(j)];
    const bool both = mode.kind == ModeKind::oscillating && partner.kind == ModeKind::oscillating;
    table.add({std::to_string(k + 1), fmt::format("{:.6g}", mode.frequency),
               fmt::format("{:.6g}", partner.frequency),
               both ? fmt::format("{:+.2f} %", 100 * (mode.frequency / partner.frequency - 1)) : "",
               std::to_string(j + 1),
               both ? fmt::format("{:.4f}", partner.lambda / mode.lambda) : "",
               fmt::format("{:.3f}", std::abs(overlap(static_cast<Eigen::Index>(k), j))),
               kind_in_words(mode)});
  }
  const Acceptance test = accept_modes(overlap);
  return table.text() +
         fmt::format(
             "{} of {} shapes of the fine mesh are known again on the coarse one (an overlap "
             "above {}): {}; ratio: of the squares of the frequencies\n",
             test.known, test.of, kKnownOverlap,
             test.passed() ? "half of them are enough" : "less than half, it is too coarse");
}

void write_overlap(const std::filesystem::path& folder, const Modes& modes, const Modes& fine,
                   const Eigen::MatrixXd& overlap) {
  std::vector<std::string> header = {"mode"};
  for (std::size_t j = 0; j < fine.list.size(); ++j)
    header.push_back(fmt::format("fine_{}", j + 1));
  TextTable table(header);
  for (std::size_t i = 0; i < modes.list.size(); ++i) {
    std::vector<std::string> row = {std::to_string(i + 1)};
    for (Eigen::Index j = 0; j < overlap.cols(); ++j)
      row.push_back(shortest(overlap(static_cast<Eigen::Index>(i), j)));
    table.add(std::move(row));
  }
  write_table(folder, "overlap", table);
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
