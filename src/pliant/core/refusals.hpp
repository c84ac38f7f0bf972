// What does not go together: every combination of methods, bodies, materials and contact that a
// scene may ask for and that is refused, and why. Whoever refuses one takes its words from this
// list, `pliant list refusals` prints it, the docs are made of that, and the random walk
// (tools/random_scenes.py) takes no other refusal.
#pragma once

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

namespace pliant {

enum class Refusal : std::size_t {
  barrier_integrator,
  barrier_solver,
  qp_constraints,
  admm_contact_solver,
  admm_contact_integrator,
  admm_contact_self,
  admm_contact_bodies,
  admm_contact_probe,
  restitution_method,
  restitution_guard,
  constraints_integrator,
  constraints_rho,
  constraints_solver,
  no_constraints_minres,
  no_constraints_stabilize,
  strain_law,
  strain_principal,
  strain_frames,
  strain_plasticity,
  admm_integrator,
  admm_bodies,
  admm_plasticity,
  admm_path_damping,
  admm_dense,
  admm_term,
  dense_rows,
  dense_se3,
  modal_frames,
  modal_thin,
  modal_strain,
  modal_eigenfit,
  coarsen_plasticity,
  coarsen_strain,
  rigid_damping,
  thin_damping,
  principal_damping_law,
  cloth_law,
  solid_law,
  dt_auto,
  tolerance_auto,
  count
};

// In `why`, {} stands for what the scene says.
struct RefusalInfo {
  std::string_view what, why;
};
std::span<const RefusalInfo> refusals();

template <class... Args>
std::string words_of(Refusal refusal, const Args&... args) {
  return fmt::format(fmt::runtime(refusals()[static_cast<std::size_t>(refusal)].why), args...);
}

// `where` is a place in the scene.
template <class... Args>
[[noreturn]] void refuse(Refusal refusal, const std::string& where, const Args&... args) {
  throw InputError(fmt::format("{}: {}", where, words_of(refusal, args...)));
}

}  // namespace pliant
