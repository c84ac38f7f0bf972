#include <pliant/analysis/modes.hpp>

#include <pliant/core/error.hpp>

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
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (S + S.transpose()));
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

}  // namespace

Modes find_modes(const System& system, const State& state, Index count,
                 const Interruption& interrupted) {
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
      solver.solve({K, system.mass(), mask}, count + static_cast<Index>(dense.Y.cols()));
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
