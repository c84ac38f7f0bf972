#include <pliant/stage/contact_correction.hpp>

#include <pliant/load/contact_load.hpp>
#include <pliant/stage/qp_forces.hpp>
#include <pliant/stage/unilateral_forces.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

constexpr int kMostRounds = 60;       // of finding what is hit
constexpr double kPushing = 1e-9;     // of the largest force: what counts as pushing
constexpr double kTouches = 1e-2;     // of the margin: what is no farther away counts as touching
constexpr double kSame = 1e-6;        // rows that differ by less are the same
constexpr double kSlack = 1e-3;       // of the margin, by which a gap may be short
constexpr double kRowMissed = 1e-10;  // of the size of the scene: likewise a constraint
constexpr double kBounces =
    4;  // times what a step changes without contact: slower, nothing bounces

// Σ w_i u_i: how the two sides of a row move against each other.
Vec3 relative(const Impact& row, const Vector& u) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < row.points(); ++i)
    sum += row.w[i] * u.segment<3>(3 * row.nodes[static_cast<std::size_t>(i)]);
  return sum;
}

double largest(const Vector& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }

}  // namespace

ContactSet touching_pairs(const ContactRules& rules, std::span<const double> q) {
  const double reach = (1 + kTouches) * rules.margin;
  Candidates candidates;
  BroadPhase(rules.surface, BroadPhase::Use::once).find(q, {}, reach, candidates);
  ContactSet set;
  ContactFinder(rules.surface, reach).find(candidates, q, {q}, set);
  return set;
}

void assemble_step_matrix(const StepContext& context, double h, const Prediction& predicted,
                          BlockMatrix& A) {
  const System& system = context.system;
  if (A.empty() || A.shared_pattern() != system.pattern()) A = BlockMatrix(system.pattern());
  system.mass().write_to(A);
  system.add_tangent({context.start.t + h, view(predicted.q), view(predicted.v), &context.data},
                     {.stiffness = h * h, .damping = h, .projection = Projection::psd}, A);
  if (!system.symmetric()) A.symmetrize();
}

std::unique_ptr<ContactForces> make_contact_forces(const ContactRules& rules,
                                                   const SolverOptions& options) {
  if (rules.by == ContactRules::By::unilateral) return std::make_unique<UnilateralForces>(options);
  return std::make_unique<QpForces>(rules.margin, options.fast);
}

ContactCorrection::ContactCorrection(std::shared_ptr<const ContactRules> rules,
                                     const SolverOptions& options)
    : rules_(std::move(rules)),
      interrupted_(options.interrupted),
      budget_(0.5 * static_cast<double>(options.max_work)),
      finder_(rules_->surface, rules_->margin),
      forces_(make_contact_forces(*rules_, options)) {}

// What a row moves may all be prescribed.
bool ContactCorrection::can_yield(const StepContext& context, const Impact& impact) const {
  for (int i = 0; i < impact.points(); ++i) {
    LeaderWeight own;
    for (const LeaderWeight& leader :
         rules_->surface.leaders_of(impact.nodes[static_cast<std::size_t>(i)], own))
      for (int c = 0; c < 3; ++c)
        if (!context.mask[static_cast<std::size_t>(3 * leader.node + c)] &&
            leader.weight * impact.w[i] * impact.normal[c] != 0)
          return true;
  }
  return false;
}

// Has its pair no row with this normal at these places?
bool ContactCorrection::is_new(const Impact& hit) const {
  return std::none_of(impacts_.begin(), impacts_.end(), [&](const Impact& row) {
    return row.same_pair(hit) && row.normal.isApprox(hit.normal, kSame) &&
           row.w.isApprox(hit.w, kSame);
  });
}

// What is prescribed on both sides may come as near as it likes, and makes no row.
void ContactCorrection::keep_what_matters(const StepContext& context,
                                          std::vector<Impact>& hits) const {
  std::erase_if(hits, [&](const Impact& hit) { return !hit.through && !can_yield(context, hit); });
}

// On the way to q. Edges once points bring no more rows: what holds points apart mostly does so
// for edges too.
void ContactCorrection::find_hits(const StepContext& context, const Vector& q) {
  const Vector& start = context.start.q;
  dq_ = q - start;
  finder_.find_points(view(start), view(dq_), hits_);
  keep_what_matters(context, hits_);
  if (std::any_of(hits_.begin(), hits_.end(), [this](const Impact& hit) { return is_new(hit); }))
    return;
  finder_.find_edges(view(start), view(dq_), edge_hits_);
  keep_what_matters(context, edge_hits_);
  hits_.insert(hits_.end(), edge_hits_.begin(), edge_hits_.end());
}

