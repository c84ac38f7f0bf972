#include "commands.hpp"

#include <pliant/analysis/traits.hpp>
#include <pliant/core/error.hpp>
#include <pliant/core/refusals.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/exports/export.hpp>
#include <pliant/io/mesh_file.hpp>
#include <pliant/run/vocabulary.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace pliant::apps {
namespace {

struct Section {
  std::string title;
  Names names;
};

Names mesh_format_names() {
  Names names;
  for (const MeshFormat& format : mesh_formats())
    names.push_back({std::string(format.name),
                     fmt::format("{} {}: {}", fmt::join(format.extensions, " "),
                                 format.writes ? "read and written" : "read", format.description),
                     true});
  return names;
}

Names export_names() {
  Names names;
  for (const ExportFormat& format : export_formats())
    names.push_back({std::string(format.name), std::string(format.description), format.built});
  return names;
}

std::vector<Section> sections() {
  Vocabulary words = built_vocabulary();
  return {{"integrators", std::move(words.integrators)},
          {"materials", std::move(words.materials)},
          {"damping", std::move(words.damping)},
          {"contact", std::move(words.contact)},
          {"solvers", std::move(words.solvers)},
          {"linear-solvers", std::move(words.linear_solvers)},
          {"bodies", std::move(words.bodies)},
          {"mesh-formats", mesh_format_names()},
          {"exports", export_names()},
          {"refusals", {}}};
}

std::string with_dots(std::string_view words) {  // for what a scene says
  std::string out(words);
  for (std::size_t at = 0; (at = out.find("{}", at)) != std::string::npos;) out.replace(at, 2, "…");
  return out;
}

void print_refusals(bool markdown) {
  if (markdown)
    fmt::print("| what does not go together | what the program says |\n|---|---|\n");
  else
    fmt::print("refusals\n");
  for (const RefusalInfo& info : refusals())
    fmt::print(fmt::runtime(markdown ? "| {} | {} |\n" : "  {}\n      {}\n"), info.what,
               with_dots(info.why));
}

// Beside names and sources, integrators have properties that are computed from their steps.
void print_integrators() {
  fmt::print("integrators\n{}", traits_table(integrator_traits(), false));
  fmt::print(
      "stability, and d/ω, the artificial damping of an oscillation, are computed from the steps;\n"
      "solves / BE: linear systems per step (Rosenbrock methods factorise once for all)\n");
}

void print(const Section& section) {
  if (section.title == "integrators") return print_integrators();
  if (section.title == "refusals") return print_refusals(false);
  std::size_t width = 0;
  for (const Name& name : section.names) width = std::max(width, name.name.size());
  fmt::print("{}\n", section.title);
  for (const Name& name : section.names)
    if (name.available) fmt::print("  {:<{}}  {}\n", name.name, width, name.doc);
}

int list(const std::string& what, bool markdown) {
  if (markdown && what == "integrators") {
    fmt::print("{}", traits_table(integrator_traits(), true));
    return 0;
  }
  if (markdown && what == "refusals") {
    print_refusals(true);
    return 0;
  }
  if (markdown) throw InputError("--markdown prints the lists of integrators and refusals only");
  const std::vector<Section> all = sections();
  std::vector<std::string> known;
  for (const Section& section : all) {
    known.push_back(section.title);
    if (what.empty() || what == section.title) print(section);
    if (what == section.title) return 0;
  }
  if (!what.empty())
    throw InputError(fmt::format("there is no list of \"{}\"{}", what, suggestion(what, known)));
  return 0;
}

}  // namespace

void add_list(CLI::App& app, Chosen& chosen) {
  const auto what = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("list", "what there is, one line each with its source");
  command->add_option(
      "what", *what,
      "integrators, materials, damping, contact, solvers, refusals…; all if left out");
  const auto markdown = std::make_shared<bool>(false);
  command->add_flag("--markdown", *markdown,
                    "print the list of integrators, or of refusals, as Markdown");
  command->callback(
      [what, markdown, &chosen] { chosen = [what, markdown] { return list(*what, *markdown); }; });
}

}  // namespace pliant::apps
