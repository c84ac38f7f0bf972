#include "commands.hpp"

#include <pliant/contact/ccd_queries.hpp>
#include <pliant/core/error.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace pliant::apps {
namespace {

struct CcdCommand {
  std::string file, kind;
  bool json = false;
};

void print_json(const CcdScore& score, double microseconds) {
  const nlohmann::ordered_json out = {{"queries", score.queries},
                                      {"collisions", score.collisions},
                                      {"false_negatives", score.false_negatives},
                                      {"false_positives", score.false_positives},
                                      {"iterations", score.iterations},
                                      {"microseconds_per_query", microseconds}};
  fmt::print("{}\n", out.dump(2));
}

int ccd(const CcdCommand& options) {
  if (options.kind != "vf" && options.kind != "ee")
    throw InputError(fmt::format(
        "--kind: must be vf (point and triangle) or ee (two edges), got \"{}\"", options.kind));
  const CcdScore score =
      score_ccd(options.kind == "vf" ? PairKind::point_triangle : PairKind::edge_edge,
                read_ccd_queries(options.file));
  const double microseconds = 1e6 * score.seconds / static_cast<double>(score.queries);
  if (options.json)
    print_json(score, microseconds);
  else
    fmt::print(
        "{} queries, {} collide: {} false negatives, {} false positives, {:.2f} µs per query\n",
        score.queries, score.collisions, score.false_negatives, score.false_positives,
        microseconds);
  if (score.false_negatives > 0)
    throw CannotContinue(
        fmt::format("{} of {} collisions were missed", score.false_negatives, score.collisions));
  return 0;
}

}  // namespace

void add_ccd(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<CcdCommand>();
  CLI::App* command =
      app.add_subcommand("ccd", "check collision detection on queries with known answers");
  command->add_option("file", options->file, "queries: eight rows of rational coordinates each")
      ->required();
  command->add_option("--kind", options->kind, "vf (point and triangle) or ee (two edges)")
      ->required();
  command->add_flag("--json", options->json, "print the counts as JSON");
  command->callback([options, &chosen] { chosen = [options] { return ccd(*options); }; });
}

}  // namespace pliant::apps
