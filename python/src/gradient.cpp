// Gradients of motions: objectives that Python says by a function, by the column of a probe, or by
// where a probe was seen.
#include "json.hpp"
#include "module.hpp"
#include "prepared.hpp"

#include <pliant/core/error.hpp>
#include <pliant/gradient/probe_objective.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <csignal>

namespace pliant::python {
namespace {

// What a function is told about, copies that it may keep.
struct Point {
  std::int64_t step = 0, steps = 0;
  double time = 0;
  py::array_t<double> q, v;
};

// q̄ += what the function says of it; None says nothing.
void add_answer(const py::handle& given, std::span<double> bar, const char* what) {
  if (given.is_none()) return;
  const py::array array = py::array::ensure(given);
  const auto nodes = static_cast<py::ssize_t>(bar.size() / 3);
  const bool rows = array && array.ndim() == 2;
  const Numbers numbers = rows ? numbers_of(given, {nodes, 3}, what)
                               : numbers_of(given, {static_cast<py::ssize_t>(bar.size())}, what);
  for (std::size_t i = 0; i < bar.size(); ++i) bar[i] += numbers.data()[i];
}

// A function of a point returns None, or the value and its derivatives by q and v.
Objective from_function(const Held& function) {
  return [function](const ObjectivePoint& now, std::span<double> q_bar, std::span<double> v_bar) {
    const py::gil_scoped_acquire lock;
    const auto size = static_cast<py::ssize_t>(now.q.size());
    const py::object answer = (*function)(
        Point{now.step, now.steps, now.t, copy_of(now.q, {size}), copy_of(now.v, {size})});
    if (answer.is_none()) return 0.0;
    if (!py::isinstance<py::tuple>(answer) || py::len(answer) < 2 || py::len(answer) > 3)
      throw InputError(
          "objective: must return None or (value, by_q) or (value, by_q, by_v), with arrays as "
          "long as q, or None for nothing");
    const py::tuple parts(answer);
    add_answer(parts[1], q_bar, "objective: its derivative by q");
    if (parts.size() == 3) add_answer(parts[2], v_bar, "objective: its derivative by v");
    return py::float_(parts[0]).cast<double>();
  };
}

// From ("function", f), ("probe", column, target or None) or ("track", probe, times, places).
MakeObjective make_objective(const py::tuple& said, double dt) {
  const auto kind = said[0].cast<std::string>();
  if (kind == "function") {
    const Held function = hold(py::reinterpret_borrow<py::object>(said[1]));
    return [function](const BuiltScene&) { return from_function(function); };
  }
  if (kind == "probe") {
    ProbeGoal goal{said[1].cast<std::string>(), {}};
    if (!said[2].is_none()) goal.target = said[2].cast<double>();
    return [goal](const BuiltScene& built) { return probe_objective(built, goal); };
  }
  ProbeTrack track{said[1].cast<std::string>(), dt, said[2].cast<std::vector<double>>(), {}};
  const Numbers places =
      numbers_of(said[3], {static_cast<py::ssize_t>(track.t.size()), 3}, "track: its places");
  for (std::size_t k = 0; k < track.t.size(); ++k)
    track.seen.emplace_back(places.data()[3 * k], places.data()[3 * k + 1],
                            places.data()[3 * k + 2]);
  return [track](const BuiltScene& built) { return track_objective(built, track); };
}

GradientInput input_of(const Prepared& scene, std::vector<std::string> parameters,
                       const py::tuple& objective, Signals& signals) {
  if (scene->custom())
    throw InputError(
        "gradients do not go through laws and terms that are written in Python; those of scenes "
        "have "
        "gradients");
  return {.document = scene->document,
          .base_folder = scene->origin.folder,
          .name = scene->origin.name,
          .parameters = std::move(parameters),
          .objective = make_objective(objective, scene->loaded.scene.time.dt),
          .interrupted = [&signals] { return signals.ask(); }};
}

py::dict gradient(const Prepared& scene, std::vector<std::string> parameters,
                  const py::tuple& objective) {
  Signals signals;
  const GradientInput input = input_of(scene, std::move(parameters), objective, signals);
  SceneGradient found;
  try {
    found = released([&] { return scene_gradient(input, python_log()); });
  } catch (const CannotContinue&) {
    signals.rethrow();
    throw;
  }
  py::dict out;
  out["value"] = found.value;
  out["parameters"] = found.parameters;
  out["gradient"] = copy_of(found.gradient, {static_cast<py::ssize_t>(found.gradient.size())});
  out["by_q"] = copy_of(view(found.start.q), {found.start.q.size()});
  out["by_v"] = copy_of(view(found.start.v), {found.start.v.size()});
  out["steps"] = found.steps;
  return out;
}

double value(const Prepared& scene, std::vector<std::string> parameters,
             const std::vector<double>& values, const py::tuple& objective) {
  Signals signals;
  const GradientInput input = input_of(scene, std::move(parameters), objective, signals);
  try {
    return released([&] { return scene_objective(input, values, python_log()); });
  } catch (const CannotContinue&) {
    signals.rethrow();
    throw;
  }
}

}  // namespace

void bind_gradient(py::module_& m) {
  py::class_<Point>(m, "ObjectivePoint")
      .def_readonly("step", &Point::step)
      .def_readonly("steps", &Point::steps)
      .def_readonly("time", &Point::time)
      .def_readonly("q", &Point::q)
      .def_readonly("v", &Point::v);
  m.def("gradient", [](const std::shared_ptr<PreparedScene>& scene,
                       std::vector<std::string> parameters, const py::tuple& objective) {
    return gradient(scene, std::move(parameters), objective);
  });
  m.def("objective_value",
        [](const std::shared_ptr<PreparedScene>& scene, std::vector<std::string> parameters,
           const std::vector<double>& values, const py::tuple& objective) {
          return value(scene, std::move(parameters), values, objective);
        });
}

}  // namespace pliant::python
