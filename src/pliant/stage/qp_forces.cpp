#include <pliant/stage/qp_forces.hpp>

#include <pliant/solve/anderson.hpp>
#include <pliant/solve/low_rank_columns.hpp>

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <limits>

namespace pliant {
namespace {

constexpr double kProgramTolerance = 1e-8;  // of the quadratic programs
constexpr double kDefinite = 1e-6;          // an eigenvalue above this is positive beyond doubt
constexpr int kMostTurns = 100;
constexpr int kDepth = 5;             // of differences between turns
constexpr double kTurnsAgree = 1e-6;  // relative change of normal forces, or of what they do
// Where many rows say nearly the same, forces wander between them: after so many turns this is
// enough of friction.
constexpr int kTurns = 25;
constexpr double kNearly = 1e-3;
// Of what a row's own force does at it: how firmly each turn holds normal forces where the turn
// before had them. It decides between rows that say nearly the same, and is nothing once turns
// agree.
constexpr double kHolds = 1e-6;
constexpr double kTiny = 1e-300;

double largest_of(const Vector& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }

bool solve(const QpProblem& problem, QpSolver& solver, Vector& x, Vector& y,
           ContactReport& report) {
  const bool near = problem.reduced && x.size() == problem.c.size();  // of the turn before
  const QpReport qp =
      solver.solve(problem, x, y, near ? QpSolver::Guess::near : QpSolver::Guess::any);
  report.iterations += qp.iterations;
  report.newton += qp.newton;
  const auto n = static_cast<Index>(problem.c.size());
  report.work += problem.reduced ? ContactReport::dense_work(n) * qp.newton + 0.01 * qp.iterations
                                 : qp.newton + qp.factorizations + 0.1 * qp.iterations;
  report.factorizations += qp.factorizations;
  report.primal = std::max(report.primal, qp.primal);
  report.dual = std::max(report.dual, qp.dual);
  if (!qp.ok) report.fail("contact: " + qp.reason);
  return qp.ok;
}

}  // namespace

QpForces::QpForces(double margin, bool fast, Index few)
    : margin_(margin),
      few_(few),
      factor_(CholmodSolver::Kind::llt, fast),
      normal_solver_({.tolerance = kProgramTolerance, .fast = fast}),
      friction_solver_({.tolerance = kProgramTolerance, .fast = fast}) {}

bool QpForces::factorize() {
  if (factorized_) return true;
  if (analyzed_ != A_.shared_pattern()) {
    analyzed_ = A_.shared_pattern();
    factor_.analyze(analyzed_);
  }
  return factorized_ = factor_.factorize(A_) == SolveStatus::ok;
}

// With A positive definite A + Y Zᵀ is so where all eigenvalues of I + Zᵀ A⁻¹ Y are positive: the
// others of A⁻¹ (A + Y Zᵀ) are 1.
bool QpForces::is_positive_definite() {
  if (dense_.empty()) return true;
  Matrix AY = dense_.Y;
  if (!factorize() || !factor_.solve_in_place(AY)) return false;
  Matrix inner = Matrix::Identity(AY.cols(), AY.cols());
  inner.noalias() += dense_.Z.transpose() * AY;
  return inner.allFinite() && inner.eigenvalues().real().minCoeff() > kDefinite &&
         woodbury_.prepare(dense_, std::move(AY), dense_.Z);
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
    dense_ = {};
  }
  if (!dense_.empty()) normal_.dense = friction_.dense = &dense_;
}

void QpForces::open(const StepContext& context, double h, const Prediction& predicted) {
  assemble_step_matrix(context, h, predicted, A_);
  A_.remove(context.mask);
  factorized_ = false;
  set_dense(context, h, predicted);
  normal_.P = friction_.P = &A_;
  normal_.unit = friction_.unit = std::max(margin_, h * largest_of(predicted.v));
  // A resumed run goes on as if it had not been stopped.
  normal_solver_.forget(), friction_solver_.forget();
  response_.forget();
  normals_ = tangents_ = {};
}

bool QpForces::respond(Matrix& columns) {
  if (!factorize() || !factor_.solve_in_place(columns)) return false;
  for (Eigen::Index c = 0; normal_.dense && c < columns.cols(); ++c)
    woodbury_.correct({columns.col(c).data(), static_cast<std::size_t>(columns.rows())});
  return columns.allFinite();
}

// W of all rows, with its roots while rows are the same, and what `off` does to them.
bool QpForces::reduce(const ContactRows& rows, bool rubs) {
  using Kind = RowResponse::Kind;
  const Index m = rows.size();
  std::vector<Index> n(static_cast<std::size_t>(m)), t(rubs ? 2 * n.size() : 0);
  for (Index k = 0; k < m; ++k)
    n[static_cast<std::size_t>(k)] = response_.slot_of(Kind::normal, rows.normals, k);
  for (Index k = 0; k < static_cast<Index>(t.size()); ++k)
    t[static_cast<std::size_t>(k)] = response_.slot_of(Kind::tangent, rows.tangents, k);
  if (!response_.fill(rows.off.size(), [this](Matrix& columns) { return respond(columns); }))
    return false;
  const auto gather = [this](const std::vector<Index>& a, const std::vector<Index>& b) {
    Matrix W(static_cast<Eigen::Index>(a.size()), static_cast<Eigen::Index>(b.size()));
    for (Eigen::Index j = 0; j < W.cols(); ++j)
      for (Eigen::Index i = 0; i < W.rows(); ++i)
        W(i, j) = response_(a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(j)]);
    return W;
  };
  const auto set = [&](const std::vector<Index>& slots, double holds, ReducedRows& reduced) {
    if (!reduced.empty() && reduced.R.rows() == static_cast<Eigen::Index>(slots.size())) return;
    Matrix W = gather(slots, slots);
    W.diagonal() *= 1 + holds;
    reduced = ReducedRows(std::move(W));
  };
  if (held_ != rubs) normals_ = {};
  held_ = rubs;
  set(n, rubs ? kHolds : 0, normals_);
  if (rubs) set(t, 0, tangents_);
  W_nt_ = gather(n, t);
  off_n_.setZero(W_nt_.rows()), off_t_.setZero(W_nt_.cols());
  xi_n_.resize(0), xi_t_.resize(0);
  if (rows.off.isZero(0)) return true;
  Matrix motion = -rows.off;
  if (!respond(motion)) return false;
  const std::span<const double> x(motion.data(), static_cast<std::size_t>(motion.size()));
  rows.normals.multiply(x, view(off_n_));
  if (rubs) rows.tangents.multiply(x, view(off_t_));
  return true;
}

