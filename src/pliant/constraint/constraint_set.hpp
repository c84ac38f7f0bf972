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
  void value(double t, std::span<const double> q, Vector& phi) const;
  // From φ to what a stage solves for, linear in v with the slope J: of places φ/γq, together with
  // τ/γq J v where they are damped; of rates φ + J v.
  void make_rates(std::span<const JacobianEntry> J, std::span<const double> v, double gamma_q,
                  Vector& values) const;
  // What C μ is divided by in that equation, beside γq γv.
  double stiffening(Index row, double gamma_q) const { return 1 + relaxation_[row] / gamma_q; }
  void jacobian(std::span<const double> q, std::vector<JacobianEntry>& out) const;
  const Vector& compliance() const { return compliance_; }
  bool has_hard() const { return rows_ > 0 && compliance_.minCoeff() == 0; }
  const Vector& relaxation() const { return relaxation_; }  // s
  bool has_bounds() const { return has_bounds_; }
  bool take_energy() const { return has_rates_; }  // does any, by a brake or a damper?
  const Vector& low() const { return low_; }       // N, of multipliers
  const Vector& high() const { return high_; }
  bool is_about_rate(Index row) const { return rate_[static_cast<std::size_t>(row)] != 0; }
  void geometric_stiffness(std::span<const double> q, const Vector& lambda, double scale,
                           GeometricStiffness part, std::vector<NodeBlock>& out) const;
  void curvature(double t, std::span<const double> q, std::span<const double> v, Vector& out) const;
  std::string row_name(Index row) const;
  // Of the multipliers, N, what only takes energy: all of a brake's, of a damped row what is not
  // its spring's. `phi` are the values at the same moment.
  Vector taking_part(const Vector& phi, const Vector& lambda) const;
  // J of those that have a compliance: ½ φᵀ C⁻¹ φ.
  double energy(double t, std::span<const double> q) const;

 private:
  std::vector<std::unique_ptr<Constraint>> batches_;
  std::vector<Index> first_;
  Vector compliance_, relaxation_, low_, high_;
  std::vector<char> rate_;  // is a row about rates?
  bool has_bounds_ = false;
  bool has_rates_ = false;  // does any row depend on v?
  Index rows_ = 0;
};

// f += Jᵀ λ
void add_constraint_force(const std::vector<JacobianEntry>& J, const Vector& lambda,
                          std::span<double> f);

}  // namespace pliant