// Null where nothing that is prescribed goes through anything.
const Impact* ContactCorrection::forced_through(const StepContext& context) const {
  const auto at = std::find_if(hits_.begin(), hits_.end(), [&](const Impact& hit) {
    return hit.through && !can_yield(context, hit);
  });
  return at == hits_.end() ? nullptr : &*at;
}

// Directions of motion of its points, or of what they follow; prescribed coordinates left out.
void ContactCorrection::add_row(const DofMask& mask, const Impact& row, const Vec3& direction,
                                NodeRows& rows) const {
  std::vector<Index> nodes;
  std::vector<Vec3> values;
  for (int i = 0; i < row.points(); ++i) {
    LeaderWeight own;
    for (const LeaderWeight& leader :
         rules_->surface.leaders_of(row.nodes[static_cast<std::size_t>(i)], own)) {
      Vec3 value = leader.weight * row.w[i] * direction;
      for (int c = 0; c < 3; ++c)
        if (mask[static_cast<std::size_t>(3 * leader.node + c)]) value[c] = 0;
      const auto at = std::find(nodes.begin(), nodes.end(), leader.node);
      if (at != nodes.end()) {
        values[static_cast<std::size_t>(at - nodes.begin())] += value;
      } else {
        nodes.push_back(leader.node);
        values.push_back(value);
      }
    }
  }
  rows.add(nodes, values);
}

// A pair that is hit again, since it has turned, gets a row more and keeps the one it had: taken in
// turn the two would undo each other. False where no row came.
bool ContactCorrection::add_hits(const StepContext& context) {
  const std::size_t before = impacts_.size();
  for (const Impact& hit : hits_)
    if (can_yield(context, hit) && is_new(hit)) impacts_.push_back(hit);
  return impacts_.size() > before;
}

void ContactCorrection::set_rows(const StepContext& context, double h) {
  const auto m = static_cast<Eigen::Index>(impacts_.size());
  rows_.normals.clear(), rows_.tangents.clear();
  rows_.mu.resize(m);
  for (Eigen::Index k = 0; k < m; ++k) {
    const Impact& row = impacts_[static_cast<std::size_t>(k)];
    add_row(context.mask, row, h * row.normal, rows_.normals);
    for (const Vec3& t : tangents(row)) add_row(context.mask, row, h * t, rows_.tangents);
    rows_.mu[k] = rules_->friction_of(row);
  }
  rows_.lower.setConstant(m, -std::numeric_limits<double>::infinity());
}

Vector ContactCorrection::slid(const Vector& dq) const {
  Vector out(2 * impacts_.size());
  for (std::size_t k = 0; k < impacts_.size(); ++k)
    for (int j = 0; j < 2; ++j)
      out[static_cast<Eigen::Index>(2 * k) + j] =
          tangents(impacts_[k])[static_cast<std::size_t>(j)].dot(relative(impacts_[k], dq));
  return out;
}

// What began nearer than the margin comes no nearer.
double ContactCorrection::wanted_gap(const Impact& row, const Vector& start) const {
  return std::min(rules_->margin, finder_.true_gap(row, view(start)));
}

// Where all is linear one answer is enough, unless rows that are known have not held their pairs.
bool ContactCorrection::is_settled(const StepContext& context, const Vector& q, const Vector& v) {
  const System& system = context.system;
  if (std::any_of(hits_.begin(), hits_.end(), [](const Impact& hit) { return hit.through; }))
    return false;
  if (system.rigid_path().empty() && system.constraints().empty()) return true;
  for (const Impact& row : impacts_)
    if (row.gap(view(q)) < wanted_gap(row, context.start.q) - kSlack * rules_->margin) return false;
  return forces_->missed(q, v) <= kRowMissed * system.size();
}

