// Any diagonally implicit Runge–Kutta method, from its table: stage i is
//   γ = a_ii h,  q_p = q_n + h Σ_{j<i} a_ij v_j,  v_p = v_n + h Σ_{j<i} a_ij a_j,
// and its acceleration a_i = (v_i − v_p)/γ comes for free, right even for non-smooth forces, BROWN
// (37). With a modal flow it is an exponential hybrid: every stage holds the modes where their flow
// has them at its time, ASCHER (19), (20), and TR-BDF2 in the complement.
#pragma once

#include <pliant/integrate/dirk_table.hpp>
#include <pliant/integrate/modal_flow.hpp>

#include <limits>

namespace pliant {

// Where the `linear` stage solver linearises: ASCHER (6) about the step's start, (26b) about the
// stage before.
enum class LinearizeAbout { step_start, previous_stage };

struct DirkStages {
  std::unique_ptr<StageSolver> solver;
  LinearizeAbout base = LinearizeAbout::step_start;
  std::shared_ptr<ModalFlow> modes = nullptr;
  bool paper = false;  // the modes by ASCHER (26) as printed
};

class DirkStepper final : public Stepper {
 public:
  // `name` is the integrator's: `si` is the table of `be` with the `linear` stage solver.
  DirkStepper(std::string_view name, const DirkTable& table, DirkStages stages);

  std::string_view name() const override { return name_; }
  StepReport step(const System& system, State& state, double h) override;
  int error_order() const override { return modes_ ? 0 : table_.embedded_order; }
  void forget() override { known_t_ = std::numeric_limits<double>::quiet_NaN(); }
  std::vector<double> memory() const override;
  std::span<const double> multipliers() const override { return solver_->multipliers(); }
  void restore(std::span<const double> memory) override;
  // Without the modes, where somebody else keeps them.
  std::vector<double> solver_memory() const { return solver_->memory(); }
  void restore_solver(std::span<const double> memory) { solver_->restore(memory); }

 private:
  void set_stage(const State& state, double h, int i);
  bool hold_modes(const StepContext& context, double h, int i, std::string& reason);
  StageReport solve_stage(const StepContext& context, const State& state, double h, int i);
  void finish(const StepContext& context, State& state, double h);
  void add_to_mean(const State& start, int i);
  void estimate_error(const System& system, double h);

  std::string_view name_;
  const DirkTable& table_;
  std::unique_ptr<StageSolver> solver_;
  LinearizeAbout base_;
  std::shared_ptr<ModalFlow> modes_;
  bool paper_, filter_error_;
  Stage stage_;
  StepData data_;
  DofMask mask_;
  FreeForce force_;
  State trial_;  // becomes the state when the step succeeds
  Vector q_;
  std::vector<Vector> v_, a_;  // of the stages
  // Where the last step ended, whose acceleration goes on where the stage solver hides forces.
  double known_t_ = std::numeric_limits<double>::quiet_NaN();
  Vector base_q_, base_v_;
  Vector last_q_;  // position of the last stage
  Vector e_, Me_;
  SharedForces forces_;
  std::shared_ptr<ActingForces> mean_, end_;  // see State; null: nobody asks
};

}  // namespace pliant
