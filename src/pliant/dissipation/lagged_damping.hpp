// Rayleigh damping by the stiffness of the step's start (rayleigh.hpp), part by part for the
// local–global solver: R_i = β/2 żᵀ C_i ż with C_i = ∂²U_i/∂z² of elastic parts, frozen at the
// start of a step and positive semi-definite. What belongs to the mass is no sum over such parts;
// the global step takes it.
#pragma once

#include <pliant/term/local_potential.hpp>

namespace pliant {

class LaggedDamping final : public LocalPotential {
 public:
  LaggedDamping(const LocalElastic& elastic, double beta) : elastic_(&elastic), beta_(beta) {}

  // C at z, which holds all parts.
  void freeze(std::span<const double> z);

  LocalMaps local_maps() const override { return elastic_->local_maps(); }
  double local_stiffness(std::size_t part, double gamma) const override {
    return beta_ / gamma * elastic_->local_stiffness(part, gamma);
  }
  void local_gradient(const Configuration& c, LocalRange range, std::span<const double> z,
                      std::span<double> gradient) const override;
  bool local_minimise(const Configuration& c, LocalRange range, std::span<const double> weights,
                      std::span<const double> target, std::span<double> z) const override;
  bool turns() const override { return elastic_->turns(); }

 private:
  using PartVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 9, 1>;
  static PartVector part_of(std::span<const double> z, std::size_t k, Eigen::Index n) {
    return Eigen::Map<const Vector>(z.data() + k * static_cast<std::size_t>(n), n);
  }

  const LocalElastic* elastic_;
  double beta_;                 // s
  std::vector<LocalMatrix> D_;  // β C
};

}  // namespace pliant
