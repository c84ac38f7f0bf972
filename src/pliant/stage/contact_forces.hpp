// The forces at the rows of a correction (contact_correction.hpp): with A = M + hD + h²K at the
// predicted state find x, normal forces λ ≥ 0 and friction β with
//   A x = h Gᵀλ + h Hᵀβ − off (+ Jᵀν of constraints),   0 ≤ λ ⟂ h G x − lower ≥ 0,
//   ‖β‖ ≤ μλ, against what h H x + slid leaves,
// where off is the impulse of contact that is in the motion already.
// Two ways to them: quadratic programs in turns (qp_forces.hpp), and one complementarity problem on
// the Schur complement (unilateral_forces.hpp), which knows of constraints.
#pragma once

#include <pliant/solve/node_rows.hpp>
#include <pliant/stage/contact_rules.hpp>
#include <pliant/stage/stage.hpp>

#include <cmath>

namespace pliant {

struct ContactRows {
  NodeRows normals, tangents;  // h G and h H, two rows of H each, over what is solved for
  Vector lower;                // m, what normals·x has to reach; −∞: the row does not push
  Vector slid;                 // m, two per row: the way across without x
  Vector mu;
  Vector off;  // N s, over what is solved for

  Index size() const { return normals.rows(); }
};

struct ContactAnswer {
  Vector x;                 // m/s, the change of velocity
  Vector normal, friction;  // N: λ, and β of both directions; a guess where their sizes fit
};

struct ContactReport {
  bool ok = true;
  std::string reason;    // why not
  bool touched = false;  // was anything corrected?
  int contacts = 0;      // rows that push
  int rounds = 0, staggers = 0, iterations = 0, newton = 0, factorizations = 0;
  double primal = 0, dual = 0;  // the worst residuals of programs and complementarity
  double penetration = 0;       // m, by how much gaps at the end are below zero
  // In iterations of a stage: one with a dense matrix of 200 rows counts as one of them, of 1000 as
  // a hundred. No more than `budget` are spent on a correction; 0: as many as it takes.
  double work = 0, budget = 0;
  static double dense_work(Index rows) {
    return 0.01 + 0.1 * std::pow(static_cast<double>(rows) / 100, 3);
  }
  bool exhausted() const { return budget > 0 && work > budget; }
  ContactReport& fail(std::string why) {
    ok = false;
    reason = std::move(why);
    return *this;
  }
};

// What an integrator has predicted without contact.
struct Prediction {
  const Vector &q, &v;
  std::span<const double> multipliers;  // N, of constraints
};

class ContactForces {
 public:
  virtual ~ContactForces() = default;
  // A step whose prediction is corrected; no row is known yet.
  virtual void open(const StepContext& context, double h, const Prediction& predicted) = 0;
  // Constraints at (q, v), where the change x has led; false where the matrix has no factors.
  virtual bool turn(const Vector& /*q*/, const Vector& /*v*/, const Vector& /*x*/) { return true; }
  // m, by how much constraints are missed there.
  virtual double missed(const Vector& /*q*/, const Vector& /*v*/) { return 0; }
  // From now on changes of velocity alone are asked for: constraints keep their rates.
  virtual void end_way() {}
  [[nodiscard]] virtual bool balance(const ContactRows& rows, ContactAnswer& answer,
                                     ContactReport& report) = 0;
};

// A = M + hD + h²K at the predicted state, LOESCHNER (19), made positive definite.
void assemble_step_matrix(const StepContext& context, double h, const Prediction& predicted,
                          BlockMatrix& A);

std::unique_ptr<ContactForces> make_contact_forces(const ContactRules& rules,
                                                   const SolverOptions& options);

}  // namespace pliant
