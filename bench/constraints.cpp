// What hard constraints cost on one thread: steps per second of swinging chains and of hanging
// sheets of rods, one linear solve a step (TOURNIER (21)) and Newton's method, and beside it the
// time of the factorisation and the solve alone, of the equations at the state of the last step.
// Then the scenes of TOURNIER §4.3 as they are, with Newton's method and contact.
//   bench_constraints   prints a JSON document; in the project's folder, for its scenes
#include <pliant/core/error.hpp>
#include <pliant/core/timer.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/reproduce/rod_net.hpp>
#include <pliant/reproduce/trajectory.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/system/kkt_assembly.hpp>

#include <tbb/global_control.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace {

using namespace pliant;
using nlohmann::ordered_json;

constexpr int kSteps = 200;      // of a run: it falls, swings and is stretched
constexpr double kLeast = 0.2;   // s of one repetition
constexpr int kRepetitions = 5;  // of which the median is taken

struct Example {
  std::string name;
  RodNet net;
  double h;      // s
  double paper;  // steps per second; 0: not given
};

std::vector<Example> examples() {
  const auto cable = [](double links) {
    return make_cable({.links = static_cast<Index>(links), .mass = links, .weight = 99});
  };
  return {{"chain of 10", cable(10), 0.04, 500},
          {"chain of 100", cable(100), 0.04, 100},
          {"sheet of 10×10", make_sheet({.side = 10, .weight = 499}), 0.01, 500},
          {"sheet of 30×30", make_sheet({.side = 30, .weight = 499}), 0.01, 0}};
}

double median(std::vector<double> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

template <class Work>
double median_seconds(Work&& work) {
  std::vector<double> all;
  for (int k = 0; k < kRepetitions; ++k) {
    const Timer timer;
    long count = 0;
    while (timer.seconds() < kLeast) work(), ++count;
    all.push_back(timer.seconds() / static_cast<double>(count));
  }
  return median(all);
}

// The equations of (21) at a state: M + h² K̃ and J, with multipliers of a solve without K̃.
class Equations {
 public:
  Equations(const System& system, State state, double h) {
    DofMask mask;
    StepData data;
    system.open_step(state, h, data, mask);
    BlockMatrix M(system.pattern());
    system.mass().write_to(M);
    Vector force(system.dofs());
    system.force(at(state), view(force));
    const ConstraintSet& constraints = system.constraints();
    std::vector<JacobianEntry> J;
    constraints.jacobian(view(state.q), J);
    constraints.value(state.t, view(state.q), g_);
    g_ /= -h;
    for (const JacobianEntry& entry : J)
      g_[entry.row] -= entry.gradient.dot(node(view(state.v), entry.node));
    assembly_.matrix().C = constraints.compliance() / (h * h);
    assembly_.matrix().unit = state.v.lpNorm<Eigen::Infinity>();
    y_.setZero(constraints.rows());
    const auto solver = make_kkt_solver("auto");
    std::vector<NodeBlock> blocks;
    for (int k = 0; k < 2; ++k) {
      constraints.geometric_stiffness(view(state.q), -y_ / h, h * h, GeometricStiffness::positive,
                                      blocks);
      assembly_.fill(M, blocks, J, mask);
      assembly_.gather(h * force, f_);
      if (!solve(*solver)) throw CannotContinue("the equations of a step could not be solved");
    }
  }
  bool solve(KktSolver& solver) {
    return solver.factorize(assembly_.matrix()) == SolveStatus::ok &&
           solver.solve(f_, g_, x_, y_).status == SolveStatus::ok;
  }

 private:
  KktAssembly assembly_;
  Vector f_, g_, x_, y_;
};

ordered_json measure(const Example& example, const std::string& type) {
  SolverOptions options;
  options.type = type;
  std::vector<double> rates;
  NetRun run;
  for (int k = 0; k < kRepetitions; ++k) {
    run = run_net(example.net, options, example.h, kSteps * example.h);
    rates.push_back(run.steps_per_second);
  }
  const double rate = median(rates);
  ordered_json out = {{"solver", type},
                      {"stable", run.stable()},
                      {"stretch", run.stretch},
                      {"steps_per_second", rate},
                      {"factorizations_per_step",
                       static_cast<double>(run.factorizations) / static_cast<double>(run.steps)}};
  Equations equations(*make_system(example.net), run.end, example.h);
  for (const LinearSolverInfo& info : kkt_solvers()) {
    const auto solver = make_kkt_solver(info.name);
    ordered_json& ms = out["factorize_and_solve_ms"][std::string(info.name)];
    if (!equations.solve(*solver)) continue;  // null
    const double bare = median_seconds([&] { (void)equations.solve(*solver); });
    ms = 1e3 * bare;
    if (info.name == "auto") out["step_over_factorize_and_solve"] = 1 / (rate * bare);
  }
  return out;
}

struct SceneExample {
  std::string name;
  double paper;     // steps per second
  double duration;  // s
};
const std::array<SceneExample, 4> kScenes = {
    {{"ragdoll", 70, 1.5}, {"bow", 85, 1.2}, {"trampoline", 35, 1.5}, {"knee", 11, 1}}};

ordered_json measure(const SceneExample& example) {
  const std::filesystem::path path = "scenes/" + example.name + ".json";
  const SceneDescription scene =
      describe(resolve(load_json(path), built_vocabulary(), path.string()), path.parent_path(),
               path.string());
  const BuiltScene built = build_scene(scene, Log());
  TrajectoryRequest request = request_of(scene);
  request.duration = example.duration;
  const Trajectory run = run_trajectory(built, request, Log());
  return {{"example", example.name},
          {"h", request.dt},
          {"paper_steps_per_second", example.paper},
          {"solver", scene.solver.type},
          {"stable", run.ok},
          {"steps_per_second", static_cast<double>(run.steps) / run.wall},
          {"newton_per_step", static_cast<double>(run.newton) / static_cast<double>(run.steps)},
          {"contacts", run.contacts}};
}

}  // namespace

int main() {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  ordered_json out = {{"benchmark", "constraints"}, {"steps", kSteps}};
  for (const Example& example : examples())
    for (const char* type : {"linear", "newton"}) {
      ordered_json row = {{"example", example.name}, {"h", example.h}};
      if (example.paper > 0) row["paper_steps_per_second"] = example.paper;
      row.update(measure(example, type));
      out["rows"].push_back(row);
    }
  for (const SceneExample& example : kScenes) out["scenes"].push_back(measure(example));
  std::printf("%s\n", out.dump(1).c_str());
}
