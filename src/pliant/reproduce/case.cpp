#include <pliant/reproduce/case.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/render/annotate.hpp>
#include <pliant/report/report.hpp>
#include <pliant/run/versions.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

TextTable figure_table(const CaseResult& result) {
  TextTable table({"figure", "paper", "ours", "verdict"});
  for (const Figure& figure : result.figures)
    table.add({figure.what, figure.paper, figure.ours, std::string(name_of(figure.verdict))});
  return table;
}

// The same as a page, with the figures in it.
Report make_page(const CaseInfo& info, const CaseResult& result) {
  Report page;
  page.title = info.name;
  page.subtitle = info.paper;
  page.paragraphs = {fmt::format("{}.", info.title)};
  if (!info.shows.empty()) page.paragraphs.push_back(fmt::format("The paper: {}.", info.shows));
  page.tables.emplace_back("The paper's figures beside ours", figure_table(result));
  for (const auto& [name, table] : result.tables) page.tables.emplace_back(name, table);
  for (const auto& [name, plot] : result.plots)
    if (std::string svg = draw(plot).svg; !svg.empty()) page.figures.emplace_back(plot.title, svg);
  for (const auto& [name, picture] : result.pictures)
    page.pictures.emplace_back(name, png_bytes(picture));
  page.remarks = result.remarks;
  for (const auto& [name, version] : versions()) page.versions.emplace_back(name, version);
  return page;
}

std::string report(const CaseInfo& info, const CaseResult& result) {
  std::string text = fmt::format("# {}\n\n{}. {}.\n\n{}\n", info.name, info.paper, info.title,
                                 figure_table(result).markdown());
  for (const auto& [name, table] : result.tables)
    text += fmt::format("\n## {}\n\n{}", name, table.markdown());
  for (const auto& [name, plot] : result.plots)
    text += fmt::format("\n![{}]({}.png)\n", plot.title, name);
  for (const auto& [name, picture] : result.pictures)
    text += fmt::format("\n![{}]({}.png)\n", name, name);
  for (const std::string& remark : result.remarks) text += "\n" + remark + "\n";
  return text;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails:
      return "FAILS";
    case Verdict::shown:
      return "shown";
  }
  return "";
}

std::vector<std::string> CaseResult::failing() const {
  if (figures.empty()) return {"it has no figures"};
  std::vector<std::string> names;
  for (const Figure& figure : figures)
    if (figure.verdict == Verdict::fails || figure.ours.starts_with("failed: "))
      names.push_back(figure.what);
  return names;
}

const CaseInfo& find_case(std::string_view name) {
  std::vector<std::string> known;
  for (const CaseInfo& info : cases()) {
    if (info.name == name) return info;
    known.emplace_back(info.name);
  }
  throw InputError(fmt::format("unknown case \"{}\"{}; `pliant reproduce list` shows them", name,
                               suggestion(name, known)));
}

std::string case_table(const CaseInfo& info, const CaseResult& result) {
  std::string text = fmt::format("{} ({}): {}\n", info.name, info.paper, info.title);
  text += figure_table(result).text();
  for (const auto& [name, table] : result.tables) text += "\n" + name + "\n" + table.text();
  for (const std::string& remark : result.remarks) text += remark + "\n";
  return text;
}

void write_case(const std::filesystem::path& folder, const CaseInfo& info,
                const CaseResult& result) {
  make_folder(folder);
  write_table(folder, "figures", figure_table(result));
  for (const auto& [name, table] : result.tables) write_table(folder, name, table);
  for (const auto& [name, plot] : result.plots) write_figure(folder, name, plot);
  for (const auto& [name, picture] : result.pictures)
    write_file_atomically(folder / (name + ".png"), png_bytes(picture));
  write_file_atomically(folder / "report.md", report(info, result));
  write_report(folder / report_file, make_page(info, result));
}

}  // namespace pliant
