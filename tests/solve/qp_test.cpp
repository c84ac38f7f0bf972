// Quadratic programs against an enumeration of all active sets, the conditions for a minimum on
// larger ones, and the cases that break solvers: redundant rows, rows of zeros, rows that
// contradict each other, none at all.
#include <pliant/solve/qp.hpp>

#include <pliant/core/error.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace pliant {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

// M + h² K of a beam: what contact asks for.
struct Matrices {
  Model model;
  BlockMatrix P;
  explicit Matrices(std::array<int, 3> cells, double stiffness = 1e-3)
      : model(test::make_beam({.cells = cells})), P(model.system->pattern()) {
    const System& system = *model.system;
    system.mass().write_to(P);
    const Vector v = Vector::Zero(system.dofs());
    system.add_tangent({0, view(system.rest()), view(v), nullptr}, {.stiffness = stiffness}, P);
  }
};

Vec3 random_vec3(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return {uniform(random), uniform(random), uniform(random)};
}

void add_random_row(QpProblem& p, std::mt19937& random, int nodes) {
  std::vector<Index> chosen;
  std::uniform_int_distribution<Index> any(0, p.P->pattern().rows - 1);
  while (static_cast<int>(chosen.size()) < nodes) {
    const Index n = any(random);
    if (std::find(chosen.begin(), chosen.end(), n) == chosen.end()) chosen.push_back(n);
  }
  std::vector<Vec3> values;
  for (int k = 0; k < nodes; ++k) values.push_back(random_vec3(random));
  p.G.add(chosen, values);
}

QpProblem make_problem(const BlockMatrix& P, int singles, int pairs, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  QpProblem p;
  p.P = &P;
  p.c = test::random_vector(3 * P.pattern().rows, 10, seed);
  p.lower.resize(singles), p.upper.resize(singles);
  for (int i = 0; i < singles; ++i) {
    add_random_row(p, random, 1 + i % 4);
    const double place = uniform(random) - 0.5;
    p.lower[i] = i % 3 == 0 ? -kNoBound : place;
    p.upper[i] = i % 3 == 1 ? kNoBound : i % 7 == 6 ? place : place + 0.1;
  }
  p.radius.resize(pairs), p.shift.resize(2 * pairs);
  for (int k = 0; k < pairs; ++k) {
    add_random_row(p, random, 2);
    std::vector<Vec3> other = {random_vec3(random), random_vec3(random)};
    const auto nodes = p.G.nodes(p.G.rows() - 1);
    p.G.add(std::vector<Index>(nodes.begin(), nodes.end()), other);
    p.radius[k] = (k % 2 == 0 ? 5 : 1e4) * uniform(random);  // some slide, some cannot
    p.shift.segment<2>(2 * k) = Eigen::Vector2d(uniform(random), uniform(random));
  }
  return p;
}

Matrix dense_rows(const QpProblem& p) {
  Matrix G = Matrix::Zero(p.G.rows(), p.c.size());
  for (Index r = 0; r < p.G.rows(); ++r)
    for (std::size_t k = 0; k < p.G.nodes(r).size(); ++k)
      G.block<1, 3>(r, 3 * p.G.nodes(r)[k]) += p.G.coefficients(r)[k].transpose();
  return G;
}

// Every row free, at its lower or at its upper bound: the one choice that satisfies all conditions.
Vector enumerate(const QpProblem& p) {
  Matrix P = test::dense(*p.P);
  const Matrix G = dense_rows(p);
  if (p.dense) P += p.dense->Y * p.dense->Z.transpose();
  const Matrix inverse = P.inverse();
  const auto m = static_cast<int>(p.lower.size());
  std::vector<int> choice(static_cast<std::size_t>(m), 0);
  for (long code = 0; code < std::lround(std::pow(3, m)); ++code) {
    std::vector<int> active;
    Vector bound(m);
    long rest = code;
    bool possible = true;
    for (int i = 0; i < m; ++i, rest /= 3) {
      choice[static_cast<std::size_t>(i)] = static_cast<int>(rest % 3);
      if (rest % 3 == 0) continue;
      bound[static_cast<Eigen::Index>(active.size())] = rest % 3 == 1 ? p.lower[i] : p.upper[i];
      possible = possible && std::isfinite(bound[static_cast<Eigen::Index>(active.size())]);
      active.push_back(i);
    }
    if (!possible) continue;
    const auto count = static_cast<Eigen::Index>(active.size());
    Matrix A(count, G.cols());
    for (Eigen::Index k = 0; k < count; ++k) A.row(k) = G.row(active[static_cast<std::size_t>(k)]);
    const Matrix S = A * inverse * A.transpose();
    const Vector y = S.ldlt().solve(Vector(-A * inverse * p.c - bound.head(count)));  // A x = bound
    const Vector x = -inverse * (p.c + A.transpose() * y);
    bool right = (A * x - bound.head(count)).norm() < 1e-9;
    for (Eigen::Index k = 0; k < count && right; ++k) {
      const int i = active[static_cast<std::size_t>(k)];
      const bool at_lower = choice[static_cast<std::size_t>(i)] == 1;
      right = p.lower[i] == p.upper[i] || (at_lower ? y[k] <= 0 : y[k] >= 0);
    }
    const Vector z = G * x;
    for (int i = 0; i < m && right; ++i)
      right = z[i] >= p.lower[i] - 1e-9 && z[i] <= p.upper[i] + 1e-9;
    if (right) return x;
  }
  return {};
}

