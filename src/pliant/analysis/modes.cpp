#include <pliant/analysis/modes.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/symmetric.hpp>
#include <pliant/solve/constrained_eigenpairs.hpp>
#include <pliant/system/multipliers.hpp>

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

// λ up to this part of the largest K_ii/M_ii is rounding: its frequency is zero.
constexpr double kRigid = 1e-12;

Vec3 mass_fraction(const NodeMatrix& M, const Vector& shape) {
  Vec3 fraction;
  Vector e(shape.size()), Me(shape.size());
  for (int axis = 0; axis < 3; ++axis) {
    e.setZero();
    for (Eigen::Index i = axis; i < e.size(); i += 3) e[i] = 1;
    M.multiply(view(e), view(Me));
    const double taken = shape.dot(Me);
    fraction[axis] = taken * taken / e.dot(Me);
  }
  return fraction;
}

// Rayleigh and Ritz with K + Y Zᵀ among the modes of K: exact where Y moves those alone, as
// corrections of modes do.
void correct_modes(const LowRank& dense, Index count, Eigenpairs& pairs) {
  Matrix S = (pairs.vectors.transpose() * dense.Y) * (dense.Z.transpose() * pairs.vectors);
  S.diagonal() += pairs.values;
  const auto eigen = symmetric_pairs<Matrix>(0.5 * (S + S.transpose()));
  const Eigen::Index kept = std::min<Eigen::Index>(count, pairs.values.size());
  const Matrix turn = eigen.eigenvectors().leftCols(kept);
  pairs.vectors = (pairs.vectors * turn).eval();
  pairs.values = eigen.eigenvalues().head(kept);
  pairs.residuals = turn.cwiseAbs().transpose() * pairs.residuals;  // at most
}

Mode make_mode(double lambda, double residual, double scale) {
  Mode mode{lambda, residual, ModeKind::oscillating, 0, Vec3::Zero()};
  if (std::abs(lambda) <= kRigid * scale) {
    mode.kind = ModeKind::rigid;
    return mode;
  }
  mode.kind = lambda > 0 ? ModeKind::oscillating : ModeKind::unstable;
  mode.frequency = std::copysign(std::sqrt(std::abs(lambda)), lambda) / (2 * std::numbers::pi);
  return mode;
}

// Rows that hold: all but those at a bound, and limits that nothing presses on.
std::vector<char> holding_rows(const System& system, const State& state, Vector& lambda) {
  const ConstraintSet& constraints = system.constraints();
  if (!Multipliers().find(system, state, true, lambda))
    throw CannotContinue("the forces of the constraints are not determined");
  std::vector<char> holds(static_cast<std::size_t>(constraints.rows()), 1);
  for (Index k = 0; k < constraints.rows(); ++k)
    if (lambda[k] <= constraints.low()[k] || lambda[k] >= constraints.high()[k])
      holds[static_cast<std::size_t>(k)] = 0, lambda[k] = 0;
  return holds;
}

struct ModeSearch {
  Index count = 0;
  const Interruption& interrupted;
  std::span<const Index> rigid;
};

// The edges of the tetrahedron of four nodes keep their lengths.
void add_rods(Index first, std::span<const double> q, Index& rows, std::vector<JacobianEntry>& J) {
  for (Index a = first; a < first + 4; ++a)
    for (Index b = first; b < a; ++b) {
      const Vec3 along = (node(q, a) - node(q, b)).normalized();
      J.push_back({rows, a, along});
      J.push_back({rows++, b, -along});
    }
}

struct Linearised {  // about a state, with constraints
  ConstrainedEigenProblem problem;
  KktAssembly assembly;
};

