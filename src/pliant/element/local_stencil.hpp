// Bending terms as parts of the local–global solver. A part is a stencil of N points, its z the
// points relative to the first, 3×(N − 1): the energy does not see translations. It is minimised by
// Newton's method over these few numbers.
//
// A term T says of its stencil e at points x, the columns of a 3×N matrix:
//   energy_at(e, x);  gradient_at(e, x), 3×N;  hessian_at(e, x, projection), 3N×3N.
#pragma once

#include <pliant/core/symmetric.hpp>
#include <pliant/element/local_step.hpp>
#include <pliant/element/stencil_term.hpp>
#include <pliant/term/local_potential.hpp>

#include <Eigen/Eigenvalues>

namespace pliant {

template <class T, int N>
class LocalStencil : public StencilTerm<N>, public LocalElastic {
 public:
  using Points = Eigen::Matrix<double, 3, N>;
  using Hessian = Eigen::Matrix<double, 3 * N, 3 * N>;

  LocalMaps local_maps() const override {
    LocalMaps maps{N, N - 1, this->connectivity_, {}};
    for (std::size_t e = 0; e < maps.size(); ++e)
      for (int a = 0; a < N; ++a)
        for (int k = 1; k < N; ++k) maps.g.push_back(a == 0 ? -1.0 : (a == k ? 1.0 : 0.0));
    return maps;
  }
  double local_stiffness(std::size_t part, double) const override {
    return stiffness_at_rest_[part];
  }
  void local_gradient(const Configuration&, LocalRange range, std::span<const double> z,
                      std::span<double> gradient) const override {
    for (std::size_t e = range.begin; e < range.end; ++e) {
      const Points g = self().gradient_at(e, points(z.data() + kNumbers * e));
      Eigen::Map<Relative>(gradient.data() + kNumbers * e) = g.template rightCols<N - 1>();
    }
  }
  bool local_minimise(const Configuration&, LocalRange range, std::span<const double> weights,
                      std::span<const double> target, std::span<double> z) const override {
    bool found = true;
    for (std::size_t e = range.begin; e < range.end; ++e) {
      Eigen::Map<Numbers> x(z.data() + kNumbers * e);
      Numbers y = x;
      found = minimise_part(e, weights[e], Eigen::Map<const Numbers>(target.data() + kNumbers * e),
                            y) &&
              found;
      x = y;
    }
    return found;
  }
  bool turns() const override { return true; }
  LocalMatrix local_tangent(std::size_t part, const double* z) const override {
    return inner(self().hessian_at(part, points(z), Projection::psd));
  }

 protected:
  using StencilTerm<N>::StencilTerm;
  // To be called once the term is whole: twice the largest eigenvalue at rest, since bending
  // softens.
  void measure_stiffness(std::span<const Vec3> rest) {
    for (std::size_t e = 0; e < this->connectivity_.size() / N; ++e) {
      Points x;
      for (int a = 0; a < N; ++a)
        x.col(a) = rest[static_cast<std::size_t>(
            this->connectivity_[N * e + static_cast<std::size_t>(a)])];
      const auto eigen = symmetric_pairs(inner(self().hessian_at(e, x, Projection::psd)));
      stiffness_at_rest_.push_back(2 * eigen.eigenvalues()[kNumbers - 1]);
    }
  }

 private:
  static constexpr int kNumbers = 3 * (N - 1);
  using Relative = Eigen::Matrix<double, 3, N - 1>;
  using Numbers = Eigen::Matrix<double, kNumbers, 1>;
  using Inner = Eigen::Matrix<double, kNumbers, kNumbers>;

  const T& self() const { return static_cast<const T&>(*this); }
  static Points points(const double* z) {
    Points x = Points::Zero();
    x.template rightCols<N - 1>() = Eigen::Map<const Relative>(z);
    return x;
  }
  static Inner inner(const Hessian& H) {
    return H.template bottomRightCorner<kNumbers, kNumbers>();
  }
  bool minimise_part(std::size_t e, double w, const Numbers& t, Numbers& x) const {
    return minimise_locally(
        [&](const Numbers& y) {
          return self().energy_at(e, points(y.data())) + 0.5 * w * (y - t).squaredNorm();
        },
        [&](const Numbers& y) {
          const Points g = self().gradient_at(e, points(y.data()));
          return Numbers(Eigen::Map<const Numbers>(g.data() + 3) + w * (y - t));
        },
        [&](const Numbers& y, const Numbers& g) {
          const Points at = points(y.data());
          for (const Projection projection : {Projection::none, Projection::psd}) {
            const Inner H = inner(self().hessian_at(e, at, projection)) + w * Inner::Identity();
            Numbers d;
            if (solve_by_cholesky(H, g, d)) return d;
          }
          return Numbers(g / w);
        },
        x);
  }

  std::vector<double> stiffness_at_rest_;  // N/m
};

}  // namespace pliant
