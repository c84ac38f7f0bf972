// All constraints of a system as one: rows in the order in which batches were added.
#pragma once

#include <pliant/constraint/constraint.hpp>

#include <memory>

namespace pliant {

class ConstraintSet {
 public:
  void add(std::unique_ptr<Constraint> batch);

  bool empty() const { return rows_ == 0; }
  Index rows() const { return rows_; }
  void value(std::span<const double> q, Vector& phi) const;
  void jacobian(std::span<const double> q, std::vector<JacobianEntry>& out) const;
  const Vector& compliance() const { return compliance_; }
  void geometric_stiffness(std::span<const double> q, const Vector& lambda, double scale,
                           GeometricStiffness part, std::vector<NodeBlock>& out) const;
  void curvature(std::span<const double> q, std::span<const double> v, Vector& out) const;
  std::string row_name(Index row) const;
  // J of those that have a compliance: ½ φᵀ C⁻¹ φ.
  double energy(std::span<const double> q) const;

 private:
  std::vector<std::unique_ptr<Constraint>> batches_;
  std::vector<Index> first_;
  Vector compliance_;
  Index rows_ = 0;
};

// f += Jᵀ λ
void add_constraint_force(const std::vector<JacobianEntry>& J, const Vector& lambda,
                          std::span<double> f);

}  // namespace pliant
