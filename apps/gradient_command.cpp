#include "commands.hpp"
#include "session.hpp"
#include "terminal.hpp"

#include <pliant/analysis/text_table.hpp>
#include <pliant/gradient/probe_objective.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <memory>

namespace pliant::apps {
namespace {

struct GradientOptions : SessionOptions {
  ProbeGoal goal;
  std::vector<std::string> parameters;
  bool check = false;
};

// Of two whole motions, with the parameter a little larger and a little smaller.
double by_differences(const GradientInput& input, const SceneGradient& found, std::size_t k,
                      const Log& log) {
  const double h = 1e-3 * std::max(std::abs(found.parameters[k]), 1e-2);
  std::vector<double> above = found.parameters, below = found.parameters;
  above[k] += h;
  below[k] -= h;
  return (scene_objective(input, above, log) - scene_objective(input, below, log)) / (2 * h);
}

int find(const GradientOptions& options) {
  Terminal terminal(options.quiet);
  const Log log([&](const LogEntry& entry) {
    if (entry.level >= LogLevel::warning) terminal.say(entry);
  });
  const LoadedScene loaded = load_scene(options.scene);
  const GradientInput input{
      .document = parse_json(loaded.document, options.scene.path),
      .base_folder = std::filesystem::path(options.scene.path).parent_path(),
      .name = options.scene.path,
      .parameters = options.parameters,
      .objective = [&](const BuiltScene& built) { return probe_objective(built, options.goal); },
      .interrupted = [] { return caught_signal() != 0; }};
  const SceneGradient found = scene_gradient(input, log);
  std::vector<std::string> head = {"parameter", "value", "gradient"};
  if (options.check) head.insert(head.end(), {"by differences", "differs by"});
  TextTable table(head);
  for (std::size_t k = 0; k < found.gradient.size(); ++k) {
    std::vector<std::string> row = {options.parameters[k],
                                    fmt::format("{:.6g}", found.parameters[k]),
                                    fmt::format("{:.8g}", found.gradient[k])};
    if (options.check) {
      const double other = by_differences(input, found, k, log);
      row.push_back(fmt::format("{:.8g}", other));
      row.push_back(fmt::format("{:.1e}", std::abs(found.gradient[k] / other - 1)));
    }
    table.add(row);
  }
  fmt::print("{} at the end of {} steps: {:.9g}\n{}",
             options.goal.target ? fmt::format("half the square of {} − {}", options.goal.column,
                                               *options.goal.target)
                                 : options.goal.column,
             found.steps, found.value, table.text());
  return 0;
}

}  // namespace

void add_gradient(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<GradientOptions>();
  CLI::App* command = app.add_subcommand(
      "gradient", "how the end of a motion depends on numbers of the scene, by its adjoint");
  add_session_options(*command, *options);
  command->add_option("--of", options->goal.column, "the column of a probe: tip.y")->required();
  command->add_option("--target", options->goal.target,
                      "then half the square of the distance to it (m) is meant");
  command
      ->add_option("--by", options->parameters, "paths of numbers: materials.jelly.young,gravity.1")
      ->required()
      ->delimiter(',');
  command->add_flag("--check", options->check,
                    "compare with differences of whole motions, two runs for each number");
  command->callback([options, &chosen] {
    chosen = [options] { return in_session(*options, [&](int) { return find(*options); }); };
  });
}

}  // namespace pliant::apps
