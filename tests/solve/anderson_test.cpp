// Anderson's method finds the fixed points that plain iteration finds, in fewer steps, and where it
// would lead astray the plain steps go on.
#include <pliant/solve/anderson.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

constexpr int kSize = 12;

// s ← A s + b with eigenvalues of A from 0.1 to 0.98; its fixed point is (I − A)⁻¹ b.
struct LinearMap {
  Vector rates = Vector::LinSpaced(kSize, 0.1, 0.98), b = Vector::LinSpaced(kSize, 1, -2);
  Vector operator()(const Vector& s) const { return rates.cwiseProduct(s) + b; }
  Vector fixed() const { return b.cwiseQuotient(Vector::Ones(kSize) - rates); }
};

template <class Map>
int steps_to(const Map& map, const Vector& fixed, int depth, double accuracy,
             const Vector& weights = Vector::Ones(kSize)) {
  Anderson anderson(depth);
  Vector s = Vector::Zero(fixed.size());
  anderson.start(s, weights);
  for (int k = 1; k <= 5000; ++k) {
    s = map(s);
    anderson.advance(s);
    if ((s - fixed).norm() <= accuracy * fixed.norm()) return k;
  }
  return 5001;
}

// With as many differences as unknowns it is exact, as GMRES is (Walker, Ni 2011, Theorem 2.2).
TEST(Anderson, SolvesALinearProblemInAsManyStepsAsThereAreUnknowns) {
  const LinearMap map;
  EXPECT_LE(steps_to(map, map.fixed(), kSize, 1e-6), kSize + 2);
  EXPECT_GT(steps_to(map, map.fixed(), 0, 1e-6), 300);
}

TEST(Anderson, NeedsFarFewerStepsWithAFewDifferences) {
  const LinearMap map;
  const int plain = steps_to(map, map.fixed(), 0, 1e-8), few = steps_to(map, map.fixed(), 5, 1e-8);
  EXPECT_LT(4 * few, plain);
}

TEST(Anderson, WithoutDifferencesIsThePlainIteration) {
  const LinearMap map;
  Anderson anderson(0);
  Vector s = Vector::Zero(kSize), plain = s;
  anderson.start(s, Vector::Ones(kSize));
  for (int k = 0; k < 20; ++k) {
    s = map(s), plain = map(plain);
    anderson.advance(s);
    EXPECT_EQ((s - plain).norm(), 0);
  }
}

// Weights say by which norm the residual is made small; the fixed point is the same.
TEST(Anderson, FindsTheSamePointInAnyNorm) {
  const LinearMap map;
  const Vector weights = Vector::LinSpaced(kSize, 1e-3, 1e3);
  EXPECT_LT(steps_to(map, map.fixed(), 6, 1e-8, weights), 200);
}

// A contraction that turns by a right angle far from its fixed point and not at all near it, with
// jumps between: differences say little of what comes. Each step that the safeguard takes back
// costs one, and plain steps halve the distance.
TEST(Anderson, TakesBackStepsAfterWhichTheResidualHasGrown) {
  const auto map = [](const Vector& s) {
    const double r = s.norm();
    const bool turns = static_cast<int>(std::floor(std::log2(r + 1e-300))) % 2 == 0;
    return Vector(0.5 * (turns ? Vector(Eigen::Vector2d(-s[1], s[0])) : s));
  };
  Anderson anderson(3);
  Vector s = Eigen::Vector2d(1000, 300);
  anderson.start(s, Vector::Ones(2));
  int steps = 0;
  for (; steps < 400 && s.norm() > 1e-8; ++steps) {
    s = map(s);
    anderson.advance(s);
  }
  EXPECT_LE(s.norm(), 1e-8);
  EXPECT_GT(anderson.refused(), 0);
}

}  // namespace
}  // namespace pliant