// x and y, which must be there and agree.
std::pair<Vector, Vector> solve_as_enumerated(const QpProblem& p) {
  const Vector exact = enumerate(p);
  EXPECT_EQ(exact.size(), p.c.size());
  Vector x, y;
  const QpReport report = QpSolver().solve(p, x, y);
  EXPECT_TRUE(report.ok) << report.reason;
  if (x.size() == exact.size()) {
    EXPECT_LT((x - exact).norm(), 1e-8 * exact.norm());
  }
  return {x, y};
}

TEST(Qp, AgreesWithTheEnumerationOfAllActiveSets) {
  const Matrices matrices({1, 1, 1});
  int bound = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const QpProblem p = make_problem(matrices.P, 1 + static_cast<int>(seed % 7), 0, seed);
    const auto [x, y] = solve_as_enumerated(p);
    bound += y.cwiseAbs().maxCoeff() > 0;
  }
  EXPECT_GT(bound, 20);
}

// P V loses six tenths of itself along three vectors V, as a corrected body softens along its
// modes.
TEST(Qp, TakesThePartOfLowRankIntoItsMatrix) {
  const Matrices matrices({1, 1, 1});
  const Matrix P = test::dense(matrices.P);
  const Matrix V =
      Eigen::Map<const Matrix>(test::random_vector(3 * P.rows(), 1, 9).data(), P.rows(), 3);
  LowRank soft;
  soft.Z = P * V;
  soft.Y = -0.6 * soft.Z * (V.transpose() * P * V).inverse();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    QpProblem p = make_problem(matrices.P, 1 + static_cast<int>(seed % 7), 0, seed);
    const Vector stiff = enumerate(p);
    p.dense = &soft;
    const Vector x = solve_as_enumerated(p).first;
    EXPECT_GT((x - stiff).norm(), 1e-3 * x.norm()) << "it matters";
  }
}

TEST(Qp, SatisfiesTheConditionsForAMinimumOnLargerProblems) {
  const Matrices matrices({8, 3, 3});
  for (const unsigned seed : {1U, 2U, 3U}) {
    const QpProblem p = make_problem(matrices.P, 60, 20, seed);
    Vector x, y;
    const QpReport report = QpSolver().solve(p, x, y);
    ASSERT_TRUE(report.ok) << report.reason;
    const Matrix G = dense_rows(p);
    const Vector force = test::dense(matrices.P) * x;
    EXPECT_LT((force + p.c + G.transpose() * y).norm(), 1e-7 * p.c.norm());
    const Vector z = G * x;
    const double size = x.lpNorm<Eigen::Infinity>(), multiplier = y.lpNorm<Eigen::Infinity>();
    for (Index i = 0; i < p.singles(); ++i) {
      EXPECT_GT(z[i], p.lower[i] - 1e-7 * size);
      EXPECT_LT(z[i], p.upper[i] + 1e-7 * size);
      if (std::abs(y[i]) < 1e-6 * multiplier) continue;
      EXPECT_NEAR(z[i], y[i] < 0 ? p.lower[i] : p.upper[i], 1e-7 * size);
    }
    int sliding = 0, sticking = 0;
    for (Index k = 0, r = p.singles(); k < p.pairs(); ++k, r += 2) {
      const Eigen::Vector2d u = z.segment<2>(r) - p.shift.segment<2>(2 * k),
                            force_k = y.segment<2>(r);
      EXPECT_LT(force_k.norm(), p.radius[k] + 1e-7 * multiplier);
      if (u.norm() > 1e-6 * size) {  // moves: the whole radius, along the motion
        EXPECT_LT((force_k - p.radius[k] * u.normalized()).norm(), 1e-4 * multiplier);
        ++sliding;
      } else {
        ++sticking;
      }
    }
    EXPECT_GT(sliding, 0);
    EXPECT_GT(sticking, 0);
  }
}

