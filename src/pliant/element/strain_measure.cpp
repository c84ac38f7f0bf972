#include <pliant/element/strain_measure.hpp>

#include <Eigen/Eigenvalues>

#include <array>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

// Stretches below this are taken for it where they divide: an element that is flat has no
// direction to be stretched in.
constexpr double kFlat = 1e-6;

// The component (i, j), i ≤ j: the diagonal first.
std::array<int, 2> place(int component, int d) {
  if (component < d) return {component, component};
  constexpr std::array<std::array<int, 2>, 3> off = {{{0, 1}, {1, 2}, {0, 2}}};
  return off[static_cast<std::size_t>(component - d)];
}

Square assemble(const Components& b, int d) {
  Square B = Square::Zero(d, d);
  for (int c = 0; c < b.size(); ++c) B += b[c] * component_basis(c, d);
  return B;
}

}  // namespace

std::optional<StrainMeasure> find_strain_measure(std::string_view name) {
  if (name == "green") return StrainMeasure::green;
  if (name == "corotational") return StrainMeasure::corotational;
  if (name == "principal") return StrainMeasure::principal;
  return {};
}

int component_count(StrainMeasure measure, int d) {
  return measure == StrainMeasure::principal ? d : d * (d + 1) / 2;
}

Square component_basis(int component, int d) {
  Square B = Square::Zero(d, d);
  const auto [i, j] = place(component, d);
  B(i, j) = B(j, i) = i == j ? 1 : std::numbers::sqrt2 / 2;
  return B;
}

Strain::Strain(StrainMeasure measure, const Gradient& F) : measure_(measure), F_(F) {
  C_ = F.transpose() * F;
  if (measure == StrainMeasure::green) return;
  const Eigen::SelfAdjointEigenSolver<Square> eigen(C_);
  V_ = eigen.eigenvectors();
  sigma_ = eigen.eigenvalues().cwiseMax(0).cwiseSqrt();
}

Components Strain::components() const {
  if (measure_ == StrainMeasure::principal) return sigma_ - Components::Ones(d());
  const Square one = Square::Identity(d(), d());
  const Square E = measure_ == StrainMeasure::green
                       ? Square(0.5 * (C_ - one))
                       : Square(V_ * sigma_.asDiagonal() * V_.transpose() - one);
  Components e(component_count(measure_, d()));
  for (int c = 0; c < e.size(); ++c) e[c] = (component_basis(c, d()).array() * E.array()).sum();
  return e;
}

// From S dS + dS S = dC, whose solution in the basis of eigenvectors is dC_ij/(σ_i + σ_j), and from
// dσ_i² = v_iᵀ dC v_i.
Square Strain::slope(const Components& b) const {
  if (measure_ == StrainMeasure::green) return 0.5 * assemble(b, d());
  Square Y = Square::Zero(d(), d());
  if (measure_ == StrainMeasure::principal) {
    for (int i = 0; i < d(); ++i) Y(i, i) = b[i] / (2 * std::max(sigma_[i], kFlat));
  } else {
    Y = in_basis(assemble(b, d()));
    for (int i = 0; i < d(); ++i)
      for (int j = 0; j < d(); ++j) Y(i, j) /= std::max(sigma_[i] + sigma_[j], kFlat);
  }
  return V_ * Y * V_.transpose();
}

Square Strain::change_of_C(const Gradient& dF) const {
  const Square half = F_.transpose() * dF;
  return half + half.transpose();
}

// corotational: S d²S + d²S S = d²C − 2 dS dS, so that d²φ = Y : (d²C − 2 dS²).
// principal: the derivatives of eigenvalues; where two are alike, pulls along them that differ turn
// the axes at once, and the slope of (b_i/σ_i) stands for the ratio of differences.
double Strain::bend(const Components& b, const Square& one, const Square& other) const {
  double sum = 0;
  if (measure_ == StrainMeasure::corotational) {
    const Square B = in_basis(assemble(b, d()));
    const auto rate = [&](const Square& dC, int i, int j) {
      return dC(i, j) / std::max(sigma_[i] + sigma_[j], kFlat);
    };
    for (int i = 0; i < d(); ++i)
      for (int j = 0; j < d(); ++j)
        for (int k = 0; k < d(); ++k)
          sum += B(i, j) / std::max(sigma_[i] + sigma_[j], kFlat) *
                 (rate(one, i, k) * rate(other, k, j) + rate(other, i, k) * rate(one, k, j));
    return sum;
  }
  const auto pull = [&](int i) { return b[i] / (2 * std::max(sigma_[i], kFlat)); };
  for (int i = 0; i < d(); ++i) {
    const double s = std::max(sigma_[i], kFlat);
    sum += b[i] * one(i, i) * other(i, i) / (4 * s * s * s);
    for (int j = 0; j < i; ++j) {
      const double apart = sigma_[i] * sigma_[i] - sigma_[j] * sigma_[j];
      if (std::abs(apart) > kFlat) sum -= 2 * (pull(i) - pull(j)) / apart * one(i, j) * other(i, j);
    }
  }
  return sum;
}

double Strain::second(const Components& b, const Gradient& dF) const {
  const Square Y = slope(b);
  double value = 2 * (Y.array() * (dF.transpose() * dF).array()).sum();
  if (measure_ != StrainMeasure::green) {
    const Square dC = in_basis(change_of_C(dF));
    value -= bend(b, dC, dC);
  }
  return value;
}

GradientMatrix Strain::hessian(const Components& b) const {
  const Square Y = slope(b);
  const int n = 3 * d();
  GradientMatrix H = GradientMatrix::Zero(n, n);
  for (int i = 0; i < d(); ++i)
    for (int j = 0; j < d(); ++j)
      for (int k = 0; k < 3; ++k) H(3 * i + k, 3 * j + k) = 2 * Y(i, j);
  if (measure_ == StrainMeasure::green) return H;
  std::array<Square, 9> change;
  for (int c = 0; c < n; ++c) {
    Gradient dF = Gradient::Zero(3, d());
    dF(c % 3, c / 3) = 1;
    change[static_cast<std::size_t>(c)] = in_basis(change_of_C(dF));
  }
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c)
      H(r, c) -= bend(b, change[static_cast<std::size_t>(r)], change[static_cast<std::size_t>(c)]);
  return H;
}

}  // namespace pliant
