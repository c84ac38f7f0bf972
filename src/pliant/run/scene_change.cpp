#include <pliant/run/scene_change.hpp>

#include <pliant/contact/barrier_term.hpp>
#include <pliant/contact/separate.hpp>
#include <pliant/core/error.hpp>

#include <fmt/format.h>

namespace pliant {

// Contact by qp and unilateral rows moves apart by itself what has met.
void require_can_go_on(const BuiltScene& next, const State& state) {
  const BarrierTerm* contact = next.model.system->contact();
  if (!contact) return;
  const std::vector<Intersection> found = find_intersections(contact->surface(), view(state.q));
  if (found.empty()) return;
  const std::vector<Meeting> pairs = gather_meetings(contact->surface(), found, view(state.q));
  throw InfeasibleStart(
      fmt::format("contact cannot begin now, at {:.6g} s: \"{}\" and \"{}\" intersect{}", state.t,
                  pairs.front().first, pairs.front().second,
                  pairs.size() > 1 ? fmt::format(", and {} pairs more", pairs.size() - 1) : ""));
}

void leave_behind(const BuiltScene& next, State& state) {
  const System& system = *next.model.system;
  state.a_known = false;
  if (!next.rules) state.contact_force = nullptr;
  state.mean_force = state.end_force = nullptr;
  state.taken = std::nullopt;
  if (!system.friction()) state.friction = nullptr;
  if (!system.contact()) state.shares = nullptr;
}

}  // namespace pliant
