#include <pliant/reproduce/rod_net.hpp>

#include <pliant/constraint/distance.hpp>
#include <pliant/core/timer.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/gravity.hpp>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

constexpr double kGravityOfNet = 9.81;  // m/s²
constexpr double kFlownApart = 1000;    // stretch

template <class Place>
double length_of(const std::array<Index, 2>& rod, Place&& place) {
  const Vec3 from = rod[1] < 0 ? Vec3(Vec3::Zero()) : Vec3(place(rod[1]));
  return (Vec3(place(rod[0])) - from).norm();
}

double rest_length(const RodNet& net, const std::array<Index, 2>& rod) {
  return length_of(rod, [&](Index n) { return net.places[static_cast<std::size_t>(n)]; });
}

}  // namespace

RodNet make_cable(const CableInput& input) {
  RodNet net;
  const double links = input.links;
  for (Index k = 0; k < input.links; ++k) {
    net.places.push_back(input.length * (k + 1) / links * input.direction);
    net.masses.push_back(input.mass / links);
    net.rods.push_back({k, k - 1});
  }
  net.masses.back() += input.weight;
  return net;
}

RodNet make_sheet(const SheetInput& input) {
  RodNet net;
  const Index side = input.side;
  const double spacing = input.length / (side - 1);
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j) {
      const Index n = side * i + j;
      net.places.push_back(spacing * Vec3(j, 0, i));
      net.masses.push_back(input.mass);
      if (j > 0) net.rods.push_back({n, n - 1});
      if (i > 0) net.rods.push_back({n, n - side});
    }
  net.held = {0, side - 1};
  for (const Index corner : {side * (side - 1), side * side - 1})
    net.masses[static_cast<std::size_t>(corner)] += input.weight;
  return net;
}

std::unique_ptr<System> make_system(const RodNet& net) {
  auto system = std::make_unique<System>(net.places, std::vector<std::unique_ptr<Term>>());
  for (std::size_t n = 0; n < net.masses.size(); ++n)
    system->mass().values()[static_cast<std::size_t>(system->pattern()->diagonal[n])] =
        net.masses[n];
  std::vector<DistanceRow> rows;
  for (const std::array<Index, 2>& rod : net.rods) {
    DistanceRow row{.name = fmt::format("rod {}", rows.size() + 1),
                    .a = MappedPoint::of_node(rod[0])};
    if (rod[1] >= 0) row.b = MappedPoint::of_node(rod[1]);
    row.rest = rest_length(net, rod);
    rows.push_back(row);
  }
  system->add_term(
      std::make_unique<Gravity>(kGravityOfNet * net.down, system->mass(), view(system->rest())));
  system->add_constraint(std::make_unique<DistanceConstraints>(std::move(rows)));
  if (!net.held.empty()) {
    Pin pin;
    pin.nodes = net.held;
    system->add_pin(std::move(pin));
  }
  return system;
}

double largest_stretch(const RodNet& net, std::span<const double> q) {
  double largest = 0;
  for (const std::array<Index, 2>& rod : net.rods) {
    const double rest = rest_length(net, rod);
    const double now = length_of(rod, [&](Index n) { return Vec3(node(q, n)); });
    largest = std::max(largest, std::abs(now / rest - 1));
  }
  return largest;
}

SolverOptions one_linear_solve(GeometricStiffness geometric) {
  SolverOptions options;
  options.type = "linear";
  options.geometric = geometric;
  return options;
}

std::string NetRun::words() const {
  const std::string_view word = stable() ? "stable" : unstable() ? "unstable" : "undecided";
  if (!ok || stretch > kFlownApart) return fmt::format("{}, flies apart", word);
  return fmt::format("{}, rods stretched by at most {:.2g} %", word, 100 * stretch);
}

NetRun run_net(const RodNet& net, const SolverOptions& solver, double h, double duration) {
  const auto system = make_system(net);
  State state = system->make_state();
  const auto stepper = make_stepper("be", solver);
  const double fall =
      kGravityOfNet * system->size() * std::accumulate(net.masses.begin(), net.masses.end(), 0.0);
  const double start = system->energies(at(state)).total();
  NetRun run;
  double seconds = 0;
  const auto step = [&] {
    const Timer timer;
    const StepReport report = stepper->step(*system, state, h);
    seconds += timer.seconds();
    run.factorizations += report.factorizations;
    run.ok = report.ok && state.q.allFinite() && state.v.allFinite();
    run.t.push_back(state.t);
    run.energy.push_back((system->energies(at(state)).total() - start) / fall);
    run.gained = std::max(run.gained, run.energy.back());
    run.stretch = std::max(run.stretch, largest_stretch(net, view(state.q)));
  };
  tbb::task_arena one_thread(1);
  one_thread.execute([&] {
    const long steps = std::lround(duration / h);
    while (run.steps < steps && run.ok && run.stretch < kFlownApart) step(), ++run.steps;
  });
  run.steps_per_second = static_cast<double>(run.steps) / seconds;
  run.end = std::move(state);
  return run;
}

}  // namespace pliant
