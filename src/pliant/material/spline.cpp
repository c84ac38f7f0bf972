#include <pliant/material/spline.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

CurvePoint evaluate(const std::optional<SplineCurve>* curve, double young, double stiffness,
                    double x) {
  if (curve && curve->has_value()) {
    const CurvePoint p = (*curve)->at(x);
    return {young * p.integral, young * p.value, young * p.slope};
  }
  const double d = x - 1;
  return {0.5 * stiffness * d * d, stiffness * d, stiffness};
}

// f, g and h with their derivatives; g[k] is taken at σ_i σ_j.
struct Curves {
  std::array<CurvePoint, 3> f, g;
  CurvePoint h;
};

Curves evaluate(const Vec3& s, const Spline::Parameters& p) {
  const SplineCurves* c = p.curves.get();
  const Vec3 products = products_of_others(s);
  Curves v;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    v.f[k] = evaluate(c ? &c->f : nullptr, p.young, 2 * p.lame.mu, s[i]);
    v.g[k] = evaluate(c ? &c->g : nullptr, p.young, 0, products[i]);
  }
  v.h = evaluate(c ? &c->h : nullptr, p.young, p.lame.lambda, s[0] * products[0]);
  return v;
}

// (y(a) − y(b))/(a − b), the slope where a and b are too close for the quotient.
double divided_difference(const CurvePoint& a, const CurvePoint& b, double distance) {
  if (std::abs(distance) < 1e-6) return 0.5 * (a.slope + b.slope);
  return (a.value - b.value) / distance;
}

// Ψ_i = f'(σ_i) + σ_j g'(σ_i σ_j) + σ_k g'(σ_i σ_k) + σ_j σ_k h'
Vec3 gradient(const Curves& v, const Vec3& s) {
  Vec3 psi;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const auto J = static_cast<Eigen::Index>(j), K = static_cast<Eigen::Index>(k);
    psi[static_cast<Eigen::Index>(i)] =
        v.f[i].value + s[J] * v.g[k].value + s[K] * v.g[j].value + s[J] * s[K] * v.h.value;
  }
  return psi;
}

PrincipalTangent principal(const Curves& v, const Vec3& s) {
  const Vec3 products = products_of_others(s);
  PrincipalTangent t;
  t.scaling = v.h.value * off_diagonal(s) + v.h.slope * products * products.transpose();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const auto K = static_cast<Eigen::Index>(k);
    const auto I = static_cast<Eigen::Index>(i), J = static_cast<Eigen::Index>(j);
    t.scaling(I, J) += v.g[k].value + products[K] * v.g[k].slope;
    t.scaling(J, I) = t.scaling(I, J);
    t.scaling(K, K) += v.f[k].slope + s[J] * s[J] * v.g[i].slope + s[I] * s[I] * v.g[j].slope;
    // g[j] is taken at σ_i σ_k, g[i] at σ_j σ_k.
    const double difference = s[I] - s[J], sum = std::max(s[I] + s[J], 1e-6);
    const double pair = v.g[k].value + s[K] * v.h.value;
    t.flip[K] = divided_difference(v.f[i], v.f[j], difference) - pair +
                s[K] * s[K] * divided_difference(v.g[j], v.g[i], difference * s[K]);
    t.twist[K] = (v.f[i].value + v.f[j].value + s[K] * (v.g[j].value + v.g[i].value)) / sum + pair;
  }
  return t;
}

}  // namespace

Spline::Parameters Spline::make_parameters(const MaterialConstants& constants) {
  const Parameters p{constants.curves, constants.young, checked_lame(constants)};
  const Vec3 rest = Vec3::Ones();
  const Curves v = evaluate(rest, p);
  const double stress = gradient(v, rest)[0] / p.young;
  const Mat3 H = principal(v, rest).scaling;
  if (!(std::abs(stress) < 1e-9))
    throw InputError(fmt::format(
        "knots: f'(1) + 2 g'(1) + h'(1) must be 0, or rest is not free of stress, got {}", stress));
  if (!(H(0, 0) > H(0, 1)) || !(H(0, 0) + 2 * H(0, 1) > 0))
    throw InputError("knots: the curves must rise at 1, or the material has no stiffness at rest");
  return p;
}

double Spline::energy(const Mat3& F, const Parameters& p) {
  const Curves v = evaluate(singular_values(F), p);
  double psi = v.h.integral;
  for (std::size_t k = 0; k < 3; ++k) psi += v.f[k].integral + v.g[k].integral;
  return psi;
}

Mat3 Spline::stress(const Mat3& F, const Parameters& p) {
  const Svd3 f = svd(F);
  return f.U * gradient(evaluate(f.sigma, p), f.sigma).asDiagonal() * f.V.transpose();
}

Mat9 Spline::tangent(const Mat3& F, const Parameters& p) {
  const Svd3 f = svd(F);
  return tangent_from(f, principal(evaluate(f.sigma, p), f.sigma));
}

PsdCorrection Spline::psd_correction(const Mat3& F, const Parameters& p) {
  const Svd3 f = svd(F);
  return psd_correction_from(f, principal(evaluate(f.sigma, p), f.sigma));
}

}  // namespace pliant
