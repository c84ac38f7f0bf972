// Probes: what the history records, and of what.
#include <pliant/core/suggest.hpp>
#include <pliant/scene/reading.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pliant::reading {
namespace {

// The key that names what is probed, by ProbeKind.
constexpr std::array<const char*, 5> keys = {"body", "force_on", "tension_of", "force_of",
                                             "torque_of"};

const char* key_of(ProbeKind kind) { return keys[static_cast<std::size_t>(kind)]; }

struct Known {
  std::vector<std::string> bodies, cables, threads, constraints;
};

// Springs, tendons, muscles and rods pull along a line; a name is that of one of them.
Known names_of(const SceneDescription& scene, Reader& reader) {
  Known known;
  for (const BodyDescription& body : scene.bodies) {
    known.bodies.push_back(body.name);
    if (body.type == "cable") known.cables.push_back(body.name);
  }
  for (std::size_t i = 0; i < scene.forces.size(); ++i)
    if (const auto* path = std::get_if<PathDescription>(&scene.forces[i].load)) {
      if (std::find(known.threads.begin(), known.threads.end(), path->name) != known.threads.end())
        reader.problems.add(fmt::format("/forces/{}", i),
                            fmt::format("\"{}\" is taken: names must be unique", path->name));
      known.threads.push_back(path->name);
    }
  for (const ConstraintDescription& constraint : scene.constraints) {
    known.constraints.push_back(constraint.name);
    if (constraint.type == "distance") known.threads.push_back(constraint.name);
  }
  return known;
}

void check_probe(const ProbeDescription& probe, const std::string& at, const Known& known,
                 Reader& reader) {
  const auto has = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), probe.of) != names.end();
  };
  const std::string place = fmt::format("{}/{}", at, key_of(probe.kind));
  const auto unknown = [&](std::string_view what, const std::vector<std::string>& names) {
    reader.problems.add(
        place, fmt::format("unknown {} \"{}\"{}", what, probe.of, suggestion(probe.of, names)));
  };
  if (probe.kind == ProbeKind::point || probe.kind == ProbeKind::force_on) {
    if (!has(known.bodies)) unknown("body", known.bodies);
  } else if (probe.kind == ProbeKind::tension_of) {
    std::vector<std::string> names = known.threads;
    names.insert(names.end(), known.cables.begin(), known.cables.end());
    if (!has(names)) unknown("spring, tendon, muscle, distance constraint or cable", names);
    if (has(names) && probe.point && has(known.threads))
      reader.problems.add(at + "/point",
                          fmt::format("\"{}\" pulls with the same tension all along", probe.of));
  } else if (!has(known.constraints)) {
    unknown("constraint", known.constraints);
  }
}

}  // namespace

ProbeDescription probe(const Json& record, const std::string& at, Reader& reader) {
  ProbeDescription probe;
  probe.name = record.at("name").get<std::string>();
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (const auto found = record.find(keys[k]); found != record.end()) {
      probe.kind = static_cast<ProbeKind>(k);
      probe.of = found->get<std::string>();
    }
  if (const auto point = record.find("point"); point != record.end()) probe.point = vec3(*point);
  probe.where = reader.where(at);
  return probe;
}

void check_probes(const SceneDescription& scene, Reader& reader) {
  const Known known = names_of(scene, reader);
  for (std::size_t i = 0; i < scene.probes.size(); ++i)
    check_probe(scene.probes[i], fmt::format("/probes/{}", i), known, reader);
}

}  // namespace pliant::reading
