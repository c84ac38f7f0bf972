// Damping of solids as parts of the local–global solver (BROWN §4.4): each quadrature point finds
// the F at which its damping force balances the pull towards a target,
//   P(F, (F − F_p)/γ) + e(F) + w (F − T) = 0,
// with e the part of (19) or (26) that is beside the true force. D, the factor over the strain and
// e are those of the last F, and follow it from one iteration of the global solver to the next; the
// rate is then found exactly. Damping of principal strains does the same over stretches.
#pragma once

#include <pliant/dissipation/dissipation_term.hpp>
#include <pliant/dissipation/local_rate.hpp>
#include <pliant/term/local_potential.hpp>

namespace pliant {

class LocalViscosity {
 public:
  // `volumes` of all quadrature points, m³, so many to an element.
  LocalViscosity(const ViscousRule& rule, StageTreatment treatment, const double* volumes,
                 std::size_t points)
      : rule_(rule),
        treatment_(treatment),
        volumes_(volumes),
        points_(points),
        is_of_strain_(rule.strain_rate_form(0, Vec3::Ones()).has_value()) {}

  double stiffness(std::size_t k, double gamma) const {
    return 2 * volumes_[k] * rule_.viscosity(k / points_) / gamma;
  }
  void gradient(LocalRange range, std::span<const double> z, std::span<double> gradient) const;
  bool minimise(LocalRange range, std::span<const double> weights, std::span<const double> target,
                std::span<double> z) const;

 private:
  struct Part;  // a quadrature point in a stage
  Part part(std::size_t k, const LocalStage& stage) const;
  Mat3 stage_excess_at(const Part& part, const Mat3& F) const;  // e
  Mat3 rate_at(std::size_t element, const Mat3& F, const RateTarget<9>& aim) const;
  bool balance_force(const Part& part, double w, const Mat3& target, Mat3& F) const;
  bool balance_stretches(const Part& part, double w, const Mat3& target, Mat3& F) const;

  const ViscousRule& rule_;
  StageTreatment treatment_;
  const double* volumes_;
  std::size_t points_;
  bool is_of_strain_;
};

}  // namespace pliant
