// Writing what a study found: tables as CSV, figures as SVG and PNG.
#pragma once

#include <pliant/analysis/plot.hpp>
#include <pliant/analysis/text_table.hpp>

#include <filesystem>

namespace pliant {

// FOLDER/NAME.svg and .png; nothing in a build without plots. WriteError where it fails.
void write_figure(const std::filesystem::path& folder, const std::string& name, const Plot& plot);
void write_table(const std::filesystem::path& folder, const std::string& name,
                 const TextTable& table);

// "figures: a.svg, b.svg (and .png)", or why there are none.
std::string figures_in_words(const std::vector<std::string>& names);

}  // namespace pliant
