#include <pliant/dissipation/local_rate.hpp>

#include <pliant/core/symmetric.hpp>

#include <cmath>
#include <utility>

namespace pliant {
namespace {

constexpr double kBlind = 1e-12;     // of the largest eigenvalue: D does not see this direction
constexpr double kAtRest = 1e-12;    // of the rate without damping
constexpr double kAccuracy = 1e-14;  // of ln √R

// The rate in the eigenvectors of D for a given k.
template <int n>
class RateAt {
 public:
  using Vec = RateVector<n>;
  RateAt(const RateForm<n>& form, const RateTarget<n>& target)
      : c_(target.c), eigen_(symmetric_pairs(form.D)) {
    lambda_ = eigen_.eigenvalues().cwiseMax(0);
    for (int i = 0; i < n; ++i)
      if (lambda_[i] <= kBlind * lambda_[n - 1]) lambda_[i] = 0;
    b_ = eigen_.eigenvectors().transpose() * target.b;
  }
  double dissipated(double k) const { return 0.5 * lambda_.dot(in_eigenvectors(k).cwiseAbs2()); }
  Vec rate(double k) const { return eigen_.eigenvectors() * in_eigenvectors(k); }
  Vec held() const { return eigen_.eigenvectors() * (lambda_.array() > 0).select(0, b_).matrix(); }

 private:
  Vec in_eigenvectors(double k) const {
    return c_ * b_.cwiseQuotient((k * lambda_).array().matrix() + Vec::Constant(c_));
  }
  double c_;
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, n, n>> eigen_;
  Vec lambda_, b_;
};

// The rate in the axes of F = U Σ Vᵀ for a given k, with X̂ = Uᵀ X V:
//   D̂ X̂ = Σ (2ψ sym(Σ X̂) + φ tr(Σ X̂) I).
// X̂_ij and X̂_ji enter by (σ_i X̂_ij + σ_j X̂_ji)/√s, s = σ_i² + σ_j², alone, with the eigenvalue ψ s;
// the diagonal by 2ψ Σ² + φ σ σᵀ, which Sherman and Morrison invert.
class StretchRateAt {
 public:
  StretchRateAt(const StrainRateForm& form, const Svd3& F, const RateTarget<9>& target)
      : form_(form), F_(F), sigma_(F.sigma), c_(target.c) {
    for (double& sigma : sigma_)
      if (sigma * sigma <= kBlind * F.sigma[0] * F.sigma[0]) sigma = 0;
    const Mat3 b = F.U.transpose() * Eigen::Map<const Mat3>(target.b.data()) * F.V;
    b_ = b.diagonal();
    stretch_ = 2 * form.psi * sigma_.cwiseAbs2();
    for (int pair = 0; pair < 3; ++pair) {
      const auto [i, j] = axes(pair);
      const double s = sigma_[i] * sigma_[i] + sigma_[j] * sigma_[j], root = std::sqrt(s);
      // Where both stretches are zero D sees nothing of the two.
      cos_[pair] = root > 0 ? sigma_[i] / root : 1;
      sin_[pair] = root > 0 ? sigma_[j] / root : 0;
      shear_[pair] = form.psi * s;
      along_[pair] = cos_[pair] * b(i, j) + sin_[pair] * b(j, i);
      across_[pair] = sin_[pair] * b(i, j) - cos_[pair] * b(j, i);
    }
  }
  double dissipated(double k) const {
    const Vec3 y = diagonal(k), z = along(k);
    const double trace = sigma_.dot(y);
    return 0.5 *
           (stretch_.dot(y.cwiseAbs2()) + form_.phi * trace * trace + shear_.dot(z.cwiseAbs2()));
  }
  Mat3 rate(double k) const {
    const Vec3 z = along(k);
    Mat3 y = diagonal(k).asDiagonal();
    for (int pair = 0; pair < 3; ++pair) {
      const auto [i, j] = axes(pair);
      y(i, j) = cos_[pair] * z[pair] + sin_[pair] * across_[pair];
      y(j, i) = sin_[pair] * z[pair] - cos_[pair] * across_[pair];
    }
    return F_.U * y * F_.V.transpose();
  }
  // As if k had no end.
  Mat3 held() const {
    constexpr double huge = 1e100;
    return rate(huge * c_ / (form_.psi + form_.phi));
  }

 private:
  static std::pair<int, int> axes(int pair) { return {pair, (pair + 1) % 3}; }
  Vec3 diagonal(double k) const {
    const Vec3 a = ((k * stretch_).array() + c_).inverse().matrix();
    const Vec3 z = c_ * a.cwiseProduct(b_), w = a.cwiseProduct(sigma_);
    const double coupling = k * form_.phi;
    return z - coupling * sigma_.dot(z) / (1 + coupling * sigma_.dot(w)) * w;
  }
  Vec3 along(double k) const {
    return (c_ * along_.array() / ((k * shear_).array() + c_)).matrix();
  }

  const StrainRateForm& form_;
  const Svd3& F_;
  Vec3 sigma_;  // those that D sees
  double c_;
  Vec3 b_, stretch_, shear_, cos_, sin_, along_, across_;
};

// With x = ln √R, the root of x − ln √R(k(x)), which is almost linear for powers, by false position
// (Illinois) between rest and the rate without damping.
template <class At>
auto find_bent_rate(const ViscousRule& rule, double factor, double viscosity, const At& at) {
  const double free = at.dissipated(0);
  if (!(free > 0)) return at.rate(0);
  const auto k = [&](double x) { return factor * rule.secant(std::exp(2 * x), viscosity); };
  const auto excess = [&](double x) { return x - 0.5 * std::log(at.dissipated(k(x))); };
  double high = 0.5 * std::log(free), low = high + std::log(kAtRest);
  double above = excess(high), below = excess(low);
  if (!(above > 0)) return at.rate(0);  // nothing is damped
  if (!(below < 0)) return at.held();
  double x = high;
  for (int tries = 0, side = 0; tries < 200; ++tries) {
    x = (low * above - high * below) / (above - below);
    const double e = excess(x);
    if (std::abs(e) <= kAccuracy || !(high - low > kAccuracy)) break;
    if (e > 0) {
      high = x, above = e;
      if (side == 1) below *= 0.5;
      side = 1;
    } else {
      low = x, below = e;
      if (side == -1) above *= 0.5;
      side = -1;
    }
  }
  return at.rate(k(x));
}

}  // namespace

template <int n>
RateVector<n> find_rate(const ViscousRule& rule, const RateForm<n>& form,
                        const RateTarget<n>& target) {
  if (rule.bends_rate())
    return find_bent_rate(rule, form.factor, form.viscosity, RateAt<n>(form, target));
  Eigen::Matrix<double, n, n> A = form.factor * form.D;
  A.diagonal().array() += target.c;
  RateVector<n> x;
  if (!solve_by_cholesky(A, target.b, x)) x = solve_by_ldlt(A, target.b);
  return target.c * x;
}

Mat3 find_rate(const ViscousRule& rule, const StrainRateForm& form, const Svd3& F,
               const RateTarget<9>& target) {
  const StretchRateAt at(form, F, target);
  if (!rule.bends_rate()) return at.rate(form.factor);
  return find_bent_rate(rule, form.factor, form.viscosity, at);
}

template RateVector<9> find_rate<9>(const ViscousRule&, const RateForm<9>&, const RateTarget<9>&);
template RateVector<3> find_rate<3>(const ViscousRule&, const RateForm<3>&, const RateTarget<3>&);

}  // namespace pliant
