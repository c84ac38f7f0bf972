// The local step of the local–global solver: what it finds balances stress and pull, and nothing
// nearby has less energy, for every law, at targets near rest, far from it, inverted and flat.
#include <pliant/element/membrane_step.hpp>
#include <pliant/material/laws.hpp>
#include <pliant/material/membrane_laws.hpp>

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

constexpr double kLocalYoung = 1e5;

MaterialConstants constants() {
  MaterialConstants out;
  out.young = kLocalYoung;
  out.poisson = 0.4;
  out.density = 1000;
  return out;
}

template <class Matrix>
Matrix random_matrix(double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(-size, size);
  Matrix A;
  for (double& x : A.reshaped()) x = part(random);
  return A;
}

std::vector<Mat3> targets() {
  std::vector<Mat3> out;
  for (unsigned seed = 1; seed <= 6; ++seed)
    out.push_back(Mat3::Identity() + random_matrix<Mat3>(seed < 4 ? 0.1 : 0.6, seed));
  Mat3 inverted = out[0];
  inverted.col(0) *= -0.5;
  out.push_back(inverted);
  Mat3 flat = out[1];
  flat.col(2) = 0.3 * flat.col(0) + 0.2 * flat.col(1);
  out.push_back(flat);
  return out;
}

// As stiff as the solver makes it: what softens has one minimum.
constexpr double kWeight = 8 * kLocalYoung;

template <class L>
void expect_minimum(const Mat3& T, double w) {
  const auto p = L::make_parameters(constants());
  Mat3 F = T, R = rotation_of(T), P;
  double energy = 0;
  const auto at = [&](const Mat3& X) {
    const double pull = 0.5 * w * (X - T).squaredNorm();
    if constexpr (PlainLaw<L>)
      return L::energy(X, p) + pull;
    else
      return L::energy(X, R, p) + pull;
  };
  if constexpr (PlainLaw<L>) {
    ASSERT_TRUE(local_step<L>(T, w, p, F)) << L::name;
    P = L::stress(F, p);
  } else {
    ASSERT_TRUE(local_step<L>(T, w, R, p, F)) << L::name;
    P = L::stress(F, R, p);
  }
  energy = at(F);
  EXPECT_LT((P + w * (F - T)).norm(), 1e-8 * w * (1 + T.norm())) << L::name << "\n" << T;
  for (unsigned seed = 1; seed <= 5; ++seed)
    EXPECT_GE(at(F + random_matrix<Mat3>(0.01, seed)), energy) << L::name;
}

TEST(LocalStep, BalancesStressAndPullForEveryLaw) {
  for (const LawInfo& law : law_infos)
    visit_law(law.name, [&]<class L>(std::type_identity<L>) {
      for (const Mat3& T : targets()) expect_minimum<L>(T, kWeight);
    });
}

// The stretches that a law says of itself are those of its energy and stress in F.
TEST(LocalStep, LawsOverStretchesAreTheSameLaws) {
  int found = 0;
  for (const LawInfo& law : law_infos)
    visit_law(law.name, [&]<class L>(std::type_identity<L>) {
      if constexpr (StretchLaw<L>) {
        ++found;
        const auto p = L::make_parameters(constants());
        for (const Vec3& s : {Vec3(1.3, 1.1, 0.7), Vec3(2, 0.4, 0.1), Vec3(1, 1, 1)}) {
          const Mat3 F = s.asDiagonal();
          EXPECT_NEAR(L::principal_energy(s, p), L::energy(F, p), 1e-9 * kLocalYoung) << L::name;
          EXPECT_LT((L::principal_slope(s, p) - L::stress(F, p).diagonal()).norm(),
                    1e-9 * kLocalYoung)
              << L::name;
        }
      }
    });
  EXPECT_GE(found, 2);
}

template <class L>
void expect_membrane_minimum(const Mat32& T, double w) {
  const auto p = L::make_parameters(constants());
  Mat32 F = T;
  ASSERT_TRUE(membrane_step<L>(T, w, p, F)) << L::name << "\n" << T;
  const auto at = [&](const Mat32& X) {
    return L::stress(membrane::strain(X), p).energy + 0.5 * w * (X - T).squaredNorm();
  };
  const Mat32 P = F * membrane::matrix(L::stress(membrane::strain(F), p).S);
  EXPECT_LT((P + w * (F - T)).norm(), 1e-8 * (w + 1e3 * kLocalYoung) * (1 + T.norm()))
      << L::name << "\n"
      << T;
  for (unsigned seed = 1; seed <= 5; ++seed)
    EXPECT_GE(at(F + random_matrix<Mat32>(1e-3, seed)), at(F)) << L::name;
}

TEST(LocalStep, BalancesStressAndPullForEveryLawOfCloth) {
  for (const MembraneInfo& law : membrane_infos)
    visit_membrane_law(law.name, [&]<class L>(std::type_identity<L>) {
      for (unsigned seed = 1; seed <= 8; ++seed) {
        Mat32 T =
            Mat3::Identity().leftCols<2>() + random_matrix<Mat32>(seed < 5 ? 0.03 : 0.3, seed);
        expect_membrane_minimum<L>(T, kWeight);
      }
    });
}

// A sheet crushed to a line opens across it, by its own energy, if it can at all.
TEST(LocalStep, FindsAMinimumForCrushedCloth) {
  Mat32 T = Mat3::Identity().leftCols<2>();
  T.col(1) = 1e-3 * Vec3(0.1, 0, 1);
  expect_membrane_minimum<StvkMembrane>(T, kWeight);
  expect_membrane_minimum<StrainLimitedMembrane>(T, kWeight);
}

}  // namespace
}  // namespace pliant
