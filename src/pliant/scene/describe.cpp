// The scene as a whole, its loads, and the checks across its parts.
#include <pliant/core/suggest.hpp>
#include <pliant/scene/reading.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace pliant {
namespace reading {
namespace {

constexpr double max_steps = 1e9;

// The value of `key`, constant, or that of "curve".
Curve in_time(const Json& record, const char* key, const std::string& at, Reader& reader) {
  if (record.contains("curve"))
    return curve(record.at("curve"), at + "/curve", reader, Curve::Between::straight);
  const Json& constant = record.at(key);
  return Curve(constant.is_number() ? Vec3(constant.get<double>(), 0, 0) : vec3(constant));
}

void check_time(const TimeDescription& time, Reader& reader) {
  if (time.chosen()) {
    if (time.min_dt > time.output_dt)
      reader.problems.add("/time/min_dt", fmt::format("must be at most output_dt, {}, got {}",
                                                      time.output_dt, time.min_dt));
    if (!(time.duration / time.output_dt <= max_steps))
      reader.problems.add("/time/duration",
                          fmt::format("must be at most {:g} frames of output_dt, {}, got {}",
                                      max_steps, time.output_dt, time.duration));
    return;
  }
  // Numbers typed with a few digits may miss each other by rounding.
  if (time.output_dt < time.dt * (1 - 1e-9))
    reader.problems.add("/time/output_dt",
                        fmt::format("must be at least dt, {}, got {}", time.dt, time.output_dt));
  if (time.min_dt > time.dt)
    reader.problems.add("/time/min_dt",
                        fmt::format("must be at most dt, {}, got {}", time.dt, time.min_dt));
  if (!(time.duration / time.dt <= max_steps))
    reader.problems.add("/time/duration",
                        fmt::format("must be at most {:g} steps of dt, {}, got {}", max_steps,
                                    time.dt, time.duration));
}

template <class Items>
std::vector<std::string> unique_names(const Items& items, std::string_view list, Reader& reader) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!seen.insert(items[i].name).second)
      reader.problems.add(fmt::format("/{}/{}/name", list, i),
                          fmt::format("\"{}\" is taken: names must be unique", items[i].name));
  return {seen.begin(), seen.end()};
}

struct Reference {
  std::string_view what, name;
};
void require_known(const Reference& reference, const std::vector<std::string>& known,
                   const std::string& at, Reader& reader) {
  if (!std::binary_search(known.begin(), known.end(), reference.name))
    reader.problems.add(at, fmt::format("unknown {} \"{}\"{}", reference.what, reference.name,
                                        suggestion(reference.name, known)));
}

void check_body_materials(const SceneDescription& scene, Reader& reader) {
  std::vector<std::string> known;
  for (const auto& entry : scene.materials) known.push_back(entry.first);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies[i].rigid) continue;
    const BodyMaterial& material = scene.bodies[i].material;
    const std::string at = fmt::format("/bodies/{}/material", i);
    require_known({"material", material.standard}, known, at, reader);
    for (const auto& [region, name] : material.regions)
      require_known({"material", name}, known, pointer_to(at + "/regions", region), reader);
    const auto uses = [&](const std::string& name) {
      const auto found = scene.materials.find(name);
      if (found == scene.materials.end()) return true;  // has been reported
      const MaterialConstants& constants = found->second.constants;
      return !constants.c10 && !constants.axial_young;
    };
    if (material.young && !(uses(material.standard) &&
                            std::all_of(material.regions.begin(), material.regions.end(),
                                        [&](const auto& entry) { return uses(entry.second); })))
      reader.problems.add(at + "/young", "needs a material with a single Young's modulus");
  }
}

}  // namespace

TimeDescription time(const Json& record, Reader& reader) {
  TimeDescription time;
  time.duration = record.at("duration").get<double>();
  time.output_dt = record.at("output_dt").get<double>();
  time.min_dt = record.at("min_dt").get<double>();
  const bool chosen = record.at("dt").is_string();
  if (!chosen) time.dt = record.at("dt").get<double>();
  if (chosen) time.tolerance = record.at("tolerance").get<double>();
  if (!chosen && record.contains("tolerance"))
    reader.problems.add("/time/tolerance",
                        "goes with \"dt\": \"auto\", here dt is given: leave one of them out");
  return time;
}

IntegratorDescription integrator(const Json& record) {
  IntegratorDescription integrator;
  if (record.is_string()) {
    integrator.type = record.get<std::string>();
    return integrator;
  }
  integrator.type = record.at("type").get<std::string>();
  const auto read = [&record](const char* key, auto& value) {
    if (const auto found = record.find(key); found != record.end()) found->get_to(value);
  };
  read("rho_inf", integrator.rho_inf);
  read("beta", integrator.beta);
  read("gamma", integrator.gamma);
  read("modes", integrator.modes);
  read("krylov_tolerance", integrator.krylov_tolerance);
  read("variant", integrator.variant);
  if (const auto refresh = record.find("refresh"); refresh != record.end()) {
    if (refresh->is_string())
      integrator.refresh = refresh->get<std::string>();
    else
      integrator.refresh = refresh->get<int>();
  }
  return integrator;
}

