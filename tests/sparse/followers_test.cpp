#include <pliant/sparse/followers.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

// Nodes 0 to 2 lead; 3 and 4 follow two of them each; stencils {0, 1, 2, 3} and {3, 4}.
Followers some() {
  Followers followers;
  followers.add(3, std::array<LeaderWeight, 2>{{{0, 0.25}, {1, 0.75}}});
  followers.add(4, std::array<LeaderWeight, 2>{{{1, -0.5}, {2, 1.5}}});
  return followers;
}

BlockPattern pattern_of_stencils() {
  PatternBuilder builder(5);
  builder.add(std::array<Index, 4>{0, 1, 2, 3}, 4);
  builder.add(std::array<Index, 2>{3, 4}, 2);
  return builder.build();
}

Eigen::MatrixXd dense(const BlockMatrix& A) {
  const Index n = 3 * A.pattern().rows;
  Eigen::MatrixXd out(n, n);
  Vector e = Vector::Zero(n), y(n);
  for (Index i = 0; i < n; ++i) {
    e[i] = 1;
    A.multiply(view(e), view(y));
    out.col(i) = y;
    e[i] = 0;
  }
  return out;
}

// W with x = W x.
Eigen::MatrixXd mapping(const Followers& followers) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(15, 15);
  for (Index i = 0; i < 15; ++i) {
    Vector x = Vector::Unit(15, i);
    if (i >= 9) x.setZero();
    followers.follow(view(x));
    W.col(i) = x;
  }
  return W;
}

TEST(Followers, GoWhereTheirLeadersGo) {
  Vector x = test::random_vector(15, 1, 3);
  some().follow(view(x));
  EXPECT_LT((x.segment<3>(9) - 0.25 * x.segment<3>(0) - 0.75 * x.segment<3>(3)).norm(), 1e-15);
  EXPECT_LT((x.segment<3>(12) + 0.5 * x.segment<3>(3) - 1.5 * x.segment<3>(6)).norm(), 1e-15);
}

// fᵀ W u = (Wᵀ f)ᵀ u for every motion of the leaders.
TEST(Followers, ForcesOnThemDoTheSameWorkThroughTheirLeaders) {
  const Followers followers = some();
  const Vector f = test::random_vector(15, 1, 4);
  Vector u = test::random_vector(15, 1, 5), pulled = f;
  followers.follow(view(u));
  followers.pull_back(view(pulled));
  EXPECT_NEAR(pulled.head(9).dot(u.head(9)), f.dot(u), 1e-14);
  EXPECT_EQ(pulled.tail(6).norm(), 0);
}

TEST(Followers, MatricesArePulledBackAsProductsWithTheMapping) {
  const Followers followers = some();
  const auto pattern =
      std::make_shared<const BlockPattern>(FollowerPlan::extend(pattern_of_stencils(), followers));
  BlockMatrix A(pattern);
  const Vector values = test::random_vector(9 * pattern->blocks(), 1, 6);
  std::copy(values.begin(), values.end(), A.values().begin());
  const Eigen::MatrixXd W = mapping(followers), before = dense(A);
  const FollowerPlan plan(followers, *pattern);
  plan.pull_back(A);
  EXPECT_LT((dense(A) - W.transpose() * before * W).norm(), 1e-13 * before.norm());
  const Eigen::MatrixXd once = dense(A);
  plan.pull_back(A);
  EXPECT_EQ((dense(A) - once).norm(), 0);
}

TEST(Followers, MassesArePulledBackAlike) {
  const Followers followers = some();
  const auto pattern =
      std::make_shared<const BlockPattern>(FollowerPlan::extend(pattern_of_stencils(), followers));
  NodeMatrix M(pattern);
  const Vector values = test::random_vector(pattern->blocks(), 1, 7);
  std::copy(values.begin(), values.end(), M.values().begin());
  BlockMatrix wide(pattern);
  M.write_to(wide);
  const FollowerPlan plan(followers, *pattern);
  plan.pull_back(M);
  plan.pull_back(wide);
  BlockMatrix again(pattern);
  M.write_to(again);
  EXPECT_LT((dense(again) - dense(wide)).norm(), 1e-14 * dense(wide).norm());
}

}  // namespace
}  // namespace pliant
