// Whole runs and equilibria: what `pliant run` and `pliant static` do, with a callback before each
// step that may look, change numbers of the scene and end the run.
#include "json.hpp"
#include "module.hpp"
#include "prepared.hpp"
#include "readings.hpp"

#include <pliant/core/error.hpp>
#include <pliant/run/scene_change.hpp>
#include <pliant/run/simulation.hpp>
#include <pliant/scene/start_at.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <csignal>

namespace pliant::python {
namespace {

using Edits = std::vector<std::pair<std::string, Json>>;  // paths and values

// Where a run stands, for a callback; over when the callback returns.
class Moment : public OnlyByInit {
 public:
  explicit Moment(const RunMoment& now) : now_(&now) {}
  const RunMoment& now() const {
    if (!now_) throw Error("this moment of the run is over; copy what shall last");
    return *now_;
  }
  void end() { now_ = nullptr; }

  Edits edits;

 private:
  const RunMoment* now_;
};

struct Results : OnlyByInit {
  RunOutcome outcome;
  Vector q, v;
  std::string hash;  // of the state at the end
};

// Calls the callback, which runs with the interpreter's lock while nothing is computed.
class CallbackWatcher final : public Watcher {
 public:
  CallbackWatcher(Prepared scene, const py::object& callback) : scene_(std::move(scene)) {
    if (!callback.is_none()) callback_ = hold(callback);
  }
  // What the callback raised, or what was wrong with its changes: the run has ended in good order.
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }
  Results& results() { return results_; }

  void row(const HistoryRow&) override {}
  Steering before_step(const RunMoment& moment) override {
    Steering steering;
    steering.loads_changed = scene_->custom();  // Python's terms may say other things now
    if (callback_ && moment.step != called_at_) call(moment, steering);
    return steering;
  }
  void finished(const RunMoment& moment, const RunOutcome& outcome) override {
    Steering ignored;
    if (callback_ && outcome.status == "done" && moment.step != called_at_) call(moment, ignored);
    results_.q = moment.state.q;
    results_.v = moment.state.v;
    results_.hash = state_hash(view(moment.state.q), view(moment.state.v));
  }

 private:
  struct Answer {
    bool end = false;
    Edits edits;
  };
  Answer ask(const RunMoment& moment) const {
    const py::gil_scoped_acquire lock;
    struct Over {
      Moment& moment;
      ~Over() { moment.end(); }
    };
    const auto now = std::make_shared<Moment>(moment);
    const Over over{*now};
    const py::object answer = (*callback_)(now);
    return {answer.is(py::bool_(false)), std::move(now->edits)};
  }
  void call(const RunMoment& moment, Steering& steering) {
    called_at_ = moment.step;
    try {
      const Answer answer = ask(moment);
      steering.end = answer.end;
      if (!answer.end && !answer.edits.empty()) steering.change = changed(moment, answer.edits);
    } catch (...) {  // kept until the run has ended in good order
      raised_ = std::current_exception();
      steering.end = true;
    }
  }
  SceneChange changed(const RunMoment& moment, const Edits& edits) {
    std::string words;
    Prepared changed = scene_;
    for (const auto& [path, value] : edits) {
      changed = with_setting(*changed, path, value);
      words +=
          fmt::format("{}{} set to {}", words.empty() ? "" : "; ", path, shortened(value.dump()));
    }
    BuiltScene built = rebuild(*changed, *scene_, moment.built, edits.front().first);
    require_can_go_on(built, moment.state);
    scene_ = changed;
    return {scene_->loaded.scene, std::move(built), std::move(words)};
  }

