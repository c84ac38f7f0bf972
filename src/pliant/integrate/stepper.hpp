// A stepper advances the state of a system by one step. On failure it says why and the state is as
// it was: whoever called may try again with a smaller step.
#pragma once

#include <pliant/stage/stage.hpp>

#include <memory>

namespace pliant {

struct StepReport {
  bool ok = true;
  std::string reason;  // why not
  int newton = 0, factorizations = 0, projections = 0;
  long linear = 0;
  int retries = 0;                      // steps that were redone in halves inside this one
  int redone = 0;                       // steps that were made by another method inside this one
  int contacts = 0;                     // that were active at the end of a stage, at most
  double primal = 0, dual = 0;          // the worst residuals of admm and of corrections by contact
  int unconverged = 0;                  // stages that ended by their number of iterations
  double work = 0;                      // of all stages and contact, in iterations of a stage
  std::vector<std::string> notes = {};  // for the log
  void add(const StageReport& stage);
  void count(const StepReport& part);  // its work, not its outcome
  StepReport& fail(std::string why) {
    ok = false;
    reason = std::move(why);
    return *this;
  }
};

// What a step may be wrong by: the difference to an embedded method of lower order.
struct StepError {
  Vector q, v;  // m, m/s
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual std::string_view name() const = 0;
  [[nodiscard]] virtual StepReport step(const System& system, State& state, double h) = 0;
  // What later steps depend on beside the state; a resumed run restores it.
  virtual std::vector<double> memory() const { return {}; }
  virtual void restore(std::span<const double>) {}
  // N, of the constraints at the end of the last step; empty where there are none.
  virtual std::span<const double> multipliers() const { return {}; }
  // The state was changed from outside, by an impact for instance: states before it no longer say
  // where it goes.
  virtual void forget() {}

  // The order of the embedded method that errors are estimated by; 0 where there is none.
  virtual int error_order() const { return 0; }
  // Every later step writes its estimate there; null ends it.
  void estimate_into(StepError* error) { error_ = error; }

 protected:
  StepError* error_ = nullptr;
};

// What a scene may say of its integrator beside the name. Each method reads its own options; others
// are refused by whoever reads the scene.
struct IntegratorOptions {
  IntegratorOptions() = default;
  IntegratorOptions(std::string_view type) : type(type) {}
  IntegratorOptions(const char* type) : type(type) {}
  IntegratorOptions(std::string type) : type(std::move(type)) {}

  std::string type = "sdirk2";
  double rho_inf = 0.8;             // generalized-alpha: spectral radius at infinite frequency
  double beta = 0.25, gamma = 0.5;  // newmark
  int modes = 10;                   // exponential hybrids: size of the subspace
  int refresh = 1;                  // steps between two computations of the modes
  double krylov_tolerance = 1e-8;   // ere: relative error of the exponential's action
  bool paper = false;               // the variant as ASCHER prints it, where ours differs
};
constexpr int kRefreshNever = 0, kRefreshAuto = -1;

struct IntegratorInfo {
  std::string_view name, family, title, source;
  int order = 0;
  int implicit_stages = 0;        // linear or nonlinear systems solved per step
  std::string_view options = {};  // the names of its options, separated by spaces
};
// The list of integrators that a scene may name.
std::vector<IntegratorInfo> integrators();

// Whether a step ends where a stage that was solved for ends, and every stage is solved by
// Newton's method: then contact can keep all of them free of intersections.
bool can_meet_contact(std::string_view integrator);
// Are its stages solved by the solver that a scene names?
bool takes_stage_solver(std::string_view integrator);
// Are they solved by Newton's method where the scene names no other?
bool solves_by_newton(std::string_view integrator);
// With hard constraints, see integrate/stabilized_stepper.hpp.
bool needs_velocities_moved(std::string_view integrator);

// Throws InputError for unknown names, options out of range and combinations that make no sense.
std::unique_ptr<Stepper> make_stepper(const IntegratorOptions& integrator,
                                      const SolverOptions& options);

}  // namespace pliant
