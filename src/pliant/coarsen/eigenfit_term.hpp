// EigenFit, CHEN (11)-(17): the lowest modes of a coarse body get the stiffness that they have on a
// fine mesh. With the modes U and their eigenvalues Λ frozen over a step the corrected force
//   f‡ = f(q) + M U (R − I) [Uᵀ f(q_n) − Λ Uᵀ M (q − q_n)]
// equals (15c) at q_n, is linear in q beyond f, and has the potential
//   V(q) = ½ Σ_i (r_i − 1)/λ_i (g_i − z_iᵀ (q − q_n))²,   g = Uᵀ f(q_n),  z_i = K u_i,
// with z_i = λ_i M u_i on coordinates that are solved for. On those that pins move, K u_i is what
// their motion does to the mode: so shaken feet reach the correction too. Where a body is damped by
// β K (CHEN (6)), β Z (R − I) Λ⁻¹ Zᵀ v is added: the modes are damped like those of the fine mesh.
//
// The modes are found at the beginning of a step and paired with those at rest by their overlap,
// where the latter are carried along by the rotation of the body at each node: what bent a straight
// bar aside still bends it aside where it hangs down. A mode that is a mixture of modes at rest
// gets the mean of their ratios, weighted by its shares, so nothing jumps where two modes cross.
#pragma once

#include <pliant/coarsen/node_gradients.hpp>
#include <pliant/coarsen/rest_fit.hpp>
#include <pliant/system/pins.hpp>

namespace pliant {

enum class FailurePolicy { warn, off, stop };  // of the acceptance test

struct EigenFitOptions {
  Index modes = 10;     // that are corrected: m
  Index subspace = 10;  // that are followed: s ≥ m
  int refresh = 1;      // steps between two computations of the modes; see kModesNever, kModesAuto
  ModePairing pairing = ModePairing::overlap;
  FailurePolicy on_failure = FailurePolicy::warn;
};
constexpr int kModesNever = 0, kModesAuto = -1;

struct EigenFitInput {
  std::string body;
  PartNodes nodes;
  bool linear = false;                               // is its stiffness the same everywhere?
  double beta = 0;                                   // s, of Rayleigh damping
  std::vector<Pin> pins;                             // of the body: when each holds
  std::vector<std::shared_ptr<const RestFit>> fits;  // one for every set of pins that there will be
  EigenFitOptions options;
};

// How the modes at hand compare with those at rest.
struct EigenFitStatus {
  Acceptance acceptance;  // CHEN §3.5
  // Modes that are at most twice as stiff, or soft, as at rest. Shapes may stay where stiffness
  // does not, and ratios of stiffness at rest then say little: half of them must be near, too.
  Index near = 0;
  Index crossed = 0;        // modes that have changed places
  Index first_crossed = 0;  // the lowest of them, counted from 1; 0: none
  std::string permutation;
  double strength = 1;  // of the correction, less than 1 on its way out or back
  bool refreshed = false;
  bool passes() const { return acceptance.passed() && 2 * near >= acceptance.of; }
  bool accepted = true;  // now, and the coarse mesh at rest
  std::string failure;   // why new modes could not be found; the old ones serve on
};

struct EigenFitMemory;  // eigenfit_memory.hpp
struct FoundModes;

class EigenFitTerm final : public Term {
 public:
  // `rest`: the body's nodes undeformed, three numbers each.
  EigenFitTerm(EigenFitInput input, const NodeMatrix& system_mass, Vector rest);
  ~EigenFitTerm() override;
  const std::string& body() const { return input_.body; }
  const EigenFitOptions& options() const { return input_.options; }
  std::span<const std::shared_ptr<const RestFit>> fits() const { return input_.fits; }
  const EigenFitStatus* status(const TermMemories& memories) const;  // null before the first step
  const RestFit* fit(const TermMemories& memories) const;            // that is in use

  std::string_view name() const override { return "eigenfit"; }
  TermKind kind() const override { return TermKind::elastic; }
  bool remembers() const override { return true; }
  std::shared_ptr<const TermMemory> remember(const StepStart& step,
                                             const TermMemory* before) const override;
  std::shared_ptr<const TermMemory> recall(std::span<const double> numbers) const override;

  double potential(const Configuration& c) const override;
  double dissipation(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  bool has_low_rank() const override { return true; }
  void add_low_rank(const Configuration& c, Tangent tangent, LowRank& out) const override;

 private:
  using Memory = EigenFitMemory;
  struct Workspace;
  const Memory* own(const Configuration& c) const;
  std::shared_ptr<const RestFit> fit_for(const StepStart& step) const;
  bool due(const StepStart& step, const Memory& before, const Memory& next) const;
  double error_of_old_modes(const StepStart& step, const Memory& memory) const;
  bool restore_factors(const StepStart& step, const Memory& memory) const;
  ElasticModes search(const StepStart& step, const Memory& memory, Vector& anchor) const;
  void find_modes(const StepStart& step, Memory& next) const;
  void take_rest_modes(const StepStart& step, Memory& next) const;
  void set_stiffness(const DofMask& mask, FoundModes& modes) const;
  void set_back(FoundModes& modes) const;
  void keep(const StepStart& step, FoundModes modes, Memory& next) const;
  void pair(const StepStart& step, FoundModes& modes, Memory& next) const;
  void set_ratios(const RestFit& fit, const Matrix& overlap, FoundModes& modes) const;
  void set_strength(double h, Memory& next) const;
  Mat3 turned(const StepStart& step, const DofMask& mask) const;

  EigenFitInput input_;
  BodyPart part_;
  Vector rest_;  // of the body, m
  NodeGradients gradients_;
  // Matrices and factors to work with: the same input gives the same output whatever was in them.
  std::unique_ptr<Workspace> work_;
};

}  // namespace pliant
