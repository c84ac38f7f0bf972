// A scene of Python, read and checked: what the library needs to build and run it, together with
// the laws and terms that are written in Python.
#pragma once

#include "interop.hpp"

#include <pliant/run/loaded_scene.hpp>
#include <pliant/scene/build_custom.hpp>

#include <nlohmann/json.hpp>

namespace pliant::python {

struct PreparedScene : OnlyByInit {
  Json document;  // with models from the list where Python's laws stand
  SceneOrigin origin;
  std::map<std::string, std::string> models;  // names of Python's laws, by material
  LoadedScene loaded;
  CustomParts parts;

  // Whether what Python code says may change from one step to the next.
  bool custom() const { return !parts.laws.empty() || parts.terms; }
  BuiltScene build(const Log& log, std::span<const Mesh> meshes = {}) const {
    return build_scene(loaded.scene, log, meshes, parts);
  }
};
using Prepared = std::shared_ptr<const PreparedScene>;

// The same scene with another value at the place that `path` names, like --set. `value` is JSON.
Prepared with_setting(const PreparedScene& scene, const std::string& path, const Json& value);

// The scene built anew with the meshes of the bodies as they were. InputError, beginning with
// `said`, where the state of the one before would not fit it.
BuiltScene rebuild(const PreparedScene& changed, const PreparedScene& before,
                   const BuiltScene& built, const std::string& said);

// Said to Python's logger "pliant".
Log python_log();

// Asks Python now and then whether a signal has come. What its handler raises waits here until the
// computation has come to its end.
class Signals {
 public:
  bool ask();  // from within a computation, on any thread, without the interpreter's lock
  bool raised() const { return raised_ != nullptr; }
  void rethrow();  // what was raised, if anything

 private:
  std::int64_t asked_ = 0;  // ns, of a steady clock
  std::shared_ptr<py::error_already_set> raised_;
};

// InputError where it is no number of threads; all cores where it is none.
int threads_of(const py::object& threads);

}  // namespace pliant::python
