#include <pliant/stage/qp_contact.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

constexpr double kPushes = 1e-9;   // of the largest force: what counts as pushing
constexpr double kTouches = 1e-2;  // of the margin: what is no farther away counts as touching
constexpr double kSame = 1e-6;     // rows that differ by less are the same
constexpr double kSlack = 1e-3;    // of the margin, by which a gap may be short

// Across the normal.
std::array<Vec3, 2> tangents(const Impact& row) {
  const Vec3 t = row.normal.unitOrthogonal();
  return {t, row.normal.cross(t)};
}

// Σ w_i u_i: how the two sides of a row move against each other.
Vec3 relative(const Impact& row, const Vector& u) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < row.points(); ++i)
    sum += row.w[i] * u.segment<3>(3 * row.nodes[static_cast<std::size_t>(i)]);
  return sum;
}

// Directions of motion of its points, prescribed coordinates left out.
void add_row(const DofMask& mask, const Impact& row, const Vec3& direction, NodeRows& rows) {
  std::array<Index, 4> nodes{};
  std::array<Vec3, 4> values;
  std::size_t count = 0;
  for (int i = 0; i < row.points(); ++i) {
    const Index n = row.nodes[static_cast<std::size_t>(i)];
    Vec3 value = row.w[i] * direction;
    for (int c = 0; c < 3; ++c)
      if (mask[static_cast<std::size_t>(3 * n + c)]) value[c] = 0;
    nodes[count] = n;
    values[count++] = value;
  }
  rows.add({nodes.data(), count}, {values.data(), count});
}

double largest(const Vector& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }

void grow(Vector& y, Eigen::Index size) {
  const Eigen::Index old = std::min(y.size(), size);
  y.conservativeResize(size);
  y.tail(size - old).setZero();
}

}  // namespace

ContactSet touching_pairs(const ContactRules& rules, std::span<const double> q) {
  const double reach = (1 + kTouches) * rules.margin;
  Candidates candidates;
  BroadPhase(rules.surface, BroadPhase::Use::once).find(q, {}, reach, candidates);
  ContactSet set;
  ContactFinder(rules.surface, reach).find(candidates, q, {q}, set);
  return set;
}

QpContact::QpContact(std::shared_ptr<const ContactRules> rules, const QpContactOptions& options)
    : rules_(std::move(rules)),
      options_(options),
      finder_(rules_->surface, rules_->margin),
      normal_solver_({.tolerance = options.tolerance, .fast = options.fast}),
      friction_solver_({.tolerance = options.tolerance, .fast = options.fast}) {}

// A = M + hD + h²K at the predicted state, LOESCHNER (19), made positive definite.
void QpContact::assemble(const StepContext& context, double h, const Vector& q, const Vector& v) {
  const System& system = context.system;
  if (A_.empty() || A_.shared_pattern() != system.pattern()) A_ = BlockMatrix(system.pattern());
  system.mass().write_to(A_);
  system.add_tangent({context.start.t + h, view(q), view(v), &context.data},
                     {.stiffness = h * h, .damping = h, .projection = Projection::psd}, A_);
  if (!system.symmetric()) A_.symmetrize();
  A_.remove(context.mask);
  normal_.P = friction_.P = &A_;
  normal_.unit = friction_.unit = std::max(rules_->margin, h * largest(v));
}

// Where all that a row moves is prescribed, nothing can be done.
bool QpContact::can_yield(const StepContext& context, const Impact& impact) const {
  for (int i = 0; i < impact.points(); ++i)
    for (int c = 0; c < 3; ++c) {
      const Index n = impact.nodes[static_cast<std::size_t>(i)];
      if (!context.mask[static_cast<std::size_t>(3 * n + c)] && impact.w[i] * impact.normal[c] != 0)
        return true;
    }
  return false;
}

// A pair that is hit again, since it has turned, gets a row more and keeps the one it had: taken in
// turn the two would undo each other. False where no row came.
bool QpContact::add_hits(const StepContext& context) {
  const std::size_t before = rows_.size();
  for (const Impact& hit : hits_)
    if (can_yield(context, hit) && std::none_of(rows_.begin(), rows_.end(), [&](const Impact& row) {
          return row.same_pair(hit) && row.normal.isApprox(hit.normal, kSame) &&
                 row.w.isApprox(hit.w, kSame);
        }))
      rows_.push_back(hit);
  return rows_.size() > before;
}

void QpContact::set_rows(const StepContext& context, double h) {
  const auto m = static_cast<Eigen::Index>(rows_.size());
  normal_.G.clear(), friction_.G.clear();
  for (const Impact& row : rows_) {
    add_row(context.mask, row, h * row.normal, normal_.G);
    for (const Vec3& t : tangents(row)) add_row(context.mask, row, h * t, friction_.G);
  }
  normal_.lower.setConstant(m, -std::numeric_limits<double>::infinity());
  normal_.upper.setConstant(m, std::numeric_limits<double>::infinity());
  friction_.radius.setZero(m);
}

Vector QpContact::slid(const Vector& dq) const {
  Vector out(2 * rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k)
    for (int j = 0; j < 2; ++j)
      out[static_cast<Eigen::Index>(2 * k) + j] =
          tangents(rows_[k])[static_cast<std::size_t>(j)].dot(relative(rows_[k], dq));
  return out;
}

bool QpContact::solve(const QpProblem& problem, QpSolver& solver, Vector& x, Vector& y,
                      QpContactReport& report) const {
  const QpReport qp = solver.solve(problem, x, y);
  report.iterations += qp.iterations;
  report.newton += qp.newton;
  report.factorizations += qp.factorizations;
  report.primal = std::max(report.primal, qp.primal);
  report.dual = std::max(report.dual, qp.dual);
  if (!qp.ok) report.fail("contact: " + qp.reason);
  return qp.ok;
}

