// `pliant reproduce`: the papers' experiments, their figures beside ours.
#include "commands.hpp"
#include "scene_folder.hpp"
#include "session.hpp"
#include "terminal.hpp"

#include <pliant/core/error.hpp>
#include <pliant/reproduce/case.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace pliant::apps {
namespace {

struct ReproduceOptions : SessionOptions {
  std::string name = "list";
  bool full = false;
};

int list_cases() {
  TextTable table({"case", "paper", "what is done"});
  for (const CaseInfo& info : cases())
    table.add({std::string(info.name), std::string(info.paper), std::string(info.title)});
  fmt::print("{}", table.text());
  return 0;
}

CaseContext make_context(const ReproduceOptions& options, Terminal& terminal) {
  CaseContext context;
  context.full = options.full;
  context.pictures = true;
  context.load = [&options](const std::string& name, const std::vector<std::string>& settings) {
    SceneFile file{(scene_folder() / (name + ".json")).string(), options.scene.settings};
    file.settings.insert(file.settings.end(), settings.begin(), settings.end());
    return scene_loader(file)({});
  };
  if (!options.quiet)
    context.announce = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  else
    context.announce = [](const std::string&) {};
  context.log = Log([&terminal](const LogEntry& entry) { terminal.say(entry); });
  context.interrupted = caught_signal;
  return context;
}

int reproduce_case(const CaseInfo& info, const ReproduceOptions& options, Terminal& terminal) {
  const CaseResult result = info.run(make_context(options, terminal));
  const std::filesystem::path folder = options.out.empty()
                                           ? std::filesystem::path("out") / "reproduce" / info.name
                                           : std::filesystem::path(options.out) / info.name;
  write_case(folder, info, result);
  fmt::print("{}report.html and report.md in {}\n\n", case_table(info, result), folder.string());
  if (const int signal = caught_signal()) {
    fmt::print(stderr, "pliant: stopped by signal {}; the case holds what was finished\n", signal);
    return 128 + signal;
  }
  return 0;
}

int reproduce(const ReproduceOptions& options) {
  if (options.name == "list") return list_cases();
  Terminal terminal(options.quiet);
  if (options.name != "all") return reproduce_case(find_case(options.name), options, terminal);
  for (const CaseInfo& info : cases())
    if (const int status = reproduce_case(info, options, terminal)) return status;
  return 0;
}

}  // namespace

void add_reproduce(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command =
      app.add_subcommand("reproduce", "a paper's experiment, its figures beside ours");
  command->add_option("case", options->name, "a case, list, or all")->capture_default_str();
  command->add_flag("--full", options->full, "the paper's own length: minutes to hours");
  command->add_option("--out", options->out, "the folder (default: out/reproduce)");
  command->add_option("--set", options->scene.settings, "key.path=value, for the case's scenes")
      ->take_all();
  command->add_option("--threads", options->threads, "threads (default: all cores)");
  command->add_flag("--quiet", options->quiet, "say less");
  command->callback([options, &chosen] {
    chosen = [options] { return in_session(*options, [&](int) { return reproduce(*options); }); };
  });
}

}  // namespace pliant::apps
