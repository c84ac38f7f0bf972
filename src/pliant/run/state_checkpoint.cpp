#include <pliant/contact/edge_shares.hpp>
#include <pliant/contact/friction_set.hpp>
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

// Each contact in a row: key, nodes, weights, normal, pressed, force, slip.
constexpr std::size_t kFrictionRow = 5 + 4 + 4 + 3 + 1 + 1 + 3;

void save_friction(const FrictionSet& set, Checkpoint& checkpoint) {
  std::vector<double> rows;
  const auto add = [&rows](const auto& numbers) {
    for (const auto x : numbers) rows.push_back(static_cast<double>(x));
  };
  for (const FrictionContact& contact : set.contacts) {
    add(contact.key);
    add(contact.nodes);
    add(contact.weights);
    add(contact.normal);
    rows.push_back(contact.pressed);
    rows.push_back(contact.force);
    add(contact.slip);
  }
  checkpoint.arrays["friction"] = std::move(rows);
  checkpoint.arrays["friction.q"] = to_array(set.q);
}

std::shared_ptr<const FrictionSet> load_friction(const Checkpoint& checkpoint, Index nodes) {
  auto set = std::make_shared<FrictionSet>();
  set->q = to_vector(checkpoint, "friction.q", 3 * static_cast<Eigen::Index>(nodes));
  const std::vector<double>& rows = checkpoint.array("friction");
  if (rows.size() % kFrictionRow != 0) throw InputError("the checkpoint's friction is not whole");
  for (auto x = rows.begin(); x != rows.end();) {
    FrictionContact contact;
    for (Index& n : contact.key) n = static_cast<Index>(*x++);
    for (Index& n : contact.nodes) {
      n = static_cast<Index>(*x++);
      if (n < 0 || n >= nodes) throw InputError("the checkpoint's friction does not fit the scene");
    }
    for (double& w : contact.weights) w = *x++;
    for (double& n : contact.normal) n = *x++;
    contact.pressed = *x++;
    contact.force = *x++;
    for (double& s : contact.slip) s = *x++;
    set->contacts.push_back(contact);
  }
  return set;
}

// Each pair of edges in a row: nodes, share.
constexpr std::size_t kShareRow = 4 + 1;

void save_shares(const EdgeShares& shares, Checkpoint& checkpoint) {
  std::vector<double> rows;
  for (const EdgeShare& pair : shares.pairs) {
    rows.insert(rows.end(), pair.nodes.begin(), pair.nodes.end());
    rows.push_back(pair.share);
  }
  checkpoint.arrays["edge_shares"] = std::move(rows);
}

std::shared_ptr<const EdgeShares> load_shares(const Checkpoint& checkpoint) {
  const std::vector<double>& rows = checkpoint.array("edge_shares");
  if (rows.size() % kShareRow != 0)
    throw InputError("the checkpoint's shares of edges are not whole");
  auto shares = std::make_shared<EdgeShares>();
  for (auto x = rows.begin(); x != rows.end();) {
    EdgeShare pair;
    for (Index& n : pair.nodes) n = static_cast<Index>(*x++);
    pair.share = *x++;
    shares->pairs.push_back(pair);
  }
  return shares;
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
  if (state.friction) save_friction(*state.friction, checkpoint);
  if (state.shares) save_shares(*state.shares, checkpoint);
  if (state.contact_force) checkpoint.arrays["contact_force"] = to_array(*state.contact_force);
  if (state.end_force) {
    checkpoint.arrays["end_force"] = to_array(state.end_force->all);
    checkpoint.arrays["end_force.damping"] = to_array(state.end_force->damping);
    checkpoint.arrays["end_force.friction"] = to_array(state.end_force->friction);
  }
  if (state.plastic) checkpoint.arrays["plastic"] = to_array(*state.plastic);
  for (std::size_t k = 0; k < state.memories.size(); ++k)
    if (state.memories[k])
      checkpoint.arrays[fmt::format("term.{}", k)] = state.memories[k]->numbers();
  checkpoint.arrays["stepper"] = std::move(memory);
  checkpoint.integers["newton"] = counters.newton;
  checkpoint.integers["linear"] = counters.linear;
  checkpoint.integers["retries"] = counters.retries;
  checkpoint.integers["projections"] = counters.projections;
  return checkpoint;
}

void to_checkpoint(const EnergyLedger& ledger, Checkpoint& checkpoint) {
  const EnergySums& s = ledger.sums();
  const EnergyCreated& c = ledger.created();
  checkpoint.arrays["ledger"] = {s.work, s.damped,     s.rubbed, s.flowed, s.created,      c.total,
                                 c.now,  c.worst_step, c.time,   c.scale,  ledger.energy()};
}

void from_checkpoint(const Checkpoint& checkpoint, const State& state, EnergyLedger& ledger) {
  const std::vector<double>& x = checkpoint.array("ledger");
  if (x.size() != 11) throw InputError("the checkpoint's ledger of energies is damaged");
  ledger.go_on(state, {x[0], x[1], x[2], x[3], x[4]}, {x[5], x[6], x[7], x[8], x[9]}, x[10]);
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
  state.plastic = nullptr;
  if (system.plastic_numbers() > 0 && checkpoint.arrays.contains("plastic"))
    state.plastic = std::make_shared<const Vector>(
        to_vector(checkpoint, "plastic", static_cast<Eigen::Index>(system.plastic_numbers())));
  state.friction = nullptr;
  if (system.friction() && checkpoint.arrays.contains("friction"))
    state.friction = load_friction(checkpoint, system.nodes());
  state.shares = nullptr;
  if (system.contact() && checkpoint.arrays.contains("edge_shares"))
    state.shares = load_shares(checkpoint);
  // Which nobody may have asked for.
  const auto force = [&](const char* name) {
    const bool there = checkpoint.arrays.contains(name) && !checkpoint.array(name).empty();
    return there ? to_vector(checkpoint, name, system.dofs()) : Vector();
  };
  state.contact_force = nullptr;
  if (Vector f = force("contact_force"); f.size() > 0)
    state.contact_force = std::make_shared<const Vector>(std::move(f));
  state.end_force = state.mean_force = nullptr;
  if (checkpoint.arrays.contains("end_force"))
    state.end_force = std::make_shared<const ActingForces>(
        ActingForces{force("end_force"), force("end_force.damping"), force("end_force.friction")});
  state.taken = std::nullopt;
  state.memories.assign(system.remembers() ? system.terms().size() : 0, nullptr);
  for (std::size_t k = 0; k < state.memories.size(); ++k)
    if (const std::string name = fmt::format("term.{}", k);
        system.terms()[k]->remembers() && checkpoint.arrays.contains(name))
      state.memories[k] = system.terms()[k]->recall(checkpoint.array(name));
  counters.step = checkpoint.integer("step");
  counters.newton = checkpoint.integer("newton");
  counters.linear = checkpoint.integer("linear");
  counters.retries = checkpoint.integer("retries");
  counters.projections = checkpoint.integer("projections");
  return checkpoint.array("stepper");
}

}  // namespace pliant
