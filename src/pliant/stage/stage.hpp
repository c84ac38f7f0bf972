// The one implicit stage that every method of the papers is a short list of,
// generalising BROWN (7): given t, γq, γv, q_p, v_p, find v with
//   q = q_p + γq v,      M (v − v_p) = γv f(t, q, v).
#pragma once

#include <pliant/core/interruption.hpp>
#include <pliant/solve/linear_solver.hpp>
#include <pliant/stage/subspace.hpp>
#include <pliant/system/system.hpp>

#include <algorithm>
#include <string>

namespace pliant {

struct Stage {
  double t = 0, gamma_q = 0, gamma_v = 0;  // s
  Vector q_p, v_p;
  // Where `linear` linearises: the start of the step, or what the method prescribes.
  const Vector* q_base = nullptr;
  const Vector* v_base = nullptr;
  // Directions whose coordinates are those of the guess and of q_p; null where there are none.
  const Subspace* held = nullptr;
};

struct StageReport {
  bool ok = true;
  std::string reason;  // why not
  int newton = 0, factorizations = 0, projections = 0;
  long linear = 0;
  int contacts = 0;  // that are active at the end
  // Of methods that alternate: what they were left with, relative, and whether the number of
  // iterations that was asked for came before the tolerance.
  double primal = 0, dual = 0;
  bool unconverged = false;
  std::string warning;  // for the log
  void add(const StageReport& other) {
    newton += other.newton;
    factorizations += other.factorizations;
    projections += other.projections;
    linear += other.linear;
    contacts = std::max(contacts, other.contacts);
    primal = std::max(primal, other.primal);
    dual = std::max(dual, other.dual);
    unconverged = unconverged || other.unconverged;
    if (warning.empty()) warning = other.warning;
  }
};

// What all stages of a step share.
struct StepContext {
  const System& system;
  const State& start;  // t_n, q_n, v_n and the pins of this step
  const StepData& data;
  const DofMask& mask;
  double tolerance(double usual) const { return start.tolerance > 0 ? start.tolerance : usual; }
};

class StageSolver {
 public:
  virtual ~StageSolver() = default;
  virtual std::string_view name() const = 0;
  // v holds the guess and receives the solution, prescribed coordinates included; q likewise.
  [[nodiscard]] virtual StageReport solve(const StepContext& context, const Stage& stage, Vector& v,
                                          Vector& q) = 0;
  // x = A⁻¹ b with the matrix that the last stage left, for filters; false where there is none.
  [[nodiscard]] virtual bool solve_again(std::span<const double> b, std::span<double> x,
                                         SolveAccuracy accuracy) = 0;
  // Does it keep forces to itself that the system does not know, those of contact by splitting?
  // Then the acceleration of the last stage is the only one that holds, BROWN (37).
  virtual bool hides_forces() const { return false; }
  // N, of the constraints in the last stage; empty where there are none.
  virtual std::span<const double> multipliers() const { return {}; }
  // What acted in the last stage, whose solution v is, as far as the system asks and this solver
  // knows.
  virtual void find_forces(const Vector& /*v*/, ActingForces& out) { out.forget(); }
  virtual std::vector<double> memory() const { return {}; }  // see LinearSolver::memory
  virtual void restore(std::span<const double>) {}
};

struct ContactRules;  // stage/contact_rules.hpp

struct SolverOptions {
  std::string type = "newton", linear = "auto";
  double tolerance = 1e-8;  // relative size of the last change of velocity
  int max_iterations = 50;
  long max_work = 0;  // iterations of a whole step, of which one correction gets half; 0: no bound
  bool fast = false;
  Precision precision = Precision::full;  // of products, with iterative linear solvers
  LinearOptions of_linear() const { return {fast, precision}; }
  struct Admm {
    int iterations = 0;  // so many, or fewer where the tolerance is met; 0: until it is
    double weight = 1;   // of all parts, times what their stiffness says
    std::shared_ptr<const ContactRules> contact = {};  // with obstacles; null: none
    int anderson = 0;  // earlier iterations that the next one goes by; 0: none
  } admm = {};
  GeometricStiffness geometric = GeometricStiffness::exact;  // of constraints, in the matrix
  std::string kkt = "auto";  // the solver with constraints, see make_kkt_solver
  int minres = 0;            // of linear: so many iterations of minres instead; 0: none
  // Move back onto hard constraints after each step; by default velocities, with the methods that
  // need it.
  enum class Stabilize { by_method, never, always } stabilize = Stabilize::by_method;
  bool reuse = true;  // keep factors over stages and steps while Newton's method converges fast
  Interruption interrupted = {};  // a step that is interrupted fails
};

struct StageSolverInfo {
  std::string_view name, description;
};
std::span<const StageSolverInfo> stage_solvers();
std::unique_ptr<StageSolver> make_stage_solver(const SolverOptions& options);

}  // namespace pliant
