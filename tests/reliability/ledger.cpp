#include <reliability/ledger.hpp>

#include <pliant/integrate/energy_guard.hpp>
#include <pliant/run/recorder.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant::reliability {
namespace {

// What is promised. The guard itself is stricter: within a step that was halved it sees larger
// energies than the ends of the step show, and the shortest steps pass it whatever they gain.
constexpr double kEnergyTolerance = 2e-3;
static_assert(EnergyGuard::default_tolerance < kEnergyTolerance);
// Without a barrier steps that touch nothing have an account of their own.
constexpr double kFreeTolerance = kEnergyTolerance + EnergyGuard::free_tolerance;
static_assert(EnergyGuard::free_tolerance < EnergyWatch::kExplained);
// Of mass times the largest speed: Newton's tolerance of 1e-8 over some hundred stages.
constexpr double kMomentumTolerance = 1e-6;

double smallest_det(const World& world, std::span<const double> q) {
  double least = std::numeric_limits<double>::infinity();
  const auto edges = [](std::span<const double> x, std::span<const Index> tet, Index first) {
    Mat3 D;
    for (int k = 0; k < 3; ++k)
      D.col(k) = node(x, first + tet[static_cast<std::size_t>(k) + 1]) - node(x, first + tet[0]);
    return D.determinant();
  };
  for (const Body& body : world.model().bodies)
    for (const ElementBlock& block : body.mesh.blocks)
      for (Index e = 0; block.type == ElementType::tet4 && e < block.size(); ++e)
        least = std::min(least,
                         edges(q, block.element(e), body.first_node) /
                             edges(view(world.system().rest()), block.element(e), body.first_node));
  return least;
}

bool needs_positive_det(const SceneSpec& spec) {
  return std::all_of(spec.pieces.begin(), spec.pieces.end(),
                     [](const Piece& piece) { return piece.law == "neo-hookean"; });
}

bool is_barrier(const World& world) { return world.method() == ContactMethod::barrier; }

}  // namespace

Ledger::Ledger(const World& world, const Combination& combination, Outcome& outcome)
    : world_(world),
      combination_(combination),
      outcome_(outcome),
      energies_(world.system().energies(at(world.start()))),
      account_(world.system(), world.start()) {
  for (const Body& body : world.model().bodies) mass_ += body.mass;
  momentum_ = world.system().momentum(view(world.start().q), view(world.start().v));
  if (world.rules()) lifted_ = mass_ * world.spec().gravity.norm() * world.rules()->margin;
}

std::string Ledger::enter(const State& state, const StepReport& report) {
  if (std::string wrong = check_shape(state); !wrong.empty()) return wrong;
  if (std::string wrong = check_guard(state, report); !wrong.empty()) return wrong;
  if (!is_barrier(world_))
    if (std::string wrong = check_account(state); !wrong.empty()) return wrong;
  return check_momentum(state);
}

std::string Ledger::check_shape(const State& state) {
  outcome_.min_det = std::min(outcome_.min_det, smallest_det(world_, view(state.q)));
  if (needs_positive_det(world_.spec()) && !(outcome_.min_det > 0))
    return fmt::format("I3: det F = {:.3g}", outcome_.min_det);
  if (world_.method() == ContactMethod::admm) return {};  // it keeps points apart, not surfaces
  if (const auto gap = world_.smallest_gap(state)) {
    outcome_.min_gap = std::min(outcome_.min_gap, *gap);
    if (!(*gap > 0)) return fmt::format("I2: a gap of {:.3g} m", *gap);
  }
  return {};
}

// The guard's promise: no more than a part of the largest energy above the least since then,
// through steps with contact, and in all where there is no barrier. There what comes nearer than
// the gap that is kept is moved apart without a velocity, which lifts no more than all weight by
// that gap. What is driven from outside has no such bound.
std::string Ledger::check_guard(const State& state, const StepReport& report) {
  const Energies before = energies_;
  energies_ = world_.system().energies(at(state));
  const auto scale_of = [](const Energies& e) { return e.kinetic + e.elastic + e.contact; };
  scale_ = std::max({scale_, scale_of(before), scale_of(energies_)});
  if (world_.is_driven()) return {};
  const bool counts = !is_barrier(world_) || report.contacts > 0 || before.contact > 0;
  const double gain = energies_.total() - before.total();
  if (counts || gain < 0) gained_ = std::max(0.0, gained_ + gain);
  if (is_barrier(world_) && scale_ > 0)
    outcome_.energy_gain = std::max(outcome_.energy_gain, gained_ / scale_);
  if (gained_ > (is_barrier(world_) ? kEnergyTolerance : kFreeTolerance) * scale_ + lifted_)
    return fmt::format("I6: contact has made {:.3g} J, {:.3g} of the largest energy", gained_,
                       gained_ / scale_);
  return {};
}

// By the account that every run keeps: never as much that a run would have to say it, but for what
// keeping gaps lifts, which is said where nothing moved at the ends of steps before. What friction
// takes of a step that contact corrects is known to some percent of it only, and the guard does not
// count on it: there the account is kept, and total energies are judged.
std::string Ledger::check_account(const State& state) {
  account_.add_step(state, energies_);
  const EnergyCreated& created = account_.created();
  if (created.scale > 0) outcome_.energy_gain = created.total / created.scale;
  if (combination_.mu > 0 || created.now <= lifted_) return {};
  const std::string said = watch_.look(account_, combination_.h, combination_.integrator, "redo");
  return said.empty() ? said : "I6: " + said;
}

std::string Ledger::check_momentum(const State& state) {
  if (!world_.is_free()) return {};
  for (Index n = 0; n < world_.system().nodes(); ++n)
    speed_ = std::max(speed_, node(view(state.v), n).norm());
  const Momentum now = world_.system().momentum(view(state.q), view(state.v));
  const double change = (now.linear - momentum_.linear).norm();
  if (change > kMomentumTolerance * mass_ * speed_)
    return fmt::format("I7: linear momentum has changed by {:.3g} of mass times speed",
                       change / (mass_ * speed_));
  return {};
}

void Ledger::save(Checkpoint& checkpoint) const {
  const Energies& e = energies_;
  to_checkpoint(account_, checkpoint);
  checkpoint.arrays["invariants"] = {e.kinetic, e.elastic, e.external, e.contact,
                                     scale_,    gained_,   speed_};
}

void Ledger::restore(const Checkpoint& checkpoint, const State& state) {
  from_checkpoint(checkpoint, state, account_);
  const std::vector<double>& x = checkpoint.array("invariants");
  energies_ = {x.at(0), x.at(1), x.at(2), x.at(3)};
  scale_ = x.at(4), gained_ = x.at(5), speed_ = x.at(6);
}

}  // namespace pliant::reliability
