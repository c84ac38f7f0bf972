#include <pliant/dissipation/local_rate.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <cmath>

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
  RateAt(const RateForm<n>& form, const RateTarget<n>& target) : c_(target.c), eigen_(form.D) {
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

}  // namespace

// With x = ln √R, the root of x − ln √R(k(x)), which is almost linear for powers, by false position
// (Illinois) between rest and the rate without damping.
template <int n>
RateVector<n> find_rate(const ViscousRule& rule, const RateForm<n>& form,
                        const RateTarget<n>& target) {
  if (!rule.bends_rate()) {
    Eigen::Matrix<double, n, n> A = form.factor * form.D;
    A.diagonal().array() += target.c;
    const Eigen::LLT<Eigen::Matrix<double, n, n>> cholesky(A);
    if (cholesky.info() == Eigen::Success) return target.c * cholesky.solve(target.b);
    return target.c * A.ldlt().solve(target.b);
  }
  const RateAt<n> at(form, target);
  const double free = at.dissipated(0);
  if (!(free > 0)) return target.b;
  const auto k = [&](double x) {
    return form.factor * rule.secant(std::exp(2 * x), form.viscosity);
  };
  const auto excess = [&](double x) { return x - 0.5 * std::log(at.dissipated(k(x))); };
  double high = 0.5 * std::log(free), low = high + std::log(kAtRest);
  double above = excess(high), below = excess(low);
  if (!(above > 0)) return target.b;  // nothing is damped
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

template RateVector<9> find_rate<9>(const ViscousRule&, const RateForm<9>&, const RateTarget<9>&);
template RateVector<3> find_rate<3>(const ViscousRule&, const RateForm<3>&, const RateTarget<3>&);

}  // namespace pliant
