// `pliant import`: robots of other programs as scenes.
#include "commands.hpp"
#include "scene_file.hpp"
#include "terminal.hpp"

#include <pliant/core/error.hpp>
#include <pliant/robots/import.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace pliant::apps {
namespace {

struct ImportCommand {
  std::string input, output, contact = "barrier";
  ImportOptions options;
  bool force = false;
};

std::string plural(std::size_t count, const char* one, const char* many) {
  return counted(static_cast<std::int64_t>(count), one, many);
}

// What was written must be a scene that runs; where it is not, better to hear it now.
void require_sound(const std::string& path) {
  const SceneFile file{path, {}};
  const auto words = [&path](const Error& error) {
    return fmt::format("{} is written, but does not pass `pliant check`: {}", path, error.what());
  };
  try {
    build(load_scene(file), file, {});
  } catch (const InputError& error) {
    throw InputError(words(error));
  } catch (const InfeasibleStart& error) {
    throw InfeasibleStart(words(error));
  }
}

int import_file(ImportCommand command) {
  const std::filesystem::path input = command.input;
  if (command.output.empty()) command.output = input.stem().string() + ".json";
  const std::filesystem::path output = command.output;
  if (output.extension() == input.extension())
    throw InputError(fmt::format("-o {}: is the scene to write, a .json file", command.output));
  if (command.contact != "barrier" && command.contact != "none")
    throw InputError(
        fmt::format("--contact: must be barrier or none, got \"{}\"", command.contact));
  command.options.contact = command.contact == "barrier";
  const ImportedScene imported =
      import_robot(input, command.options, output.stem().string() + "_meshes");
  for (const std::string& warning : imported.warnings) fmt::print(stderr, "warning: {}\n", warning);
  write_imported(imported, output, command.force);
  require_sound(command.output);
  fmt::print("{}: {}, {}, {}, {}\n", command.output, plural(imported.bodies, "body", "bodies"),
             plural(imported.constraints, "constraint", "constraints"),
             plural(imported.obstacles, "obstacle", "obstacles"),
             plural(imported.meshes.size(), "mesh file", "mesh files"));
  return 0;
}

}  // namespace

void add_import(CLI::App& app, Chosen& chosen) {
  const auto command = std::make_shared<ImportCommand>();
  CLI::App* import = app.add_subcommand("import", "a robot from a URDF or MJCF file as a scene");
  import->add_option("file", command->input, "the URDF or MJCF file")->required();
  import->add_option("-o,--output", command->output,
                     "the scene to write (default: the file's name with .json, here)");
  import->add_flag("--fix-base", command->options.fix_base, "the base stays where it is");
  import->add_flag("--floor", command->options.floor, "adds a floor just below the robot");
  import->add_option("--contact", command->contact,
                     "barrier, or none: everything passes through everything");
  import->add_flag("--visual", command->options.visual,
                   "bodies have the shapes for the eye, not those for contact");
  import->add_flag("--force", command->force, "replace files that are there");
  import->callback([command, &chosen] { chosen = [command] { return import_file(*command);
};
}  // namespace pliant::apps
);
}

}  // namespace pliant::apps
