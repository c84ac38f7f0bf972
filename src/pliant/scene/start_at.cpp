#include <pliant/scene/start_at.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

constexpr double kLatest = 1e9;  // s

}  // namespace

void start_at(double time, BuiltScene& built) {
  if (!(time >= 0 && time <= kLatest))
    throw InputError(fmt::format("time: must lie between 0 and {:g} s, got {:g}", kLatest, time));
  const System& system = *built.model.system;
  State& start = built.start;
  start.t = time;
  for (std::size_t p = 0; p < system.pins().size(); ++p) {
    const Pin& pin = system.pins()[p];
    PinState& held = start.pins[p];
    const bool began = held.active;
    held.active = pin.active_during(time, time);
    if (!held.active || began) continue;
    held.since = std::max(pin.from, 0.0);
    held.anchors.clear();
    for (const Index n : pin.nodes) held.anchors.push_back(node(view(start.q), n));
  }
  const Vector before = start.q;
  system.prescribe(start, time, view(start.q), {}, {});
  start.a_known = false;
  if (system.contact() && start.q != before)
    throw InputError(fmt::format(
        "time {:g} s: pins or obstacles have moved by then, and what they touch depends on the "
        "way; with contact, a damped run finds it",
        time));
}

}  // namespace pliant