// x of the forces.
bool QpForces::find_motion(const ContactRows& rows, ContactAnswer& answer) {
  Vector f = -rows.off;
  rows.normals.add_transposed(view(answer.normal), view(f));
  rows.tangents.add_transposed(view(answer.friction), view(f));
  Matrix motion = f;
  if (!respond(motion)) return false;
  answer.x = motion.col(0);
  return true;
}

// Of the motion that forces lead to, in the norm of A.
double QpForces::size_of(const Vector& normal, const Vector& friction) const {
  return std::sqrt(std::max(0.0, normal.dot(normals_.W * normal) +
                                     2 * normal.dot(W_nt_ * friction) +
                                     friction.dot(tangents_.W * friction)));
}

bool QpForces::solve_normal(const ContactRows& rows, const Vector& held, const Vector& friction,
                            Vector& normal, Vector& x, ContactReport& report) {
  normal_.lower = rows.lower;
  if (reduced_) {
    normal_.lower -= off_n_;
    if (W_nt_.cols() > 0) normal_.lower += W_nt_ * friction;
    if (held_) normal_.lower -= kHolds / (1 + kHolds) * normals_.W.diagonal().cwiseProduct(held);
    return solve(normal_, normal_solver_, xi_n_, normal, report);
  }
  normal_.c = rows.off;
  rows.tangents.add_transposed(view(friction), view(normal_.c));
  return solve(normal_, normal_solver_, x, normal, report);
}

bool QpForces::solve_friction(const ContactRows& rows, const Vector& normal, Vector& friction,
                              Vector& x, ContactReport& report) {
  friction_.radius = -rows.mu.cwiseProduct(normal.cwiseMin(0));
  friction_.shift = -rows.slid;
  if (reduced_) {
    friction_.shift += W_nt_.transpose() * normal - off_t_;
    return solve(friction_, friction_solver_, xi_t_, friction, report);
  }
  friction_.c = rows.off;
  rows.normals.add_transposed(view(normal), view(friction_.c));
  return solve(friction_, friction_solver_, x, friction, report);
}

// Taken in turns alone, normal and friction forces may come together slowly, as between soft
// bodies, or answer each other for ever, as those of a stiff block that tilts this way and that.
bool QpForces::take_turns(const ContactRows& rows, Vector& normal, Vector& friction, Vector& x,
                          ContactReport& report) {
  Anderson anderson(kDepth);
  Vector held = normal;
  anderson.start(held, Vector::Ones(held.size()));
  for (int k = 0; k < kMostTurns; ++k) {
    ++report.staggers;
    if (report.exhausted()) break;
    const Vector moved = x, normal_before = normal, friction_before = friction;
    if (!solve_friction(rows, held, friction, x, report)) return false;
    if (!solve_normal(rows, held, friction, normal, x, report)) return false;
    // Rows that say the same share their force in ways that may drift for ever.
    const double change = reduced_ ? size_of(normal - normal_before, friction - friction_before) /
                                         std::max(size_of(normal, friction), kTiny)
                                   : largest_of(x - moved) / std::max(largest_of(x), kTiny);
    if (largest_of(normal - held) <= kTurnsAgree * largest_of(normal) || change <= kTurnsAgree)
      return true;
    if (k >= kTurns && change <= kNearly) {  // gaps are kept all the same
      report.dual = std::max(report.dual, change);
      return true;
    }
    held = normal;
    anderson.advance(held);
    held = held.cwiseMin(0);
  }
  report.fail(
      fmt::format("contact: normal and friction forces do not agree after {} rounds", kMostTurns));
  return false;
}

bool QpForces::balance(const ContactRows& rows, ContactAnswer& answer, ContactReport& report) {
  const bool rubs = largest_of(rows.mu) > 0;
  reduced_ = rows.size() <= few_;
  if (reduced_ && !reduce(rows, rubs)) {
    report.fail("contact: the motion that forces lead to cannot be solved for");
    return false;
  }
  normal_.reduced = reduced_ ? &normals_ : nullptr;
  friction_.reduced = reduced_ ? &tangents_ : nullptr;
  if (reduced_) {
    normal_.c.setZero(normals_.R.cols()), friction_.c.setZero(tangents_.R.cols());
  } else {
    normal_.G = rows.normals;
    if (rubs) friction_.G = rows.tangents;
  }
  normal_.upper.setConstant(rows.size(), std::numeric_limits<double>::infinity());
  Vector normal = -answer.normal, friction = -answer.friction;
  if (!rubs) friction.setZero();
  if (!solve_normal(rows, Vector(normal), friction, normal, answer.x, report)) return false;
  if (rubs && !take_turns(rows, normal, friction, answer.x, report)) return false;
  answer.normal = -normal, answer.friction = -friction;
  if (!reduced_ || find_motion(rows, answer)) return true;
  report.fail("contact: the motion that forces lead to cannot be solved for");
  return false;
}

}  // namespace pliant
