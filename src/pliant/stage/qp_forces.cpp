#include <pliant/stage/qp_forces.hpp>

#include <pliant/solve/anderson.hpp>
#include <pliant/solve/low_rank_columns.hpp>

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <limits>

namespace pliant {
namespace {

constexpr double kTolerance = 1e-8;  // of the quadratic programs
constexpr double kDefinite = 1e-6;   // an eigenvalue above this is positive beyond doubt
constexpr int kMostTurns = 100;
constexpr int kDepth = 5;        // of differences between turns
constexpr double kAgree = 1e-6;  // relative change of normal forces, or of what they do
// Where many rows say nearly the same, forces wander between them: after so many turns this is
// enough of friction.
constexpr int kPatience = 25;
constexpr double kNearly = 1e-3;
constexpr double kTiny = 1e-300;

double largest(const Vector& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }

}  // namespace

QpForces::QpForces(double margin, bool fast)
    : margin_(margin),
      normal_solver_({.tolerance = kTolerance, .fast = fast}),
      friction_solver_({.tolerance = kTolerance, .fast = fast}),
      check_(CholmodSolver::Kind::llt, fast) {}

// With A positive definite A + Y Zᵀ is so where all eigenvalues of I + Zᵀ A⁻¹ Y are positive: the
// others of A⁻¹ (A + Y Zᵀ) are 1.
bool QpForces::is_positive_definite() {
  if (dense_.empty()) return true;
  if (checked_ != A_.shared_pattern()) {
    checked_ = A_.shared_pattern();
    check_.analyze(checked_);
  }
  Matrix AY = dense_.Y;
  if (check_.factorize(A_) != SolveStatus::ok || !check_.solve_in_place(AY)) return false;
  Matrix inner = Matrix::Identity(AY.cols(), AY.cols());
  inner.noalias() += dense_.Z.transpose() * AY;
  return inner.allFinite() && inner.eigenvalues().real().minCoeff() > kDefinite;
}

// Corrections that soften a body leave it positive definite near where they were made; what would
// not is left out.
void QpForces::set_dense(const StepContext& context, double h, const Prediction& predicted) {
  const System& system = context.system;
  normal_.dense = friction_.dense = nullptr;
  if (!system.has_low_rank()) return;
  const Configuration end{context.start.t + h, view(predicted.q), view(predicted.v), &context.data};
  for (const Projection projection : {Projection::none, Projection::psd}) {
    system.low_rank(end, {.stiffness = h * h, .damping = h, .projection = projection}, dense_);
    if (!system.symmetric()) symmetrize(dense_);
    dense_.remove(context.mask);
    if (is_positive_definite()) break;
  }
  if (!dense_.empty()) normal_.dense = friction_.dense = &dense_;
}

void QpForces::open(const StepContext& context, double h, const Prediction& predicted) {
  assemble_step_matrix(context, h, predicted, A_);
  A_.remove(context.mask);
  set_dense(context, h, predicted);
  normal_.P = friction_.P = &A_;
  normal_.unit = friction_.unit = std::max(margin_, h * largest(predicted.v));
  // A resumed run goes on as if it had not been stopped.
  normal_solver_.forget(), friction_solver_.forget();
}

bool QpForces::solve(const QpProblem& problem, QpSolver& solver, Vector& x, Vector& y,
                     ContactReport& report) const {
  const QpReport qp = solver.solve(problem, x, y);
  report.iterations += qp.iterations;
  report.newton += qp.newton;
  report.factorizations += qp.factorizations;
  report.primal = std::max(report.primal, qp.primal);
  report.dual = std::max(report.dual, qp.dual);
  if (!qp.ok) report.fail("contact: " + qp.reason);
  return qp.ok;
}

bool QpForces::balance(const ContactRows& rows, ContactAnswer& answer, ContactReport& report) {
  const Eigen::Index m = rows.size();
  const bool rubs = largest(rows.mu) > 0;
  normal_.G = rows.normals;
  normal_.lower = rows.lower;
  normal_.upper.setConstant(m, std::numeric_limits<double>::infinity());
  Vector normal = -answer.normal, friction = -answer.friction;
  normal_.c = rows.off;
  if (rubs)
    rows.tangents.add_transposed(view(friction), view(normal_.c));
  else
    friction.setZero();
  const auto done = [&] {
    answer.normal = -normal, answer.friction = -friction;
    return true;
  };
  if (!solve(normal_, normal_solver_, answer.x, normal, report)) return false;
  if (!rubs) return done();
  friction_.G = rows.tangents;
  friction_.shift = -rows.slid;
  // Taken in turns alone, normal and friction forces may come together slowly, as between soft
  // bodies, or answer each other for ever, as those of a stiff block that tilts this way and that.
  Anderson anderson(kDepth);
  Vector before = normal;
  anderson.start(before, Vector::Ones(m));
  for (int k = 0; k < kMostTurns; ++k) {
    ++report.staggers;
    const Vector moved = answer.x;
    friction_.radius = -rows.mu.cwiseProduct(before.cwiseMin(0));
    friction_.c = rows.off;
    rows.normals.add_transposed(view(before), view(friction_.c));
    if (!solve(friction_, friction_solver_, answer.x, friction, report)) return false;
    normal_.c = rows.off;
    rows.tangents.add_transposed(view(friction), view(normal_.c));
    if (!solve(normal_, normal_solver_, answer.x, normal, report)) return false;
    // Rows that say the same share their force in ways that may drift for ever.
    const double change = largest(answer.x - moved) / std::max(largest(answer.x), kTiny);
    if (largest(normal - before) <= kAgree * largest(normal) || change <= kAgree) return done();
    if (k >= kPatience && change <= kNearly) {  // gaps are kept all the same
      report.dual = std::max(report.dual, change);
      return done();
    }
    before = normal;
    anderson.advance(before);
    before = before.cwiseMin(0);
  }
  report.fail(
      fmt::format("contact: normal and friction forces do not agree after {} rounds", kMostTurns));
  return false;
}

}  // namespace pliant
