// `pliant reproduce`: the papers' experiments, their figures beside ours.
#include "commands.hpp"
#include "scene_folder.hpp"
#include "session.hpp"
#include "terminal.hpp"

#include <pliant/core/error.hpp>
#include <pliant/reproduce/case.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
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

// What fails of the cases that were run, as the last line.
struct Verdicts {
  int cases = 0;
  std::vector<std::string> failing;

  void add(const CaseInfo& info, const CaseResult& result) {
    ++cases;
    if (const auto names = result.failing(); !names.empty())
      failing.push_back(fmt::format("{} ({})", info.name, fmt::join(names, "; ")));
  }
  int say() const {
    const std::string all = cases == 1 ? "the case" : fmt::format("all {} cases", cases);
    if (failing.empty())
      fmt::print("{}: every figure that is judged holds\n", all);
    else
      fmt::print("{} of {} {} fail{}: {}\n", failing.size(), cases, cases == 1 ? "case" : "cases",
                 failing.size() == 1 ? "s" : "", fmt::join(failing, ", "));
    return failing.empty() ? 0 : 4;
  }
};

int reproduce_case(const CaseInfo& info, const ReproduceOptions& options, Terminal& terminal,
                   Verdicts& verdicts) {
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
  verdicts.add(info, result);
  return 0;
}

int reproduce(const ReproduceOptions& options) {
  if (options.name == "list") return list_cases();
  Terminal terminal(options.quiet);
  const CaseInfo* one = options.name == "all" ? nullptr : &find_case(options.name);
  Verdicts verdicts;
  for (const CaseInfo& info : one ? std::span(one, 1) : cases())
    if (const int status = reproduce_case(info, options, terminal, verdicts)) return status;
  return verdicts.say();
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
