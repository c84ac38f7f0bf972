#include <pliant/core/error.hpp>
#include <pliant/integrate/dirk_table.hpp>
#include <pliant/integrate/stepper.hpp>

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <complex>
#include <set>

namespace pliant {
namespace {

class EveryTable : public testing::TestWithParam<const DirkTable*> {};

// R(z) = 1 + z bᵀ (I − z A)⁻¹ 1
std::complex<double> stability(const DirkTable& t, std::complex<double> z) {
  Eigen::MatrixXcd I = Eigen::MatrixXcd::Identity(t.stages, t.stages);
  for (int i = 0; i < t.stages; ++i)
    for (int j = 0; j < t.stages; ++j) I(i, j) -= z * t.a(i, j);
  const Eigen::VectorXcd k = I.partialPivLu().solve(Eigen::VectorXcd::Ones(t.stages));
  std::complex<double> sum = 1;
  for (int i = 0; i < t.stages; ++i) sum += z * t.b[i] * k[i];
  return sum;
}

TEST_P(EveryTable, IsLowerTriangularWithADiagonal) {
  const DirkTable& t = *GetParam();
  ASSERT_EQ(t.A.size(), static_cast<std::size_t>(t.stages * t.stages));
  ASSERT_EQ(t.b.size(), static_cast<std::size_t>(t.stages));
  for (int i = 0; i < t.stages; ++i) {
    EXPECT_TRUE(t.a(i, i) > 0 || (i == 0 && t.a(i, i) == 0));
    for (int j = i + 1; j < t.stages; ++j) EXPECT_EQ(t.a(i, j), 0);
  }
}

// The order on the linear test equation, from R itself: |R(z) − e^z| falls like |z|^(p + 1).
TEST_P(EveryTable, ApproximatesTheExponentialToItsOrderAndNoFurtherOrderIsClaimed) {
  const DirkTable& t = *GetParam();
  const std::complex<double> z(0.02, 0.03);
  const double coarse = std::abs(stability(t, 2.0 * z) - std::exp(2.0 * z));
  const double fine = std::abs(stability(t, z) - std::exp(z));
  EXPECT_GT(std::log2(coarse / fine), t.order + 1 - 0.1);
  EXPECT_LE(order_violation(t, t.b, t.order), 2e-13);
  if (t.order < 4) {
    EXPECT_GT(order_violation(t, t.b, t.order + 1), 1e-6);
  }
}

TEST_P(EveryTable, IsAStable) {
  const DirkTable& t = *GetParam();
  for (double y = 1e-3; y < 1e8; y *= 1.3)
    EXPECT_LE(std::abs(stability(t, {0, y})), 1 + 1e-12) << y;
}

// Kennedy–Carpenter, Alexander, both TR-BDF2 and Hairer–Wanner are L-stable; the others are known
// not to be (|R(∞)| is 0.73, 0.63, 0.63, 0.60, 1 and 1).
TEST_P(EveryTable, IsLStableExactlyWhereItsSourceSaysSo) {
  const DirkTable& t = *GetParam();
  const std::set<std::string_view> not_l_stable = {"ncs23",     "nc34",        "sdirk3345",
                                                   "sdirk4347", "trapezoidal", "midpoint"};
  const double at_infinity = std::abs(stability(t, {-1e9, 0}));
  if (not_l_stable.count(t.name))
    EXPECT_GT(at_infinity, 0.5);
  else
    EXPECT_LT(at_infinity, 1e-6);
}

std::vector<const DirkTable*> tables() {
  std::vector<const DirkTable*> list;
  for (const DirkTable& t : dirk_tables()) list.push_back(&t);
  return list;
}
INSTANTIATE_TEST_SUITE_P(List, EveryTable, testing::ValuesIn(tables()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(Integrators, NamesAreUniqueAndEachMakesAStepper) {
  std::set<std::string_view> names;
  for (const IntegratorInfo& info : integrators()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(make_stepper(info.name, {})->name(), info.name);
    EXPECT_FALSE(info.source.empty());
  }
  EXPECT_GE(names.size(), 15u);
}

TEST(Integrators, AWrongNameIsAnsweredWithTheNearest) {
  try {
    make_stepper("sdrik2", {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("sdirk2"), std::string::npos);
  }
}

}  // namespace
}  // namespace pliant
