// A complementarity problem with rows scaled to W_ii = 1, the two of a tangential pair alike so
// that discs stay discs, and its natural map.
#pragma once

#include <pliant/solve/lcp.hpp>
#include <pliant/solve/low_rank.hpp>

namespace pliant {

class ScaledLcp {
 public:
  explicit ScaledLcp(const LcpProblem& problem);  // throws InputError

  Index rows() const { return static_cast<Index>(b.size()); }
  // The problem with w = W λ + b + δ (λ − anchor), which has W + δ definite: repeated from its own
  // answers it leads to that of δ = 0 (Rockafellar 1976). A δ of rounding size only keeps λ from
  // wandering where redundant rows let it.
  void approach(double delta, const Vector& anchor) { proximal_ = delta, anchor_ = anchor; }
  // F = λ − P(λ − w); returns the largest entry over the largest of |λ| and |b|.
  double natural_map(const Vector& lambda, Vector& F);
  void project(Vector& lambda) const;  // λ ← P(λ), normals first
  void sweep(Vector& lambda, double relaxation) const;
  // A step of Newton's method on the natural map from λ, F being its value there. False where the
  // matrix is singular beyond repair.
  bool newton_step(const Vector& lambda, const Vector& F, Vector& step) const;
  // Rows that grow along `change` for ever without changing w, while b·change < 0; empty where it
  // proves nothing.
  std::vector<Index> recession(const Vector& change) const;

  Eigen::SparseMatrix<double, Eigen::RowMajor> W;
  Vector b, lower, upper, scale;  // λ = scale ∘ scaled λ
  std::vector<FrictionCone> cones;

 private:
  struct Jacobian;
  void check(const LcpProblem& problem);
  Vector slack(const Vector& lambda) const;                   // w
  double row_product(Index row, const Vector& lambda) const;  // (W λ + b)_row
  void sweep_cone(const FrictionCone& cone, Vector& lambda, double relaxation) const;
  void linearise_cone(std::size_t c, const Vector& u, Jacobian& jacobian) const;

  std::vector<Index> cone_of_;     // −1: none
  std::vector<Index> tangent_of_;  // the cone a row is tangential in; −1: none
  std::vector<double> cone_step_;  // 1 over the larger eigenvalue of the tangential block
  double proximal_ = 0;
  Vector anchor_, u_;
};

}  // namespace pliant
