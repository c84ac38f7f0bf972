// The open interface of constraints: rows φ(q) with a compliance C ≥ 0 and a multiplier λ,
//   φ(q) + C λ = 0,      force Jᵀ λ,      J = ∂φ/∂q,                              TOURNIER §3
// a whole batch of like rows behind one virtual call. C = 0 is hard; else λ = −φ/C is the force of
// a spring of stiffness 1/C, as stiff as one likes. What stands beside A in the stage's matrix is
// the geometric stiffness, −Σ λ ∇²φ (18): without it, directions in which nothing resists but the
// tension of the constraints themselves are not stable under large steps.
#pragma once

#include <pliant/term/term.hpp>

#include <limits>
#include <string>

namespace pliant {

struct JacobianEntry {
  Index row = 0, node = 0;
  Vec3 gradient = Vec3::Zero();  // ∂φ/∂x of that node
};
struct NodeBlock {  // of a symmetric matrix over nodes; both halves are given
  Index row = 0, column = 0;
  Mat3 block = Mat3::Zero();
};

// Between which a multiplier may be (N): a limit has zero below, for it does not pull.
struct MultiplierBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  static MultiplierBounds pushes() { return {.low = 0}; }
};

// What a batch holds: places, or how fast they change (J v), which a target's rate gives.
enum class About { places, rates };

// How much of Σ λ ∇²φ a matrix gets.
enum class GeometricStiffness {
  exact,
  positive,  // only what makes the matrix more definite, row by row
  off
};

class Constraint {
 public:
  virtual ~Constraint() = default;
  virtual std::string_view name() const = 0;
  virtual Index rows() const = 0;
  // φ(t, q). Of rows about rates the rate that is wanted, with a minus: J v + φ = 0.
  virtual void value(double t, std::span<const double> q, std::span<double> phi) const = 0;
  virtual bool about_rates() const { return false; }
  // One entry for each node that a row depends on, zeros included, always in the same order.
  virtual void add_jacobian(std::span<const double> q, Index first_row,
                            std::vector<JacobianEntry>& out) const = 0;
  virtual void compliance(std::span<double> c) const = 0;
  // τ = C d (s) of rows that a damping d works beside the compliance: φ + τ J v + C λ = 0, zero
  // unless said otherwise.
  virtual void relaxation(std::span<double> /*tau*/) const {}
  // Between which λ may be, −∞ and ∞ unless said otherwise. At a lower bound φ may be above zero,
  // at an upper one below.
  virtual void bounds(std::span<double> /*low*/, std::span<double> /*high*/) const {}
  // −scale Σ λ ∇²φ, to be added to a matrix; blocks always in the same order.
  virtual void add_geometric_stiffness(std::span<const double> q, std::span<const double> lambda,
                                       double scale, GeometricStiffness part,
                                       std::vector<NodeBlock>& out) const = 0;
  // vᵀ ∇²φ v + ∂²φ/∂t² of each row: what φ̈ is beside J q̈.
  virtual void curvature(double t, std::span<const double> q, std::span<const double> v,
                         std::span<double> out) const = 0;
  virtual std::string row_name(Index row) const = 0;  // for messages
};

}  // namespace pliant
