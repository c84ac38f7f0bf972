// The clamped beam of LOESCHNER as a benchmark: 8×1×1 m, 5-way tets (or tet10, hex8), stable
// neo-Hookean, ρ = 1000, both ends pinned, under gravity, backward Euler at h = 5 ms. Everything
// that is compared is measured in this one process, and results are ratios: ours against the
// factorisation.
//   bench_beam [--quick]   prints a JSON document
#include <pliant/body/solid.hpp>
#include <pliant/core/timer.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/selections.hpp>
#include <pliant/solve/cholmod_solver.hpp>

#include <sys/resource.h>
#include <tbb/global_control.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace {

using namespace pliant;
using nlohmann::ordered_json;

constexpr double kStep = 5e-3;

struct Beam {
  std::array<Index, 3> cells;
  double young = 1e5, poisson = 0.4;
  ElementType element = ElementType::tet4;
};

Model make_beam(const Beam& beam) {
  SolidInput solid;
  solid.name = "beam";
  solid.mesh = make_box({.size = Vec3(8, 1, 1), .cells = beam.cells, .element = beam.element});
  solid.materials = {{"stable-neo-hookean", {}}};
  solid.materials[0].constants.young = beam.young;
  solid.materials[0].constants.poisson = beam.poisson;
  std::vector<Index> ends;
  for (Index n = 0; n < solid.mesh.point_count(); ++n)
    if (std::abs(std::abs(solid.mesh.points[n].x()) - 4) < 1e-9) ends.push_back(n);
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  Model model = make_model(std::move(solids));
  System& system = *model.system;
  system.add_term(std::make_unique<Gravity>(Vec3(0, -9.81, 0), system.mass(), view(system.rest())));
  Pin pin;
  pin.nodes = std::move(ends);
  system.add_pin(std::move(pin));
  return model;
}

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

template <class F>
double milliseconds(int repetitions, F&& f) {
  std::vector<double> times;
  for (int k = 0; k < repetitions; ++k) {
    Timer timer;
    f();
    times.push_back(1e3 * timer.seconds());
  }
  return median(times);
}

struct StepTimes {
  double total = 0;  // ms per step, median
  double newton = 0, linear = 0, factorizations = 0;
};

struct StepSetup {
  std::string linear;
  bool reuse = false;  // of factors over iterations and steps
};

StepTimes time_steps(const Model& model, const StepSetup& setup, int steps) {
  SolverOptions options;
  options.linear = setup.linear;
  options.reuse = setup.reuse;
  options.tolerance = 1e-3;
  const auto stepper = make_stepper("be", options);
  State state = model.system->make_state();
  StepTimes result;
  std::vector<double> times;
  const int warm_up = 3;
  for (int k = 0; k < warm_up + steps; ++k) {
    Timer timer;
    const StepReport report = stepper->step(*model.system, state, kStep);
    if (!report.ok) throw std::runtime_error("a step failed: " + report.reason);
    if (k < warm_up) continue;
    times.push_back(1e3 * timer.seconds());
    result.newton += static_cast<double>(report.newton) / steps;
    result.linear += static_cast<double>(report.linear) / steps;
    result.factorizations += static_cast<double>(report.factorizations) / steps;
  }
  result.total = median(times);
  return result;
}

ordered_json to_json(const StepTimes& t) {
  return {{"step_ms", t.total},
          {"newton", t.newton},
          {"linear", t.linear},
          {"factorizations", t.factorizations}};
}

// A state of the falling beam after some steps, so that elements are deformed.
State deformed_state(const Model& model) {
  SolverOptions options;
  options.tolerance = 1e-3;
  const auto stepper = make_stepper("be", options);
  State state = model.system->make_state();
  for (int k = 0; k < 40; ++k)
    if (!stepper->step(*model.system, state, kStep).ok) break;
  return state;
}

// The parts of a Newton iteration: force, assembly, factorisation, solve.
ordered_json time_parts(const Model& model, int repetitions) {
  const System& system = *model.system;
  const State state = deformed_state(model);
  const Configuration c{0, view(state.q), view(state.v), nullptr};
  BlockMatrix A(system.pattern());
  Vector f(system.dofs());
  DofMask mask(static_cast<std::size_t>(system.dofs()), 0);
  for (const Index n : system.pins()[0].nodes)
    for (int i = 0; i < 3; ++i) mask[3 * n + i] = 1;
  const auto assemble = [&](Projection projection) {
    system.force_and_potential(c, view(f));
    system.mass().write_to(A);
    system.add_tangent(c, {.stiffness = kStep * kStep, .projection = projection}, A);
  };
  const double assembly = milliseconds(repetitions, [&] { assemble(Projection::none); });
  const double projected = milliseconds(repetitions, [&] { assemble(Projection::psd); });
  assemble(Projection::none);
  A.remove(mask);
  // Two matrices in turn: the solver keeps its factors when the same one comes again.
  BlockMatrix other(system.pattern());
  system.mass().write_to(other);
  other.remove(mask);
  CholmodSolver cholesky(CholmodSolver::Kind::llt, false);
  cholesky.analyze(system.pattern());
  Vector x(system.dofs());
  bool turn = false;
  const double factor = milliseconds(std::max(3, repetitions / 3), [&] {
    turn = !turn;
    if (cholesky.factorize(turn ? other : A) != SolveStatus::ok)
      throw std::runtime_error("no factorisation");
  });
  const double solve =
      milliseconds(repetitions, [&] { (void)cholesky.solve(view(std::as_const(f)), view(x), {}); });
  return {{"assembly_ms", assembly},
          {"assembly_projected_ms", projected},
          {"factorization_ms", factor},
          {"solve_ms", solve},
          {"factor_flops", cholesky.factor_flops()},
          {"factor_entries", cholesky.factor_entries()},
          {"blocks", system.pattern()->blocks()},
          {"assembly_over_factorization", assembly / factor},
          {"projected_over_plain", projected / assembly}};
}

