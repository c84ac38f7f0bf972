#include <pliant/integrate/energy_guard.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {

EnergyGuard::EnergyGuard(std::unique_ptr<Stepper> stepper, std::unique_ptr<Stepper> safe,
                         double tolerance)
    : stepper_(std::move(stepper)), safe_(std::move(safe)), tolerance_(tolerance) {}

bool EnergyGuard::accepts(const System& system, const State& after, StepReport& report) {
  const Energies old = system.energies(at(before_));
  if (report.contacts == 0 && old.contact == 0) return true;
  const Energies now = system.energies(at(after));
  const double most = old.kinetic + old.elastic + old.contact;
  if (most > scale_) {
    room_ += tolerance_ * (most - scale_);
    scale_ = most;
  }
  WorkMeter meter(system, before_);
  meter.add_step(after);
  const double gain = now.total() - old.total() - meter.work() - meter.doubt();
  if (gain > room_) {
    report.notes.push_back(
        fmt::format("a step of {:.6g} s with {} would have gained {:.3g} J in contact; it was made "
                    "with {} instead",
                    after.t - before_.t, name(), gain, safe_->name()));
    return false;
  }
  room_ = std::min(tolerance_ * scale_, room_ - gain);
  return true;
}

StepReport EnergyGuard::step(const System& system, State& state, double h) {
  before_ = state;
  stepper_->estimate_into(error_);
  StepReport report = stepper_->step(system, state, h);
  if (!report.ok || !state.q.allFinite() || accepts(system, state, report)) return report;
  state = before_;
  state.a_known = false;
  StepReport again = safe_->step(system, state, h);
  again.count(report);
  again.notes = std::move(report.notes);
  ++again.redone;
  if (!again.ok)
    state = before_;
  else
    stepper_->forget();
  return again;
}

// [m, the stepper's m…, scale, room, the safe one's…]
std::vector<double> EnergyGuard::memory() const {
  const std::vector<double> own = stepper_->memory();
  std::vector<double> out = {static_cast<double>(own.size())};
  out.insert(out.end(), own.begin(), own.end());
  out.insert(out.end(), {scale_, room_});
  const std::vector<double> safe = safe_->memory();
  out.insert(out.end(), safe.begin(), safe.end());
  return out;
}

void EnergyGuard::restore(std::span<const double> memory) {
  if (memory.empty() || memory.size() < static_cast<std::size_t>(memory[0]) + 3) return;
  const auto own = static_cast<std::size_t>(memory[0]);
  stepper_->restore(memory.subspan(1, own));
  scale_ = memory[own + 1];
  room_ = memory[own + 2];
  safe_->restore(memory.subspan(own + 3));
}

}  // namespace pliant
