// Damping of all elements of one shape under one law: R(q, v) = Σ_e Σ_g w_g R(F_g, Ḟ_g), in flat
// arrays, added in an order that does not depend on the number of threads. In cloth and cables F
// maps the directions that they have, and no others.
#pragma once

#include <pliant/dissipation/local_viscosity.hpp>
#include <pliant/element/contraction.hpp>
#include <pliant/element/rest_geometry.hpp>
#include <pliant/element/thin_geometry.hpp>
#include <pliant/sparse/assembly_plan.hpp>

namespace pliant {

struct ViscousBatchInput {
  std::string_view name;
  std::vector<Index> connectivity;  // nodes of the system, flat
  std::unique_ptr<const ViscousRule> rule;
  StageTreatment treatment = StageTreatment::force;
};

template <class Geometry>  // RestGeometry or ThinGeometry
class ViscousBatch final : public DissipationTerm, public LocalPotential {
 public:
  static constexpr int N = Geometry::N, G = Geometry::G;

  // The geometry is that of the connectivity; the system has so many nodes.
  ViscousBatch(ViscousBatchInput input, Geometry at_rest, Index nodes);

  std::string_view name() const override { return name_; }
  void add_stencils(PatternBuilder& builder) const override { builder.add(connectivity_, N); }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override {
    plan_.locate(connectivity_, *pattern);
  }

  double dissipation(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  // ∂P/∂F is left out where the tangent must be positive semi-definite.
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

  double stage_excess(const Configuration& c, const StageForm& form) const override;
  void add_stage_force(const Configuration& c, const StageForm& form,
                       std::span<double> f) const override;
  void add_stage_tangent(const Configuration& c, const StageForm& form, Tangent scale,
                         BlockMatrix& A) const override;

  // A part is a quadrature point, its z the deformation gradient. Powers below one are not smoothed
  // here.
  LocalMaps local_maps() const override;
  double local_stiffness(std::size_t part, double gamma) const override {
    return local().stiffness(part, gamma);
  }
  void local_gradient(const Configuration&, LocalRange range, std::span<const double> z,
                      std::span<double> gradient) const override {
    local().gradient(range, z, gradient);
  }
  bool local_minimise(const Configuration&, LocalRange range, std::span<const double> weights,
                      std::span<const double> target, std::span<double> z) const override {
    return local().minimise(range, weights, target, z);
  }
  bool turns() const override { return true; }

 private:
  static constexpr std::size_t kGroup = RateSamples::capacity / G;  // elements at a time

  Eigen::Matrix<double, 3, N> gather(std::size_t e, std::span<const double> x) const;
  // F and Ḟ of the elements from e on, at most a group, and what the rule says of them.
  void sample(std::size_t e, std::size_t end, const Configuration& c, RateSamples& samples) const;
  void respond(std::size_t e, std::size_t end, const Configuration& c, Wanted wanted,
               RateSamples& samples) const;
  // For each group, after `evaluate(e, end, samples)`, forces −scale w Q ∇N with Q = stress(out).
  template <class Evaluate, class Stress>
  void add_stress(std::span<double> f, Evaluate&& evaluate, Stress&& stress) const;
  // The same for element matrices from C = tangent(out), which need not be symmetric.
  template <class Evaluate, class MakeTangent>
  void add_matrices(BlockMatrix& A, Evaluate&& evaluate, MakeTangent&& tangent) const;
  template <class Evaluate>
  double sum(Evaluate&& evaluate) const;
  LocalViscosity local() const { return {*rule_, treatment(), at_rest_.all_weights(), G}; }

  std::string name_;
  std::vector<Index> connectivity_;
  std::size_t count_;
  Geometry at_rest_;
  std::unique_ptr<const ViscousRule> rule_;
  AssemblyPlan plan_;
};

extern template class ViscousBatch<RestGeometry<Tet4>>;
extern template class ViscousBatch<RestGeometry<Tet10>>;
extern template class ViscousBatch<RestGeometry<Hex8>>;
extern template class ViscousBatch<ThinGeometry<2>>;
extern template class ViscousBatch<ThinGeometry<3>>;
extern template class ViscousBatch<ThinGeometry<4>>;

}  // namespace pliant
