// Values of a resolved scene as types; shared by the files that describe its parts. Private to the
// module. The schema has been checked, so nothing here can have the wrong kind.
#pragma once

#include <pliant/scene/description.hpp>
#include <pliant/scene/problems.hpp>

#include <nlohmann/json.hpp>

namespace pliant::reading {

struct Reader {
  std::filesystem::path base_folder;
  std::string document;
  Problems problems;

  std::string where(const std::string& at) const { return document + "#" + at; }
  // What a law says is wrong: "poisson: …" belongs to that key of the record, "c10 + c01: …" to the
  // record.
  void add_problem(const Json& record, const std::string& at, std::string_view what);
};

Vec3 vec3(const Json& value);
Mat3 mat3(const Json& value);  // row by row
FilePath file_path(const Json& value, const Reader& reader);
// Rows [t, x, y, z] or [t, x].
Curve curve(const Json& rows, const std::string& at, Reader& reader, Curve::Between between);
Selection selection(const Json& record, const std::string& at, Reader& reader);

std::map<std::string, MaterialDescription> materials(const Json& map, Reader& reader);
MeshDescription mesh(const Json& record, const std::string& at, Reader& reader);
DampingDescription damping(const Json& record, const std::string& at, Reader& reader);
std::optional<CoarsenDescription> coarsen(const Json& record, const MeshDescription& own,
                                          const std::string& at, Reader& reader);
BodyDescription body(const Json& record, const std::string& at, Reader& reader);
Transform transform(const Json& record);
Motion motion(const Json& record, const std::string& at, Reader& reader);
// The vertex cache of a motion, if it has one.
std::optional<CacheDescription> cache(const Json& record, const std::string& at, Reader& reader);
ContactDescription contact(const Json& record);
ProbeDescription probe(const Json& record, const std::string& at, Reader& reader);
void check_probes(const SceneDescription& scene, Reader& reader);
ObstacleDescription obstacle(const Json& record, const std::string& at, Reader& reader);
ConstraintDescription constraint(const Json& record, std::size_t number, Reader& reader);
void check_contact(const SceneDescription& scene, Reader& reader);
TimeDescription time(const Json& record, Reader& reader);
IntegratorDescription integrator(const Json& record);
ForceDescription force(const Json& record, std::size_t number, Reader& reader);
// Springs, tendons and muscles; nothing where the force is another.
std::optional<ForceDescription> path_force(const Json& record, std::size_t number,
                                           const std::string& at, Reader& reader);

// Checks of names and times across the whole scene.
void check(const SceneDescription& scene, Reader& reader);

}  // namespace pliant::reading
