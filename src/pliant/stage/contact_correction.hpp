// Contact as a correction of a step that any integrator has predicted without it: LOESCHNER §4,
// with what the paper leaves out (friction, positions that stay apart). From the state before the
// step (q_n, v_n) and the predicted one (q^p, v^p), with A = M + hD + h²K at the predicted state,
//   A Δv = h Gᵀλ + h Hᵀβ,   q = q^p + h Δv,   v = v^p + Δv,
//   0 ≤ λ ⟂ gap(q) ≥ margin,   ‖β‖ ≤ μλ against the way slid during the step,
// which is (18) without the terms of (19) that alter a predictor of higher order, and leaves a step
// without contact as it was, bit for bit. A prediction may have been made with a load f₀ in place
// of contact (load/contact_load.hpp); then A Δv = h Gᵀλ + h Hᵀβ − h f₀ takes it off again. Rows act
// over the whole step, so a predictor of second order keeps its h²/2 and is left with a velocity
// into the obstacle; the same problem is therefore solved once more for the velocity at the end
// alone, 0 ≤ λ ⟂ G v ≥ 0 on the rows that pushed, as in (14), or ≥ −e G v_n where what meets
// bounces. Those λ, and β, are the contact force of the step.
//
// Rows are linear, gaps and constraints are not, and rigid bodies turn: the way from q_n to the
// corrected end is looked at again, what is still hit, at another place or another slant, becomes a
// row, until nothing is hit and constraints are met. So no accepted step passes through anything.
// What began nearer than the margin is moved apart without a velocity coming of it.
#pragma once

#include <pliant/stage/known_forces.hpp>

namespace pliant {

class ContactCorrection {
 public:
  // Of the options only those of linear solvers are read.
  ContactCorrection(std::shared_ptr<const ContactRules> rules, const SolverOptions& options);

  // context.start is the state before the step, q and v hold the predicted one. On failure they
  // are as they were.
  [[nodiscard]] ContactReport correct(const StepContext& context, double h,
                                      std::span<const double> multipliers, Vector& q, Vector& v);

  // On the nodes, N, those of obstacles included: a mean over the last step that was corrected.
  const Vector& force() const { return force_; }
  double rubbed() const { return rubbed_; }  // J, what friction took over that step
  // What kept the way free, how it changed the velocities of the prediction, m/s, and what of that
  // did not take a load off.
  const Vector& force_of_way() const { return force_of_way_; }
  const Vector& change() const { return way_.x; }
  Vector pushed() const { return way_.x - unloaded_; }

  // What the next step's forces are guessed from.
  std::vector<double> memory() const { return known_.memory(); }
  void restore(std::span<const double> memory) { known_.restore(memory); }

 private:
  bool can_yield(const StepContext& context, const Impact& impact) const;
  void add_row(const DofMask& mask, const Impact& row, const Vec3& direction, NodeRows& rows) const;
  bool is_new(const Impact& hit) const;
  void keep_what_matters(const StepContext& context, std::vector<Impact>& hits) const;
  void find_hits(const StepContext& context, const Vector& q);
  void find_load(const StepContext& context);
  const Impact* forced_through(const StepContext& context) const;
  bool add_hits(const StepContext& context);
  void set_rows(const StepContext& context, double h);
  Vector slid(const Vector& dq) const;
  double wanted_gap(const Impact& row, const Vector& start) const;
  bool is_settled(const StepContext& context, const Vector& q, const Vector& v);
  bool correct_way(const StepContext& context, double h, const Vector& v, Vector& q,
                   ContactReport& report);
  bool correct_velocity(const StepContext& context, double h, const Vector& predicted,
                        const Vector& q, Vector& v, ContactReport& report);
  bool separate(const StepContext& context, double h, const Vector& v, Vector& q,
                ContactReport& report);
  void add_force(const ContactAnswer& answer, Vector& force) const;
  double rubbed(double h, const Vector& way, const Vector& twice) const;

  std::shared_ptr<const ContactRules> rules_;
  Interruption interrupted_;
  double budget_;  // of work, on one correction; 0: no bound
  ImpactFinder finder_;
  std::unique_ptr<ContactForces> forces_;
  std::vector<Impact> impacts_, hits_, edge_hits_;
  ContactRows rows_;
  ContactAnswer way_, end_;
  KnownForces known_;  // of the last step
  Vector load_;        // N, that the prediction was made with, over what is solved for; empty: none
  Vector unloaded_;    // m/s: the change that takes it off
  Vector force_, force_of_way_, dq_;
  double rubbed_ = 0;
};

}  // namespace pliant