// Normal and friction forces in turn; normal_.lower is set, and `slid` is the way slid without x.
bool QpContact::balance(const Vector& slid, Forces& forces, QpContactReport& report) {
  const Eigen::Index n = A_.values().empty() ? 0 : 3 * A_.pattern().rows;
  grow(forces.normal, static_cast<Eigen::Index>(rows_.size()));
  grow(forces.friction, 2 * static_cast<Eigen::Index>(rows_.size()));
  normal_.c.setZero(n);
  if (rules_->friction > 0)
    friction_.G.add_transposed(view(forces.friction), view(normal_.c));
  else
    forces.friction.setZero();
  if (!solve(normal_, normal_solver_, forces.x, forces.normal, report)) return false;
  if (rules_->friction == 0) return true;
  friction_.shift = -slid;
  for (int k = 0; k < options_.max_staggers; ++k) {
    ++report.staggers;
    const Vector before = forces.normal;
    friction_.radius = -rules_->friction * before.cwiseMin(0);
    friction_.c.setZero(n);
    normal_.G.add_transposed(view(before), view(friction_.c));
    if (!solve(friction_, friction_solver_, forces.x, forces.friction, report)) return false;
    normal_.c.setZero(n);
    friction_.G.add_transposed(view(forces.friction), view(normal_.c));
    if (!solve(normal_, normal_solver_, forces.x, forces.normal, report)) return false;
    if (largest(forces.normal - before) <= options_.stagger * largest(forces.normal)) return true;
  }
  report.fail(fmt::format("contact: normal and friction forces do not agree after {} rounds",
                          options_.max_staggers));
  return false;
}

// Rows over the whole step, until the way to its end hits nothing.
bool QpContact::correct_way(const StepContext& context, double h, Vector& q,
                            QpContactReport& report) {
  const Vector predicted = q;
  const Vector& start = context.start.q;
  for (;;) {
    if (!add_hits(context)) return true;
    if (++report.rounds > options_.max_rounds) break;
    set_rows(context, h);
    for (std::size_t k = 0; k < rows_.size(); ++k)
      normal_.lower[static_cast<Eigen::Index>(k)] =
          std::min(rules_->margin, finder_.true_gap(rows_[k], view(start))) -
          rows_[k].gap(view(predicted));
    if (!balance(slid(predicted - start), way_, report)) return false;
    q = predicted + h * way_.x;
    dq_ = q - start;
    finder_.find(view(start), view(dq_), hits_);
  }
  report.fail(fmt::format("contact: after {} rounds something is still hit on the way",
                          options_.max_rounds));
  return false;
}

// 0 ≤ λ′ ⟂ G v ≥ 0 on the rows that pushed.
bool QpContact::correct_velocity(double h, Vector& v, QpContactReport& report) {
  const double pushes = kPushes * largest(way_.normal);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    normal_.lower[i] = way_.normal[i] < -pushes ? -h * rows_[k].normal.dot(relative(rows_[k], v))
                                                : -std::numeric_limits<double>::infinity();
  }
  end_ = {};
  if (!balance(h * slid(v), end_, report)) return false;
  v += end_.x;
  return true;
}

// Gaps that began below the margin come up to it; that is no motion, and gives no velocity.
bool QpContact::separate(const StepContext& context, double h, Vector& q, QpContactReport& report) {
  bool any = false;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double gap = rows_[k].gap(view(q));
    any = any || gap < (1 - kSlack) * rules_->margin;
    normal_.lower[static_cast<Eigen::Index>(k)] = rules_->margin - gap;
  }
  if (!any) return true;
  Vector x, y;
  normal_.c.setZero(q.size());
  if (!solve(normal_, normal_solver_, x, y, report)) return false;
  const Vector apart = q + h * x;
  dq_ = apart - context.start.q;
  finder_.find(view(context.start.q), view(dq_), hits_);
  if (hits_.empty()) q = apart;
  return true;
}

void QpContact::add_force(const Forces& forces, double h) {
  Vector impulse = Vector::Zero(force_.size());
  normal_.G.add_transposed(view(forces.normal), view(impulse));
  friction_.G.add_transposed(view(forces.friction), view(impulse));
  force_ -= impulse / h;
}

QpContactReport QpContact::correct(const StepContext& context, double h, Vector& q, Vector& v) {
  QpContactReport report;
  force_.setZero(q.size());
  dq_ = q - context.start.q;
  finder_.find(view(context.start.q), view(dq_), hits_);
  if (hits_.empty()) return report;
  assemble(context, h, q, v);
  rows_.clear();
  way_ = {};
  // A resumed run goes on as if it had not been stopped.
  normal_solver_.forget(), friction_solver_.forget();
  Vector q_new = q, v_new = v;
  if (!correct_way(context, h, q_new, report)) return report;
  if (rows_.empty()) return report;
  v_new += way_.x;
  if (!correct_velocity(h, v_new, report)) return report;
  if (!separate(context, h, q_new, report)) return report;
  if (!q_new.allFinite() || !v_new.allFinite()) return report.fail("contact: not finite");
  add_force(way_, h);
  add_force(end_, h);
  const Vector pushed = way_.normal + end_.normal;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    report.contacts += pushed[static_cast<Eigen::Index>(k)] < -kPushes * largest(pushed);
    report.penetration = std::max(report.penetration, -finder_.true_gap(rows_[k], view(q_new)));
  }
  report.touched = true;
  q = std::move(q_new);
  v = std::move(v_new);
  return report;
}

}  // namespace pliant
