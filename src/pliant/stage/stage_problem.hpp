// The stage as a root of its residual or the minimum of its merit, for Newton's method. Where every
// term has a potential, the merit is
//   Φ(v) = ½ ‖v − v_p‖²_M + γv/γq U(q_p + γq v) + γv R(v),
// the incremental potential over γq² (docs/how-stage.md); its gradient is the residual itself.
// Else the merit is the residual's norm.
// Damping whose R depends on q either acts by its true force or has a place in the merit as well
// (dissipation/dissipation_term.hpp). Where the true force is wanted and its residual cannot be
// lowered, the merit with R(q, v) − R(q, v̂), BROWN (26), is minimised again and again with v̂ the
// last solution: where that comes to rest the force is the true one.
#pragma once

#include <pliant/dissipation/dissipation_term.hpp>
#include <pliant/solve/newton.hpp>
#include <pliant/stage/contact_detector.hpp>
#include <pliant/stage/friction_renewal.hpp>
#include <pliant/stage/stage.hpp>

namespace pliant {

class StageProblem final : public NewtonProblem {
 public:
  void set(const StepContext& context, const Stage& stage);

  bool has_merit() const override { return has_merit_; }
  double evaluate(std::span<const double> v, std::span<double> r) override;
  std::shared_ptr<const BlockPattern> pattern(std::span<const double> v) override;
  void tangent(std::span<const double> v, bool project, BlockMatrix& A) override;
  const LowRank* update(const BlockMatrix& A) override;
  // The last of those, which kept factors go with.
  LowRank& kept_update() { return update_; }
  const LowRank& kept_update() const { return update_; }
  void restrict(std::span<double> dv) const override;
  double residual_norm(std::span<const double> r) const override;
  double relative_size(std::span<const double> v, std::span<const double> dv) const override;
  double max_step(std::span<const double> v, std::span<const double> dv) override;
  void bend(std::span<const double> v, std::span<double> trial) override;
  void kinks(std::span<const double> v, std::span<const double> dv,
             std::vector<double>& parts) const override;

  bool renew(std::span<const double> v, double change, double step) override;
  bool is_settled() const override { return renewal_.is_settled(); }
  void moved(std::span<const double> from, std::span<const double> to, double part) override;

  bool has_contact() const { return detector_.has_value(); }
  const FrictionTerm* friction() const { return system_->friction(); }  // null where nothing rubs
  bool has_low_rank() const { return system_ && system_->has_low_rank(); }

  // With contact, a stage is approached from where the step began (`from` null), the last place
  // that is known to be free of intersections, or from another one that is: along the straight way
  // to v, prescribed coordinates on the way to where they must be, as far as nothing touches. True
  // where they have arrived.
  bool approach(Vector& v, const Vector* from);
  // A quarter of that way instead, and at last none of it: where it ended something was inside out,
  // which collision detection does not see. False where there is nothing left to take back.
  bool retreat(Vector& v);
  // True as well where nothing is approached, since there is no contact.
  bool has_arrived() const { return !detector_ || arrived_; }
  // Have the last approaches got nowhere, one after the other?
  bool is_stuck() const { return slow_ >= kPatience; }
  // Why they have not, in words.
  std::string what_is_in_the_way(std::span<const double> v);
  // How the residual at v changes, to first order, as the prescribed coordinates go all of the way
  // that is left.
  void change_by_way(std::span<const double> v, std::span<double> dr);
  // Friction with the normal forces at v from now on. How much it changed by; 0 where nothing rubs.
  double renew_friction(std::span<const double> v);
  // Friction that goes along with Newton's method from now on, and what became of that; `hold`
  // keeps what it has come to.
  FrictionRenewal& renewal() { return renewal_; }
  void hold_friction();
  void start_friction();  // that of the step's start
  // As before, where the stage was solved with that.
  void take_back_friction() { std::swap(friction_, next_friction_); }
  void find_forces(std::span<const double> v, ActingForces& out);  // of all terms
  int contacts(std::span<const double> v);
  double smallest_gap(std::span<const double> v);  // m; infinite where nothing is near
  ContactDetector::Couplings couplings() const;
  void set_couplings(ContactDetector::Couplings couplings) { couplings_ = std::move(couplings); }

  // Whether a merit can stand in for the residual's norm with v̂ fixed; from then on v̂ = v. Returns
  // how far v has moved from the v̂ before.
  bool can_fix_damping() const;
  double fix_damping_at(const Vector& v);

  // q = q_p + γq v on free coordinates, prescribed elsewhere.
  void position(std::span<const double> v, Vector& q) const;
  void prescribe_velocity(Vector& v) const;

 private:
  double scale_of(std::span<const double> v) const;
  void go_along(Vector& v);
  Configuration at(std::span<const double> v);  // after position(v, q_)
  double force_and_potential(const Configuration& c, Vector& f) const;
  // Calls act(term, form) for all damping whose objective is minimised.
  template <class Act>
  void for_shaped_damping(Act&& act) const {
    for (const DissipationTerm* term : damping_) {
      const bool corrected = fixed_ || term->treatment() == StageTreatment::second_order;
      if (fixed_ || term->has_potential())
        act(*term,
            StageForm{stage_->gamma_q, corrected ? view(v_hat_) : std::span<const double>{}});
    }
  }

  const StepContext* context_ = nullptr;
  const Stage* stage_ = nullptr;
  bool has_merit_ = true;
  std::vector<const DissipationTerm*> damping_;
  bool fixed_ = false;  // all damping takes R(q, v) − R(q, v̂)
  Vector v_hat_, moved_;
  Vector q_, f_, w_, Mw_;
  LowRank update_;
  Vector q_fixed_, v_fixed_, a_fixed_;  // of prescribed coordinates, zero elsewhere
  const System* system_ = nullptr;      // that the detector is for
  std::optional<ContactDetector> detector_;
  ContactDetector::Couplings couplings_;  // restored, until there is a detector
  FrictionSet friction_, next_friction_;  // of this stage, and found anew
  FrictionRenewal renewal_;
  BlockMatrix base_;            // over the system's own pattern, where there is contact
  Vector q_start_, q_bent_;     // of a way that rotations bend
  Vector q_end_, q_from_, dq_;  // q_end_: where prescribed coordinates must be
  Vector q_reached_;            // where they are, while a little further is looked at
  double approached_ = 0;       // of dq_, by the last approach
  static constexpr int kPatience = 12;
  int slow_ = 0;          // approaches by next to nothing
  bool arrived_ = false;  // prescribed coordinates are at q_end_
};

}  // namespace pliant