// Rows over the whole step, until the way to its end hits nothing.
bool ContactCorrection::correct_way(const StepContext& context, double h, const Vector& v,
                                    Vector& q, ContactReport& report) {
  const System& system = context.system;
  const Vector predicted = q;
  const Vector& start = context.start.q;
  way_.x.setZero(q.size()), unloaded_.setZero(q.size());
  bool loaded = load_.size() > 0;  // still
  for (bool first = true;; first = false) {
    if (const Impact* hit = forced_through(context)) {
      report.fail(
          fmt::format("contact: {} are forced through each other, since pins or motions "
                      "prescribe where both are",
                      names_of(rules_->surface, *hit)));
      return false;
    }
    const bool more = !loaded && add_hits(context);  // first the load alone is taken off
    const bool free = impacts_.empty();
    if (!loaded && (free || (!more && (first || is_settled(context, q, v + way_.x))))) return true;
    if (is_interrupted(interrupted_)) {
      report.fail("interrupted");
      return false;
    }
    if (++report.rounds > kMostRounds || report.exhausted()) break;
    set_rows(context, h);
    rows_.off.setZero(q.size());
    if (load_.size() > 0) rows_.off = h * load_;
    known_.guess(impacts_, way_);
    if (!forces_->turn(q, v + way_.x, way_.x)) {
      report.fail("contact: the matrix of the step has no factors");
      return false;
    }
    rows_.slid = slid(q - start);
    for (std::size_t k = 0; k < impacts_.size(); ++k) {
      const auto i = static_cast<Index>(k);
      rows_.lower[i] = wanted_gap(impacts_[k], start) - impacts_[k].gap(view(q)) +
                       rows_.normals.dot(i, view(way_.x));
      for (Index j = 2 * i; j < 2 * i + 2; ++j)
        rows_.slid[j] -= rows_.tangents.dot(j, view(way_.x));
    }
    if (!forces_->balance(rows_, way_, report)) return false;
    system.follow(view(way_.x));
    if (loaded) unloaded_ = way_.x;
    loaded = false;
    q = predicted + h * way_.x;
    system.rigid_path().bend(view(predicted), view(q));
    system.follow(view(q));
    find_hits(context, q);
  }
  report.fail(
      fmt::format("contact: after {} rounds and with {} rows something is still hit on the way",
                  report.rounds - 1, impacts_.size()));
  return false;
}

// 0 ≤ λ ⟂ G v ≥ −e min(G v_n, 0) on the rows that pushed or touch: which of redundant rows push is
// chance, and a stiff body would turn about those that do. What leaves a row that pushed goes on
// leaving.
bool ContactCorrection::correct_velocity(const StepContext& context, double h,
                                         const Vector& predicted, const Vector& q, Vector& v,
                                         ContactReport& report) {
  const double pushes = kPushing * largest(way_.normal);
  const Vector change = predicted - context.start.v;
  for (std::size_t k = 0; k < impacts_.size(); ++k) {
    const Impact& row = impacts_[k];
    const auto i = static_cast<Eigen::Index>(k);
    const double met = row.normal.dot(relative(row, context.start.v));
    const bool bounces = -met > kBounces * std::abs(row.normal.dot(relative(row, change)));
    const double parts = bounces && met < 0 ? -rules_->restitution * met : 0;
    const bool touches = row.gap(view(q)) < (1 + kTouches) * rules_->margin;
    const bool pushed = way_.normal[i] > pushes;
    const double lacks = h * (parts - row.normal.dot(relative(row, v)));
    rows_.lower[i] = pushed    ? std::max(lacks, 0.0)
                     : touches ? lacks
                               : -std::numeric_limits<double>::infinity();
  }
  rows_.slid = h * slid(v);
  rows_.off.setZero(q.size());
  rows_.normals.add_transposed(view(way_.normal), view(rows_.off));
  rows_.tangents.add_transposed(view(way_.friction), view(rows_.off));
  forces_->end_way();
  end_ = way_;
  end_.x.setZero();
  if (!forces_->balance(rows_, end_, report)) return false;
  context.system.follow(view(end_.x));
  v += end_.x;
  return true;
}