ForceDescription force(const Json& record, std::size_t number, Reader& reader) {
  const std::string at = fmt::format("/forces/{}", number);
  if (auto path = path_force(record, number, at, reader)) return *path;
  if (const auto wind = record.find("wind"); wind != record.end())
    return {WindDescription{in_time(*wind, "velocity", at + "/wind", reader),
                            wind->at("drag").get<double>()},
            reader.where(at + "/wind")};
  if (const auto point = record.find("point"); point != record.end()) {
    const std::string place = at + "/point";
    return {PointForceDescription{point->at("body").get<std::string>(),
                                  selection(*point, place, reader),
                                  in_time(*point, "force", place, reader)},
            reader.where(place)};
  }
  const Json& pressure = record.at("pressure");
  const std::string place = at + "/pressure";
  return {PressureDescription{pressure.at("body").get<std::string>(),
                              selection(pressure, place, reader),
                              in_time(pressure, "value", place, reader)},
          reader.where(place)};
}

void check(const SceneDescription& scene, Reader& reader) {
  check_time(scene.time, reader);
  check_contact(scene, reader);
  const std::vector<std::string> bodies = unique_names(scene.bodies, "bodies", reader);
  unique_names(scene.probes, "probes", reader);
  unique_names(scene.constraints, "constraints", reader);
  for (std::size_t i = 0; i < scene.constraints.size(); ++i) {
    const ConstraintDescription& constraint = scene.constraints[i];
    if (constraint.body.empty()) continue;  // reported already
    const std::string at = fmt::format("/constraints/{}", i);
    constexpr std::array of_bodies = {"volume", "bind", "edges", "strain"};
    const bool of_body =
        std::find(of_bodies.begin(), of_bodies.end(), constraint.type) != of_bodies.end();
    require_known({"body", constraint.body}, bodies, at + (of_body ? "/body" : "/between"), reader);
    if (constraint.other_body)
      require_known({"body", *constraint.other_body}, bodies, at + (of_body ? "/to" : "/between"),
                    reader);
  }
  check_body_materials(scene, reader);
  for (std::size_t i = 0; i < scene.forces.size(); ++i) {
    const auto& load = scene.forces[i].load;
    if (const auto* point = std::get_if<PointForceDescription>(&load))
      require_known({"body", point->body}, bodies, fmt::format("/forces/{}/point/body", i), reader);
    if (const auto* pressure = std::get_if<PressureDescription>(&load))
      require_known({"body", pressure->body}, bodies, fmt::format("/forces/{}/pressure/body", i),
                    reader);
    if (const auto* path = std::get_if<PathDescription>(&load))
      for (const PathPointDescription& point : path->points)
        for (const BodyShare& carrier : point.carried_by)
          require_known({"body", carrier.body}, bodies, point.at, reader);
  }
  check_probes(scene, reader);
}

}  // namespace reading

SceneDescription describe(const Json& resolved, const std::filesystem::path& base_folder,
                          std::string_view name) {
  reading::Reader reader{base_folder, std::string(name), Problems(name)};
  SceneDescription scene;
  scene.name = resolved.value("name", "");
  scene.description = resolved.value("description", "");
  scene.time = reading::time(resolved.at("time"), reader);
  scene.gravity = reading::vec3(resolved.at("gravity"));
  scene.integrator = reading::integrator(resolved.at("integrator"));
  scene.integrator.where = reader.where("/integrator");
  const Json& solver = resolved.at("solver");
  const bool chosen = !solver.at("tolerance").is_number();
  constexpr double usual = SolverDescription::usual_tolerance;
  scene.solver = {solver.at("type").get<std::string>(),
                  chosen ? usual : solver.at("tolerance").get<double>(),
                  chosen,
                  solver.at("max_iterations").get<int>(),
                  solver.at("linear").get<std::string>(),
                  solver.at("reuse").get<bool>(),
                  solver.at("fast").get<bool>(),
                  solver.at("iterations").get<int>(),
                  solver.at("weights").is_number() ? solver.at("weights").get<double>() : 1,
                  solver.at("acceleration").get<int>(),
                  solver.at("geometric_stiffness").get<std::string>(),
                  solver.at("stabilize").is_boolean()
                      ? std::optional(solver.at("stabilize").get<bool>())
                      : std::nullopt,
                  solver.at("max_work").get<int>(),
                  solver.at("precision").get<std::string>(),
                  reader.where("/solver")};
  scene.energy = resolved.at("energy").get<std::string>();
  scene.materials = reading::materials(resolved.at("materials"), reader);
  const Json& bodies = resolved.at("bodies");
  for (std::size_t i = 0; i < bodies.size(); ++i)
    scene.bodies.push_back(reading::body(bodies[i], fmt::format("/bodies/{}", i), reader));
  const Json& forces = resolved.at("forces");
  for (std::size_t i = 0; i < forces.size(); ++i)
    scene.forces.push_back(reading::force(forces[i], i, reader));
  scene.contact = reading::contact(resolved.at("contact"));
  scene.contact.where = reader.where("/contact");
  const Json& obstacles = resolved.at("obstacles");
  for (std::size_t i = 0; i < obstacles.size(); ++i)
    scene.obstacles.push_back(
        reading::obstacle(obstacles[i], fmt::format("/obstacles/{}", i), reader));
  const Json& constraints = resolved.at("constraints");
  for (std::size_t i = 0; i < constraints.size(); ++i)
    scene.constraints.push_back(reading::constraint(constraints[i], i, reader));
  const Json& probes = resolved.at("probes");
  for (std::size_t i = 0; i < probes.size(); ++i)
    scene.probes.push_back(reading::probe(probes[i], fmt::format("/probes/{}", i), reader));
  if (const auto camera = resolved.find("camera");
      camera != resolved.end() &&
      reading::vec3(camera->at("eye")) == reading::vec3(camera->at("target")))
    reader.problems.add("/camera/target", "must not be where the eye is");
  reading::check(scene, reader);
  reader.problems.throw_if_any();
  return scene;
}

}  // namespace pliant
