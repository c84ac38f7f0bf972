#include <pliant/core/error.hpp>
#include <pliant/run/recorder.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

std::vector<double> to_array(const Vector& x) { return {x.data(), x.data() + x.size()}; }

Vector to_vector(const Checkpoint& checkpoint, const std::string& name, Eigen::Index size) {
  const std::vector<double>& x = checkpoint.array(name);
  if (static_cast<Eigen::Index>(x.size()) != size)
    throw InputError(fmt::format("the checkpoint's {} has {} numbers, the scene needs {}", name,
                                 x.size(), size));
  return as_vector(x);
}

}  // namespace

Checkpoint to_checkpoint(const State& state, const Counters& counters, std::vector<double> memory) {
  Checkpoint checkpoint;
  checkpoint.arrays["t"] = {state.t};
  checkpoint.arrays["q"] = to_array(state.q);
  checkpoint.arrays["v"] = to_array(state.v);
  checkpoint.arrays["a"] = to_array(state.a);
  checkpoint.integers["a_known"] = state.a_known;
  for (std::size_t p = 0; p < state.pins.size(); ++p) {
    const PinState& pin = state.pins[p];
    std::vector<double> numbers = {pin.active ? 1.0 : 0.0, pin.since};
    for (const Vec3& x : pin.anchors) numbers.insert(numbers.end(), x.data(), x.data() + 3);
    checkpoint.arrays[fmt::format("pin.{}", p)] = std::move(numbers);
  }
  checkpoint.arrays["stepper"] = std::move(memory);
  checkpoint.integers["newton"] = counters.newton;
  checkpoint.integers["linear"] = counters.linear;
  checkpoint.integers["retries"] = counters.retries;
  checkpoint.integers["projections"] = counters.projections;
  return checkpoint;
}

const std::vector<double>& from_checkpoint(const Checkpoint& checkpoint, const System& system,
                                           State& state, Counters& counters) {
  state.t = to_vector(checkpoint, "t", 1)[0];
  state.q = to_vector(checkpoint, "q", system.dofs());
  state.v = to_vector(checkpoint, "v", system.dofs());
  state.a = to_vector(checkpoint, "a", system.dofs());
  state.a_known = checkpoint.integer("a_known") != 0;
  for (std::size_t p = 0; p < state.pins.size(); ++p) {
    const std::vector<double>& numbers = checkpoint.array(fmt::format("pin.{}", p));
    const std::size_t nodes = system.pins()[p].nodes.size();
    const bool held = !numbers.empty() && numbers[0] != 0;
    if (numbers.size() != 2 + 3 * nodes && (held || numbers.size() != 2))
      throw InputError("the checkpoint's pins do not fit the scene");
    PinState& pin = state.pins[p];
    pin.active = numbers[0] != 0;
    pin.since = numbers[1];
    pin.anchors.clear();
    for (std::size_t k = 2; k + 3 <= numbers.size(); k += 3)
      pin.anchors.emplace_back(numbers[k], numbers[k + 1], numbers[k + 2]);
  }
  counters.step = checkpoint.integer("step");
  counters.newton = checkpoint.integer("newton");
  counters.linear = checkpoint.integer("linear");
  counters.retries = checkpoint.integer("retries");
  counters.projections = checkpoint.integer("projections");
  return checkpoint.array("stepper");
}

}  // namespace pliant
