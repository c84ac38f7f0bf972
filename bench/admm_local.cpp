// Local steps of every law, of cloth, bending, cables and damping, at states that are strained at
// random.
#include "admm_parts.hpp"

#include <pliant/material/law_names.hpp>
#include <pliant/term/local_potential.hpp>

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <ctime>
#include <random>

namespace pliant::bench {
namespace {

using nlohmann::ordered_json;

constexpr double kLeast = 0.1;      // s of one repetition
constexpr int kRepetitions = 5;     // of which the median is taken
constexpr double kSuccessor = 1.3;  // µs of admm-elastic on one core (aarch64)
constexpr double kStrain = 0.1;     // of the states that local steps are measured at

double median(std::vector<double> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

// Of the processor, so that whatever else runs on the machine does not count.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Work>
double median_seconds(Work&& work) {
  std::vector<double> all;
  for (int k = 0; k < kRepetitions; ++k) {
    const double start = cpu_seconds();
    long count = 0;
    while (cpu_seconds() - start < kLeast) work(), ++count;
    all.push_back((cpu_seconds() - start) / static_cast<double>(count));
  }
  return median(all);
}

// Body and damping of a row of local steps; of the terms of the body, the last one is measured.
struct LocalExample {
  std::string name;
  bool closed = false;  // the local step is a formula
  SolidInput solid;
};

SolidInput sheet_of(std::string law, double bending, BendingModel model) {
  SolidInput solid = solid_of(std::move(law));
  solid.mesh = make_sheet({{2, 1}, {48, 24}});
  solid.thin = ThinInput{0.01, bending, model};
  return solid;
}
SolidInput damped(DampingLaw law) {
  SolidInput solid = solid_of("stable-neo-hookean");
  solid.damping = {std::move(law)};
  return solid;
}

std::vector<LocalExample> local_examples() {
  std::vector<LocalExample> all;
  for (const LawInfo& law : solid_laws()) {
    const bool closed = law.name == "arap" || law.name == "corotated" || law.name == "linear";
    all.push_back({std::string(law.name), closed, solid_of(std::string(law.name))});
  }
  for (const MembraneInfo& law : membrane_laws())
    all.push_back({fmt::format("cloth, {}", law.name), false,
                   sheet_of(std::string(law.name), 0, BendingModel::quadratic)});
  all.push_back({"bending of cloth", true, sheet_of("stvk", 1e-3, BendingModel::quadratic)});
  all.push_back({"bending of shells", false, sheet_of("stvk", 1e-3, BendingModel::shell)});
  SolidInput rope = solid_of("stvk");
  rope.mesh = make_cable({Vec3(-1, 0, 0), Vec3(1, 0, 0), 1000});
  rope.thin = ThinInput{0.01, 0.0};
  all.push_back({"stretch of cables", false, std::move(rope)});
  DampingLaw rate;
  rate.psi = rate.phi = {100};
  all.push_back({"damping, strain-rate", false, damped(rate)});
  for (const double p : {0.0, 2.0}) {
    rate.over.power = PowerLaw{.p = p, .strength = 1e3};
    all.push_back({fmt::format("damping, power-law of {}", p), false, damped(rate)});
  }
  return all;
}

// Rest with every node moved by up to kStrain of the shortest edge.
Vector strained(const System& system, double edge, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(-kStrain * edge, kStrain * edge);
  Vector q = system.rest();
  for (double& x : q) x += part(random);
  return q;
}

double shortest_edge(const System& system, const LocalMaps& maps) {
  double edge = 1e300;
  const auto n = static_cast<std::size_t>(maps.nodes);
  for (std::size_t i = 0; i < maps.size(); ++i)
    for (std::size_t a = 1; a < n; ++a)
      edge = std::min(edge, (node(view(system.rest()), maps.connectivity[n * i + a]) -
                             node(view(system.rest()), maps.connectivity[n * i]))
                                .norm());
  return edge;
}

Vector mapped(const LocalMaps& maps, const Vector& q) {
  const auto n = static_cast<std::size_t>(maps.nodes), r = static_cast<std::size_t>(maps.rows);
  Vector z = Vector::Zero(static_cast<Eigen::Index>(3 * r * maps.size()));
  for (std::size_t i = 0; i < maps.size(); ++i)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t k = 0; k < r; ++k)
        z.segment<3>(static_cast<Eigen::Index>(3 * (r * i + k))) +=
            maps.g[r * (n * i + a) + k] * node(view(q), maps.connectivity[n * i + a]);
  return z;
}

// From z of one state, with the multipliers that it has, to the target of another one nearby.
ordered_json measure(LocalExample example) {
  std::vector<SolidInput> solids;
  solids.push_back(std::move(example.solid));
  const Model model = make_model(std::move(solids));
  const System& system = *model.system;
  const LocalPotential* parts = nullptr;
  for (const auto& term : system.terms())
    if (const auto* local = dynamic_cast<const LocalPotential*>(term.get())) parts = local;
  const LocalMaps maps = parts->local_maps();
  const double edge = shortest_edge(system, maps), gamma = 0.3 * kFrame;
  const Vector before = mapped(maps, strained(system, edge, 1));
  const Vector still = Vector::Zero(before.size());
  const Vector start = mapped(maps, strained(system, edge, 2));
  std::vector<double> weights(maps.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = parts->local_stiffness(i, gamma);
  const LocalRange range{0, maps.size(), {gamma, view(before), view(still)}};
  Vector u(start.size());
  parts->local_gradient({}, range, view(start), view(u));
  for (Eigen::Index k = 0; k < u.size(); ++k)
    u[k] /= weights[static_cast<std::size_t>(k) / (3 * static_cast<std::size_t>(maps.rows))];
  const Vector target = mapped(maps, strained(system, edge, 3)) + u;
  Vector z;
  bool found = true;
  const double seconds = median_seconds([&] {
    z = start;
    found = parts->local_minimise({}, range, weights, view(target), view(z)) && found;
  });
  const double us = 1e6 * seconds / static_cast<double>(maps.size());
  return {{"local_step", example.name},
          {"closed_form", example.closed},
          {"found", found},
          {"parts", maps.size()},
          {"us_per_part", us},
          {"of_admm_elastic", us / kSuccessor}};
}

}  // namespace

ordered_json measure_local_steps() {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  ordered_json rows;
  for (LocalExample& example : local_examples()) rows.push_back(measure(std::move(example)));
  return rows;
}

}  // namespace pliant::bench
