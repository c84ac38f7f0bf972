// Normal and friction forces in turn until they agree (staggered projections, Kaufman, Sueda, James
// and Pai 2008), each by a quadratic program with the other's forces held; friction is bounded by
// the disc, not by a polygon. LOESCHNER §4, with the friction that the paper leaves out.
//
// Where rows are few, as in most steps, the programs are reduced to them (solve/qp_dense.hpp):
// turns then cost next to nothing, however large the bodies. Where they are many, the programs are
// over all nodes, with sparse factors.
#pragma once

#include <pliant/solve/cholmod_solver.hpp>
#include <pliant/solve/qp.hpp>
#include <pliant/stage/contact_forces.hpp>
#include <pliant/stage/row_response.hpp>

namespace pliant {

class QpForces final : public ContactForces {
 public:
  // m, a size that rows may have; up to so many rows are few.
  explicit QpForces(double margin, bool fast = false, Index few = 500);
  void open(const StepContext& context, double h, const Prediction& predicted) override;
  bool balance(const ContactRows& rows, ContactAnswer& answer, ContactReport& report) override;

 private:
  void set_dense(const StepContext& context, double h, const Prediction& predicted);
  bool factorize();
  bool is_positive_definite();
  bool respond(Matrix& columns);
  bool reduce(const ContactRows& rows, bool rubs);
  bool find_motion(const ContactRows& rows, ContactAnswer& answer);
  double size_of(const Vector& normal, const Vector& friction) const;
  // Multipliers of one program with those of the other held; of the other sign than the forces.
  bool solve_normal(const ContactRows& rows, const Vector& held, const Vector& friction,
                    Vector& normal, Vector& x, ContactReport& report);
  bool solve_friction(const ContactRows& rows, const Vector& normal, Vector& friction, Vector& x,
                      ContactReport& report);
  bool take_turns(const ContactRows& rows, Vector& normal, Vector& friction, Vector& x,
                  ContactReport& report);

  double margin_;
  Index few_;
  BlockMatrix A_;
  LowRank dense_;         // of A
  CholmodSolver factor_;  // of A without it
  Woodbury woodbury_;
  bool factorized_ = false;
  std::shared_ptr<const BlockPattern> analyzed_;
  QpSolver normal_solver_, friction_solver_;
  QpProblem normal_, friction_;  // the same rows along the normals and across
  // Reduced to rows; n: along the normals, t: across.
  bool reduced_ = false;
  bool held_ = false;  // are normal forces held where they were? With friction
  RowResponse response_;
  ReducedRows normals_, tangents_;
  Matrix W_nt_;
  Vector off_n_, off_t_;  // G x and H x of the impulse that is in the motion already
  Vector xi_n_, xi_t_;
};

}  // namespace pliant
