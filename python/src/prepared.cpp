#include "prepared.hpp"

#include <pliant/core/error.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>

namespace pliant::python {

Prepared with_setting(const PreparedScene& scene, const std::string& path, const Json& value) {
  auto changed = std::make_shared<PreparedScene>(scene);
  const std::string text = fmt::format("{}={}", path, value.dump());
  const Assignment edit(text, fmt::format("set({})", text));
  for (const auto& [material, model] : scene.models)
    if (path == "materials" || path == "materials." + material ||
        path == "materials." + material + ".model")
      throw InputError(fmt::format("{}: the law of material \"{}\" is one of Python's and stays",
                                   edit.said, material));
  try {
    apply_setting(changed->document, edit, [&] {
      return resolve(changed->document, built_vocabulary(), scene.origin.name);
    });
    changed->loaded = read_scene(changed->document, scene.origin, scene.models);
  } catch (const InputError& error) {
    throw InputError(name_settings(error.what(), scene.origin.name, {&edit, 1}));
  }
  return changed;
}

namespace {

// What a state is made for: nodes, pins and what terms remember.
bool fits(const System& a, const System& b) {
  const auto same_nodes = [](const Pin& x, const Pin& y) { return x.nodes == y.nodes; };
  return a.dofs() == b.dofs() && a.body_nodes() == b.body_nodes() &&
         a.plastic_numbers() == b.plastic_numbers() && a.remembers() == b.remembers() &&
         (!a.remembers() || a.terms().size() == b.terms().size()) &&
         std::equal(a.pins().begin(), a.pins().end(), b.pins().begin(), b.pins().end(), same_nodes);
}

// The meshes are not made again, so nothing may have changed in them.
bool has_same_meshes(const Json& a, const Json& b) {
  const Json &bodies = a.at("bodies"), &others = b.at("bodies");
  if (bodies.size() != others.size()) return false;
  for (std::size_t k = 0; k < bodies.size(); ++k)
    for (const char* key : {"name", "type", "mesh", "transform", "embed", "frames", "coarsen"})
      if (bodies[k].value(key, Json()) != others[k].value(key, Json())) return false;
  return true;
}

}  // namespace

BuiltScene rebuild(const PreparedScene& changed, const PreparedScene& before,
                   const BuiltScene& built, const std::string& said) {
  const auto refuse = [&said] {
    throw InputError(said +
                     ": while it goes on a scene keeps its bodies, their meshes and their pins");
  };
  if (!has_same_meshes(changed.document, before.document)) refuse();
  std::vector<Mesh> meshes;
  for (const Body& body : built.model.bodies) meshes.push_back(body.without_skin());
  BuiltScene after = changed.build(python_log(), meshes);
  if (!fits(*after.model.system, *built.model.system)) refuse();
  return after;
}

Log python_log() {
  return Log([](const LogEntry& entry) {
    const py::gil_scoped_acquire lock;
    constexpr int levels[] = {10, 20, 30, 40};  // of Python's logging
    try {
      py::module_::import("logging").attr("getLogger")("pliant").attr("log")(
          levels[static_cast<int>(entry.level)], "%s", entry.text);
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("the log of pliant");
    }
  });
}

bool Signals::ask() {
  if (raised_) return true;
  constexpr std::int64_t pause = 50'000'000;  // ns: short for a person, long for a computation
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::steady_clock::now().time_since_epoch())
                       .count();
  if (now - asked_ < pause) return false;
  asked_ = now;
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() == 0) return false;
  raised_ = std::make_shared<py::error_already_set>();
  return true;
}

void Signals::rethrow() {
  if (!raised_) return;
  const std::shared_ptr<py::error_already_set> raised = std::move(raised_);
  raised_ = nullptr;
  throw py::error_already_set(*raised);
}

int threads_of(const py::object& threads) {
  if (threads.is_none()) return tbb::this_task_arena::max_concurrency();
  const py::object number = py::module_::import("operator").attr("index")(threads);
  const long count = PyLong_AsLong(number.ptr());
  if (PyErr_Occurred()) throw py::error_already_set();
  if (count < 1 || count > 1024)
    throw InputError(fmt::format("threads: must be from 1 to 1024, got {}", count));
  return static_cast<int>(count);
}

}  // namespace pliant::python
