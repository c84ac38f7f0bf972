// Coulomb friction over the contacts of a step, with normal forces and directions lagged, so that
// it derives from a convex potential (ASCHER (31)–(34)):
//   Φ = Σ μλ S(‖y‖; ε),      force −μλ η(y).
// `stick`: y is how far a contact has been strained since it last held, y = slip + P Σ w (q − q_n),
// and ε a length far below what one sees. What is pushed by less than μλ is held and comes back:
// nothing creeps, however long it takes. Beyond ε it slides and friction has its full size.
// Else y = P Σ w v is the sliding speed and ε a speed, as in the paper: a dissipation R(v), which
// holds nothing and lets everything creep at some part of ε.
//
// Restitution is friction along the normal: −ηλ s(ẏ; ε) n for the speed ẏ at which a contact opens.
// What is pressed together meets (1 + η)λ and comes apart with (1 − η)λ, whatever the barrier is
// like, and so gets back the part e² = (1 − η)/(1 + η) of its energy. At rest it is nothing.
#pragma once

#include <pliant/contact/friction_set.hpp>

namespace pliant {

struct FrictionOptions {
  bool stick = true;
  double epsilon = 1e-6;  // m to hold within, or m/s where it does not stick
  int lag = 6;            // how often a stage is solved with newly found normal forces, at most
  // Of the forces: what changes by less has converged. Below it friction follows the pressure one
  // stage late, and a delay feeds vibrations that methods of second order do not damp: they grow
  // until they reach it.
  double lag_change = 1e-3;
  double restitution = 1;       // e, at most: the part of the speed that contact gives back
  double rebound_speed = 1e-3;  // m/s: ε of the speed of opening
  bool has_loss() const { return restitution < 1; }
  double loss() const {  // η
    return (1 - restitution * restitution) / (1 + restitution * restitution);
  }
};

class FrictionTerm final : public Term {
 public:
  FrictionTerm(const BarrierTerm& barrier, FrictionCoefficients mu, FrictionOptions options);

  std::string_view name() const override { return "friction"; }
  TermKind kind() const override { return TermKind::friction; }

  // What acts is that of the configuration, else that of the step, else nothing.
  double potential(const Configuration& c) const override;
  double dissipation(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  // The matrix must have the blocks of all contacts between nodes that can move. It is positive
  // semi-definite anyway; projected it is the secant, which never promises too much.
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

  // The set of a step that starts here, where the last one began with `last` (null: it is the
  // first). Of a contact that was not there before only the speed is known: where that goes beyond
  // ε within the step's length h it slides, and friction has its full size from the beginning.
  std::shared_ptr<const FrictionSet> open_step(const FrictionSet* last, const Configuration& start,
                                               double h) const;
  // The contacts of the same step with forces and directions as they are at c.
  void lag_at(const Configuration& c, const FrictionSet& step, FrictionSet& out) const;
  // Directions of a set as unknowns of Newton's method, after the part of a step from one
  // configuration to another. They begin at zero, with the secant.
  void change_directions(const Configuration& from, const Configuration& to, double part,
                         FrictionSet& set) const;
  const FrictionOptions& options() const { return options_; }
  // The largest speed at which contacts that press at c come apart, m/s.
  double rebound(const Configuration& c) const;
  // The parts of a change of what friction depends on (positions where it sticks, else velocities)
  // at which a sliding contact comes nearest to a stop.
  void find_stops(const Configuration& c, std::span<const double> change,
                  std::vector<double>& parts) const;

 private:
  const FrictionSet* active(const Configuration& c) const;
  double value(const Configuration& c) const;
  double lost(const Configuration& c) const;  // W, along the normals
  Mat3 derivative(const FrictionSet& set, const FrictionContact& contact, const Vec3& y,
                  Projection projection) const;
  double rebound_slope(double speed, Projection projection) const;
  double epsilon(const FrictionSet& set) const;
  Vec3 argument(const Configuration& c, const FrictionSet& set,
                const FrictionContact& contact) const;

  const BarrierTerm& barrier_;
  FrictionFinder finder_;
  FrictionOptions options_;
};

}  // namespace pliant
