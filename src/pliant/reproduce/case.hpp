// The papers' experiments as programs: each case computes what it prints. A case has a scene (or
// none), a short form that ends within minutes and a full one, a table of the paper's figures
// beside ours, pictures, and a verdict for each figure. One that misses its figure says so.
#pragma once

#include <pliant/render/image.hpp>
#include <pliant/study/figures.hpp>
#include <pliant/study/scene_loader.hpp>

#include <pliant/core/log.hpp>

#include <span>

namespace pliant {

enum class Verdict {
  holds,  // ours agrees with what the paper shows
  fails,  // it does not
  shown   // for the reader: the paper gives nothing to hold it against
};
std::string_view name_of(Verdict verdict);

struct Figure {
  std::string what, paper, ours;
  Verdict verdict = Verdict::shown;
};
inline Verdict verdict_of(bool holds) { return holds ? Verdict::holds : Verdict::fails; }

struct CaseResult {
  std::vector<Figure> figures;
  std::vector<std::pair<std::string, Plot>> plots;        // by file name
  std::vector<std::pair<std::string, TextTable>> tables;  // by file name, beside `figures`
  std::vector<std::pair<std::string, Image>> pictures;    // of bodies, by file name
  std::vector<std::string> remarks;                       // what differs from the paper, and why
  int signal = 0;                                         // where it was interrupted
  // The names of figures that fail or have no number because a run failed; a case without figures
  // is one itself.
  std::vector<std::string> failing() const;
  bool holds() const { return failing().empty(); }
};

struct CaseContext {
  bool full = false;      // the paper's own length
  bool pictures = false;  // of the bodies too, where the build can draw them
  PictureSize picture_size = {480, 270};
  // A scene of the project by its name, with settings as --set takes them.
  std::function<StudyScene(const std::string& name, const std::vector<std::string>& settings)> load;
  Announce announce;
  Log log;
  std::function<int()> interrupted;  // a signal number, or 0
  bool stopped() const { return interrupted && interrupted() != 0; }
};

struct CaseInfo {
  std::string_view name, paper;  // "clamped-beam", "LOESCHNER Figure 3"
  std::string_view title;        // what is done
  std::string_view shows;        // what the paper shows with it
  CaseResult (*run)(const CaseContext&) = nullptr;
};

// The one list of cases.
std::span<const CaseInfo> cases();
const CaseInfo& find_case(std::string_view name);  // InputError with a suggestion

std::string case_table(const CaseInfo& info, const CaseResult& result);
// figures.csv, the tables, the plots, the pictures, report.md and report.html.
void write_case(const std::filesystem::path& folder, const CaseInfo& info,
                const CaseResult& result);

}  // namespace pliant
