// An assembled robot as the text of a scene. Here z up becomes y up.
#pragma once

#include <pliant/robots/import.hpp>
#include <pliant/robots/pass_through.hpp>

namespace pliant::robots {

struct SceneParts {
  std::string name, source;  // the file it comes from
  Assembly assembly;
  std::vector<Plane> planes;
  std::vector<NamedObstacle> obstacles;
  ContactPlan contact;
  Vec3 gravity = Vec3::Zero();  // m/s²
  double dt = 0;                // s
  double friction = 0;
  std::string meshes;  // the folder of mesh files
};

void write_scene_text(const SceneParts& parts, ImportedScene& out);

}  // namespace pliant::robots
