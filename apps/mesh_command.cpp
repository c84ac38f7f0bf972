// `pliant mesh`: make, fill, convert and inspect meshes.
#include "commands.hpp"
#include "mesh_shapes.hpp"

#include <pliant/core/error.hpp>
#include <pliant/io/mesh_file.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/statistics.hpp>
#include <pliant/mesh/surface.hpp>
#include <pliant/mesh/tetrahedralize.hpp>
#include <pliant/mesh/validate.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace pliant::apps {
namespace {

struct MeshOptions {
  std::string input, output, shape;
  std::vector<std::string> settings;
  double size = 0, tets = 0;
  bool tet10 = false, ascii = false;
};

const Log& to_terminal() {
  static const Log log([](const LogEntry& entry) {
    fmt::print(stderr, "{}: {}\n", name_of(entry.level), entry.text);
  });
  return log;
}

void print_numbers(const Mesh& mesh) {
  const MeshStatistics s = statistics_of(mesh);
  fmt::print("points      {}\n", s.points);
  for (const auto& [type, count] : s.per_type) fmt::print("{:<11} {}\n", name_of(type), count);
  if (s.per_region.size() > 1)
    for (const auto& [region, count] : s.per_region)
      fmt::print("region      {}: {}\n", region, count);
  for (const auto& [name, nodes] : mesh.node_sets)
    fmt::print("node set    {}: {} nodes\n", name, nodes.size());
  fmt::print("box         [{:.6g}, {:.6g}, {:.6g}] to [{:.6g}, {:.6g}, {:.6g}] m\n", s.min.x(),
             s.min.y(), s.min.z(), s.max.x(), s.max.y(), s.max.z());
  const char* unit[] = {"", "m", "m²", "m³"};
  fmt::print("measure     {:.6g} {}\n", s.measure, unit[mesh.top_dimension()]);
  fmt::print("centroid    [{:.6g}, {:.6g}, {:.6g}] m\n", s.centroid.x(), s.centroid.y(),
             s.centroid.z());
  if (mesh.top_dimension() > 1) fmt::print("surface     {:.6g} m²\n", s.surface_area);
  fmt::print("edges       {:.4g} to {:.4g} m, mean {:.4g} m\n", s.edge_min, s.edge_max,
             s.edge_mean);
  if (s.dihedral) fmt::print("dihedral    {:.3g}° to {:.3g}°\n", s.dihedral->min, s.dihedral->max);
  if (s.scaled_jacobian) fmt::print("jacobian    smallest scaled {:.3g}\n", *s.scaled_jacobian);
  if (s.corner) fmt::print("corners     {:.3g}° to {:.3g}°\n", s.corner->min, s.corner->max);
}

// ".msh .mesh …": what -o can end in.
std::string written_extensions() {
  std::string words;
  for (const MeshFormat& format : mesh_formats())
    if (format.writes)
      for (const std::string& one : format.extensions) words += (words.empty() ? "" : " ") + one;
  return words;
}

int info(const MeshOptions& options) {
  Mesh mesh = read_mesh(options.input, to_terminal());
  require_valid(mesh, options.input, to_terminal());
  print_numbers(mesh);
  return 0;
}

int finish(Mesh mesh, const MeshOptions& options) {
  if (options.tet10) mesh = make_quadratic(mesh);
  write_mesh(options.output, mesh, {.ascii = options.ascii});
  fmt::print("{}: {} points, {} elements\n", options.output, mesh.point_count(),
             mesh.element_count());
  return 0;
}

int convert(const MeshOptions& options) {
  Mesh mesh = read_mesh(options.input, to_terminal());
  require_valid(mesh, options.input, to_terminal());
  return finish(std::move(mesh), options);
}

int fill(const MeshOptions& options) {
  const Mesh surface = read_mesh(options.input, to_terminal());
  double size = options.size;
  if (options.tets > 0) {
    if (size > 0) throw InputError("give --size or --tets, not both");
    const Surface faces = make_surface(surface);
    size = size_for_tet_count(std::abs(enclosed_volume(surface.points, faces.triangles)),
                              options.tets);
  }
  if (!(size > 0)) throw InputError("say how fine: --size in metres, or --tets, about how many");
  return finish(fill_surface(surface, size, options.input, to_terminal()), options);
}

}  // namespace

void add_mesh(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<MeshOptions>();
  CLI::App* mesh = app.add_subcommand("mesh", "make, fill, convert and inspect meshes");
  mesh->require_subcommand(1);
  const auto add = [&](const char* name, const char* text, int (*action)(const MeshOptions&)) {
    CLI::App* command = mesh->add_subcommand(name, text);
    command->callback(
        [options, action, &chosen] { chosen = [options, action] { return action(*options); }; });
    return command;
  };
  const auto writes = [&](CLI::App* command) {
    command
        ->add_option("-o,--output", options->output,
                     "the file to write; its extension says how: " + written_extensions())
        ->required();
    command->add_flag("--tet10", options->tet10, "make tetrahedra quadratic");
    command->add_flag("--ascii", options->ascii, "text where the format has both");
  };
  CLI::App* make = add(
      "make", "make a simple shape: pliant mesh make box size=[8,1,1] cells=[32,4,4] -o beam.msh",
      [](const MeshOptions& o) {
        return finish(make_shape(o.shape, o.settings, to_terminal()), o);
      });
  make->add_option("shape", options->shape, "box, sphere, cylinder, capsule, torus, sheet or cable")
      ->required();
  make->add_option("settings", options->settings, "key=value, the keys of a scene's mesh");
  writes(make);
  CLI::App* filled = add("fill", "fill a closed surface with tetrahedra", fill);
  filled->add_option("surface", options->input, "a surface: .off .obj .stl .ply …")->required();
  filled->add_option("--size", options->size, "edge length, m");
  filled->add_option("--tets", options->tets, "about how many tetrahedra, in place of --size");
  writes(filled);
  CLI::App* converted = add("convert", "read a mesh and write it in another format", convert);
  converted->add_option("input", options->input, "the mesh to read")->required();
  writes(converted);
  CLI::App* shown = add("info", "what is in a mesh file", info);
  shown->add_option("input", options->input, "the mesh to read")->required();
}

}  // namespace pliant::apps
