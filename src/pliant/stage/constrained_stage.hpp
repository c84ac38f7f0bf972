// The stage with constraints, φ(q) + C λ = 0 and the force Jᵀ λ. With μ = γv λ each step of
// Newton's method solves, after TOURNIER (17)–(21),
//   [ A − γq γv Σ λ ∇²φ   −Jᵀ       ] [ δv ]     [ M (v − v_p) − γv f − Jᵀ μ ]
//   [ J                    C/(γq γv) ] [ δμ ] = − [ φ/γq + C μ/(γq γv)        ]
// There is no merit: a step is taken if the next correction with the same matrix is shorter, the
// test of natural monotonicity (Deuflhard 2004), which no scaling of rows or masses can mislead.
// The multipliers of the last stage are where the next one starts.
#pragma once

#include <pliant/stage/friction_rounds.hpp>
#include <pliant/stage/row_states.hpp>
#include <pliant/stage/stage_problem.hpp>
#include <pliant/system/kkt_assembly.hpp>

namespace pliant {

class ConstrainedStage {
 public:
  explicit ConstrainedStage(const SolverOptions& options);
  StageReport solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q);

  // What acted in the last stage, constraints included.
  void find_forces(const Vector& v, ActingForces& out);

  bool was_used() const { return lambda_.size() > 0; }
  const Vector& multipliers() const { return lambda_; }  // N, of the last stage
  std::vector<double> memory() const;
  bool restore(std::span<const double> memory);  // false where it is not of this solver

 private:
  struct Point {  // v and μ with what the equations are missed by
    Vector v, mu, r, g;
    bool finite() const { return r.allFinite() && g.allFinite(); }
  };
  struct Correction {
    Vector dv, dmu;
    double size = 0, length = 0;  // of dv: relative; m/s
    double missed = 0;            // m: what rows that contradict each other are missed by
    Index missed_row = 0;         // one of them
  };
  struct Progress {
    Correction step, next;  // the last one made, and what follows it
    double size = 0;        // of the last one that was tried
    int blind = 0;          // changes of multipliers alone, one after the other
    bool current = true;    // the point was evaluated last: J and q are there
  };

  bool get_there(Point& now, StageReport& report);
  bool push(Point& now, StageReport& report);
  void set_rows(const Point& now, const Vector& lambda);
  StageReport iterate(Point& now, int most);
  bool improve(Point& now, Progress& progress, StageReport& report);
  void finish(Point& now, const Correction& left);
  StageReport settle(Point& now);
  void settle_with_friction(Point& now, StageReport& report);
  // φ/γq, or of rates J v + φ, at v; J and q there are left behind.
  void find_values(const Vector& v, Vector& values);
  bool factorize(const Point& now, bool project, StageReport& report);
  bool correct(const Point& at, Correction& out, StageReport& report);
  bool search(Point& now, Correction& step, Correction& next, StageReport& report);
  void evaluate(Point& point);
  bool opens_gap(const Point& now, const Correction& left);
  bool is_converged(const Point& now, const Correction& left);

  SolverOptions options_;
  double usual_tolerance_;
  StageProblem problem_;
  std::unique_ptr<KktSolver> solver_;
  const StepContext* context_ = nullptr;
  const Stage* stage_ = nullptr;
  double tolerance_ = 0;  // of the round of friction at hand
  bool rough_ = false;    // more are to come
  Vector lambda_;
  RowStates rows_;
  Vector C_;  // C/(γq γv), of rates C/γv
  BlockMatrix A_;
  KktAssembly assembly_;
  std::vector<JacobianEntry> J_;
  std::vector<NodeBlock> geometric_;
  Vector q_, phi_, f_, x_, y_, change_;
  Point trial_;
};

}  // namespace pliant
