// report.html: what a folder holds, in one file that stands alone. It has no script and refers to
// nothing outside itself: figures are SVG in the page, pictures are in it as base64. It follows the
// reader's light or dark, fits a phone and prints.
#pragma once

#include <pliant/analysis/plot.hpp>
#include <pliant/analysis/text_table.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

inline constexpr std::string_view report_file = "report.html";

// The page as data. All of it is plain text and is escaped when the page is made; what is empty is
// left out.
struct Report {
  std::string title, subtitle;
  std::vector<std::string> paragraphs;
  std::vector<std::pair<std::string, TextTable>> tables;      // by their headings
  std::vector<std::pair<std::string, std::string>> texts;     // tables of fixed width, by headings
  std::vector<std::pair<std::string, std::string>> figures;   // SVG files, by their captions
  std::vector<std::pair<std::string, std::string>> pictures;  // PNG files, by their captions
  std::vector<std::string> remarks;                           // below the figures
  std::vector<std::string> warnings;
  std::string scene_json;                                     // folded
  std::vector<std::pair<std::string, std::string>> versions;  // folded
};

std::string make_html(const Report& report);
void write_report(const std::filesystem::path& path, const Report& report);  // atomically

// Name, description and integrator of a scene as title, paragraph and text of the report; nothing
// where it is no JSON.
void add_scene(Report& report, const std::string& scene_json);

// Adds the figures of the folder: its .svg files, and .png files that are not the same figure.
void add_pictures(Report& report, const std::filesystem::path& folder);

// Of a result folder: history.csv drawn, summary, warnings, scene, versions. InputError where it is
// none.
Report make_run_report(const std::filesystem::path& folder);

// Of any folder of ours: a result folder as above, else the tables (.csv) and figures of a study.
// InputError where there is nothing to show.
Report make_folder_report(const std::filesystem::path& folder);

// FOLDER/report.html of a study that is done: its table as a person reads it, the figures that it
// left in the folder, and the scene where it had one.
struct StudyWords {
  std::string what;        // "compare"
  std::string table;       // of fixed width
  std::string scene_json;  // or empty
};
void write_study_report(const std::filesystem::path& folder, const StudyWords& words);

}  // namespace pliant