// Gaps that began below the margin come up to it; that is no motion, and gives no velocity.
bool ContactCorrection::separate(const StepContext& context, double h, const Vector& v, Vector& q,
                                 ContactReport& report) {
  bool any = false;
  for (std::size_t k = 0; k < impacts_.size(); ++k) {
    const double gap = finder_.true_gap(impacts_[k], view(q));  // rows of early rounds may be stale
    any = any || gap < (1 - kSlack) * rules_->margin;
    rows_.lower[static_cast<Eigen::Index>(k)] = rules_->margin - gap;
  }
  if (!any) return true;
  rows_.off.setZero();
  ContactAnswer answer;
  grow(answer.normal, way_.normal.size()), grow(answer.friction, way_.friction.size());
  rows_.mu.setZero();
  if (!forces_->balance(rows_, answer, report)) return false;
  Vector apart = q + h * answer.x;
  context.system.rigid_path().bend(view(q), view(apart));
  context.system.follow(view(apart));
  find_hits(context, apart);
  if (hits_.empty() && forces_->missed(apart, v) <= kRowMissed * context.system.size()) q = apart;
  return true;
}

void ContactCorrection::add_force(const ContactAnswer& answer, Vector& sum) const {
  for (std::size_t k = 0; k < impacts_.size(); ++k) {
    const Impact& row = impacts_[k];
    const auto i = static_cast<Eigen::Index>(k);
    const auto t = tangents(row);
    const Vec3 force = answer.normal[i] * row.normal + answer.friction[2 * i] * t[0] +
                       answer.friction[2 * i + 1] * t[1];
    for (int p = 0; p < row.points(); ++p)
      for (int c = 0; c < 3; ++c) {
        const auto at = static_cast<std::size_t>(3 * row.nodes[static_cast<std::size_t>(p)] + c);
        sum[static_cast<Eigen::Index>(at)] += row.w[p] * force[c];
      }
  }
}

// What friction took over the way that the step went. No more of it than all of contact took:
// where bodies jam, normals of some rows and friction of others hold against each other, and
// neither takes anything. No more than friction took from velocities either, from `twice` their
// mean on: of an impact the way is mostly from before it. What is left out counts as the method's.
double ContactCorrection::rubbed(double h, const Vector& way, const Vector& twice) const {
  const double along = -end_.friction.dot(slid(way));
  double across = 0;
  for (std::size_t k = 0; k < impacts_.size(); ++k)
    across -= end_.normal[static_cast<Eigen::Index>(k)] *
              impacts_[k].normal.dot(relative(impacts_[k], way));
  const double braked = -0.5 * h * end_.friction.dot(slid(twice));
  return std::max(0.0, std::min({along, along + across, braked}));
}

void ContactCorrection::find_load(const StepContext& context) {
  load_.resize(0);
  const System& system = context.system;
  const auto place = ContactLoad::place(system.terms());
  const auto known = place ? ContactLoad::known(context.data.memories, *place) : nullptr;
  if (!known || known->load.isZero(0)) return;
  load_ = known->load;
  system.pull_back(view(load_));
  for (std::size_t i = 0; i < context.mask.size(); ++i)
    if (context.mask[i]) load_[static_cast<Eigen::Index>(i)] = 0;
}

ContactReport ContactCorrection::correct(const StepContext& context, double h,
                                         std::span<const double> multipliers, Vector& q,
                                         Vector& v) {
  ContactReport report;
  report.budget = budget_;
  force_.setZero(q.size()), force_of_way_.setZero(q.size());
  rubbed_ = 0;
  impacts_.clear();
  way_ = {};
  find_load(context);
  find_hits(context, q);
  if (hits_.empty() && load_.size() == 0) {
    known_.clear();
    return report;
  }
  forces_->open(context, h, {q, v, multipliers});
  Vector q_new = q, v_new = v;
  if (!correct_way(context, h, v, q_new, report)) return report;
  if (impacts_.empty()) return report;
  v_new += way_.x;
  if (!correct_velocity(context, h, v, q_new, v_new, report)) return report;
  if (!separate(context, h, v_new, q_new, report)) return report;
  if (!q_new.allFinite() || !v_new.allFinite()) return report.fail("contact: not finite");
  add_force(way_, force_of_way_);
  add_force(end_, force_);
  rubbed_ = rubbed(h, q_new - context.start.q, v + unloaded_ + v_new);
  known_.remember(impacts_, way_);
  for (std::size_t k = 0; k < impacts_.size(); ++k) {
    report.contacts += end_.normal[static_cast<Eigen::Index>(k)] > kPushing * largest(end_.normal);
    report.penetration = std::max(report.penetration, -finder_.true_gap(impacts_[k], view(q_new)));
  }
  report.touched = true;
  q = std::move(q_new);
  v = std::move(v_new);
  return report;
}

}  // namespace pliant
