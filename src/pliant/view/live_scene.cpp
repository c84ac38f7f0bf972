#include <pliant/view/live_scene.hpp>

#include <pliant/core/error.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

struct Range {
  double min, max;
};

// What a slider offers: around the value that is there. The schema decides what is right.
Range around(double value, double factor) { return {value / factor, value * factor}; }
Range from_zero(double value, double least) { return {0, std::max(least, 10 * value)}; }

Json number(const std::string& path, const std::string& label, const Json& value, Range range) {
  return {{"path", path},     {"label", label},   {"kind", "number"}, {"value", value},
          {"min", range.min}, {"max", range.max}, {"unit", ""}};
}

Json with_unit(Json parameter, const char* unit) {
  parameter["unit"] = unit;
  return parameter;
}

Json integrator_choice(const Json& resolved) {
  Json choices = Json::array();
  for (const IntegratorInfo& info : integrators()) choices.push_back(info.name);
  const Json& now = resolved.at("integrator");
  return {{"path", "integrator"},
          {"label", "integrator"},
          {"kind", "choice"},
          {"value", now.is_object() ? now.at("type") : now},
          {"choices", std::move(choices)}};
}

void add_materials(const Json& resolved, Json& list) {
  const auto add = [&](const std::string& name, const Json& material, const char* key,
                       const char* label, const char* unit) {
    const auto found = material.find(key);
    if (found == material.end() || !found->is_number()) return;
    const double value = found->get<double>();
    const Range range = std::string_view(key) == "poisson"   ? Range{0, 0.49}
                        : std::string_view(key) == "density" ? around(value, 10)
                                                             : around(value, 100);
    list.push_back(with_unit(number(fmt::format("materials.{}.{}", name, key),
                                    fmt::format("{}: {}", name, label), *found, range),
                             unit));
  };
  for (const auto& [name, material] : resolved.at("materials").items()) {
    if (name.find('.') != std::string::npos) continue;  // a path cannot name it
    add(name, material, "young", "Young's modulus", "Pa");
    add(name, material, "poisson", "Poisson's ratio", "");
    add(name, material, "density", "density", "kg/m³");
  }
}

void add_damping(const Json& resolved, Json& list) {
  const Json& bodies = resolved.at("bodies");
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::string name = bodies[k].at("name").get<std::string>();
    const Json laws = bodies[k].value("damping", Json::array());
    const std::size_t count = std::max<std::size_t>(1, laws.size());
    for (std::size_t j = 0; j < count; ++j) {
      const Json law = laws.empty() ? Json{{"model", "rayleigh"}} : laws[j];
      if (law.value("model", "") != "rayleigh") continue;
      const std::string path = fmt::format("bodies.{}.damping.{}", k, j);
      const double alpha = law.value("alpha", 0.0);
      list.push_back(with_unit(
          number(path + ".alpha", name + ": mass damping", alpha, from_zero(alpha, 10)), "1/s"));
      if (law.contains("beta") && !law.at("beta").is_number()) continue;  // a field
      const double beta = law.value("beta", 0.0);
      list.push_back(with_unit(
          number(path + ".beta", name + ": stiffness damping", beta, from_zero(beta, 0.01)), "s"));
    }
  }
}

const Json* find_parameter(const Json& list, const std::string& path) {
  for (const Json& parameter : list)
    if (parameter.at("path") == path) return &parameter;
  return nullptr;
}

void require_kind(const Json& parameter, const Json& value) {
  const std::string kind = parameter.at("kind").get<std::string>();
  const bool fits = kind == "number"   ? value.is_number()
                    : kind == "choice" ? value.is_string()
                                       : value.is_array() && value.size() == 3;
  if (!fits)
    throw InputError(fmt::format("{}: must be {}, got {}", parameter.at("path").get<std::string>(),
                                 kind == "number"   ? "a number"
                                 : kind == "choice" ? "one of the choices"
                                                    : "three numbers",
                                 shown(value)));
}

// A body without damping gets the law with the parameter; else the path leads to what is there.
std::string assignment(const Json& resolved, const std::string& path, const Json& value) {
  std::size_t body = 0;
  char key[8] = {};
  if (std::sscanf(path.c_str(), "bodies.%zu.damping.0.%7s", &body, key) == 2 &&
      resolved.at("bodies").at(body).value("damping", Json::array()).empty()) {
    const Json law = {{"model", "rayleigh"}, {key, value}};
    return fmt::format("bodies.{}.damping={}", body, Json::array({law}).dump());
  }
  return fmt::format("{}={}", path, value.dump());
}

}  // namespace

LiveScene::LiveScene(SceneSource source, const Log& log) : source_(std::move(source)) {
  read(source_.document);
  first_ = build_scene(scene_, log);
  built_document_ = source_.document;
  for (const Body& body : first_->model.bodies) meshes_.push_back(body.without_skin());
}

void LiveScene::read(const Json& document) {
  Json resolved = resolve(document, built_vocabulary(), source_.name);
  SceneDescription scene = describe(resolved, source_.folder, source_.name);
  const Pace possible(scene);  // throws where method, solver and step do not go together
  if (scene.name.empty()) scene.name = std::filesystem::path(source_.name).stem().string();
  resolved_ = std::move(resolved);
  scene_ = std::move(scene);
}

Json LiveScene::parameters() const {
  Json list = Json::array();
  list.push_back({{"path", "gravity"},
                  {"label", "gravity"},
                  {"kind", "vector"},
                  {"value", resolved_.at("gravity")},
                  {"min", -20},
                  {"max", 20},
                  {"unit", "m/s²"}});
  if (const Json& dt = resolved_.at("time").at("dt"); dt.is_number())
    list.push_back(
        with_unit(number("time.dt", "time step", dt, around(dt.get<double>(), 10)), "s"));
  list.push_back(integrator_choice(resolved_));
  add_materials(resolved_, list);
  add_damping(resolved_, list);
  return list;
}

std::string LiveScene::set(const std::string& path, const Json& value) {
  const Json list = parameters();
  const Json* parameter = find_parameter(list, path);
  if (!parameter)
    throw InputError(
        fmt::format("\"{}\" is not one of the parameters that can change while a run "
                    "goes on",
                    shortened(path)));
  require_kind(*parameter, value);
  const std::string text = assignment(resolved_, path, value);
  const Assignment edit(text, text);
  Json document = source_.document;
  try {
    apply_setting(document, edit, [&] { return resolved_; });
    read(document);
  } catch (const InputError& error) {
    throw InputError(name_settings(error.what(), source_.name, {&edit, 1}));
  }
  source_.document = std::move(document);
  first_.reset();  // it has the old numbers
  const auto short_form = [](const Json& x) { return shortened(x.dump()); };
  return fmt::format("{} changed from {} to {}", path, short_form(parameter->at("value")),
                     short_form(value));
}

void LiveScene::revert() {
  read(built_document_);
  source_.document = built_document_;
}

LiveScene::Built LiveScene::build(const Log& log) {
  Built built;
  if (first_)
    built.scene = std::move(*first_);
  else
    built.scene = build_scene(scene_, log, meshes_);
  first_.reset();
  built_document_ = source_.document;
  auto hand = std::make_unique<DragSpring>(&built.scene.model.system->followers());
  built.hand = hand.get();
  built.scene.model.system->add_term(std::move(hand));
  return built;
}

}  // namespace pliant
