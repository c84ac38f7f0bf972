// Strains of a deformation gradient F with d columns as a vector of components, and what their
// combinations φ = b · E are as functions of F:
//   ∂φ/∂F = 2 F Y(b),      d²φ = 2 Y : dFᵀdF − (what the curvature of the measure takes away),
// Y the gradient of φ by C = FᵀF.
#pragma once

#include <pliant/core/types.hpp>

#include <optional>
#include <string_view>

namespace pliant {

// With C = FᵀF:
//   green         E = ½ (C − 1)
//   corotational  E = S − 1,  S = C^½ = RᵀF
//   principal     e_i = σ_i − 1,  σ_i² the eigenvalues of C; as many components as dimensions
enum class StrainMeasure { green, corotational, principal };
std::optional<StrainMeasure> find_strain_measure(std::string_view name);

using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;  // d × d
using Gradient = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3>;             // F
using Components = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using ComponentMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
using GradientMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 9, 9>;

// How many rows a point has: d (d+1)/2, or d of principal strains.
int component_count(StrainMeasure measure, int d);
// Symmetric matrices that are orthonormal: a strain is the sum of its components times these.
Square component_basis(int component, int d);

class Strain {
 public:
  Strain(StrainMeasure measure, const Gradient& F);

  Components components() const;
  // ∂(b · E)/∂C
  Square slope(const Components& b) const;
  // d²(b · E) along dF
  double second(const Components& b, const Gradient& dF) const;
  // The same as a matrix over the 3 d numbers of dF, column by column.
  GradientMatrix hessian(const Components& b) const;

 private:
  int d() const { return static_cast<int>(C_.rows()); }
  Square in_basis(const Square& B) const { return V_.transpose() * B * V_; }
  Square change_of_C(const Gradient& dF) const;
  // What second() takes away for changes dC and dC' of C, both in the basis of eigenvectors.
  double bend(const Components& b, const Square& one, const Square& other) const;

  StrainMeasure measure_;
  Gradient F_;
  Square C_, V_;      // eigenvectors of C as columns; not of green
  Components sigma_;  // stretches, from small to large
};

}  // namespace pliant
