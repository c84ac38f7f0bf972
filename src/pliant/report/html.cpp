// The page itself: a style sheet and some ten kinds of elements. Written by hand rather than by a
// template engine, since every text passes through escaped() on its way in.
#include <pliant/report/report.hpp>

#include <pliant/io/atomic_file.hpp>
#include <pliant/io/encoding.hpp>
#include <pliant/report/style.hpp>
#include <pliant/report/svg.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

std::string escaped(std::string_view text) { return xml_escaped(text); }

// xml_escaped makes blanks of line breaks; texts of fixed width keep theirs.
std::string escaped_lines(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += escaped(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return out;
}

bool is_number(const std::string& cell) {
  return cell.find_first_not_of("0123456789+-.eE% ~<>") == std::string::npos;
}

// To the right where a whole column is numbers.
bool is_numeric(const TextTable& table, std::size_t column) {
  const auto fits = [column](const std::vector<std::string>& row) {
    return column >= row.size() || is_number(row[column]);
  };
  return std::all_of(table.rows().begin(), table.rows().end(), fits);
}

// Verdicts are coloured, and said in words as well.
std::string_view verdict_class(const std::string& cell) {
  if (cell == "holds" || cell == "done") return " class=\"good\"";
  if (cell == "FAILS" || cell == "failed") return " class=\"bad\"";
  return "";
}

std::string table_html(const TextTable& table) {
  std::string text = "<div class=\"wide\"><table>\n";
  const auto row_html = [&](const std::vector<std::string>& row, std::string_view tag) {
    text += "<tr>";
    for (std::size_t k = 0; k < row.size(); ++k)
      text += fmt::format("<{0}{1}>{2}</{0}>", tag,
                          is_numeric(table, k) ? " class=\"number\"" : verdict_class(row[k]),
                          escaped(row[k]));
    text += "</tr>\n";
  };
  if (std::any_of(table.header().begin(), table.header().end(),
                  [](const std::string& word) { return !word.empty(); })) {
    text += "<thead>";
    row_html(table.header(), "th");
    text += "</thead>\n";
  }
  text += "<tbody>\n";
  for (const std::vector<std::string>& row : table.rows()) row_html(row, "td");
  return text + "</tbody></table></div>\n";
}

std::string section(const std::string& heading, const std::string& body) {
  return fmt::format("<section>\n{}{}</section>\n",
                     heading.empty() ? "" : fmt::format("<h2>{}</h2>\n", escaped(heading)), body);
}

std::string folded(const std::string& heading, const std::string& body) {
  return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", escaped(heading), body);
}

// Our figures carry their titles; for pictures it stands below.
std::string figures_html(const Report& report) {
  std::string text;
  std::size_t number = 0;
  for (const auto& [caption, svg] : report.figures)
    text += fmt::format("<figure>\n{}\n</figure>\n", inline_svg(svg, caption, number++));
  for (const auto& [caption, png] : report.pictures)
    text += fmt::format(
        "<figure class=\"picture\">\n<img alt=\"{}\" src=\"data:image/png;base64,{}\">\n"
        "<figcaption>{}</figcaption>\n</figure>\n",
        escaped(caption), base64_encode(bytes_of(png)), escaped(caption));
  return text.empty() ? "" : "<div class=\"figures\">\n" + text + "</div>\n";
}

std::string list_html(const std::vector<std::string>& items) {
  std::string text = "<ul>\n";
  for (const std::string& item : items) text += fmt::format("<li>{}</li>\n", escaped(item));
  return text + "</ul>\n";
}

std::string body_html(const Report& report) {
  std::string text = fmt::format("<header>\n<h1>{}</h1>\n", escaped(report.title));
  if (!report.subtitle.empty())
    text += fmt::format("<p class=\"quiet\">{}</p>\n", escaped(report.subtitle));
  for (const std::string& paragraph : report.paragraphs)
    text += fmt::format("<p>{}</p>\n", escaped(paragraph));
  text += "</header>\n";
  if (!report.warnings.empty()) text += section("Warnings", list_html(report.warnings));
  for (const auto& [heading, table] : report.tables) text += section(heading, table_html(table));
  for (const auto& [heading, words] : report.texts)
    text += section(heading, "<pre>" + escaped_lines(words) + "</pre>\n");
  if (const std::string figures = figures_html(report); !figures.empty())
    text += section("Figures", figures);
  if (!report.remarks.empty()) text += section("Remarks", list_html(report.remarks));
  if (!report.scene_json.empty())
    text += folded("The scene as run", "<pre>" + escaped_lines(report.scene_json) + "</pre>\n");
  if (!report.versions.empty()) {
    TextTable table({"", ""});
    for (const auto& [name, version] : report.versions) table.add({name, version});
    text += folded("Versions", table_html(table));
  }
  return text;
}

}  // namespace

std::string make_html(const Report& report) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}</main>\n"
      "<footer>Pliant</footer>\n</body>\n</html>\n",
      escaped(report.title), report_style, body_html(report));
}

void write_report(const std::filesystem::path& path, const Report& report) {
  write_file_atomically(path, make_html(report));
}

}  // namespace pliant
