// A damping law with its parameters for every element of a batch, behind one call for many points:
// shapes and laws are compiled apart, not in pairs.
#pragma once

#include <pliant/dissipation/principal_rate.hpp>
#include <pliant/dissipation/strain_rate.hpp>

#include <array>
#include <optional>
#include <type_traits>
#include <vector>

namespace pliant {

// Consecutive quadrature points of consecutive elements, on the stack.
struct RateSamples {
  static constexpr int capacity = 16;
  std::size_t first_element = 0;
  int points_per_element = 1, count = 0;
  std::array<Mat3, capacity> F, F_dot;
  std::array<ViscousResponse, capacity> out;

  std::size_t element(int k) const {
    return first_element + static_cast<std::size_t>(k / points_per_element);
  }
};

// A law at one F: R = factor φ(½ Ḟ : D : Ḟ), φ the curve over its rate, if there is one; or the
// same over the rates of principal stretches (n = 3).
template <int n>
struct RateForm {
  Eigen::Matrix<double, n, n> D;  // Pa s
  double factor = 1;              // of the curve over the strain
  double viscosity = 0;           // of the law at this element, Pa s
};

// The same where D sees no more of F than Green's strain: D : X = F (2ψ sym(FᵀX) + φ tr(FᵀX) I).
struct StrainRateForm {
  double psi = 0, phi = 0;  // Pa s
  double factor = 1, viscosity = 0;
};

class ViscousRule {
 public:
  virtual ~ViscousRule() = default;
  virtual void respond(RateSamples& samples, Wanted wanted) const = 0;
  virtual RateForm<9> form(std::size_t element, const Mat3& F) const = 0;
  // For laws of that kind; null for others.
  virtual std::optional<StrainRateForm> strain_rate_form(std::size_t /*element*/,
                                                         const Vec3& /*sigma*/) const {
    return {};
  }
  virtual bool bends_rate() const = 0;
  virtual double secant(double R, double viscosity) const = 0;  // φ'(R), R > 0, never smoothed
  virtual double viscosity(std::size_t element) const = 0;      // Pa s

  // True where a stage has a form of the law of its own, which is a potential.
  virtual bool has_stage_form() const { return false; }
  // R is Φ/γ, P = ∂Φ/∂F, D = γ ∂²Φ/∂F² for F = F_p + γ Ḟ and fixed F_p.
  virtual void respond_stage(RateSamples&, double /*gamma*/, Wanted) const {}
  // The same law over principal stretches, at sigma in a stage that comes from sigma_p.
  virtual RateForm<3> stage_form_at(std::size_t /*element*/, const Vec3& /*sigma*/,
                                    const Vec3& /*sigma_p*/) const {
    return {};
  }
};

template <ViscousLaw L>
class ViscousRuleOf final : public ViscousRule {
 public:
  using Parameters = typename L::Parameters;
  static constexpr bool stage_form = requires(const RatePoint& x, const Parameters& p,
                                              const ViscousModifiers& over, ViscousResponse& out) {
    L::respond_stage(x, 1.0, p, over, Wanted{}, out);
  };

  // Parameters for each element, or once for all.
  ViscousRuleOf(std::vector<Parameters> parameters, ViscousModifiers over)
      : parameters_(std::move(parameters)), over_(std::move(over)) {
    viscosity_.reserve(parameters_.size());
    for (const Parameters& p : parameters_) viscosity_.push_back(L::viscosity(p));
  }

  RateForm<9> form(std::size_t element, const Mat3& F) const override {
    const std::size_t e = place(element);
    const Wanted wanted{.damping = true};
    ViscousResponse out;
    L::respond(F, Mat3::Zero(), parameters_[e], wanted, out);
    if (!L::conserves_momentum && over_.nonrigid)
      NonrigidRate(F, Mat3::Zero(), *over_.nonrigid).pull_back(wanted, out);
    return {out.D, over_.over_strain ? strain_factor(singular_values(F)) : 1, viscosity_[e]};
  }
  std::optional<StrainRateForm> strain_rate_form(std::size_t element,
                                                 const Vec3& sigma) const override {
    if constexpr (std::is_same_v<L, StrainRate>) {
      const std::size_t e = place(element);
      return StrainRateForm{parameters_[e].psi, parameters_[e].phi,
                            over_.over_strain ? strain_factor(sigma) : 1, viscosity_[e]};
    }
    return {};
  }
  bool bends_rate() const override { return over_.bends_rate(); }
  double secant(double R, double viscosity) const override {
    if (over_.over_rate) return over_.over_rate->at(R, viscosity).slope;
    return over_.power ? over_.power->exact_slope(R) : 1;
  }
  double viscosity(std::size_t element) const override { return viscosity_[place(element)]; }

  bool has_stage_form() const override { return stage_form; }

  void respond(RateSamples& samples, Wanted wanted) const override {
    for (int k = 0; k < samples.count; ++k) {
      const std::size_t e = place(samples.element(k));
      const RatePoint x{samples.F[k], samples.F_dot[k], viscosity_[e]};
      if constexpr (stage_form)
        if (over_.each_strain) {
          L::respond(x.F, x.F_dot, parameters_[e], over_.over_strain.get(), wanted, samples.out[k]);
          continue;
        }
      respond_modified<L>(x, parameters_[e], over_, wanted, samples.out[k]);
    }
  }

  void respond_stage(RateSamples& samples, double gamma, Wanted wanted) const override {
    if constexpr (stage_form)
      for (int k = 0; k < samples.count; ++k) {
        const std::size_t e = place(samples.element(k));
        L::respond_stage({samples.F[k], samples.F_dot[k], viscosity_[e]}, gamma, parameters_[e],
                         over_, wanted, samples.out[k]);
      }
    else
      (void)samples, (void)gamma, (void)wanted;
  }

  RateForm<3> stage_form_at(std::size_t element, const Vec3& sigma,
                            const Vec3& sigma_p) const override {
    const std::size_t e = place(element);
    RateForm<3> form{Mat3::Zero(), 1, viscosity_[e]};
    if constexpr (stage_form)
      form.factor = L::stage_stiffness(sigma, sigma_p, parameters_[e], over_, form.D);
    else
      (void)sigma, (void)sigma_p;
    return form;
  }

 private:
  double strain_factor(const Vec3& sigma) const {
    return largest_factor(*over_.over_strain, sigma, over_.strains).point.value;
  }
  std::size_t place(std::size_t e) const { return parameters_.size() == 1 ? 0 : e; }

  std::vector<Parameters> parameters_;
  std::vector<double> viscosity_;
  ViscousModifiers over_;
};

}  // namespace pliant
