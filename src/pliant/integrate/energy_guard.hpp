// Keeps contact from making energy. A method of higher order may gain some when a barrier turns
// stiff within a step, whichever tolerance it is solved to. So where something touches, a step that
// ends with more than there was, plus the work done on it, plus a tolerance, is thrown away and
// made with backward Euler instead, which loses energy; and so is one for which the method finds no
// solution. Where backward Euler gains as well the step fails, and shorter ones follow.
//
// Between two steps the weights of edges change. What that would add is held back until there is
// energy to pay for it (contact/edge_shares.hpp).
//
// Where the scene limits restitution, steps that end with contacts coming apart faster than that
// are made with backward Euler, too, which stops what hits, and get back what they may keep
// (rebounds.hpp).
//
// Limits of joints that are reached count as contact. Where it watches always, as with hard
// constraints, steps without any contact have an account of their own.
//
// The tolerance is for the run, not for a step: gains add up, and only losses under contact make
// room for new ones.
#pragma once

#include <pliant/contact/barrier_term.hpp>
#include <pliant/integrate/rebounds.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/system/work.hpp>

#include <optional>

namespace pliant {

class EnergyGuard final : public Stepper {
 public:
  static constexpr double default_tolerance = 5e-4;  // of the largest energy that moves or strains
  static constexpr double free_tolerance = 5e-3;     // likewise, where nothing touches

  // `safe` makes what `stepper` may not; null where that is backward Euler itself.
  EnergyGuard(std::unique_ptr<Stepper> stepper, std::unique_ptr<Stepper> safe,
              double tolerance = default_tolerance, bool always = false);

  std::string_view name() const override { return stepper_->name(); }
  int error_order() const override { return stepper_->error_order(); }
  StepReport step(const System& system, State& state, double h) override;
  std::vector<double> memory() const override;
  void restore(std::span<const double> memory) override;
  void forget() override {
    known_.reset();
    stepper_->forget();
  }
  std::span<const double> multipliers() const override { return stepper_->multipliers(); }

 private:
  void open(const State& state, double h);
  // Does this step begin where the last one ended?
  bool goes_on() const;
  StepReport make_safe_step(const System& system, State& state, double h, const std::string& why);
  // The contacts where the step ended, weighted by where it began and by where it ended.
  EdgeRise find_contacts(const BarrierTerm& contact, const State& after);
  // Those with the shares that the edges have there now.
  const ContactSet& find_weighted(const BarrierTerm& contact, const State& after,
                                  ContactSet& out) const;
  bool limits_rebounds(const System& system) const;
  bool bounces(const System& system, const State& after, const StepReport& report, double h);
  void let_rebound(const System& system, const Vector& found, State& state,
                   const StepReport& report);
  bool accepts(const System& system, State& after, const StepReport& report, bool whatever);
  bool accepts_free(const System& system, State& after, const Energies& old, bool whatever);

  std::unique_ptr<Stepper> stepper_, safe_;
  double tolerance_;
  bool always_;
  struct Account {
    double scale = 0, room = 0;  // J: the largest energy so far, and what may still be gained
  };
  struct Accounts {
    Account touching, free;
  };
  Accounts account_, opened_;  // now, and as the last step found it
  double longest_ = 0;         // s, of all steps
  State before_;
  Rebounds rebounds_;
  std::unique_ptr<BroadPhase> broad_;
  const ContactSurface* surface_ = nullptr;  // of broad_
  Candidates candidates_;                    // of pairs, where the step ended
  ContactSet ended_, next_, unpaid_;
  struct Known {
    double t = 0;
    Vector q, v;
    std::shared_ptr<const EdgeShares> shares;
    Energies energies;
    ContactSet contacts;
  };
  std::optional<Known> known_;  // of the last step's end
};

// The method with backward Euler behind it.
std::unique_ptr<Stepper> make_guarded_stepper(const IntegratorOptions& integrator,
                                              const SolverOptions& solver, bool always = false);

}  // namespace pliant
