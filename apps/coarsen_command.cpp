#include "commands.hpp"
#include "session.hpp"
#include "terminal.hpp"

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/study/coarse_proposal.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace pliant::apps {
namespace {

struct CoarsenOptions : SessionOptions {
  std::string body;
  int modes = 10;
  double most = 8;
};

std::size_t find_body(const SceneDescription& scene, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    if (name.empty() && scene.bodies[k].type == "solid") return k;
    if (scene.bodies[k].name == name) return k;
    names.push_back(scene.bodies[k].name);
  }
  throw InputError(name.empty() ? "no body of the scene is a solid"
                                : fmt::format("--body {}: the scene has no such body{}", name,
                                              suggestion(name, names)));
}

int propose(const CoarsenOptions& options) {
  Terminal terminal(options.quiet);
  const Log log([&](const LogEntry& entry) {
    if (entry.level >= LogLevel::warning) terminal.say(entry);
  });
  const StudyScene scene = scene_loader(options.scene)({});
  const CoarseSearch search{.body = find_body(scene.scene, options.body),
                            .modes = options.modes,
                            .most = options.most,
                            .interrupted = [] { return caught_signal() != 0; }};
  const Announce announce = [&](const std::string& line) {
    if (!options.quiet) fmt::print(stderr, "{}\n", line);
  };
  const CoarseProposal proposal = propose_coarse(scene.scene, search, announce, log);
  if (caught_signal() != 0) return 128 + caught_signal();
  fmt::print("body \"{}\", fine mesh of {} nodes, {} modes:\n{}", proposal.body,
             proposal.fine_nodes, options.modes, proposal_table(proposal));
  const CoarseCandidate* best = proposal.best();
  if (!best) {
    fmt::print(
        "none of them passes: the mesh is as coarse as these modes allow; fewer (-k) allow a "
        "coarser one\n");
    return 0;
  }
  fmt::print("the coarsest that passes has {} nodes; to try it:\n  pliant run {}", best->nodes,
             options.scene.path);
  for (const std::string& setting : proposal_settings(*best, search.body, options.modes))
    fmt::print(" --set '{}'", setting);
  fmt::print("\n");
  return 0;
}

}  // namespace

void add_coarsen(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<CoarsenOptions>();
  CLI::App* command =
      app.add_subcommand("coarsen", "propose the coarsest mesh that still has a body's modes");
  add_session_options(*command, *options);
  command->add_option("--body", options->body, "which body; the first solid unless given");
  command->add_option("-k", options->modes, "how many modes it shall have")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_option("--most", options->most, "how many times coarser at most")
      ->capture_default_str()
      ->check(CLI::Range(1.2, 64.0));
  command->callback([options, &chosen] {
    chosen = [options] { return in_session(*options, [&](int) { return propose(*options); }); };
  });
}

}  // namespace pliant::apps
