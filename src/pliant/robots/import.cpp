#include <pliant/robots/import.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/io/mesh_file.hpp>
#include <pliant/robots/readers.hpp>
#include <pliant/robots/scene_text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

using namespace robots;

constexpr double kDt = 0.005;       // s, where the file says nothing
constexpr double kFloorGap = 2e-3;  // of the size of the robot

Robot read_robot(const std::filesystem::path& path, const ImportOptions& options,
                 Warnings& warnings) {
  XmlElement root = read_xml(path);
  const ReadOptions reading{path.parent_path(), options.fix_base, options.visual};
  if (root.name == "robot") return read_urdf(root, reading, warnings);
  if (root.name == "mujoco") {
    include_files(root, reading.folder);
    return read_mjcf(root, reading, warnings);
  }
  root.fail(
      root.name == "sdf"
          ? "is SDF; only URDF (<robot>) and MJCF (<mujoco>) are read"
          : "is neither URDF, which begins with <robot>, nor MJCF, which begins with <mujoco>");
}

// Names that no body has.
void name_obstacles(const Robot& robot, SceneParts& parts) {
  std::vector<std::string> taken = {"world"};
  for (const AssembledBody& body : parts.assembly.bodies) taken.push_back(body.name);
  for (Plane plane : robot.planes) {
    plane.name = unique_name(plane.name.empty() ? "floor" : plane.name, taken);
    parts.planes.push_back(plane);
  }
  for (const Shape& shape : robot.obstacles)
    parts.obstacles.push_back(
        {unique_name(shape.name.empty() ? "obstacle" : shape.name, taken), shape});
}

void add_floor(SceneParts& parts) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const AssembledBody& body : parts.assembly.bodies)
    for (const Vec3& x : body.surface.points) lowest = std::min(lowest, (body.frame * x).z());
  std::vector<std::string> taken = {"world"};
  for (const AssembledBody& body : parts.assembly.bodies) taken.push_back(body.name);
  for (const Plane& plane : parts.planes) taken.push_back(plane.name);
  for (const NamedObstacle& one : parts.obstacles) taken.push_back(one.name);
  const Vec3 point(0, 0, lowest - kFloorGap * parts.assembly.size);
  parts.planes.push_back({unique_name("floor", taken), point, Vec3::UnitZ()});
}

}  // namespace

ImportedScene import_robot(const std::filesystem::path& path, const ImportOptions& options,
                           const std::string& meshes) {
  Warnings warnings;
  const Robot robot = read_robot(path, options, warnings);
  SceneParts parts;
  parts.name = robot.name.empty() ? path.stem().string() : robot.name;
  parts.source = path.filename().string();
  parts.assembly = assemble(robot, warnings);
  name_obstacles(robot, parts);
  if (options.floor) add_floor(parts);
  if (options.contact)
    parts.contact = plan_contact(parts.planes, parts.obstacles, parts.assembly, warnings);
  if (!parts.contact.any && !(parts.planes.empty() && parts.obstacles.empty())) {
    warnings.add("obstacles", robot.where, "obstacles are left out, since nothing can touch them");
    parts.planes.clear();
    parts.obstacles.clear();
  }
  parts.gravity = robot.gravity;
  parts.dt = robot.dt.value_or(kDt);
  parts.friction = robot.friction;
  parts.meshes = meshes;
  ImportedScene out;
  write_scene_text(parts, out);
  out.warnings = warnings.in_words();
  return out;
}

void write_imported(const ImportedScene& imported, const std::filesystem::path& path, bool force) {
  const std::filesystem::path folder = path.parent_path();
  std::vector<std::filesystem::path> files = {path};
  for (const ImportedScene::MeshFile& mesh : imported.meshes) files.push_back(folder / mesh.name);
  std::error_code ignored;
  for (const std::filesystem::path& file : files)
    if (!force && std::filesystem::exists(file, ignored))
      throw InputError(fmt::format("{}: is there already; --force replaces it", file.string()));
  if (!folder.empty()) make_folder(folder);
  for (const ImportedScene::MeshFile& mesh : imported.meshes) {
    make_folder((folder / mesh.name).parent_path());
    write_mesh(folder / mesh.name, mesh.mesh);
  }
  write_file_atomically(path, imported.text);
}

}  // namespace pliant
