// Reports of the folders that studies leave: tables and figures, whatever they are.
#include <pliant/report/report.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/run/versions.hpp>
#include <pliant/study/history_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_rows = 60;  // of a table; the CSV file has them all

// A file of ours refers to nothing outside itself; any other is left out.
bool stands_alone(const std::string& svg) {
  return svg.find("<script") == std::string::npos && svg.find("href=\"http") == std::string::npos &&
         svg.find("href=\"file") == std::string::npos && svg.find("<svg") != std::string::npos;
}

std::string in_words(std::string name) {
  std::replace(name.begin(), name.end(), '-', ' ');
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

void add_csv(Report& report, const fs::path& path) {
  std::istringstream lines(read_text(path));
  std::string line;
  if (!std::getline(lines, line)) return;
  TextTable table(csv_fields(line));
  std::size_t rows = 0;
  for (; std::getline(lines, line); ++rows)
    if (rows < most_rows) table.add(csv_fields(line));
  std::string heading = in_words(path.stem().string());
  if (rows > most_rows) heading += fmt::format(": the first {} of {} rows", most_rows, rows);
  report.tables.emplace_back(std::move(heading), std::move(table));
}

}  // namespace

void add_pictures(Report& report, const fs::path& folder) {
  for (const fs::path& file : list_folder(folder)) {
    const std::string caption = in_words(file.stem().string());
    if (file.extension() == ".svg") {
      if (std::string svg = read_text(file); stands_alone(svg))
        report.figures.emplace_back(caption, std::move(svg));
    } else if (file.extension() == ".png" && !is_file(fs::path(file).replace_extension(".svg"))) {
      report.pictures.emplace_back(caption, read_text(file));
    }
  }
}

Report make_folder_report(const fs::path& folder) {
  if (!is_folder(folder))
    throw InputError(fmt::format("{}: is no folder that can be read", folder.string()));
  if (is_file(folder / "history.csv")) return make_run_report(folder);
  Report report;
  report.title = fs::absolute(folder / "").parent_path().filename().string();
  for (const fs::path& file : list_folder(folder))
    if (file.extension() == ".csv") add_csv(report, file);
  add_pictures(report, folder);
  if (report.tables.empty() && report.figures.empty() && report.pictures.empty())
    throw InputError(
        fmt::format("{}: holds no results, tables or figures to report on", folder.string()));
  return report;
}

void write_study_report(const fs::path& folder, const StudyWords& words) {
  Report scene, report;
  add_scene(scene, words.scene_json);
  report.title = scene.title.empty() ? words.what : fmt::format("{}: {}", words.what, scene.title);
  report.paragraphs = scene.paragraphs;
  report.scene_json = scene.scene_json;
  report.texts.emplace_back("Table", words.table);
  add_pictures(report, folder);
  for (const auto& [name, version] : versions()) report.versions.emplace_back(name, version);
  write_report(folder / report_file, report);
}

}  // namespace pliant