ordered_json run_case(const Beam& beam, int steps, bool parts) {
  const Model model = make_beam(beam);
  ordered_json result = {{"cells", beam.cells},
                         {"element", name_of(beam.element)},
                         {"elements", model.bodies[0].mesh.element_count()},
                         {"nodes", model.system->nodes()},
                         {"young", beam.young},
                         {"poisson", beam.poisson}};
  if (parts) result["parts"] = time_parts(model, 15);
  // The step that everything is compared with factorises at every iteration.
  const StepTimes cholesky = time_steps(model, {"cholesky"}, steps);
  const StepTimes pcg = time_steps(model, {"pcg"}, steps);
  const StepTimes automatic = time_steps(model, {"auto"}, steps);
  const StepTimes reusing = time_steps(model, {"cholesky", true}, steps);
  result["cholesky"] = to_json(cholesky);
  result["pcg"] = to_json(pcg);
  result["auto"] = to_json(automatic);
  result["cholesky_reusing_factors"] = to_json(reusing);
  result["pcg_over_cholesky"] = pcg.total / cholesky.total;
  result["auto_over_cholesky"] = automatic.total / cholesky.total;
  result["reusing_over_cholesky"] = reusing.total / cholesky.total;
  result["auto_over_better"] = automatic.total / std::min(pcg.total, cholesky.total);
  if (parts) {
    const double factor = result["parts"]["factorization_ms"];
    const double factors = cholesky.factorizations * factor;
    const double assembly = cholesky.factorizations * result["parts"]["assembly_ms"].get<double>();
    result["rest_of_cholesky_step_over_factorization"] =
        (cholesky.total - factors - assembly) / factors;
  }
  return result;
}

// Peak memory of a run in a process of its own, MiB.
int memory_of(const char* linear) {
  const Model model = make_beam({.cells = {96, 12, 12}});
  (void)time_steps(model, {linear}, 3);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%ld\n", usage.ru_maxrss / 1024);
  return 0;
}

double measured_memory(const std::string& self, const std::string& linear) {
  FILE* pipe = popen((self + " --memory " + linear).c_str(), "r");
  double mib = 0;
  if (!pipe || std::fscanf(pipe, "%lf", &mib) != 1) mib = -1;
  if (pipe) pclose(pipe);
  return mib;
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  for (int k = 1; k < argc; ++k) {
    if (!std::strcmp(argv[k], "--memory") && k + 1 < argc) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
      return memory_of(argv[k + 1]);
    }
    if (!std::strcmp(argv[k], "--quick")) quick = true;
  }
  ordered_json out = {{"benchmark", "beam"}, {"step", kStep}};
  std::vector<std::array<Index, 3>> sizes = {{32, 4, 4}, {64, 8, 8}};
  if (!quick) sizes.push_back({96, 12, 12});
  for (const int threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    ordered_json cases = ordered_json::array();
    for (const auto& cells : sizes)
      for (const double young : {1e5, 1e7})
        cases.push_back(
            run_case({.cells = cells, .young = young}, cells[0] > 64 ? 4 : 12, young == 1e5));
    if (!quick)
      for (const double poisson : {0.49, 0.499})
        cases.push_back(run_case({.cells = {64, 8, 8}, .poisson = poisson}, 8, false));
    if (!quick && threads == 1)
      for (const ElementType element : {ElementType::tet10, ElementType::hex8})
        cases.push_back(run_case({.cells = {32, 4, 4}, .element = element}, 6, true));
    out["threads_" + std::to_string(threads)] = cases;
  }
  ordered_json scaling = ordered_json::array();
  for (std::size_t k = 0; k < out["threads_1"].size() && k < out["threads_2"].size(); ++k)
    scaling.push_back(out["threads_1"][k]["pcg"]["step_ms"].get<double>() /
                      out["threads_2"][k]["pcg"]["step_ms"].get<double>());
  out["pcg_speed_up_two_threads"] = scaling;
  if (!quick) {
    out["peak_memory_mib_pcg"] = measured_memory(argv[0], "pcg");
    out["peak_memory_mib_cholesky"] = measured_memory(argv[0], "cholesky");
  }
  std::printf("%s\n", out.dump(2).c_str());
}
