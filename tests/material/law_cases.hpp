// What the tests that walk the list of laws share: one face for plain laws and those with a frozen
// rotation, the materials each law is tried with, and the states of deformation.
#pragma once

#include <pliant/material/laws.hpp>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace pliant::fixtures {

template <class List>
struct AsTestTypes;
template <class... L>
struct AsTestTypes<TypeList<L...>> {
  using type = ::testing::Types<L...>;
};
using AllLaws = AsTestTypes<Laws>::type;

// A law with its parameters and, where it freezes one, a rotation.
template <class L>
struct Material {
  typename L::Parameters p;
  Mat3 R = Mat3::Identity();

  double energy(const Mat3& F) const {
    if constexpr (PlainLaw<L>)
      return L::energy(F, p);
    else
      return L::energy(F, R, p);
  }
  Mat3 stress(const Mat3& F) const {
    if constexpr (PlainLaw<L>)
      return L::stress(F, p);
    else
      return L::stress(F, R, p);
  }
  Mat9 tangent(const Mat3& F) const {
    if constexpr (PlainLaw<L>)
      return L::tangent(F, p);
    else
      return L::tangent(F, R, p);
  }
  PsdCorrection psd_correction(const Mat3& F) const {
    if constexpr (PlainLaw<L>)
      return L::psd_correction(F, p);
    else
      return L::psd_correction(F, R, p);
  }
};

constexpr double young = 2.5e5;

class Deformations {
 public:
  explicit Deformations(unsigned seed) : engine_(seed) {}

  Mat3 any(double size) {
    Mat3 A;
    for (int i = 0; i < 9; ++i) A(i) = size * normal_(engine_);
    return A;
  }
  Mat3 rotation() {
    Eigen::Quaterniond q(normal_(engine_), normal_(engine_), normal_(engine_), normal_(engine_));
    return q.normalized().toRotationMatrix();
  }
  Mat3 with(double a, double b, double c) {
    return rotation() * Vec3(a, b, c).asDiagonal() * rotation();
  }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

struct State {
  std::string name;
  Mat3 F;
  double step;  // of finite differences, well below the distance to where a law is not smooth
};

inline std::vector<State> states(bool positive_only) {
  Deformations d(77);
  std::vector<State> list;
  for (int k = 0; k < 4; ++k) {
    list.push_back({"near rest", Mat3::Identity() + d.any(0.02), 1e-3});
    list.push_back({"rotated", d.rotation() * (Mat3::Identity() + d.any(0.05)), 1e-3});
    list.push_back({"sheared and stretched", d.with(1.5, 1.1, 0.6), 1e-3});
    list.push_back({"strongly deformed", d.with(3.1, 1.4, 0.35), 5e-4});
    list.push_back({"strongly compressed", d.with(0.5, 0.35, 0.3), 5e-4});
    list.push_back({"repeated stretches", d.with(1.3, 1.3, 0.7), 1e-3});
    list.push_back({"thin", d.with(1.2, 0.9, 0.02), 5e-5});
    if (positive_only) continue;
    list.push_back({"flat", d.with(1.2, 0.9, 1e-4), 5e-4});
    list.push_back({"inverted", d.with(1.3, 0.8, -0.5), 5e-4});
    list.push_back({"mirrored", d.with(1.2, 1.0, -0.9), 2e-4});
    list.push_back({"nearly a line", d.with(1.1, 0.02, 0.015), 5e-5});
  }
  return list;
}

// Every law with plain constants; some also with the constants that only they have.
template <class L>
std::vector<MaterialConstants> variants() {
  MaterialConstants plain;
  plain.young = young;
  std::vector<MaterialConstants> list = {plain};
  if constexpr (std::is_same_v<L, Orthotropic>) {
    MaterialConstants wood = plain;
    wood.axial_young = {4 * young, 0.7 * young, young};
    wood.axial_poisson = {0.35, 0.25, 0.1};
    wood.axial_shear = {0.5 * young, 0.2 * young, 0.8 * young};
    wood.axes = Deformations(5).rotation();
    list.push_back(wood);
  } else if constexpr (std::is_same_v<L, MooneyRivlin>) {
    MaterialConstants rubber = plain;
    rubber.c10 = 0.3 * young;
    rubber.c01 = 0.15 * young;
    rubber.bulk = 2 * young;
    list.push_back(rubber);
  } else if constexpr (std::is_same_v<L, Spline>) {
    // Knots away from the stretches of the states: there the second derivative has a kink.
    using Knots = std::vector<SplineCurve::Knot>;
    const SplineCurve f(Knots{{0.1, -1.4}, {0.52, -0.6}, {1.23, 0.25}, {1.9, 1.2}, {2.6, 3.5}},
                        "f");
    const SplineCurve g(Knots{{-0.75, -0.3}, {1.35, 0.0}, {3, 0.3}}, "g");
    const double rest = f.at(1).value + 2 * g.at(1).value;
    const SplineCurve h(Knots{{0, -0.9 - rest}, {1, -rest}}, "h");
    MaterialConstants drawn = plain;
    drawn.curves = std::make_shared<SplineCurves>(SplineCurves{f, g, h});
    list.push_back(drawn);
  }
  return list;
}

template <class L>
std::vector<Material<L>> materials() {
  std::vector<Material<L>> list;
  for (const MaterialConstants& constants : variants<L>())
    list.push_back({L::make_parameters(constants)});
  if constexpr (FrozenRotationLaw<L>) {
    list.push_back(list.front());
    list.back().R = Deformations(6).rotation();
  }
  return list;
}

}  // namespace pliant::fixtures
