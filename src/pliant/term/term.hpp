// The open interface through which everything acts: one additive part of the force
//   M q̈ = f(t, q, v) = −∇U(q) − ∂R/∂v(q, v) + f_ext(t, q, v),
// a whole batch of like elements behind one virtual call. Evaluation is a pure function of the
// configuration; what a method freezes over a step (the rotations of `corotated`, the K of Rayleigh
// damping) is computed once by `lag` and handed back through the configuration.
#pragma once

#include <pliant/solve/low_rank.hpp>
#include <pliant/sparse/block_matrix.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace pliant {

struct Lagged {  // what one term froze at the start of the step
  Vector numbers;
  BlockMatrix matrix;
};

// What a term carries from one step to the next beside q and v, such as the modes of a body. Never
// changed once it is made, so that states can share it.
struct TermMemory {
  virtual ~TermMemory() = default;
  virtual std::vector<double> numbers() const = 0;  // for a checkpoint
};
using TermMemories = std::vector<std::shared_ptr<const TermMemory>>;  // by Term::slot; empty: none

struct ContactSet;   // contact/contact_set.hpp
struct EdgeShares;   // contact/edge_shares.hpp
struct FrictionSet;  // contact/friction_set.hpp

struct StepData {
  std::vector<Lagged> lagged;  // one per term, by Term::slot
  std::shared_ptr<const FrictionSet> friction;
  std::shared_ptr<const EdgeShares> shares;  // of pairs of edges that press; null: all of it
  std::shared_ptr<const Vector> plastic;     // strains, element/plasticity.hpp; null: none
  TermMemories memories;
};

struct Configuration {
  double t = 0;                    // s
  std::span<const double> q, v;    // m, m/s; three per node
  const StepData* step = nullptr;  // null outside a step: nothing is frozen
  // The contacts at q where they are known already; null: whoever needs them finds them.
  const ContactSet* contacts = nullptr;
  // Where friction acts, if not as it was found at the start of the step.
  const FrictionSet* friction = nullptr;
  const Vector* plastic = nullptr;         // likewise
  const EdgeShares* shares = nullptr;      // likewise
  const TermMemories* memories = nullptr;  // likewise
};

// A step of length h that is about to begin.
struct StepStart {
  Configuration now;
  double h = 0;  // s
  const DofMask& mask;
};

enum class Projection { none, psd };

struct Tangent {
  double stiffness = 0, damping = 0;  // A += stiffness (−∂f/∂q) + damping (−∂f/∂v)
  Projection projection = Projection::none;
};

enum class TermKind { elastic, external, dissipation, contact, friction };

class Term {
 public:
  virtual ~Term() = default;
  virtual std::string_view name() const = 0;
  virtual TermKind kind() const = 0;

  // True where f = −∇U − ∂R/∂v with ∂R/∂q = 0 over a step: then the stage has an objective.
  virtual bool has_potential() const { return true; }
  virtual bool symmetric() const { return true; }  // is the tangent?
  // True where the force depends on time beside q and v.
  virtual bool time_dependent() const { return false; }

  virtual void add_stencils(PatternBuilder&) const {}
  virtual void locate(const std::shared_ptr<const BlockPattern>&) {}

  virtual bool lags() const { return false; }
  virtual void lag(const Configuration&, Lagged&) const {}

  // Called before `lag`: what the term knows during this step, from what it knew before (null: at
  // the beginning); and the same from the numbers of a checkpoint.
  virtual bool remembers() const { return false; }
  virtual std::shared_ptr<const TermMemory> remember(const StepStart&, const TermMemory*) const {
    return {};
  }
  virtual std::shared_ptr<const TermMemory> recall(std::span<const double>) const { return {}; }

  virtual double potential(const Configuration&) const { return 0; }    // U, J
  virtual double dissipation(const Configuration&) const { return 0; }  // R, W
  virtual void add_force(const Configuration&, std::span<double> f) const = 0;
  // Both at once where that is cheaper; returns U.
  virtual double add_force_and_potential(const Configuration& c, std::span<double> f) const {
    add_force(c, f);
    return potential(c);
  }
  virtual void add_tangent(const Configuration&, Tangent, BlockMatrix&) const {}
  // The part of the tangent that is dense and of low rank, A += Y Zᵀ: columns behind those that are
  // there. Projected, only what keeps a positive definite A so.
  virtual bool has_low_rank() const { return false; }
  virtual void add_low_rank(const Configuration&, Tangent, LowRank&) const {}
  // The longest step along dq that keeps the configuration admissible, as a part of dq; asked for
  // only of terms that say they limit steps.
  virtual bool limits_steps() const { return false; }
  virtual double max_step(const Configuration&, std::span<const double> /*dq*/) const { return 1; }

  void set_slot(std::size_t slot) { slot_ = slot; }
  const Lagged* lagged(const Configuration& c) const {
    return c.step ? &c.step->lagged[slot_] : nullptr;
  }
  const TermMemory* memory(const Configuration& c) const {
    const TermMemories* all = c.step ? &c.step->memories : c.memories;
    return all && slot_ < all->size() ? (*all)[slot_].get() : nullptr;
  }

 private:
  std::size_t slot_ = 0;  // its place in StepData::lagged
};

}  // namespace pliant
