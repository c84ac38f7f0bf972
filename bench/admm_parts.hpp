// What bench_admm measures, each as a part of its JSON document.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/mesh/generators.hpp>

#include <nlohmann/json.hpp>

namespace pliant::bench {

constexpr double kFrame = 0.04;  // s, BROWN §7

// The local step (16b), (40) of one element in one iteration, law by law, on one thread.
nlohmann::ordered_json measure_local_steps();
// Whole frames with as many nodes, terms and iterations as in BROWN, Table 2, on all cores.
nlohmann::ordered_json measure_frames();
// The time that the local–global solver and Newton's method take to the same error.
nlohmann::ordered_json measure_errors();

// A beam along x of 4 320 tetrahedra.
inline SolidInput solid_of(std::string law) {
  SolidInput solid;
  solid.mesh = make_box({Vec3(2, 0.5, 0.5), {24, 6, 6}, ElementType::tet4});
  solid.materials = {{std::move(law), {}}};
  solid.materials[0].constants.young = 1e5;
  solid.materials[0].constants.poisson = 0.4;
  return solid;
}

}  // namespace pliant::bench
