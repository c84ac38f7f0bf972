// Plasticity as an offset of the strain: the body is elastic about E_p instead of about rest,
//   Ψ(E − E_p) = Ψ(E) − E : D E_p + ½ E_p : D E_p
// with Green's strain and Hooke's law D of the material at rest. That is what St.
// Venant–Kirchhoff's law gives exactly, and of others what their law is near rest. The two new
// terms are a potential beside the body's own; E_p belongs to the state and flows between steps, as
// long as the elastic strain without its change of volume, e = dev (E − E_p), is above the yield
// limit:
//   Ė_p = creep (1 − yield/‖e‖) e,      ‖E_p‖ ≤ max
// (after Müller and Gross 2004, who let all of e flow).
#pragma once

#include <pliant/element/strain_points.hpp>
#include <pliant/sparse/assembly_plan.hpp>

#include <limits>

namespace pliant {

struct PlasticLaw {
  double yield = 0;                                        // strain
  double creep = std::numeric_limits<double>::infinity();  // 1/s
  double most = std::numeric_limits<double>::infinity();   // strain
};

class PlasticTerm final : public Term {
 public:
  // For a batch of solid elements.
  PlasticTerm(const LocalElastic& elastic, std::span<const double> rest, const PlasticLaw& law);

  // Where its part of the plastic strain begins; the system says so.
  void set_first(std::size_t first) { first_ = first; }
  std::size_t numbers() const { return 6 * points_.size(); }
  // E_p after h seconds at q. True where it changed.
  bool flow(std::span<const double> q, double h, std::span<double> plastic) const;

  // D E_p at all quadrature points in turn, J: the part of the stress that is no longer there.
  std::vector<Mat3> offset_stresses(const Configuration& c) const;

  std::string_view name() const override { return "plasticity"; }
  TermKind kind() const override { return TermKind::elastic; }
  void add_stencils(PatternBuilder& builder) const override {
    builder.add(points_.connectivity(), static_cast<int>(points_.nodes()));
  }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override {
    plan_.locate(points_.connectivity(), *pattern);
  }
  double potential(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

 private:
  using Strain6 = Eigen::Matrix<double, 6, 1>;
  Strain6 plastic(const Configuration& c, std::size_t point) const;
  Strain6 strain(std::size_t point, std::span<const double> q) const;
  Mat3 offset_stress(const Configuration& c, std::size_t point) const;  // D E_p, J

  StrainPoints points_;
  PlasticLaw law_;
  std::size_t first_ = 0;
  std::vector<Eigen::Matrix<double, 6, 6>> D_;
  AssemblyPlan plan_;
};

}  // namespace pliant
