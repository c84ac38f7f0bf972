#include <pliant/integrate/energy_guard.hpp>

#include <pliant/contact/friction_term.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Of the longest step: one this short is taken even where it gains.
constexpr double kShortest = 1.0 / 64;

// Of the energies that are compared: less than this is rounding.
constexpr double kRounding = 1e-12;

// J: about what the forces of contact do over the gap at which they bear a pressure of the size of
// Young's modulus, a tenth of the distance at which they begin. A body at rest has this at least.
double pressing(const System& system, const Configuration& c) {
  const BarrierTerm* contact = system.contact();
  if (!contact) return 0;
  Vector f = Vector::Zero(system.dofs());
  contact->add_force(c, view(f));
  double sum = 0;
  for (Index n = 0; n < system.nodes(); ++n) sum += node(view(f), n).norm();
  return 0.1 * sum * contact->delta();
}

double size_of(const Energies& e) {
  return std::abs(e.kinetic) + std::abs(e.elastic) + std::abs(e.external) + std::abs(e.contact);
}

// What is pulled at by hand, or by forces from a program, may have changed since the last step.
double external_energy(const System& system, const Configuration& c) {
  double sum = 0;
  for (const auto& term : system.terms())
    if (term->kind() == TermKind::external) sum += term->potential(c);
  return sum;
}

std::shared_ptr<const EdgeShares> shared(EdgeShares shares) {
  return shares.pairs.empty() ? nullptr : std::make_shared<const EdgeShares>(std::move(shares));
}

}  // namespace

EnergyGuard::EnergyGuard(std::unique_ptr<Stepper> stepper, std::unique_ptr<Stepper> safe,
                         double tolerance, bool always)
    : stepper_(std::move(stepper)),
      safe_(std::move(safe)),
      tolerance_(tolerance),
      always_(always) {}

// Steps that were thrown away after all, by whoever chooses their length, are not accounted for.
void EnergyGuard::open(const State& state, double h) {
  const bool again = state.q.size() == before_.q.size() && state.t == before_.t &&
                     state.q == before_.q && state.v == before_.v;
  if (again)
    account_ = opened_;
  else
    opened_ = account_;
  before_ = state;
  longest_ = std::max(longest_, h);
}

bool EnergyGuard::goes_on() const {
  return known_ && known_->t == before_.t && known_->q == before_.q && known_->v == before_.v &&
         known_->shares == before_.shares;
}

EdgeRise EnergyGuard::find_contacts(const BarrierTerm& contact, const State& after) {
  if (surface_ != &contact.surface()) {
    surface_ = &contact.surface();
    broad_ = std::make_unique<BroadPhase>(*surface_);
  }
  broad_->find(view(after.q), {}, contact.delta(), candidates_);
  const ContactFinder& finder = contact.finder();
  finder.find(candidates_, view(after.q), {view(before_.q), before_.shares.get()}, ended_);
  finder.find(candidates_, view(after.q), {view(after.q)}, next_);
  return EdgeRise(ended_, next_, view(after.q), contact.delta());
}

const ContactSet& EnergyGuard::find_weighted(const BarrierTerm& contact, const State& after,
                                             ContactSet& out) const {
  if (!after.shares) return next_;
  contact.finder().find(candidates_, view(after.q), {view(after.q), after.shares.get()}, out);
  return out;
}

// Where nothing touches.
bool EnergyGuard::accepts_free(const System& system, State& after, const Energies& old,
                               bool whatever) {
  const Energies now = system.energies(at(after));
  WorkMeter meter(system, before_);
  meter.add_step(after);
  double gain = now.total() - old.total() - meter.work() - meter.doubt();
  if (std::abs(gain) <= kRounding * (size_of(old) + size_of(now))) gain = 0;
  Account& account = account_.free;
  const double scale = std::max(
      {account.scale, old.kinetic + old.elastic, system.least_energy(after.t - before_.t)});
  double room = account.room + free_tolerance * (scale - account.scale);
  // Of what begins at rest the energy is not known before the step.
  const double first = free_tolerance * std::max(0.0, now.kinetic + now.elastic - scale);
  if (gain > room + first && !whatever) return false;
  room = std::min(free_tolerance * scale, room - gain);
  account = {scale, room};
  known_.reset();
  if (!system.contact()) known_ = Known{after.t, after.q, after.v, nullptr, now, {}};
  return true;
}

// Gains that are let pass use up the room, losses give it back, and what room there is pays for
// pairs of edges that come to weigh more. `whatever` it gains, the step is taken: then later
// losses have to pay for it before anything else is let pass.
bool EnergyGuard::accepts(const System& system, State& after, const StepReport& report,
                          bool whatever) {
  const BarrierTerm* contact = system.contact();
  const bool known = goes_on();
  Energies old = known ? known_->energies : system.energies(at(before_));
  if (known) old.external = external_energy(system, at(before_));
  if (report.contacts == 0 && old.contact == 0) {
    after.shares = nullptr;
    return !always_ || accepts_free(system, after, old, whatever);
  }
  EdgeRise rise;
  if (contact) rise = find_contacts(*contact, after);
  after.shares = shared(rise.shares(0));
  Configuration c = at(after);
  c.contacts = contact ? &next_ : nullptr;
  Energies now = system.energies(c);
  // Pairs that weigh more from now on have not pressed yet.
  if (contact) c.contacts = &ended_;
  const double most = old.kinetic + old.elastic + old.contact + pressing(system, c);
  WorkMeter meter(system, before_, contact && known ? &known_->contacts : nullptr);
  meter.add_step(after, contact ? &find_weighted(*contact, after, unpaid_) : nullptr);
  double gain = now.total() - rise.total() - old.total() - meter.work() - meter.doubt();
  if (std::abs(gain) <= kRounding * (size_of(old) + size_of(now))) gain = 0;
  // What is thrown away says nothing about how much energy there is.
  const double scale = std::max(account_.touching.scale, most);
  double room = account_.touching.room + tolerance_ * (scale - account_.touching.scale);
  if (gain > room && !whatever) return false;
  room -= gain;
  const double paid = rise.total() > 0 ? std::clamp(room / rise.total(), 0.0, 1.0) : 1;
  account_.touching = {scale, std::min(tolerance_ * scale, room - paid * rise.total())};
  after.shares = shared(rise.shares(paid));
  if (after.shares) {
    c = at(after);
    c.contacts = &find_weighted(*contact, after, next_);
    now = system.energies(c);
  }
  known_ = Known{after.t, after.q, after.v, after.shares, now, next_};
  return true;
}

