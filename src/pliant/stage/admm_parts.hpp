// All local parts of a system, as the local–global solver sees them: z = D q, their weights, and
// what is done to all of them at once. Vectors over parts hold those of one term after the other.
#pragma once

#include <pliant/dissipation/lagged_damping.hpp>
#include <pliant/dissipation/rayleigh.hpp>
#include <pliant/sparse/assembly_plan.hpp>
#include <pliant/system/system.hpp>
#include <pliant/term/local_potential.hpp>

namespace pliant {

class AdmmParts {
 public:
  // Throws InputError where the system holds what has no local minimiser. `weight` multiplies what
  // stiffness says.
  void gather(const System& system, double weight);
  std::size_t numbers() const { return numbers_; }  // in z
  bool dissipates() const { return dissipates_; }
  // Damping by mass, which the global step takes: no elastic terms, no β.
  std::span<const RayleighPart> drag() const { return drag_; }

  // Weights for stages of this γq; all of them times `level`.
  void set_weights(double gamma, double level);
  void freeze_damping(const Vector& z);  // at the start of a step

  void map(const Vector& q, Vector& z) const;             // z = D q
  void add_transposed(const Vector& y, Vector& f) const;  // f += Dᵀ W y
  void add_matrix(double scale, NodeMatrix& A) const;     // A += scale Dᵀ W D
  double weighted_norm(const Vector& y) const;            // ‖W^½ y‖
  double norm_of_ones() const;

  // The stage that rates are measured over: D q_p and D v̂.
  struct StageView {
    double gamma = 0;
    const Vector* before = nullptr;
    const Vector* v_hat = nullptr;
  };
  // z_i by (16b), all at once; false where one was not found.
  bool minimise(const Configuration& c, const StageView& stage, const Vector& target,
                Vector& z) const;
  // u = W⁻¹ ∇Φ(z): what it is at the solution, if z is.
  void start(const Configuration& c, const StageView& stage, const Vector& z, Vector& u) const;

 private:
  // All parts of one term.
  struct Group {
    const LocalPotential* potential = nullptr;
    LocalMaps maps;
    AssemblyPlan plan;
    std::vector<double> weights;  // w_i, J
    std::size_t first = 0;        // number in z
    std::size_t numbers() const { return 3 * static_cast<std::size_t>(maps.rows); }
    std::size_t all() const { return numbers() * maps.size(); }
    std::span<const double> of(const Vector& x) const { return {x.data() + first, all()}; }
    std::span<double> of(Vector& x) const { return {x.data() + first, all()}; }
    LocalRange range(std::size_t begin, std::size_t end, const StageView& stage) const {
      if (!stage.before) return {begin, end, {}};
      return {begin, end, {stage.gamma, of(*stage.before), of(*stage.v_hat)}};
    }
  };
  void add_group(const LocalPotential& potential, const System& system);
  void add_rayleigh(const Rayleigh& rayleigh, const System& system);

  double weight_ = 1;
  std::vector<Group> groups_;
  std::vector<std::unique_ptr<LaggedDamping>> lagged_;
  std::vector<std::size_t> lagged_groups_;
  std::vector<RayleighPart> drag_;
  std::size_t numbers_ = 0;
  bool dissipates_ = false;
};

}  // namespace pliant
