// `pliant report`: a folder of results as one page.
#include "commands.hpp"

#include <pliant/report/report.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace pliant::apps {
namespace {

struct ReportOptions {
  std::string folder, output;
};

int report(const ReportOptions& options) {
  std::filesystem::path path = options.output;
  if (path.empty()) path = std::filesystem::path(options.folder) / report_file;
  write_report(path, make_folder_report(options.folder));
  fmt::print("{}\n", path.string());
  return 0;
}

}  // namespace

void add_report(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "a page about a result folder, in one file that stands alone");
  command->add_option("folder", options->folder, "a result folder, or that of a study")->required();
  command->add_option("-o,--output", options->output, "the file (default: DIR/report.html)");
  command->callback([options, &chosen] { chosen = [options] { return report(*options); }; });
}

}  // namespace pliant::apps
