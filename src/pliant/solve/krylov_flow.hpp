// The solution at σ = 1 of the linear equation
//   y' = B y + b₀ + σ b₁,   y(0) = 0,      y(1) = φ₁(B) b₀ + φ₂(B) b₁,
// for a large B of which only products are known: the exponential of the equation made homogeneous
// (two more unknowns, σ and 1) applied by an Arnoldi method [Saad 1992; Niesen and Wright 2012].
// The dimension grows until the error estimate is met; where it would grow too large, the interval
// is cut, and the basis at hand serves for the first part.
#pragma once

#include <pliant/core/interruption.hpp>
#include <pliant/solve/small_exponential.hpp>

#include <functional>

namespace pliant {

struct KrylovOptions {
  double tolerance = 1e-8;  // of the error, relative to the larger of ‖b₀‖ and ‖b₁‖
  int max_dimension = 60;
  int max_parts = 10'000;
  Interruption interrupted = {};  // asked before every product
};

struct KrylovReport {
  bool ok = true;
  int parts = 0;  // of the interval
  long products = 0;
  double error = 0;  // estimated, relative
};

class KrylovFlow {
 public:
  // y ← B x; false where it cannot be computed.
  using Operator = std::function<bool(std::span<const double> x, std::span<double> y)>;

  // Lengths are measured with the weights, one for each component.
  [[nodiscard]] KrylovReport solve(const Operator& B, const Vector& b0, const Vector& b1,
                                   const Vector& weights, const KrylovOptions& options);
  const Vector& result() const { return y_; }

 private:
  bool apply(const Operator& B, Eigen::Index column, Vector& out) const;
  double dot(Eigen::Index column, const Vector& x) const;
  bool expand(const Operator& B, Eigen::Index m);
  double try_length(Eigen::Index m, double tau);
  bool advance(const Operator& B, double left, const KrylovOptions& options, double& taken);

  Vector weights_, b0_, b1_, y_, z_, w_;
  Matrix V_, H_;  // H: Hessenberg, one more row than columns in use
  Matrix small_;  // the part of H whose exponential is taken
  SmallExponential exponential_;
  Vector step_;  // coordinates of the result in the basis
  double beta_ = 0, scale_ = 1, wanted_ = 0;
  KrylovReport report_;
};

}  // namespace pliant
