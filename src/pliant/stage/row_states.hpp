// Multipliers that have bounds: of limits, which push and do not pull, and of motors, which are
// only so strong. Where a multiplier is within its bounds its row is an equation; at a bound the
// multiplier is known and the row may be missed, upwards at the lower bound and downwards at the
// upper one. Which is which is guessed, the equations are solved, and what contradicts the guess is
// changed, until nothing does: an active-set method, TOURNIER §3.3.
#pragma once

#include <pliant/stage/stage.hpp>

namespace pliant {

class RowStates {
 public:
  // From the multipliers (N) and values at the start of a stage.
  void set(const ConstraintSet& constraints, const Vector& lambda, const Vector& values);
  bool any() const { return bounds_ != nullptr; }

  int pushing() const;  // limits that were reached

  // Where the equations of a guess have no solution: rows that were asked for more than their
  // bounds go to them. False where there are none.
  bool give_in(const Vector& lambda);

  // Rows at a bound become μ = what it is there: no J, no value, C = 1.
  void hold(double gamma_v, Vector& mu) const;
  void leave_out(std::vector<JacobianEntry>& J) const;
  void leave_out(Vector& values) const { set_all(values, 0); }
  void stand_alone(Vector& C) const { set_all(C, 1); }

  // What is missed (`values`, at the solution) and λ against the guess; true where it was right.
  // Less than `tolerance` does not count.
  bool settle(const Vector& values, const Vector& lambda, double tolerance);

 private:
  enum class At : char { neither, low, high };
  void set_all(Vector& x, double to) const;  // of the rows at a bound
  const ConstraintSet* bounds_ = nullptr;    // null: no row has any
  std::vector<At> at_;
  int rounds_ = 0;
};

// C/(γq γv), less where damped, of rows about rates C/γv: what stands beside J δv in the equation
// of each row.
Vector stage_compliance(const ConstraintSet& constraints, const Stage& stage);

}  // namespace pliant
