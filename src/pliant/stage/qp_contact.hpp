// Contact as a correction of a step that any integrator has predicted without it: LOESCHNER §4,
// with what the paper leaves out (friction, positions that stay apart). From the state before the
// step (q_n, v_n) and the predicted one (q^p, v^p), with A = M + hD + h²K at the predicted state,
//   A Δv = h Gᵀλ + h Hᵀβ,   q = q^p + h Δv,   v = v^p + Δv,
//   0 ≤ λ ⟂ gap(q) ≥ margin,   ‖β‖ ≤ μλ against the way slid during the step,
// which is (18) without the terms of (19) that alter a predictor of higher order, and leaves a step
// without contact as it was, bit for bit. Rows act over the whole step, so a predictor of second
// order keeps its h²/2 and is left with a velocity into the obstacle; the same problem is therefore
// solved once more for the velocity at the end alone, 0 ≤ λ′ ⟂ G v ≥ 0 on the rows that pushed, as
// in (14). The contact force of the step is the sum of both.
//
// Normal and friction forces are found in turn until they agree (staggered projections, Kaufman,
// Sueda, James and Pai 2008), each a QP with the other's forces held; friction is bounded by the
// disc, not by a polygon. Rows are linear, gaps are not: the way from q_n to the corrected end is
// looked at again, what is still hit, at another place or another slant, becomes a row, until
// nothing is hit. So no accepted step passes through anything. What began nearer than the
// margin is moved apart without a velocity coming of it.
#pragma once

#include <pliant/contact/contact_set.hpp>
#include <pliant/contact/impacts.hpp>
#include <pliant/solve/qp.hpp>
#include <pliant/stage/stage.hpp>

namespace pliant {

// What contact as constraints is about.
struct ContactRules {
  ContactSurface surface;
  double margin = 0;    // m, above 0: the gap that is kept
  double friction = 0;  // μ of Coulomb's law, between all
  // True: the solver admm keeps them within its stages, between points of bodies and obstacles.
  bool in_stages = false;
};

// The pairs that are as near to each other as the rules allow.
ContactSet touching_pairs(const ContactRules& rules, std::span<const double> q);

struct QpContactOptions {
  double tolerance = 1e-8;  // of the quadratic programs
  int max_rounds = 30;      // of finding what is hit
  int max_staggers = 100;   // of normal and friction forces in turn
  double stagger = 1e-6;    // relative change of normal forces that ends it
  bool fast = false;
};

struct QpContactReport {
  bool ok = true;
  std::string reason;    // why not
  bool touched = false;  // was anything corrected?
  int contacts = 0;      // rows that push
  int rounds = 0, staggers = 0, iterations = 0, newton = 0, factorizations = 0;
  double primal = 0, dual = 0;  // the worst residuals of the quadratic programs
  double penetration = 0;       // m, by how much gaps at the end are below zero
  QpContactReport& fail(std::string why) {
    ok = false;
    reason = std::move(why);
    return *this;
  }
};

class QpContact {
 public:
  QpContact(std::shared_ptr<const ContactRules> rules, const QpContactOptions& options);

  // context.start is the state before the step, q and v hold the predicted one. On failure they
  // are as they were.
  [[nodiscard]] QpContactReport correct(const StepContext& context, double h, Vector& q, Vector& v);

  // On the nodes, N, a mean over the last step that was corrected; nothing on prescribed ones.
  const Vector& force() const { return force_; }

 private:
  struct Forces {  // of one problem: change of velocity, multipliers of rows
    Vector x, normal, friction;
  };
  void assemble(const StepContext& context, double h, const Vector& q, const Vector& v);
  bool can_yield(const StepContext& context, const Impact& impact) const;
  bool add_hits(const StepContext& context);
  void set_rows(const StepContext& context, double h);
  Vector slid(const Vector& dq) const;
  bool solve(const QpProblem& problem, QpSolver& solver, Vector& x, Vector& y,
             QpContactReport& report) const;
  bool balance(const Vector& slid, Forces& forces, QpContactReport& report);
  bool correct_way(const StepContext& context, double h, Vector& q, QpContactReport& report);
  bool correct_velocity(double h, Vector& v, QpContactReport& report);
  bool separate(const StepContext& context, double h, Vector& q, QpContactReport& report);
  void add_force(const Forces& forces, double h);

  std::shared_ptr<const ContactRules> rules_;
  QpContactOptions options_;
  ImpactFinder finder_;
  QpSolver normal_solver_, friction_solver_;
  BlockMatrix A_;
  QpProblem normal_, friction_;  // the same rows along the normals and across
  std::vector<Impact> rows_, hits_;
  Forces way_, end_;
  Vector force_, dq_;
};

}  // namespace pliant
