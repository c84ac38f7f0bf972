// Reports of result folders. Files that are missing or damaged leave their part out: a report is
// most wanted where a run went wrong.
#include <pliant/report/report.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/report/history_figures.hpp>
#include <pliant/study/history_table.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace pliant {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_warnings = 50;

// An empty object where the text is none.
Json parse(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false, true);
  return json.is_object() ? json : Json::object();
}

std::string words_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  return value.is_null() ? "" : value.dump();
}

std::string lookup(const Json& json, const std::string& pointer) {
  const Json::json_pointer place(pointer);
  return json.contains(place) ? words_of(json.at(place)) : "";
}

TextTable summary_table(const Json& summary) {
  TextTable table({"", ""});
  const auto row = [&](const char* name, const char* pointer, const char* unit = "") {
    const std::string value = lookup(summary, pointer);
    if (!value.empty()) table.add({name, value + unit});
  };
  row("status", "/status");
  row("reason", "/reason");
  row("simulated", "/simulated_seconds", " s");
  row("wall time", "/wall_seconds", " s");
  row("steps", "/steps");
  row("frames", "/frames");
  row("Newton iterations", "/iterations/newton");
  row("linear iterations", "/iterations/linear");
  row("retries", "/retries");
  row("total energy, first", "/energies/first/total", " J");
  row("total energy, last", "/energies/last/total", " J");
  row("smallest gap", "/smallest_gap", " m");
  row("threads", "/threads");
  row("state hash", "/state_hash");
  return table;
}

std::vector<std::string> warnings_in(const std::string& log) {
  std::vector<std::string> warnings;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const Json entry = parse(line);
    const std::string level = lookup(entry, "/level"), time = lookup(entry, "/time");
    if (level != "warning" && level != "error") continue;
    warnings.push_back((time.empty() ? "" : fmt::format("at {} s: ", time)) +
                       lookup(entry, "/text"));
  }
  if (warnings.size() > most_warnings) {
    const std::size_t more = warnings.size() - most_warnings;
    warnings.resize(most_warnings);
    warnings.push_back(fmt::format("and {} more in log.jsonl", more));
  }
  return warnings;
}

void add_history(Report& report, const fs::path& folder) {
  if (!is_file(folder / "history.csv")) return;
  try {
    for (const Plot& plot : history_plots(HistoryTable::of_run(folder)))
      if (std::string svg = draw(plot).svg; !svg.empty())
        report.figures.emplace_back(plot.title, std::move(svg));
  } catch (const InputError& error) {
    report.warnings.emplace_back(error.what());
  }
}

}  // namespace

void add_scene(Report& report, const std::string& scene_json) {
  const Json scene = parse(scene_json);
  if (scene.empty()) return;
  if (report.title.empty()) report.title = lookup(scene, "/name");
  if (const std::string text = lookup(scene, "/description"); !text.empty())
    report.paragraphs.push_back(text);
  std::string integrator = lookup(scene, "/integrator/type");
  if (integrator.empty()) integrator = lookup(scene, "/integrator");
  if (report.subtitle.empty() && !integrator.empty()) {
    report.subtitle = fmt::format("integrator {}", integrator);
    if (const std::string dt = lookup(scene, "/time/dt"); !dt.empty())
      report.subtitle += dt == "auto" ? ", steps chosen by a tolerance" : ", dt " + dt + " s";
  }
  report.scene_json = scene_json;
}

Report make_run_report(const fs::path& folder) {
  if (!is_file(folder / "scene.json") || !is_file(folder / "history.csv"))
    throw InputError(fmt::format("{}: is no result folder: it has no scene.json or no history.csv",
                                 folder.string()));
  Report report;
  add_scene(report, read_text(folder / "scene.json"));
  if (report.title.empty()) report.title = fs::absolute(folder).filename().string();
  const Json summary = parse(read_text(folder / "summary.json"));
  if (summary.empty())
    report.warnings.emplace_back("there is no summary: the run goes on, or was ended from outside");
  else
    report.tables.emplace_back("Summary", summary_table(summary));
  for (std::string& warning : warnings_in(read_text(folder / "log.jsonl")))
    report.warnings.push_back(std::move(warning));
  add_history(report, folder);
  add_pictures(report, folder);
  if (summary.contains("versions"))
    for (const auto& [name, version] : summary["versions"].items())
      report.versions.emplace_back(name, words_of(version));
  return report;
}

}  // namespace pliant
