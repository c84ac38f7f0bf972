// The stage by a local–global method, the alternating direction method of multipliers (BROWN §3.3
// and §4.4, after Overby et al. 2017). With z = D q as unknowns of their own, the incremental
// potential
//   ½‖q − q̃‖²_M / (γq γv) + Σ_i Φ_i(z_i)   subject to   W (D q − z) = 0
// is minimised in turns: over q by one linear system whose matrix never changes while γq γv and the
// pins stay the same (16a), over each z_i on its own, in parallel (16b), and the multipliers u
// follow (16c). trbdf2 with γ = 2 − √2 has the same γ in both stages, and so one factorisation for
// a run.
//
// With s = D q + u, all that an iteration hands on is s: z = argmin Φ + ½‖z − s‖²_W and u = s − z
// follow from it. It is the unknown of a fixed-point iteration (Douglas–Rachford splitting), which
// Anderson's method may accelerate (solve/anderson.hpp; Ouyang et al. 2020).
//
// Stiff bodies creep: what is measured of a round is small, and of what is left a thousandth. So a
// stage is over only where velocities are near where they go, as the rate says at which they get
// there (round_errors.hpp), and stiff bodies turn as wholes (admm_turns.hpp).
#pragma once

#include <pliant/solve/anderson.hpp>
#include <pliant/stage/admm_parts.hpp>
#include <pliant/stage/admm_turns.hpp>
#include <pliant/stage/axis_factors.hpp>
#include <pliant/stage/round_errors.hpp>
#include <pliant/stage/stage.hpp>

#include <cmath>
#include <limits>
#include <optional>

namespace pliant {

class AdmmStage final : public StageSolver {
 public:
  explicit AdmmStage(const SolverOptions& options);
  std::string_view name() const override { return "admm"; }
  // Throws InputError where the system holds what has no local minimiser.
  StageReport solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q) override;
  bool solve_again(std::span<const double>, std::span<double>, SolveAccuracy) override {
    return false;
  }
  bool hides_forces() const override { return contact_.has_value(); }
  std::vector<double> memory() const override;  // levels, what walls bear, rows of contact
  void restore(std::span<const double> memory) override;

 private:
  struct Residuals {  // relative
    double primal = std::numeric_limits<double>::infinity(), dual = primal;
    double worst() const { return std::max(primal, dual); }
  };
  struct Progress {
    Residuals lasting, contact;  // of all parts but those of contact, and of these
    // Of velocities, ‖·‖ by mass: what is still to come, what the stage does or its loads alone
    // would do, and how fast things are.
    double left = std::numeric_limits<double>::infinity(), reach = 0, speed = 0;
    double stays = left;  // the same of what goes to and fro
    double borne = left;  // the same of what parts bear, relative to that
    Residuals all() const {
      return {std::hypot(lasting.primal, contact.primal), std::hypot(lasting.dual, contact.dual)};
    }
    double worst() const { return all().worst(); }
  };

  void gather(const System& system);
  void prepare(const StepContext& context, const Stage& stage);
  void resize();
  void start(const StepContext& context, const Stage& stage, const Configuration& c, Vector& q);
  void keep_off_walls(const Configuration& c);
  void remember_walls();
  void factorize(const StepContext& context, const Stage& stage);
  void add_drag(double scale, NodeMatrix& A) const;  // A += scale α M
  void prescribe(const StepContext& context, const Stage& stage);
  void set_constant_part(const StepContext& context, const Stage& stage);
  void global_step(const StepContext& context, Vector& q);  // (16a)
  double wanted_level(const Residuals& now, const Residuals& earlier) const;
  double wanted_contact_level(const Residuals& now) const;
  void adapt_weights(const StepContext& context, const Stage& stage, const Progress& now,
                     const Progress& earlier);
  struct Levels {
    double all = 1, least = 1.0 / 1024, contact = 1;
  };
  void take_back(const Levels& levels);
  void restart_acceleration();  // after s has changed by itself
  Progress iterate(const StepContext& context, const Configuration& c, Vector& q);
  void measure_start(const StepContext& context, const Configuration& c);
  void measure_velocities(const StepContext& context, const Stage& stage, const Vector& before,
                          const Vector& v, Progress& progress);
  bool has_converged(const Progress& now) const;
  bool is_usable(const Progress& now, bool hit) const;
  Progress advance(const StepContext& context, const Stage& stage, Configuration& c, Vector& q,
                   Vector& v);
  void finish(StageReport& report, const Progress& progress, bool done) const;
  // What is hit on the way to q becomes part of the problem; false where there is nothing new.
  bool add_contacts(const StepContext& context, const Stage& stage, const Vector& q);
  void take_rows(const System& system);
  void place_contacts(const StepContext& context, const Vector& q);
  // After weights or rows have changed: the forces that multipliers stand for stay as they are.
  void renew(const StepContext& context, const Stage& stage);
  AdmmParts::StageView stage_view() const { return {gamma_q_, &Dq_p_, &Dv_hat_}; }

  SolverOptions options_;
  Anderson anderson_;
  const System* system_ = nullptr;
  AdmmParts parts_;
  std::optional<AdmmContact> contact_;
  int rows_version_ = 0, factored_version_ = 0;  // of contact: in parts_, in the factors
  NodeMatrix A_, drag_;
  DofMask mask_;
  double scale_ = 0, gamma_q_ = 0;  // γq γv and γq of the factors
  double level_ = 1;  // times the weights that stiffness gives, and what it may not go below
  double least_ = 1.0 / 1024;
  double contact_level_ = 1;  // times the weights that contact is given
  AxisFactors factors_;
  AdmmTurns turns_;
  RoundErrors errors_, changes_of_u_;
  Doublings ways_of_v_, ways_of_u_;
  bool accelerates_ = false;
  Vector masses_;           // of coordinates, kg; zero where they are held
  AdmmParts::Norms begun_;  // of u where the step began
  Vector z_, u_, target_, Dq_, Dq_before_, z_before_, u_before_, Dq_p_, Dv_hat_;
  // Once a wall was hit: z and W u where the last stage ended, for walls bear what no guess knows.
  bool walls_ = false;
  Vector wall_z_, wall_force_, wall_u_;
  Vector constant_, load_, rhs_, q_fixed_, v_fixed_, a_fixed_, inertia_, pulled_, before_, v_hat_,
      v_before_;
  int factorizations_ = 0;
};

}  // namespace pliant
