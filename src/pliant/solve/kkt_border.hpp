// What a factorisation left out, put back. With the rows and columns Z left out the factors are of
// K₀, and K = [K₀ B; Bᵀ K_ZZ] is solved through the small matrix Σ = K_ZZ − Bᵀ K₀⁻¹ B. A row of J
// in Z that nearly depends on others has a Σ of −ε², ε its distance from them in the metric of A⁻¹.
// As a difference that would drown in rounding from ε = 1e-8 on; as the sum of squares it is,
//   Σ = −(C_Z + Xᵀ A X + Yᵀ C Y),   (X, Y) = K₀⁻¹ B,
// it is right down to ε = 1e-12 or so. Rows nearer than that depend on the others: they give the
// null space of Jᵀ, by which contradictions are found and multipliers made shortest.
#pragma once

#include <pliant/solve/kkt_system.hpp>
#include <pliant/solve/low_rank.hpp>

namespace pliant {

class KktBorder {
 public:
  // `distance`: an ε at or below it is none. False where K₀ cannot be solved with, or where K is
  // singular in the unknowns, which no right-hand side in general has an answer for.
  [[nodiscard]] bool prepare(const KktSystem& system, KktFactors& factors,
                             const std::vector<Index>& left_out, double distance);
  // z ← K⁺ z, for right-hand sides that have an answer.
  [[nodiscard]] bool solve(KktFactors& factors, Vector& z);
  int negative() const { return negative_; }  // eigenvalues of Σ below zero
  // The null space of [J −C]ᵀ in the caller's units, orthonormal columns.
  const Matrix& null_space() const { return null_; }

 private:
  bool solve_columns(const KktSystem& system, KktFactors& factors);
  Matrix small_matrix(const KktSystem& system) const;
  void invert(const Matrix& sigma, double distance);
  bool find_null_space(const KktSystem& system);

  std::vector<Index> Z_;
  Matrix B_, V_;    // columns of K for Z without the rows of Z, and K₀⁻¹ B
  Matrix inverse_;  // Σ⁺
  Matrix null_t_;   // null directions of Σ
  Matrix null_;
  int negative_ = 0;
  Vector Kz_, t_;
};

}  // namespace pliant
