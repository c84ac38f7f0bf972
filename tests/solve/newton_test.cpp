#include <pliant/solve/newton.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

// One node, three coordinates: a function of R³ with a minimum, given by its value and derivatives.
class SmallProblem : public NewtonProblem {
 public:
  bool merit = true;
  bool has_merit() const override { return merit; }
  double residual_norm(std::span<const double> r) const override { return as_vector(r).norm(); }
  double relative_size(std::span<const double>, std::span<const double> dx) const override {
    return as_vector(dx).norm();
  }
};

// Rosenbrock's valley in (x, y), a parabola in z: indefinite far from the minimum (1, 1, 0).
class Valley final : public SmallProblem {
 public:
  double evaluate(std::span<const double> x, std::span<double> r) override {
    const double u = x[1] - x[0] * x[0], w = 1 - x[0];
    r[0] = -400 * u * x[0] - 2 * w;
    r[1] = 200 * u;
    r[2] = 2 * x[2];
    return 100 * u * u + w * w + x[2] * x[2];
  }
  void tangent(std::span<const double> x, bool project, BlockMatrix& A) override {
    Mat3 H = Mat3::Zero();
    H(0, 0) = 1200 * x[0] * x[0] - 400 * x[1] + 2;
    H(0, 1) = H(1, 0) = -400 * x[0];
    H(1, 1) = 200;
    H(2, 2) = 2;
    if (project) {
      const Eigen::SelfAdjointEigenSolver<Mat3> eigen(H);
      H = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(1e-3).asDiagonal() *
          eigen.eigenvectors().transpose();
    }
    Eigen::Map<Mat3>(A.block(0)) = H;
  }
};

// −log(1 − |x|²): +∞ outside the unit ball, minimum at 0.
class Barrier final : public SmallProblem {
 public:
  double evaluate(std::span<const double> x, std::span<double> r) override {
    const double room = 1 - as_vector(x).squaredNorm();
    if (room <= 0) return std::numeric_limits<double>::infinity();
    as_vector(r) = 2 / room * as_vector(x);
    return -std::log(room);
  }
  void tangent(std::span<const double> x, bool, BlockMatrix& A) override {
    const double room = 1 - as_vector(x).squaredNorm();
    const Vec3 v(x[0], x[1], x[2]);
    Eigen::Map<Mat3>(A.block(0)) =
        2 / room * Mat3::Identity() + 4 / (room * room) * v * v.transpose();
  }
};

// Half of |x − c|² with a c that depends on x, and is held at what it was where it was last found:
// the solution is where x = c(x) = (1 + 0.3 x₀, 0, 0).
class Renewed final : public SmallProblem {
 public:
  int renewals = 0;
  double evaluate(std::span<const double> x, std::span<double> r) override {
    as_vector(r) = as_vector(x) - c_;
    return 0.5 * (as_vector(x) - c_).squaredNorm();
  }
  void tangent(std::span<const double>, bool, BlockMatrix& A) override {
    Eigen::Map<Mat3>(A.block(0)) = Mat3::Identity();
  }
  bool renew(std::span<const double> x, double, double) override {
    if (settled_) return false;
    const double before = c_[0];
    c_[0] = 1 + 0.3 * x[0];
    ++renewals;
    settled_ = std::abs(c_[0] - before) < 1e-6;
    return true;
  }
  bool is_settled() const override { return settled_; }

 private:
  Vector c_ = Vector::Unit(3, 0);
  bool settled_ = false;
};

NewtonReport minimise(NewtonProblem& problem, Vector& x, NewtonOptions options = {}) {
  const auto pattern = std::make_shared<const BlockPattern>(PatternBuilder(1).build());
  NewtonWorkspace workspace;
  workspace.resize(pattern);
  const auto solver = make_linear_solver("cholesky");
  solver->analyze(pattern);
  return solve_newton(problem, *solver, options, workspace, view(x));
}

TEST(Newton, FindsTheMinimumOfANarrowValleyThroughIndefiniteTangents) {
  Valley valley;
  Vector x = Vec3(-1.2, 3, 2);
  const NewtonReport report = minimise(valley, x);
  EXPECT_TRUE(report.converged()) << name_of(report.status);
  EXPECT_LT((x - Vector(Vec3(1, 1, 0))).norm(), 1e-8);
  EXPECT_GT(report.projections, 0);
}

TEST(Newton, FindsARootByTheResidualWhereThereIsNoMerit) {
  Valley valley;
  valley.merit = false;
  Vector x = Vec3(1.05, 1.1, 2);
  EXPECT_TRUE(minimise(valley, x).converged());
  EXPECT_LT((x - Vector(Vec3(1, 1, 0))).norm(), 1e-8);
}

TEST(Newton, NeverLeavesTheDomainOfTheMerit) {
  Barrier barrier;
  Vector x = Vec3(0.999, 0.02, 0);
  EXPECT_TRUE(minimise(barrier, x).converged());
  EXPECT_LT(x.norm(), 1e-8);
}

TEST(Newton, RefusesAStartOutsideTheDomain) {
  Barrier barrier;
  Vector x = Vec3(2, 0, 0);
  EXPECT_EQ(minimise(barrier, x).status, NewtonStatus::not_finite);
}

TEST(Newton, HasNotConvergedWhileWhatIsHeldIsFoundAnew) {
  Renewed problem;
  Vector x = Vector::Zero(3);
  const NewtonReport report = minimise(problem, x);
  EXPECT_TRUE(report.converged());
  EXPECT_NEAR(x[0], 1 / 0.7, 1e-5);
  EXPECT_GT(problem.renewals, 8);
  EXPECT_LE(report.iterations, problem.renewals + 2);
}

TEST(Newton, SaysWhenItRanOutOfIterations) {
  Valley valley;
  Vector x = Vec3(-1.2, 3, 2);
  NewtonOptions options;
  options.max_iterations = 3;
  const NewtonReport report = minimise(valley, x, options);
  EXPECT_EQ(report.status, NewtonStatus::too_many_iterations);
  EXPECT_EQ(report.iterations, 3);
}

TEST(Newton, StopsAtOnceWhereTheResidualIsZero) {
  Valley valley;
  Vector x = Vec3(1, 1, 0);
  const NewtonReport report = minimise(valley, x);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 0);
}

}  // namespace
}  // namespace pliant
