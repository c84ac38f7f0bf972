#include "mesh_shapes.hpp"

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/build.hpp>
#include <pliant/scene/json.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pliant::apps {
namespace {

const std::vector<std::string> kShapes = {"box",   "sphere", "cylinder", "capsule",
                                          "torus", "sheet",  "cable"};

std::vector<double> numbers(const Json& record, const std::string& key, std::size_t count) {
  const Json* value = record.contains(key) ? &record.at(key) : nullptr;
  const bool good =
      value && value->is_array() && value->size() == count &&
      std::all_of(value->begin(), value->end(), [](const Json& x) { return x.is_number(); });
  if (!good) throw InputError(fmt::format("{}: must be a list of {} numbers", key, count));
  return value->get<std::vector<double>>();
}

Index whole(double value, const std::string& key) {
  if (!(value >= 1 && value <= generated_element_limit) || value != std::round(value))
    throw InputError(fmt::format("{}: must be a whole number from 1 to {}, got {}", key,
                                 generated_element_limit, value));
  return static_cast<Index>(value);
}

void refuse_unknown(const Json& record, const std::vector<std::string>& known) {
  for (const auto& item : record.items())
    if (std::find(known.begin(), known.end(), item.key()) == known.end())
      throw InputError(
          fmt::format("unknown key \"{}\"{}", item.key(), suggestion(item.key(), known)));
}

Mesh sheet(const Json& record) {
  refuse_unknown(record, {"size", "cells", "element"});
  const std::vector<double> size = numbers(record, "size", 2), cells = numbers(record, "cells", 2);
  const Json element = record.value("element", Json("tri3"));
  if (element != "tri3" && element != "quad4")
    throw InputError(fmt::format("element: must be tri3 or quad4, got {}", element.dump()));
  return make_sheet({.size = {size[0], size[1]},
                     .cells = {whole(cells[0], "cells"), whole(cells[1], "cells")},
                     .element = element == "tri3" ? ElementType::tri3 : ElementType::quad4});
}

Mesh cable(const Json& record) {
  refuse_unknown(record, {"from", "to", "segments"});
  const std::vector<double> from = numbers(record, "from", 3), to = numbers(record, "to", 3);
  if (!record.contains("segments") || !record.at("segments").is_number())
    throw InputError("segments: must be a whole number");
  return make_cable({.from = Vec3(from[0], from[1], from[2]),
                     .to = Vec3(to[0], to[1], to[2]),
                     .segments = whole(record.at("segments").get<double>(), "segments")});
}

// A solid shape is the mesh of a body in a scene of its own: one schema serves both.
Mesh solid(const std::string& shape, const Json& record, const Log& log) {
  const Json scene = {
      {"time", {{"dt", 1}, {"duration", 1}}},
      {"materials", {{"m", {{"model", "linear"}, {"young", 1}, {"poisson", 0}, {"density", 1}}}}},
      {"bodies", {{{"name", "mesh"}, {"mesh", {{shape, record}}}, {"material", "m"}}}}};
  const Json resolved = resolve(scene, built_vocabulary(), "mesh");
  const SceneDescription described = describe(resolved, ".", "mesh");
  return build_mesh(described.bodies[0].mesh, "mesh", log);
}

}  // namespace

Mesh make_shape(const std::string& shape, const std::vector<std::string>& settings,
                const Log& log) {
  if (std::find(kShapes.begin(), kShapes.end(), shape) == kShapes.end())
    throw InputError(fmt::format("unknown shape \"{}\"{}", shape, suggestion(shape, kShapes)));
  Json record = Json::object();
  for (const std::string& setting : settings) apply_setting(record, setting);
  if (shape == "sheet") return sheet(record);
  if (shape == "cable") return cable(record);
  return solid(shape, record, log);
}

}  // namespace pliant::apps
