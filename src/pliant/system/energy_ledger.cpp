#include <pliant/system/energy_ledger.hpp>

#include <pliant/system/step_end.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Of the energies that are compared: less than this is rounding, and what stages are solved to.
constexpr double kRoundingOfEnergies = 1e-10;

double size_of(const Energies& e) {
  return std::abs(e.kinetic) + std::abs(e.elastic) + std::abs(e.external) + std::abs(e.contact);
}

}  // namespace

EnergyLedger::EnergyLedger(const System& system, const State& start)
    : system_(system), meter_(system, start) {
  go_on(start, {}, {});
}

void EnergyLedger::go_on(const State& state, const EnergySums& sums, const EnergyCreated& created,
                         std::optional<double> energy) {
  meter_.go_on(state, 0);
  before_ = state;
  sums_ = sums;
  created_ = created;
  largest_ = created.scale;
  if (energy) {
    energy_ = *energy;
    return;
  }
  const Energies energies = system_.energies(at(state));
  energy_ = energies.total();
  largest_ = std::max(largest_, energies.kinetic + energies.elastic + energies.contact);
  created_.scale = largest_;
}

EnergyTaken EnergyLedger::taken(const State& state) {
  doubt_ = 0;
  if (state.taken) return *state.taken;
  ActingForces first, last;
  find_taking_forces(system_, StepEnd(system_, before_).configuration(), first);
  find_taking_forces(system_, StepEnd(system_, state).configuration(), last);
  const auto by = [&](const ActingForces& forces) {
    return energy_taken(system_, forces, before_.q, state.q).value_or(EnergyTaken{});
  };
  const EnergyTaken one = by(first), other = by(last);
  doubt_ = 0.5 * (std::abs(other.damping - one.damping) + std::abs(other.friction - one.friction));
  return {0.5 * (one.damping + other.damping), 0.5 * (one.friction + other.friction)};
}

// A step begins with the flow at its start.
double EnergyLedger::flowed(const State& state) const {
  if (state.plastic == before_.plastic || !before_.plastic) return 0;
  Configuration c = at(before_);
  const double before = system_.potential(c);
  c.plastic = state.plastic.get();
  return before - system_.potential(c);
}

void EnergyLedger::add_step(const State& state, const Energies& energies) {
  meter_.go_on_with(-meter_.work());  // of this step alone: no rounding of a large sum is in it
  meter_.add_step(state);
  const double work = meter_.work();
  EnergyTaken took = taken(state);
  took.friction += state.rubbed_apart;
  const double flow = flowed(state);
  const double created = energies.total() - energy_ - work + took.damping + took.friction + flow;
  sums_.work += work;
  sums_.damped += took.damping;
  sums_.rubbed += took.friction;
  sums_.flowed += flow;
  sums_.created += created;
  const double rounding =
      kRoundingOfEnergies * (size_of(energies) + std::abs(energy_) + std::abs(work));
  judge(state, energies, created, rounding);
  energy_ = energies.total();
  before_ = state;
}

void EnergyLedger::judge(const State& state, const Energies& energies, double created,
                         double rounding) {
  const double doubt = meter_.doubt() + doubt_ + rounding;
  gain_ = created > 0 ? std::max(0.0, created - doubt) : created;
  created_.now = std::max(0.0, created_.now + gain_);
  created_.total = std::max(created_.total, created_.now);
  // The least of a step grows without bound as the step gets short: one that was chosen by error
  // would hide what all later ones make.
  longest_ = std::max(longest_, state.t - before_.t);
  largest_ = std::max(largest_, energies.kinetic + energies.elastic + energies.contact);
  created_.scale = std::max(largest_, system_.least_energy(longest_));
  if (gain_ <= created_.worst_step) return;
  created_.worst_step = gain_;
  created_.time = state.t;
}

}  // namespace pliant
