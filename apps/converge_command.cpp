#include "commands.hpp"
#include "session.hpp"
#include "terminal.hpp"

#include <pliant/core/error.hpp>
#include <pliant/report/report.hpp>
#include <pliant/study/converge.hpp>
#include <pliant/study/figures.hpp>
#include <pliant/study/variations.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <memory>

namespace pliant::apps {
namespace {

struct ConvergeOptions : SessionOptions {
  std::string integrators, dt, reference = "esdirk43";
  double reference_dt = 0, tolerance = 1e-11;
};

std::vector<double> steps_of(const std::string& words) {
  std::vector<double> steps;
  for (const std::string& word : split_values(words)) {
    double value = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc() || stop != end || !(value > 0))
      throw InputError(fmt::format("--dt {}: \"{}\" is no step in seconds", words, word));
    steps.push_back(value);
  }
  return steps;
}

int converge_scene(const ConvergeOptions& options) {
  Terminal terminal(options.quiet);
  const Log log([&](const LogEntry& entry) { terminal.say(entry); });
  ConvergeRequest request;
  request.integrators = split_values(options.integrators);
  request.dt = steps_of(options.dt);
  request.reference = options.reference;
  request.reference_dt = options.reference_dt;
  request.tolerance = options.tolerance;
  request.interrupted = caught_signal;
  if (!options.quiet)
    request.announce = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  const std::string folder = study_folder(options, "converge");
  const auto said = [&](const std::string& setting) {
    const std::string name = setting.substr(setting.find('=') + 1);
    const auto& listed = request.integrators;
    const bool in_list = std::find(listed.begin(), listed.end(), name) != listed.end();
    return (in_list ? "--integrators " : "--reference ") + name;
  };
  const ConvergeResult result = converge(scene_loader(options.scene, said), request, log);
  const std::vector<std::string> figures = write_converge(folder, result);
  write_study_report(folder,
                     {"converge", converge_table(result), scene_loader(options.scene)({}).json});
  fmt::print("{}converge.csv and report.html in {}; {}\n", converge_table(result), folder,
             figures_in_words(figures));
  if (result.signal != 0) {
    fmt::print(stderr, "pliant: stopped by signal {}; the table holds what was finished\n",
               result.signal);
    return 128 + result.signal;
  }
  return 0;
}

}  // namespace

void add_converge(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<ConvergeOptions>();
  CLI::App* command =
      app.add_subcommand("converge", "errors and measured orders of integrators on a scene");
  add_session_options(*command, *options);
  command->add_option("--integrators", options->integrators, "names separated by commas")
      ->required();
  command->add_option("--dt", options->dt, "steps in seconds, separated by commas")->required();
  command->add_option("--reference", options->reference, "the reference's integrator")
      ->capture_default_str();
  command->add_option("--reference-dt", options->reference_dt,
                      "its step, s (default: an eighth of the smallest)");
  command->add_option("--tolerance", options->tolerance, "of the nonlinear solves")
      ->capture_default_str();
  command->callback([options, &chosen] {
    chosen = [options] {
      return in_session(*options, [&](int) { return converge_scene(*options); });
    };
  });
}

}  // namespace pliant::apps
