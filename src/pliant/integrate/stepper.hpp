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
  int retries = 0;  // steps that were redone in halves inside this one
  void add(const StageReport& stage);
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual std::string_view name() const = 0;
  [[nodiscard]] virtual StepReport step(const System& system, State& state, double h) = 0;
  // What later steps depend on beside the state; a resumed run restores it.
  virtual std::vector<double> memory() const { return {}; }
  virtual void restore(std::span<const double>) {}
};

struct IntegratorInfo {
  std::string_view name, family, title, source;
  int order = 0;
  int implicit_stages = 0;
};
// The list of integrators that a scene may name.
std::vector<IntegratorInfo> integrators();

// Throws InputError for unknown names and for combinations that make no sense.
std::unique_ptr<Stepper> make_stepper(std::string_view name, const SolverOptions& options);

}  // namespace pliant