// Do contacts come apart faster than restitution lets them? The method's stages within the step
// reflect what hits, since the way of a stage is made of velocities before and after (BROWN §8).
bool EnergyGuard::bounces(const System& system, const State& after, const StepReport& report,
                          double h) {
  if (!limits_rebounds(system) || report.contacts == 0) return false;
  return rebounds_.find(system, before_, after, h);
}

bool EnergyGuard::limits_rebounds(const System& system) const {
  return safe_ && system.friction() && system.friction()->options().has_loss();
}

StepReport EnergyGuard::make_safe_step(const System& system, State& state, double h,
                                       const std::string& why) {
  state = before_;
  state.a_known = false;
  StepReport report = safe_->step(system, state, h);
  ++report.redone;
  if (!report.ok) return report;
  report.notes.push_back(fmt::format("a step of {:.6g} s with {} {} and was made with {} instead",
                                     h, name(), why, safe_->name()));
  stepper_->forget();
  return report;
}

// Backward Euler has stopped what hit; what the method has found tells which way it comes off.
void EnergyGuard::let_rebound(const System& system, const Vector& found, State& state,
                              const StepReport& report) {
  State trial = state;
  rebounds_.give_back(system, before_, found, trial);
  const Accounts accounts = account_;
  const std::optional<Known> known = known_;
  if (trial.v != state.v && accepts(system, trial, report, false)) {
    state.v = trial.v;
    state.a_known = false;
  }
  account_ = accounts, known_ = known;
  rebounds_.remember(system, before_, state);
}

// Where the method finds no solution near contact, the safe one may: it asks for one stage only.
// Then there is no estimate of the step's error. So whoever chooses steps by it is asked for
// shorter ones first, and gets none of the shortest.
StepReport EnergyGuard::step(const System& system, State& state, double h) {
  open(state, h);
  const bool shortest = h <= kShortest * longest_;
  stepper_->estimate_into(error_);
  StepReport report = stepper_->step(system, state, h);
  const bool bounced = report.ok && state.q.allFinite() && bounces(system, state, report, h);
  if (report.ok && !bounced && (!state.q.allFinite() || accepts(system, state, report, false))) {
    if (limits_rebounds(system)) rebounds_.remember(system, before_, state);
    return report;
  }
  const Vector found = state.v;
  if (!report.ok && (!safe_ || !system.contact() || (error_ && !shortest))) return report;
  if (!report.ok && error_) *error_ = {Vector::Zero(system.dofs()), Vector::Zero(system.dofs())};
  if (safe_) {
    const std::string why = bounced     ? "would have bounced off"
                            : report.ok ? report.contacts > 0
                                              ? "would have gained energy in contact"
                                              : "would have gained energy"
                                        : "failed: " + report.reason + ";";
    StepReport again = make_safe_step(system, state, h, why);
    again.count(report);
    report = std::move(again);
    if (report.ok && bounced) let_rebound(system, found, state, report);
    if (report.ok && accepts(system, state, report, false)) return report;
  }
  if (report.ok && shortest && accepts(system, state, report, true)) return report;
  state = before_;
  if (report.ok)
    report.fail(report.contacts > 0 ? "it gains energy in contact" : "it gains energy");
  return report;
}

// [m, the stepper's m…, two accounts, longest, what met…, the safe one's…]
std::vector<double> EnergyGuard::memory() const {
  const std::vector<double> own = stepper_->memory();
  std::vector<double> out = {static_cast<double>(own.size())};
  out.insert(out.end(), own.begin(), own.end());
  out.insert(out.end(), {account_.touching.scale, account_.touching.room, account_.free.scale,
                         account_.free.room, longest_});
  const std::vector<double> rebounds = rebounds_.memory();
  out.insert(out.end(), rebounds.begin(), rebounds.end());
  const std::vector<double> safe = safe_ ? safe_->memory() : std::vector<double>();
  out.insert(out.end(), safe.begin(), safe.end());
  return out;
}

void EnergyGuard::restore(std::span<const double> memory) {
  if (memory.empty() || memory.size() < static_cast<std::size_t>(memory[0]) + 7) return;
  const auto own = static_cast<std::size_t>(memory[0]);
  stepper_->restore(memory.subspan(1, own));
  account_ = {{memory[own + 1], memory[own + 2]}, {memory[own + 3], memory[own + 4]}};
  longest_ = memory[own + 5];
  const std::span<const double> rest = rebounds_.restore(memory.subspan(own + 6));
  if (safe_) safe_->restore(rest);
}

std::unique_ptr<Stepper> make_guarded_stepper(const IntegratorOptions& integrator,
                                              const SolverOptions& solver, bool always) {
  const bool safe = integrator.type == "be";
  return std::make_unique<EnergyGuard>(make_stepper(integrator, solver),
                                       safe ? nullptr : make_stepper("be", solver),
                                       EnergyGuard::default_tolerance, always);
}

}  // namespace pliant