TEST(Qp, SplittingAloneComesToTheSameAnswerAsWithPolishing) {
  const Matrices matrices({3, 2, 2});
  const QpProblem p = make_problem(matrices.P, 12, 4, 5);
  Vector x, y, exact, y_exact;
  ASSERT_TRUE(QpSolver().solve(p, exact, y_exact).ok);
  QpSolver plain({.tolerance = 1e-7, .max_iterations = 20000, .polish = false});
  const QpReport report = plain.solve(p, x, y);
  ASSERT_TRUE(report.ok) << report.reason;
  EXPECT_FALSE(report.polished);
  EXPECT_LT((x - exact).norm(), 1e-4 * exact.norm());
}

TEST(Qp, RefinesAGuessThatIsNearBeforeAnythingIsSplit) {
  const Matrices matrices({3, 2, 2});
  QpProblem p = make_problem(matrices.P, 12, 4, 5);
  Vector x, y, exact, y_exact;
  QpSolver solver;
  ASSERT_TRUE(solver.solve(p, x, y).ok);
  p.c *= 1.001;
  ASSERT_TRUE(QpSolver().solve(p, exact, y_exact).ok);
  const QpReport report = solver.solve(p, x, y, QpSolver::Guess::near);
  ASSERT_TRUE(report.ok) << report.reason;
  EXPECT_EQ(report.iterations, 0);
  EXPECT_TRUE(report.polished);
  EXPECT_LT((x - exact).norm(), 1e-7 * exact.norm());
  // And one that only claims to be near does no harm.
  x = test::random_vector(static_cast<int>(x.size()), 1e6, 3);
  y = -test::random_vector(static_cast<int>(y.size()), 1e6, 4).cwiseAbs();
  ASSERT_TRUE(solver.solve(p, x, y, QpSolver::Guess::near).ok);
  EXPECT_LT((x - exact).norm(), 1e-7 * exact.norm());
}

TEST(Qp, WithoutRowsSolvesTheLinearSystem) {
  const Matrices matrices({2, 1, 1});
  const QpProblem p = make_problem(matrices.P, 0, 0, 3);
  Vector x, y;
  const QpReport report = QpSolver().solve(p, x, y);
  ASSERT_TRUE(report.ok) << report.reason;
  EXPECT_LT((test::dense(matrices.P) * x + p.c).norm(), 1e-9 * p.c.norm());
}

TEST(Qp, RowsSaidManyTimesAndRowsOfZerosChangeNothing) {
  const Matrices matrices({2, 2, 1});
  const QpProblem once = make_problem(matrices.P, 5, 0, 8);
  QpProblem many;
  many.P = &matrices.P;
  many.c = once.c;
  many.lower.resize(21), many.upper.resize(21);
  for (Index i = 0; i < 20; ++i) {
    const double scale = 1 + i / 5;  // the same half-space in other units
    std::vector<Vec3> a(once.G.coefficients(i % 5).begin(), once.G.coefficients(i % 5).end());
    for (Vec3& v : a) v *= scale;
    many.G.add(once.G.nodes(i % 5), a);
    many.lower[i] = scale * once.lower[i % 5], many.upper[i] = scale * once.upper[i % 5];
  }
  many.G.add(std::array<Index, 2>{0, 1}, std::array<Vec3, 2>{Vec3::Zero(), Vec3::Zero()});
  many.lower[20] = -1, many.upper[20] = kNoBound;
  Vector x, y, x_once, y_once;
  ASSERT_TRUE(QpSolver().solve(once, x_once, y_once).ok);
  const QpReport report = QpSolver().solve(many, x, y);
  ASSERT_TRUE(report.ok) << report.reason;
  EXPECT_LT((x - x_once).norm(), 1e-7 * x_once.norm());
}

// The answer of the program reduced to its rows, over all coordinates.
Vector solve_by_rows(const QpProblem& p) {
  const Matrix inverse = test::dense(*p.P).inverse(), G = dense_rows(p);
  const ReducedRows reduced(G * inverse * G.transpose());
  const Vector base = -G * inverse * p.c;
  QpProblem rows = p;
  rows.P = nullptr;
  rows.reduced = &reduced;
  rows.c = Vector::Zero(reduced.R.cols());
  rows.lower -= base.head(p.singles()), rows.upper -= base.head(p.singles());
  rows.shift -= base.tail(2 * p.pairs());
  Vector xi, y;
  const QpReport report = QpSolver().solve(rows, xi, y);
  EXPECT_TRUE(report.ok) << report.reason;
  return -inverse * (p.c + G.transpose() * y);
}

