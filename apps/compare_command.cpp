#include "commands.hpp"
#include "session.hpp"
#include "terminal.hpp"

#include <pliant/report/report.hpp>
#include <pliant/study/compare.hpp>
#include <pliant/study/figures.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace pliant::apps {
namespace {

struct CompareOptions : SessionOptions {
  std::vector<std::string> vary;
  std::string reference;
};

// 130, 143 where a signal ended it, 4 where a run failed.
int status_of(const CompareResult& result) {
  if (result.signal != 0) return 128 + result.signal;
  for (const CompareRun& run : result.runs)
    if (run.outcome.status != "done") {
      fmt::print(stderr, "pliant: the run {} failed: {}\n", run.combination.label,
                 run.outcome.reason);
      return 4;
    }
  return 0;
}

int compare_scene(const CompareOptions& options, int threads) {
  Terminal terminal(options.quiet);
  const Log log([&](const LogEntry& entry) { terminal.say(entry); });
  CompareRequest request;
  request.folder = study_folder(options, "compare");
  for (const std::string& text : options.vary) request.variations.push_back(parse_variation(text));
  request.reference = options.reference;
  request.existing = options.force ? ExistingResults::replace : ExistingResults::refuse;
  request.threads = threads;
  request.interrupted = caught_signal;
  if (!options.quiet) {
    request.progress = [&](const Progress& progress) { terminal.show(progress); };
    request.announce = [&](const std::string& line) {
      terminal.close();
      fmt::print(stderr, "{}\n", line);
    };
  }
  const CompareResult result = compare(
      scene_loader(options.scene, [](const std::string& setting) { return "--vary " + setting; }),
      request, log);
  const std::vector<std::string> figures = write_compare(request.folder, result);
  write_study_report(request.folder,
                     {"compare", compare_table(result), scene_loader(options.scene)({}).json});
  terminal.close();
  fmt::print("{}compare.csv, report.html and a folder for each run in {}; {}\n",
             compare_table(result), request.folder.string(), figures_in_words(figures));
  return status_of(result);
}

}  // namespace

void add_compare(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      app.add_subcommand("compare", "run a scene with other settings, side by side");
  add_session_options(*command, *options);
  command->add_option("--vary", options->vary, "key.path=a,b,c; repeatable: all combinations")
      ->required()
      ->expected(1)
      ->take_all();
  command->add_option("--reference", options->reference,
                      "a result folder, or one of the runs: errors against it");
  command->add_flag("--force", options->force, "replace results that are there");
  command->callback([options, &chosen] {
    chosen = [options] {
      return in_session(*options, [&](int threads) { return compare_scene(*options, threads); });
    };
  });
}

}  // namespace pliant::apps
