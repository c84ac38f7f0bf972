// Properties of the 3×3 decompositions over matrices that are random, degenerate and extreme.
#include <pliant/core/svd3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace pliant {
namespace {

class Matrices {
 public:
  Mat3 any() {
    Mat3 A;
    for (int i = 0; i < 9; ++i) A(i) = normal_(engine_);
    return A;
  }
  Mat3 rotation() {
    Eigen::Quaterniond q(normal_(engine_), normal_(engine_), normal_(engine_), normal_(engine_));
    return q.normalized().toRotationMatrix();
  }
  Mat3 with(double a, double b, double c) {
    return rotation() * Vec3(a, b, c).asDiagonal() * rotation();
  }
  double exponent(double from, double to) {
    return std::pow(10, std::uniform_real_distribution<double>(from, to)(engine_));
  }

 private:
  std::mt19937 engine_{20240607};
  std::normal_distribution<double> normal_;
};

struct Case {
  std::string name;
  Mat3 F;
};

std::vector<Case> cases() {
  Matrices m;
  std::vector<Case> list = {{"zero", Mat3::Zero()},
                            {"identity", Mat3::Identity()},
                            {"reflection", -Mat3::Identity()},
                            {"permutation", Mat3(Mat3::Identity().rowwise().reverse())},
                            {"one entry", Mat3(Vec3::Unit(1) * Vec3::Unit(2).transpose())},
                            {"smallest number", Mat3::Constant(5e-324)}};
  for (int k = 0; k < 2000; ++k) {
    list.push_back({"random", m.any()});
    list.push_back({"near identity", Mat3::Identity() + m.exponent(-16, 0) * m.any()});
    list.push_back({"rotation", m.rotation()});
    list.push_back({"rank one", m.with(m.exponent(-3, 3), 0, 0)});
    list.push_back({"rank two", m.with(m.exponent(-3, 3), m.exponent(-12, 0), 0)});
    list.push_back({"twice the larger", m.with(1, 1, m.exponent(-9, 0))});
    list.push_back({"twice the smaller", m.with(1, m.exponent(-9, 0), 0) + 1e-12 * m.any()});
    list.push_back({"nearly repeated", m.with(2, 1 + m.exponent(-17, -5), -1)});
    list.push_back({"graded", m.with(1, m.exponent(-15, 0), m.exponent(-17, 0))});
    list.push_back({"inverted", m.with(1, m.exponent(-2, 0), -m.exponent(-4, 0))});
    list.push_back({"tiny", 1e-150 * m.any()});
    list.push_back({"huge", 1e150 * m.any()});
  }
  return list;
}

double orthogonality(const Mat3& Q) { return (Q.transpose() * Q - Mat3::Identity()).norm(); }

// Sizes of the singular values by Eigen's iterative method in extended precision.
Vec3 reference_sizes(const Mat3& F) {
  using Extended = Eigen::Matrix<long double, 3, 3>;
  return Eigen::JacobiSVD<Extended>(F.cast<long double>()).singularValues().cast<double>();
}

constexpr double tolerance = 1e-14;  // fifty roundings

Mat3Of<Lanes> in_lanes(const Mat3& F, const Mat3& G) {
  const auto column = [&](int j) {
    return Vec3Of<Lanes>{Lanes{F(0, j), G(0, j)}, Lanes{F(1, j), G(1, j)}, Lanes{F(2, j), G(2, j)}};
  };
  return {column(0), column(1), column(2)};
}

TEST(Svd3, GivesTheSameBitsInLanes) {
  const std::vector<Case> list = cases();
  for (std::size_t k = 0; k + 1 < list.size(); ++k) {
    SCOPED_TRACE(list[k].name + ", " + list[k + 1].name);
    const Svd3Of<Lanes> f = svd(in_lanes(list[k].F, list[k + 1].F));
    for (int l = 0; l < kLanes; ++l) {
      const Svd3 alone = svd(list[k + static_cast<std::size_t>(l)].F);
      EXPECT_EQ(lane(f.U, l), alone.U);
      EXPECT_EQ(lane(f.V, l), alone.V);
      EXPECT_EQ(Vec3(f.sigma.x[l], f.sigma.y[l], f.sigma.z[l]), alone.sigma);
    }
  }
}

TEST(Svd3, RestoresTheMatrixFromTwoRotationsAndOrderedValues) {
  for (const auto& [name, F] : cases()) {
    SCOPED_TRACE(name);
    const Svd3 f = svd(F);
    const double size = std::max(F.cwiseAbs().maxCoeff(), 1e-300);  // norm() would overflow
    const Mat3 restored = f.U * (f.sigma / size).asDiagonal() * f.V.transpose();
    ASSERT_LE((restored - F / size).norm(), tolerance * (F / size).norm() + 1e-300);
    ASSERT_LE(orthogonality(f.U), tolerance);
    ASSERT_LE(orthogonality(f.V), tolerance);
    ASSERT_NEAR(f.U.determinant(), 1, tolerance);
    ASSERT_NEAR(f.V.determinant(), 1, tolerance);
    ASSERT_GE(f.sigma[0], f.sigma[1]);
    ASSERT_GE(f.sigma[1], std::abs(f.sigma[2]));
  }
}

TEST(Svd3, ValuesAgreeWithTheIterativeMethodOfAnotherLibrary) {
  for (const auto& [name, F] : cases()) {
    SCOPED_TRACE(name);
    const double size = std::max(F.cwiseAbs().maxCoeff(), 1e-300);
    const Vec3 expected = reference_sizes(F / size);
    const Vec3 full = svd(F).sigma / size, alone = singular_values(F) / size;
    ASSERT_LE((full.cwiseAbs() - expected).norm(), tolerance * expected[0]);
    ASSERT_LE((alone.cwiseAbs() - expected).norm(), tolerance * expected[0]);
    ASSERT_GE(alone[0], alone[1]);
    ASSERT_GE(alone[1], std::abs(alone[2]));
  }
}

TEST(Svd3, TheSignOfTheDeterminantIsThatOfTheSmallestValue) {
  Matrices m;
  int negative = 0;
  for (int k = 0; k < 200; ++k) {
    const double last = k % 2 ? -0.3 : 0.3;
    const Mat3 F = m.with(2, 1, last);
    EXPECT_NEAR(svd(F).sigma[2], last, tolerance * 2);
    EXPECT_NEAR(singular_values(F)[2], last, tolerance * 2);
    negative += svd(F).sigma[2] < 0;
  }
  EXPECT_EQ(negative, 100);
}

TEST(Svd3, ValuesThatAreNotFiniteGiveNaNEverywhere) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (int entry = 0; entry < 9; ++entry) {
      Mat3 F = Mat3::Identity();
      F(entry) = bad;
      const Svd3 f = svd(F);
      EXPECT_TRUE(f.U.array().isNaN().all() && f.V.array().isNaN().all());
      EXPECT_TRUE(f.sigma.array().isNaN().all());
      EXPECT_TRUE(singular_values(F).array().isNaN().all());
      EXPECT_TRUE(polar(F).R.array().isNaN().all());
      EXPECT_TRUE(symmetric_eigen(F + F.transpose()).values.array().isNaN().all());
    }
  }
}

