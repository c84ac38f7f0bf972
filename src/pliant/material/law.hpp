// What a material law is: a stateless type with three functions of the deformation gradient F, a
// small struct of parameters, and a statement of what it promises. The tests walk the list of laws
// (laws.hpp) and hold each law to its promises.
#pragma once

#include <pliant/core/types.hpp>

#include <array>
#include <concepts>
#include <string_view>

namespace pliant {

struct Promises {
  bool frame_indifferent = true;    // Ψ(QF) = Ψ(F) for every rotation Q
  bool rest_stress_free = true;     // P(I) = 0
  bool hooke_limit = true;          // the tangent at rest is Hooke's law with the given E and ν
  bool isotropic = true;            // Ψ(QFQᵀ) = Ψ(F): no direction is preferred
  bool needs_positive_det = false;  // Ψ ends at det F = 0
  bool frozen_rotation = false;     // takes the rotation at the start of the step (`corotated`)
  bool linear = false;              // the tangent is the same everywhere
  bool zero_lambda = false;         // the Hooke limit is that of λ = 0 (`arap`)
};

struct MaterialConstants;  // constants.hpp: what a scene says about a material

struct Lame {
  double mu = 0;      // Pa
  double lambda = 0;  // Pa
};

constexpr Lame lame_from(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

// vec(F) stacks columns, so F(i, j) is entry i + 3 j.
inline Eigen::Map<const Vec9> vec(const Mat3& M) { return Eigen::Map<const Vec9>(M.data()); }
void vec(Mat3&&) = delete;  // the view would outlive the matrix

// C̃ = C + Σ amount_k vec(mode_k) vec(mode_k)ᵀ makes a tangent C positive semi-definite: one entry
// for each negative eigenvalue, amount = −eigenvalue, mode its unit eigenvector as a 3×3 matrix.
struct PsdCorrection {
  int count = 0;
  std::array<double, 9> amount;
  std::array<Mat3, 9> mode;

  void add(double eigenvalue, const Mat3& unit_mode) {
    amount[static_cast<std::size_t>(count)] = -eigenvalue;
    mode[static_cast<std::size_t>(count++)] = unit_mode;
  }
};

// P = ∂Ψ/∂F is the first Piola–Kirchhoff stress, the tangent is ∂vec P/∂vec F. A law with
// frozen_rotation takes (F, R, p) instead of (F, p). Where a law ends at det F = 0 its energy is +∞
// beyond, which a line search understands; its stress and tangent have no meaning there.
template <class L>
concept PlainLaw = requires(const Mat3& F, const typename L::Parameters& p) {
  { L::energy(F, p) } -> std::same_as<double>;  // J/m³
  { L::stress(F, p) } -> std::same_as<Mat3>;    // Pa
  { L::tangent(F, p) } -> std::same_as<Mat9>;   // Pa
  { L::psd_correction(F, p) } -> std::same_as<PsdCorrection>;
};
template <class L>
concept FrozenRotationLaw = requires(const Mat3& F, const Mat3& R,
                                     const typename L::Parameters& p) {
  { L::energy(F, R, p) } -> std::same_as<double>;
  { L::stress(F, R, p) } -> std::same_as<Mat3>;
  { L::tangent(F, R, p) } -> std::same_as<Mat9>;
  { L::psd_correction(F, R, p) } -> std::same_as<PsdCorrection>;
};
template <class L>
concept MaterialLaw = (PlainLaw<L> ||
                       FrozenRotationLaw<L>)&&requires(const MaterialConstants& constants) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::source } -> std::convertible_to<std::string_view>;
  { L::promises } -> std::convertible_to<Promises>;
  { L::make_parameters(constants) } -> std::same_as<typename L::Parameters>;
};

// Laws of the invariants I_C = ‖F‖² and J = det F, given as I_C − 3 and J − 1 so that small strains
// keep their digits. Their stress is two numbers and their tangent five,
//   P = f F + g G,     G = ∂J/∂F = cof F,
//   C = a I + b F⊗F + c (F⊗G + G⊗F) + d G⊗G + e ∂²J/∂F²,
// which element batches contract with shape gradients far faster than a 9×9 matrix.
// A law sees one number each; the element's side takes several elements in lanes (core/lanes.hpp).
template <class T>
struct StrainInvariantsOf {
  T i{}, j{};  // I_C − 3, J − 1
};
template <class T>
struct InvariantStressOf {
  T f{}, g{};
};
template <class T>
struct InvariantTangentOf {
  T a{}, b{}, c{}, d{}, e{};
};
using StrainInvariants = StrainInvariantsOf<double>;
using InvariantStress = InvariantStressOf<double>;
using InvariantTangent = InvariantTangentOf<double>;
template <class L>
concept InvariantLaw = PlainLaw<L> &&
    requires(const StrainInvariants& s, const typename L::Parameters& p) {
  { L::energy(s, p) } -> std::same_as<double>;
  { L::stress(s, p) } -> std::same_as<InvariantStress>;
  { L::tangent(s, p) } -> std::same_as<InvariantTangent>;
};

// cof F, so that F cof(F)ᵀ = det(F) I.
inline Mat3 cofactor(const Mat3& F) {
  Mat3 G;
  G.col(0) = F.col(1).cross(F.col(2));
  G.col(1) = F.col(2).cross(F.col(0));
  G.col(2) = F.col(0).cross(F.col(1));
  return G;
}

// C as a matrix.
inline StrainInvariants invariants_of(const Mat3& F) {
  return {F.squaredNorm() - 3, F.col(0).dot(F.col(1).cross(F.col(2))) - 1};
}
inline Mat3 expand(const InvariantStress& s, const Mat3& F) { return s.f * F + s.g * cofactor(F); }
Mat9 expand(const InvariantTangent& t, const Mat3& F);

}  // namespace pliant
