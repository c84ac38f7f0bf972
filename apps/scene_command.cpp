#include "commands.hpp"
#include "scene_file.hpp"
#include "terminal.hpp"

#include <pliant/run/dear_keys.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/build.hpp>
#include <pliant/scene/json_schema.hpp>
#include <pliant/scene/reference.hpp>
#include <pliant/scene/scene_schema.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace pliant::apps {
namespace {

int check(const SceneFile& file, const std::string& out) {
  const LoadedScene loaded = load_scene(file);
  require_can_run(loaded, file);
  const Log log([](const LogEntry& entry) {
    fmt::print(stderr, "{}: {}\n", name_of(entry.level), entry.text);
  });
  const auto make = [&] { return build(loaded, file, log); };
  const BuiltScene built = out.empty() ? make() : build_for(out, ExistingResults::replace, make);
  for (const std::string& word : oddities(loaded.scene)) log.warn(word);
  const System& system = *built.model.system;
  fmt::print("{} is fine: {}, {} nodes, {}\n", file.path,
             counted(static_cast<std::int64_t>(built.model.bodies.size()), "body", "bodies"),
             system.body_nodes(), Pace(loaded.scene).in_words());
  for (const Body& body : built.model.bodies)
    fmt::print("  {}: {} elements, {} nodes, {:.6g} kg\n", body.name, body.mesh.element_count(),
               body.mesh.point_count(), body.mass);
  if (const std::vector<std::string> lines = dear_keys(loaded.scene); !lines.empty()) {
    fmt::print("what its steps cost, and which key changes it:\n");
    for (const std::string& line : lines) fmt::print("  {}\n", line);
  }
  return 0;
}

}  // namespace

void add_scene(CLI::App& app, Chosen& chosen) {
  struct Options {
    SceneFile scene;
    std::string out;
    bool markdown = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("check", "validate a scene and build it without running it");
  command->add_option("scene", options->scene.path, "the scene file")->required();
  command
      ->add_option("--set", options->scene.settings,
                   "key.path=value, changes the scene; repeatable")
      ->expected(1)
      ->take_all();
  command->add_option("--out", options->out,
                      "a folder for the triangles that intersect at the start, if any do");
  command->callback(
      [options, &chosen] { chosen = [options] { return check(options->scene, options->out); }; });

  CLI::App* schema = app.add_subcommand("schema", "print the JSON Schema of scene files");
  schema->add_flag("--markdown", options->markdown, "print the reference as Markdown instead");
  schema->callback([options, &chosen] {
    chosen = [options] {
      const Vocabulary words = built_vocabulary();
      if (options->markdown)
        fmt::print("{}", scene_reference(words));
      else
        fmt::print("{}", pretty(json_schema(scene_schema(words))));
      return 0;
    };
  });
}

}  // namespace pliant::apps
