// The matrix K = [A Jᵀ; J −C] in one piece and scaled: unknowns by |A_ii|^−½, then rows of J with
// their C to length one, both rounded to powers of two so that scaling changes no digit. Masses and
// units as far apart as one likes then give entries of about one.
#pragma once

#include <pliant/solve/kkt_factors.hpp>
#include <pliant/solve/kkt_solver.hpp>

namespace pliant {

class KktSystem {
 public:
  // Throws InputError for sizes that do not fit and for a C below zero. True for a new pattern.
  bool set(const KktMatrix& matrix);
  void regularize(double added);  // to C, in scaled rows; counts from C itself, not from the last

  Index unknowns() const { return unknowns_; }
  Index rows() const { return rows_; }
  Index size() const { return unknowns_ + rows_; }
  bool finite() const { return finite_; }
  const SparseLower& K() const { return K_; }
  const Vector& compliance() const { return C_; }  // C in scaled rows
  const Vector& scale() const { return scale_; }   // z = scale ∘ scaled z, scaled b = scale ∘ b
  void multiply(const Vector& z, Vector& Kz) const;
  // r = b − K z. Returns the componentwise backward error, the largest |r| / (|K| |z| + |b|) (Skeel
  // 1980): unlike the norm it sees light unknowns beside heavy ones.
  double residual(const Vector& b, const Vector& z, Vector& r);

  struct RightHandSide {
    const Vector &f, &g;
  };
  // Zeros of the right size. Throws InputError for sizes that do not fit; false for what is not
  // finite.
  bool begin_solve(const RightHandSide& b, Vector& x, Vector& y) const;
  Vector scaled(const Vector& f, const Vector& g) const;
  void unscale(const Vector& z, Vector& x, Vector& y) const;

 private:
  void check(const KktMatrix& matrix) const;
  bool same_pattern(const KktMatrix& matrix) const;
  void lay_out(const KktMatrix& matrix);
  void set_scale(const KktMatrix& matrix);

  Index unknowns_ = -1, rows_ = -1;
  bool finite_ = true;
  SparseLower K_;
  Vector C_, scale_, sizes_;
  std::vector<Index> A_start_, A_row_, J_start_, J_column_;  // the pattern K_ was laid out for
  std::vector<Index> A_place_, J_place_;  // where their entries stand in K_; −1: above the diagonal
  std::vector<Index> diagonal_;           // of K_
};

}  // namespace pliant
