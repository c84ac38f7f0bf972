#include <pliant/integrate/energy_guard.hpp>

#include <pliant/contact/friction_term.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

// Of the longest step: one this short is taken even where it gains.
constexpr double kShortest = 1.0 / 64;

// J: what the forces of contact do over the distance at which they begin. A body at rest has this
// at least.
double pressing(const System& system, const State& state) {
  const BarrierTerm* contact = system.contact();
  if (!contact) return 0;
  Vector f = Vector::Zero(system.dofs());
  contact->add_force(at(state), view(f));
  double sum = 0;
  for (Index n = 0; n < system.nodes(); ++n) sum += node(view(f), n).norm();
  return 0.1 * sum * contact->delta();  // each force is on both sides
}

}  // namespace

EnergyGuard::EnergyGuard(std::unique_ptr<Stepper> stepper, std::unique_ptr<Stepper> safe,
                         double tolerance)
    : stepper_(std::move(stepper)), safe_(std::move(safe)), tolerance_(tolerance) {}

std::optional<double> EnergyGuard::gain(const System& system, const State& after,
                                        const StepReport& report) {
  const Energies old = system.energies(at(before_));
  if (report.contacts == 0 && old.contact == 0) return std::nullopt;
  const Energies now = system.energies(at(after));
  const double most = old.kinetic + old.elastic + old.contact + pressing(system, after);
  if (most > scale_) {
    room_ += tolerance_ * (most - scale_);
    scale_ = most;
  }
  WorkMeter meter(system, before_);
  meter.add_step(after);
  return now.total() - old.total() - meter.work() - meter.doubt();
}

// Gains that are let pass use up the room, losses give it back.
bool EnergyGuard::accepts(const System& system, const State& after, const StepReport& report) {
  const std::optional<double> more = gain(system, after, report);
  if (more && *more > room_) return false;
  if (more) room_ = std::min(tolerance_ * scale_, room_ - *more);
  return true;
}

// Do contacts come apart faster than restitution lets them? The method's stages within the step
// reflect what hits, since the way of a stage is made of velocities before and after (BROWN §8).
bool EnergyGuard::bounces(const System& system, const State& after,
                          const StepReport& report) const {
  const FrictionTerm* friction = system.friction();
  if (!safe_ || !friction || !friction->options().has_loss() || report.contacts == 0) return false;
  return friction->rebound(at(after)) > friction->options().rebound_speed;
}

// Where the method finds no solution near contact, the safe one may: it asks for one stage only.
StepReport EnergyGuard::step(const System& system, State& state, double h) {
  before_ = state;
  longest_ = std::max(longest_, h);
  stepper_->estimate_into(error_);
  StepReport report = stepper_->step(system, state, h);
  const bool bounced = report.ok && state.q.allFinite() && bounces(system, state, report);
  if (report.ok && !bounced && (!state.q.allFinite() || accepts(system, state, report)))
    return report;
  if (!report.ok && (!safe_ || !system.contact())) return report;
  if (safe_) {
    const std::string why = bounced     ? "would have bounced off"
                            : report.ok ? "would have gained energy in contact"
                                        : "failed: " + report.reason + ";";
    state = before_;
    state.a_known = false;
    StepReport again = safe_->step(system, state, h);
    again.count(report);
    ++again.redone;
    again.notes.push_back(fmt::format("a step of {:.6g} s with {} {} and was made with {} instead",
                                      h, name(), why, safe_->name()));
    report = std::move(again);
    if (report.ok) stepper_->forget();
    if (report.ok && accepts(system, state, report)) return report;
  }
  if (report.ok && h <= kShortest * longest_) return report;
  state = before_;
  if (report.ok) report.fail("it gains energy in contact");
  return report;
}

// [m, the stepper's m…, scale, room, the safe one's…]
std::vector<double> EnergyGuard::memory() const {
  const std::vector<double> own = stepper_->memory();
  std::vector<double> out = {static_cast<double>(own.size())};
  out.insert(out.end(), own.begin(), own.end());
  out.insert(out.end(), {scale_, room_});
  const std::vector<double> safe = safe_ ? safe_->memory() : std::vector<double>();
  out.insert(out.end(), safe.begin(), safe.end());
  return out;
}

void EnergyGuard::restore(std::span<const double> memory) {
  if (memory.empty() || memory.size() < static_cast<std::size_t>(memory[0]) + 3) return;
  const auto own = static_cast<std::size_t>(memory[0]);
  stepper_->restore(memory.subspan(1, own));
  scale_ = memory[own + 1];
  room_ = memory[own + 2];
  if (safe_) safe_->restore(memory.subspan(own + 3));
}

std::unique_ptr<Stepper> make_guarded_stepper(const IntegratorOptions& integrator,
                                              const SolverOptions& solver) {
  const bool safe = integrator.type == "be";
  return std::make_unique<EnergyGuard>(make_stepper(integrator, solver),
                                       safe ? nullptr : make_stepper("be", solver));
}

}  // namespace pliant