TEST(Qp, ReducedToItsRowsHasTheSameAnswer) {
  const Matrices matrices({4, 2, 2});
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const QpProblem p = make_problem(matrices.P, 30, 8, seed);
    Vector x, y;
    ASSERT_TRUE(QpSolver().solve(p, x, y).ok);
    EXPECT_LT((solve_by_rows(p) - x).norm(), 1e-7 * x.norm());
  }
}

TEST(Qp, ReducedToRowsThatDependOnEachOtherHasTheSameAnswer) {
  const Matrices matrices({2, 2, 1});
  QpProblem p = make_problem(matrices.P, 5, 0, 8);
  Vector x, y;
  ASSERT_TRUE(QpSolver().solve(p, x, y).ok);
  const NodeRows once = p.G;
  const Vector lower = p.lower, upper = p.upper;
  p.lower.resize(20), p.upper.resize(20);
  for (Index i = 0; i < 20; ++i) {
    if (i >= 5) p.G.add(once.nodes(i % 5), once.coefficients(i % 5));
    p.lower[i] = lower[i % 5], p.upper[i] = upper[i % 5];
  }
  EXPECT_LT((solve_by_rows(p) - x).norm(), 1e-7 * x.norm());
}

TEST(Qp, RootsGiveTheMatrixBackWhateverItsRankAndScales) {
  for (const Eigen::Index rank : {0, 1, 7, 20}) {
    SCOPED_TRACE(rank);
    Matrix B = Eigen::Map<const Matrix>(test::random_vector(20 * 20, 1, 3).data(), 20, 20);
    B = Matrix(B.leftCols(rank));
    for (Eigen::Index i = 0; i < 20; ++i) B.row(i) *= std::pow(10, i % 7 - 3);
    const Matrix W = B * B.transpose(), R = ReducedRows(W).R;
    EXPECT_EQ(R.cols(), std::max<Eigen::Index>(rank, 1));
    const Vector size = W.diagonal().cwiseSqrt();
    EXPECT_LT(
        ((R * R.transpose() - W).cwiseAbs().array() - 1e-13 * (size * size.transpose()).array())
            .maxCoeff(),
        1e-300);
  }
  EXPECT_EQ(ReducedRows(Matrix(0, 0)).R.rows(), 0);
}

TEST(Qp, SaysWhereRowsContradictEachOther) {
  const Matrices matrices({2, 1, 1});
  QpProblem p = make_problem(matrices.P, 3, 1, 4);
  p.G.clear();
  p.lower = Eigen::Vector2d(1, -kNoBound), p.upper = Eigen::Vector2d(kNoBound, 0.5);
  p.radius.resize(0), p.shift.resize(0);
  for (int i = 0; i < 2; ++i)
    p.G.add(std::array<Index, 1>{1}, std::array<Vec3, 1>{Vec3(0, 1, 0.5)});
  Vector x, y;
  const QpReport report = QpSolver().solve(p, x, y);
  EXPECT_FALSE(report.ok);
  EXPECT_TRUE(report.infeasible);
  EXPECT_NE(report.reason.find("contradict"), std::string::npos) << report.reason;

  p.G.clear();
  for (int i = 0; i < 2; ++i) p.G.add(std::array<Index, 1>{1}, std::array<Vec3, 1>{Vec3::Zero()});
  const QpReport zero = QpSolver().solve(p, x, y);
  EXPECT_TRUE(zero.infeasible);
  EXPECT_NE(zero.reason.find("row 0"), std::string::npos) << zero.reason;

  std::swap(p.lower, p.upper);
  EXPECT_THROW((void)QpSolver().solve(p, x, y), InputError);
}

TEST(Qp, StartsWarmFromASolution) {
  const Matrices matrices({4, 2, 2}, 1);  // stiff: far from diagonal
  const QpProblem p = make_problem(matrices.P, 30, 0, 6);
  QpSolver solver;
  Vector x, y;
  const QpReport cold = solver.solve(p, x, y);
  ASSERT_TRUE(cold.ok) << cold.reason;
  const Vector exact = x;
  const QpReport warm = solver.solve(p, x, y);
  ASSERT_TRUE(warm.ok);
  EXPECT_LE(warm.newton, 1);
  EXPECT_LT((x - exact).norm(), 1e-7 * exact.norm());
}

}  // namespace
}  // namespace pliant
