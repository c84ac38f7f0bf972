#include <pliant/study/figures.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/atomic_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pliant {

void write_figure(const std::filesystem::path& folder, const std::string& name, const Plot& plot) {
  if (!plots_built()) return;
  const Pictures pictures = draw(plot);
  if (pictures.svg.empty() || pictures.png.empty())
    throw WriteError(fmt::format("{}: the figure could not be drawn", (folder / name).string()));
  write_file_atomically(folder / (name + ".svg"), pictures.svg);
  write_file_atomically(folder / (name + ".png"), pictures.png);
}

void write_table(const std::filesystem::path& folder, const std::string& name,
                 const TextTable& table) {
  write_file_atomically(folder / (name + ".csv"), table.csv());
}

std::string figures_in_words(const std::vector<std::string>& names) {
  if (!plots_built()) return "no figures: this build is without plots (PLIANT_PLOTS)";
  return fmt::format("figures: {} (.svg and .png)", fmt::join(names, ", "));
}

}  // namespace pliant
