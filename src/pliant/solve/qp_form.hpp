// What the solver of quadratic programs (qp.hpp) asks of P and G, whatever they are made of.
#pragma once

#include <pliant/solve/linear_solver.hpp>

namespace pliant {

// W of P + Gᵀ W G: diagonal but for the rows that come in pairs, where it has 2×2 blocks.
struct RowWeights {
  Vector diagonal;  // one per row
  Vector cross;     // one per pair
  friend bool operator==(const RowWeights&, const RowWeights&) = default;
};

class QpForm {
 public:
  virtual ~QpForm() = default;
  virtual Index rows() const = 0;
  virtual Eigen::Index dofs() const = 0;
  virtual void multiply_P(const Vector& x, Vector& Px) const = 0;
  virtual void multiply_G(const Vector& x, Vector& z) const = 0;      // z = G x
  virtual void add_transposed(const Vector& y, Vector& x) const = 0;  // x += Gᵀ y
  virtual void inverse_roots(Vector& scale) const = 0;                // diag(P)^−½
  // Σ (G_ri scale_i)² of a row.
  virtual double squared_length(Index row, const Vector& scale) const = 0;
  // Of P + Gᵀ W G; nothing is done where the weights are those of the factors at hand.
  [[nodiscard]] SolveStatus factorize(const RowWeights& W);
  [[nodiscard]] virtual SolveStatus solve(const Vector& b, Vector& x) = 0;
  int factorizations() const { return factorizations_; }

 protected:
  void drop_factors() { factorized_ = false; }

 private:
  [[nodiscard]] virtual SolveStatus factorize_anew(const RowWeights& W) = 0;
  RowWeights factored_;
  bool factorized_ = false;
  int factorizations_ = 0;
};

}  // namespace pliant
