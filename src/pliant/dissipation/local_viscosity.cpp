#include <pliant/dissipation/local_viscosity.hpp>

#include <pliant/dissipation/local_rate.hpp>

namespace pliant {
namespace {

Mat3 matrix_at(std::span<const double> z, std::size_t k) {
  return Eigen::Map<const Mat3>(z.data() + 9 * k);
}
Mat3 as_matrix(const Vec9& x) { return Eigen::Map<const Mat3>(x.data()); }

}  // namespace

struct LocalViscosity::Part {
  std::size_t element;
  Mat3 F_p, rate_hat;  // rate_hat: that of BROWN (26)
  double gamma;        // s
  Mat3 rate(const Mat3& F) const { return (F - F_p) / gamma; }
};

LocalViscosity::Part LocalViscosity::part(std::size_t k, const LocalStage& stage) const {
  return {k / points_, matrix_at(stage.before, k), matrix_at(stage.v_hat, k), stage.gamma};
}

// γ (∂R/∂F(F, Ḟ) − ∂R/∂F(F, v̂)), without the second where there is no correction.
Mat3 LocalViscosity::stage_excess_at(const Part& part, const Mat3& F) const {
  if (treatment_ == StageTreatment::force) return Mat3::Zero();
  RateSamples samples;
  samples.first_element = part.element;
  const bool corrected = treatment_ == StageTreatment::second_order;
  samples.points_per_element = 2;
  samples.count = corrected ? 2 : 1;
  samples.F[0] = samples.F[1] = F;
  samples.F_dot[0] = part.rate(F);
  samples.F_dot[1] = part.rate_hat;
  rule_.respond(samples, {.position = true});
  if (!corrected) return part.gamma * samples.out[0].G;
  return part.gamma * (samples.out[0].G - samples.out[1].G);
}

// At the D of F.
Mat3 LocalViscosity::rate_at(std::size_t element, const Mat3& F, const RateTarget<9>& aim) const {
  if (!is_of_strain_) return as_matrix(find_rate<9>(rule_, rule_.form(element, F), aim));
  const Svd3 f = svd(F);
  return find_rate(rule_, *rule_.strain_rate_form(element, f.sigma), f, aim);
}

bool LocalViscosity::balance_force(const Part& part, double w, const Mat3& target, Mat3& F) const {
  const double c = w * part.gamma;
  const Mat3 aim = part.rate(target) - stage_excess_at(part, F) / c;
  F = part.F_p + part.gamma * rate_at(part.element, F, {c, vec(aim)});
  return F.allFinite();
}

// The singular vectors are those of the target (BROWN §5.1.3).
bool LocalViscosity::balance_stretches(const Part& part, double w, const Mat3& target,
                                       Mat3& F) const {
  const Svd3 t = svd(target);
  const Vec3 sigma_p = singular_values(part.F_p);
  const RateTarget<3> aim{w * part.gamma, (t.sigma - sigma_p) / part.gamma};
  const RateForm<3> form = rule_.stage_form_at(part.element, singular_values(F), sigma_p);
  const Vec3 sigma = sigma_p + part.gamma * find_rate<3>(rule_, form, aim);
  F = t.U * sigma.asDiagonal() * t.V.transpose();
  return F.allFinite();
}

void LocalViscosity::gradient(LocalRange range, std::span<const double> z,
                              std::span<double> gradient) const {
  RateSamples samples;
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Part at = part(k, range.stage);
    const Mat3 F = matrix_at(z, k);
    Mat3 P = Mat3::Zero();
    if (rule_.has_stage_form()) {
      samples.first_element = at.element;
      samples.count = 1;
      samples.F[0] = F;
      samples.F_dot[0] = at.rate(F);
      rule_.respond_stage(samples, at.gamma, {.force = true});
      P = samples.out[0].P;
    } else {
      const RateForm<9> form = rule_.form(at.element, F);
      const Mat3 rate = at.rate(F);
      const Vec9 force = form.D * vec(rate);
      const double R = 0.5 * force.dot(vec(rate));
      if (R > 0)
        P = form.factor * rule_.secant(R, form.viscosity) * as_matrix(force) +
            stage_excess_at(at, F);
    }
    Eigen::Map<Mat3>(gradient.data() + 9 * k) = volumes_[k] * P;
  }
}

bool LocalViscosity::minimise(LocalRange range, std::span<const double> weights,
                              std::span<const double> target, std::span<double> z) const {
  bool found = true;
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Part at = part(k, range.stage);
    const double w = weights[k] / volumes_[k];
    Mat3 F = matrix_at(z, k);
    const bool ok = rule_.has_stage_form() ? balance_stretches(at, w, matrix_at(target, k), F)
                                           : balance_force(at, w, matrix_at(target, k), F);
    found = found && ok;
    Eigen::Map<Mat3>(z.data() + 9 * k) = F;
  }
  return found;
}

}  // namespace pliant