Linearised linearise(const System& system, const State& state, const BlockMatrix& K,
                     const DofMask& mask, std::span<const Index> rigid) {
  const ConstraintSet& constraints = system.constraints();
  Vector lambda;
  const std::vector<char> holds = holding_rows(system, state, lambda);
  std::vector<JacobianEntry> all, J;
  constraints.jacobian(view(state.q), all);
  std::vector<Index> number(holds.size(), -1);
  std::vector<double> C;
  for (std::size_t k = 0; k < holds.size(); ++k)
    if (holds[k]) {
      number[k] = static_cast<Index>(C.size());
      C.push_back(constraints.compliance()[static_cast<Index>(k)]);
    }
  for (const JacobianEntry& entry : all)
    if (const Index row = number[static_cast<std::size_t>(entry.row)]; row >= 0)
      J.push_back({row, entry.node, entry.gradient});
  auto rows = static_cast<Index>(C.size());
  for (const Index first : rigid) add_rods(first, view(state.q), rows, J);
  C.resize(static_cast<std::size_t>(rows), 0.0);
  std::vector<NodeBlock> geometric;
  constraints.geometric_stiffness(view(state.q), lambda, 1, GeometricStiffness::exact, geometric);
  Linearised out;
  BlockMatrix M(system.pattern());
  system.mass().write_to(M);
  out.assembly.matrix().C = as_vector(std::span<const double>(C));
  out.assembly.fill(K, geometric, J, mask);
  out.problem.stiffness = out.assembly.matrix();
  for (NodeBlock& block : geometric) block.block.setZero();  // the pattern stays
  out.assembly.fill(M, geometric, J, mask);
  out.problem.M = out.assembly.matrix().A;
  return out;
}

Eigenpairs solve_with_constraints(const System& system, const State& state, const BlockMatrix& K,
                                  const DofMask& mask, const ModeSearch& search) {
  const Linearised linearised = linearise(system, state, K, mask, search.rigid);
  ConstrainedEigenOptions options;
  options.interrupted = search.interrupted;
  Eigenpairs pairs = solve_constrained_eigenpairs(linearised.problem, search.count, options);
  Eigen::MatrixXd shapes(system.dofs(), pairs.vectors.cols());
  Vector all(system.dofs());
  for (Eigen::Index k = 0; k < shapes.cols(); ++k) {
    linearised.assembly.scatter(pairs.vectors.col(k), all);
    shapes.col(k) = all;
  }
  pairs.vectors = std::move(shapes);
  return pairs;
}

}  // namespace

Modes find_modes(const System& system, const State& state, Index count,
                 const Interruption& interrupted, std::span<const Index> rigid) {
  State now = state;
  StepData data;
  DofMask mask;
  system.open_step(now, 0, data, mask);
  const Vector v = Vector::Zero(system.dofs());
  BlockMatrix K(system.pattern());
  system.add_tangent({now.t, view(now.q), view(v), &data}, {.stiffness = 1}, K);
  if (!system.symmetric()) K.symmetrize();
  LowRank dense;
  system.low_rank({now.t, view(now.q), view(v), &data}, {.stiffness = 1}, dense);
  dense.remove(mask);
  EigenpairSolver solver(EigenOptions{.interrupted = interrupted});
  Eigenpairs pairs =
      system.constraints().empty()
          ? solver.solve({K, system.mass(), mask}, count + static_cast<Index>(dense.Y.cols()))
          : solve_with_constraints(system, now, K, mask, {count, interrupted, rigid});
  if (!pairs.ok && is_interrupted(interrupted)) return {};
  if (!pairs.ok) throw CannotContinue("the modes could not be found: " + pairs.reason);
  if (!dense.empty()) correct_modes(dense, count, pairs);
  Modes modes;
  modes.method = pairs.method;
  for (Eigen::Index k = 0; k < pairs.values.size(); ++k) {
    modes.list.push_back(make_mode(pairs.values[k], pairs.residuals[k], pairs.scale));
    modes.list.back().mass_fraction = mass_fraction(system.mass(), pairs.vectors.col(k));
  }
  modes.shapes = std::move(pairs.vectors);
  for (Eigen::Index k = 0; k < modes.shapes.cols(); ++k)
    system.follow({modes.shapes.col(k).data(), static_cast<std::size_t>(modes.shapes.rows())});
  return modes;
}

}  // namespace pliant
