// Particles with rods of fixed length between them, hard distance constraints: the cables and
// sheets of TOURNIER §4.1.
#pragma once

#include <pliant/stage/stage.hpp>

#include <array>

namespace pliant {

struct RodNet {
  std::vector<Vec3> places;                // m
  std::vector<double> masses;              // kg
  std::vector<std::array<Index, 2>> rods;  // the second may be −1, the origin
  std::vector<Index> held;                 // particles that stay where they are
  Vec3 down = Vec3(0, -1, 0);              // where gravity pulls
};

// From the origin in `direction`; the last particle carries the weight.
struct CableInput {
  Index links = 0;
  double length = 10, mass = 500, weight = 0;  // m, kg, kg
  Vec3 direction = Vec3(1, 0, 0);
};
RodNet make_cable(const CableInput& input);

// A flat square with rods along both threads, held at two corners; the two others carry a weight
// each.
struct SheetInput {
  Index side = 0;                            // particles
  double length = 10, mass = 1, weight = 0;  // m, kg of a particle, kg
};
RodNet make_sheet(const SheetInput& input);

// Under gravity, at rest.
std::unique_ptr<System> make_system(const RodNet& net);

// The largest change of a rod's length over it.
double largest_stretch(const RodNet& net, std::span<const double> q);

// TOURNIER (21): one linear solve a step.
SolverOptions one_linear_solve(GeometricStiffness geometric);

struct NetRun {
  bool ok = true;  // every step was made, and all is finite
  double stretch = 0;
  // Of what falls, over what all of it would lose across the size of the net: the largest above
  // the start's. Nothing gives it energy, so there should be none.
  double gained = 0;
  double steps_per_second = 0;
  long steps = 0, factorizations = 0;
  std::vector<double> t, energy;  // s; total, over the same
  State end;

  bool stable() const { return ok && gained < 1e-6; }
  bool holds_together() const { return stable() && stretch < 0.1; }
  bool unstable() const { return !ok || gained > 1e-3; }
  std::string words() const;  // "stable, rods stretched by at most 0.3 %"
};
// With be on one thread, until the duration or until it has flown apart.
NetRun run_net(const RodNet& net, const SolverOptions& solver, double h, double duration);

}  // namespace pliant