  Prepared scene_;
  Held callback_;
  std::int64_t called_at_ = -1;
  std::exception_ptr raised_;
  Results results_;
};

struct Order {
  std::string out;  // empty: nothing is written
  py::object callback, threads;
  bool force = false, resume = false, statics = false;
  std::optional<double> time;  // s, of an equilibrium; 0 unless given
};

ExistingResults existing_of(const Order& order) {
  if (order.resume && order.force)
    throw InputError("resume and force exclude each other: go on, or start anew?");
  if (order.resume && order.out.empty()) throw InputError("resume needs the folder to go on in");
  if (order.resume) return ExistingResults::resume;
  return order.force ? ExistingResults::replace : ExistingResults::refuse;
}

std::shared_ptr<Results> run(const Prepared& scene, const Order& order) {
  RunRequest request;
  request.folder = order.out;
  request.existing = existing_of(order);
  request.scene_json = scene->loaded.json;
  request.scene_hash = scene->loaded.hash;
  request.threads = threads_of(order.threads);
  const Log log = python_log();
  if (!order.statics) request.notes = oddities(scene->loaded.scene);
  for (const std::string& word : request.notes) log.warn(word);
  CallbackWatcher watcher(scene, order.callback);
  request.watcher = &watcher;
  Signals signals;
  request.interrupted = [&signals] { return signals.ask() ? SIGINT : 0; };
  const RunOutcome outcome = released([&] {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(request.threads));
    tbb::task_arena arena(request.threads);
    return arena.execute([&] {
      BuiltScene built = request.folder.empty() ? scene->build(log)
                                                : build_for(request.folder, request.existing,
                                                            [&] { return scene->build(log); });
      if (order.time) start_at(*order.time, built);
      return order.statics ? run_static(scene->loaded.scene, std::move(built), request, log)
                           : run_simulation(scene->loaded.scene, std::move(built), request, log);
    });
  });
  watcher.rethrow();
  signals.rethrow();
  if (outcome.status == "failed") throw CannotContinue(outcome.reason);
  auto results = std::make_shared<Results>(watcher.results());
  results->outcome = outcome;
  return results;
}

void bind_moment(py::module_& m) {
  const auto nodes = [](const Moment& moment, const Vector& x) {
    const auto count =
        3 * static_cast<std::size_t>(moment.now().built.model.bodies.back().end_node());
    return copy_of_nodes(view(x).first(count));
  };
  py::class_<Moment, std::shared_ptr<Moment>>(m, "Moment")
      .def_property_readonly("time", [](const Moment& n) { return n.now().state.t; })
      .def_property_readonly("steps", [](const Moment& n) { return n.now().step; })
      .def_property_readonly("duration", [](const Moment& n) { return n.now().duration; })
      .def_property_readonly(
          "q",
          [](const Moment& n) { return copy_of(view(n.now().state.q), {n.now().state.q.size()}); })
      .def_property_readonly(
          "v",
          [](const Moment& n) { return copy_of(view(n.now().state.v), {n.now().state.v.size()}); })
      .def_property_readonly("positions",
                             [nodes](const Moment& n) { return nodes(n, n.now().state.q); })
      .def_property_readonly("velocities",
                             [nodes](const Moment& n) { return nodes(n, n.now().state.v); })
      .def("energies",
           [](const Moment& n) {
             return to_python(n.now().built.model.system->energies(at(n.now().state)));
           })
      .def("probes",
           [](const Moment& n) { return to_python(probe_values(n.now().built, n.now().state)); })
      .def("set", [](Moment& n, const std::string& path, const py::object& value) {
        (void)n.now();
        n.edits.emplace_back(path, to_json(value, path));
      });
}

}  // namespace

void bind_run(py::module_& m) {
  bind_moment(m);
  py::class_<Results, std::shared_ptr<Results>>(m, "Results")
      .def_property_readonly("status", [](const Results& r) { return r.outcome.status; })
      .def_property_readonly("steps", [](const Results& r) { return r.outcome.steps; })
      .def_property_readonly("frames", [](const Results& r) { return r.outcome.frames; })
      .def_property_readonly("newton", [](const Results& r) { return r.outcome.newton; })
      .def_property_readonly("time", [](const Results& r) { return r.outcome.simulated; })
      .def_property_readonly("wall", [](const Results& r) { return r.outcome.wall; })
      .def_property_readonly("hash", [](const Results& r) { return r.hash; })
      .def_property_readonly("q", [](const Results& r) { return copy_of(view(r.q), {r.q.size()}); })
      .def_property_readonly("v",
                             [](const Results& r) { return copy_of(view(r.v), {r.v.size()}); });
  m.def("run", [](const std::shared_ptr<PreparedScene>& scene, const std::string& out,
                  const py::object& callback, const py::object& threads, bool force, bool resume,
                  bool statics, std::optional<double> time) {
    return run(scene, {out, callback, threads, force, resume, statics, time});
  });
}

}  // namespace pliant::python
