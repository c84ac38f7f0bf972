// Barrier contact as a potential like any other: U = Σ κ_k m_k b(d_k − thickness_k; δ), ASCHER
// (28)–(30), over the contacts of the configuration. Forces are −∇U; collision detection caps
// steps. What a step freezes is where it started, by which pairs of edges are weighted
// (contact_set.hpp).
//
// m weakens pairs of nearly parallel edges, whose nearest points jump (Li et al., Incremental
// Potential Contact, 2020): m = (2 − c/c₀) c/c₀ for c = ‖e₁×e₂‖² < c₀, else 1. What such edges
// lose, their ends bear as points near the other surface.
#pragma once

#include <pliant/contact/contact_set.hpp>
#include <pliant/contact/gap.hpp>
#include <pliant/term/term.hpp>

namespace pliant {

// One contact's energy and derivatives by its four points.
double contact_energy(const Contact& contact, const PairPoints& x, double delta);
PairGradient contact_gradient(const Contact& contact, const PairPoints& x, double delta);
// How hard it presses, N: the size of its force along the normal.
double contact_pressure(const Contact& contact, const PairPoints& x, double delta);
PairHessian contact_hessian(const Contact& contact, const PairPoints& x, double delta,
                            bool project);

// A += block at (i, j), or at the leaders of both, which must be there. What obstacles couple is
// left out: they never move by a force.
void add_contact_block(const ContactSurface& surface, Index i, Index j, const Mat3& block,
                       BlockMatrix& A);

class BarrierTerm final : public Term {
 public:
  // δ in m. The surface is finished.
  BarrierTerm(ContactSurface surface, double delta);

  std::string_view name() const override { return "barrier"; }
  TermKind kind() const override { return TermKind::contact; }
  bool lags() const override { return true; }
  void lag(const Configuration& c, Lagged& out) const override;

  double potential(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  double add_force_and_potential(const Configuration& c, std::span<double> f) const override;
  // The matrix must have the blocks of all contacts between nodes that can move.
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;
  bool limits_steps() const override { return true; }
  double max_step(const Configuration& c, std::span<const double> dq) const override;

  const ContactSurface& surface() const { return surface_; }
  const ContactFinder& finder() const { return finder_; }
  double delta() const { return finder_.delta(); }

  // Where the step of this configuration started; the configuration itself outside of a step.
  WeightsFrom start_of(const Configuration& c) const;
  // The contacts at c: those that come with it, else found now and kept in `own`.
  const ContactSet& contacts(const Configuration& c, ContactSet& own) const;

 private:
  ContactSurface surface_;
  ContactFinder finder_;
};

}  // namespace pliant
