// `pliant import`: a robot of another program as a scene of ours.
#pragma once

#include <pliant/mesh/mesh.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

struct ImportOptions {
  bool fix_base = false;  // the base stays where it is; else it is free unless the file fixes it
  bool visual = false;    // shapes for the eye in place of those for contact
  bool contact = true;    // else bodies pass through each other and through obstacles
  bool floor = false;     // adds a floor just below the robot
};

struct ImportedScene {
  struct MeshFile {
    std::string name;  // its path from the scene's folder
    Mesh mesh;
  };
  std::string text;  // of the scene
  std::vector<MeshFile> meshes;
  std::vector<std::string> warnings;  // what was left out or changed, each kind of thing once
  std::size_t bodies = 0, constraints = 0, obstacles = 0;
};

// Reads a URDF or an MJCF file, whichever it is. `meshes` is the folder, beside the scene, that its
// mesh files go to. Throws InputError with file and line.
ImportedScene import_robot(const std::filesystem::path& path, const ImportOptions& options,
                           const std::string& meshes);

// Writes the meshes, then the scene. Throws InputError where one of the files is there already and
// is not to be replaced, WriteError where writing fails.
void write_imported(const ImportedScene& imported, const std::filesystem::path& path, bool force);

}  // namespace pliant