TEST(Polar3, IsARotationTimesASymmetricMatrixAlsoWhereInvertedOrDegenerate) {
  for (const auto& [name, F] : cases()) {
    SCOPED_TRACE(name);
    const Polar3 p = polar(F);
    const double size = std::max(F.cwiseAbs().maxCoeff(), 1e-300);
    const Mat3 S = p.S / size;
    ASSERT_LE(orthogonality(p.R), 2 * tolerance);
    ASSERT_NEAR(p.R.determinant(), 1, tolerance);
    ASSERT_LE((p.R * S - F / size).norm(), 2 * tolerance * std::max(1.0, S.norm()));
    ASSERT_LE((S - S.transpose()).norm(), tolerance * S.norm());
    ASSERT_EQ((rotation_of(F) - p.R).norm(), 0);
  }
}

TEST(Polar3, TheRotationIsTheNearestOne) {
  Matrices m;
  for (int k = 0; k < 100; ++k) {
    const Mat3 F = m.any(), R = rotation_of(F);
    for (int other = 0; other < 20; ++other) {
      const Vec3 axis = m.rotation().col(0);
      const Mat3 near = R * Eigen::AngleAxisd(m.exponent(-3, 0), axis).toRotationMatrix();
      EXPECT_LE((F - R).norm(), (F - near).norm());
    }
  }
}

TEST(SymmetricEigen3, DiagonalisesByARotationWithFallingValues) {
  for (const auto& [name, F] : cases()) {
    SCOPED_TRACE(name);
    const double size = std::max(F.cwiseAbs().maxCoeff(), 1e-300);
    const Mat3 A = 0.5 * (F / size + F.transpose() / size);
    const SymmetricEigen3 e = symmetric_eigen(A);
    const Vec3 expected = Eigen::SelfAdjointEigenSolver<Mat3>(A).eigenvalues().reverse();
    ASSERT_LE((e.values - expected).norm(), tolerance * A.norm());
    ASSERT_LE((e.vectors * e.values.asDiagonal() * e.vectors.transpose() - A).norm(),
              tolerance * A.norm());
    ASSERT_LE(orthogonality(e.vectors), tolerance);
    ASSERT_NEAR(e.vectors.determinant(), 1, tolerance);
  }
}

}  // namespace
}  // namespace pliant
