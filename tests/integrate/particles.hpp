// Particles with masses that nothing holds but constraints.
#pragma once

#include <pliant/constraint/distance.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/gravity.hpp>

namespace pliant::fixtures {

inline constexpr double kG = 9.81;

struct Particle {
  Vec3 place = Vec3::Zero();
  double mass = 1;  // kg
};

inline std::unique_ptr<System> make_particles(const std::vector<Particle>& particles) {
  std::vector<Vec3> rest;
  for (const Particle& p : particles) rest.push_back(p.place);
  auto system = std::make_unique<System>(std::move(rest), std::vector<std::unique_ptr<Term>>());
  for (std::size_t n = 0; n < particles.size(); ++n)
    system->mass().values()[static_cast<std::size_t>(system->pattern()->diagonal[n])] =
        particles[n].mass;
  system->add_term(
      std::make_unique<Gravity>(Vec3(0, -kG, 0), system->mass(), view(system->rest())));
  return system;
}

inline DistanceRow rod(Index a, Index b, double length, double compliance = 0) {
  return {.name = "rod " + std::to_string(a) + "-" + std::to_string(b),
          .a = MappedPoint::of_node(a),
          .b = MappedPoint::of_node(b),
          .rest = length,
          .compliance = compliance};
}
inline DistanceRow hung_up(Index a, const Vec3& world, double length, double compliance = 0) {
  return {.name = "rod " + std::to_string(a) + "-world",
          .a = MappedPoint::of_node(a),
          .world = world,
          .rest = length,
          .compliance = compliance};
}

inline double worst_error(const System& system, const State& state) {
  Vector phi;
  system.constraints().value(state.t, view(state.q), phi);
  return phi.lpNorm<Eigen::Infinity>();
}

}  // namespace pliant::fixtures
