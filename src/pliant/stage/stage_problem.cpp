#include <pliant/stage/stage_problem.hpp>

#include <pliant/core/parallel.hpp>
#include <pliant/dissipation/dense_dissipation.hpp>
#include <pliant/solve/low_rank_columns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pliant {

namespace {

constexpr double kNextToNothing = 1e-4;  // of the way to where things must be

}  // namespace

void StageProblem::set(const StepContext& context, const Stage& stage) {
  context_ = &context;
  stage_ = &stage;
  has_merit_ = context.system.has_potential();
  const Eigen::Index n = context.system.dofs();
  for (Vector* x : {&q_, &f_, &w_, &Mw_}) x->resize(n);
  for (Vector* x : {&q_fixed_, &v_fixed_, &a_fixed_}) x->setZero(n);
  context.system.prescribe(context.start, stage.t, view(q_fixed_), view(v_fixed_), view(a_fixed_));
  if (system_ != &context.system) {
    system_ = &context.system;
    damping_.clear();
    for (const auto& term : system_->terms())
      if (const auto* damping = dynamic_cast<const DissipationTerm*>(term.get()))
        damping_.push_back(damping);
    detector_.reset();
    if (system_->contact()) {
      detector_.emplace(*system_->contact(), system_->pattern());
      detector_->set_couplings(std::exchange(couplings_, {}));
      base_ = BlockMatrix(system_->pattern());
    }
  }
  fixed_ = false;
  if (!damping_.empty()) {
    v_hat_ = stage.v_p;
    prescribe_velocity(v_hat_);
  }
  slow_ = 0;
  renewal_.start(nullptr);
  start_friction();
  if (!detector_) return;
  detector_->start_anew();
  q_end_ = q_fixed_;
  q_fixed_ = q_from_ = context.start.q;
  arrived_ = false;
}

bool StageProblem::approach(Vector& v, const Vector* from) {
  const DofMask& mask = context_->mask;
  const double gq = stage_->gamma_q;
  if (from) position(view(*from), q_from_);
  dq_.resize(q_from_.size());
  for (std::size_t i = 0; i < mask.size(); ++i)
    dq_[i] = (mask[i] == kPrescribed ? q_end_[i] : stage_->q_p[i] + gq * v[i]) - q_from_[i];
  system_->follow(view(dq_));
  detector_->look_along(view(q_from_), view(dq_));
  approached_ = detector_->safe_step(view(q_from_), view(dq_));
  slow_ = approached_ < kNextToNothing ? slow_ + 1 : 0;
  go_along(v);
  return arrived_;
}

bool StageProblem::retreat(Vector& v) {
  constexpr double shortest = 1e-4;
  if (approached_ == 0) return false;
  approached_ = approached_ > shortest ? 0.25 * approached_ : 0;
  go_along(v);
  return true;
}

std::string StageProblem::what_is_in_the_way(std::span<const double> v) {
  position(v, q_);
  return fmt::format("what is prescribed cannot get to its place: {} are in each other's way",
                     detector_->nearest_pair(at(v)));
}

// To q_from_ + approached_ dq_.
void StageProblem::go_along(Vector& v) {
  const DofMask& mask = context_->mask;
  arrived_ = true;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const bool fixed = mask[i] == kPrescribed;
    const double q = approached_ == 1 && fixed ? q_end_[i] : q_from_[i] + approached_ * dq_[i];
    if (fixed) {
      q_fixed_[i] = q;
      arrived_ = arrived_ && q == q_end_[i];
    } else {
      v[i] = (q - stage_->q_p[i]) / stage_->gamma_q;
    }
  }
}

// By a difference so small that no gap changes by more than a part of itself.
void StageProblem::change_by_way(std::span<const double> v, std::span<double> dr) {
  constexpr double part_of_gap = 1e-4;
  evaluate(v, dr);
  const double gap = std::min(at(v).contacts->min_gap.value_or(system_->contact()->delta()),
                              system_->contact()->delta());
  const DofMask& mask = context_->mask;
  q_reached_ = q_fixed_;
  double longest = 0;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i] == kPrescribed) longest = std::max(longest, std::abs(q_end_[i] - q_reached_[i]));
  if (longest == 0) return as_vector(dr).setZero(), void();
  const double part = part_of_gap * gap / longest;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i] == kPrescribed) q_fixed_[i] += part * (q_end_[i] - q_reached_[i]);
  moved_.resize(q_reached_.size());
  evaluate(v, view(moved_));
  as_vector(dr) = (moved_ - as_vector(dr)) / part;
  q_fixed_ = q_reached_;
}

bool StageProblem::can_fix_damping() const {
  if (has_merit_) return false;
  const auto terms = context_->system.terms();
  return std::all_of(terms.begin(), terms.end(), [](const auto& term) {
    return term->has_potential() || dynamic_cast<const DissipationTerm*>(term.get());
  });
}

double StageProblem::fix_damping_at(const Vector& v) {
  moved_ = v - v_hat_;
  v_hat_ = v;
  fixed_ = has_merit_ = true;
  return relative_size(view(v), view(moved_));
}

ContactDetector::Couplings StageProblem::couplings() const {
  return detector_ ? detector_->couplings() : couplings_;
}

double StageProblem::renew_friction(std::span<const double> v) {
  if (!friction()) return 0;
  position(v, q_);
  friction()->lag_at(at(v), *context_->data.friction, next_friction_);
  carry_directions(friction_, next_friction_);
  const double change = difference(friction_, next_friction_);
  std::swap(friction_, next_friction_);
  return change;
}

bool StageProblem::renew(std::span<const double> v, double change, double step) {
  if (renewal_.holds() || !friction()) return false;
  const bool rubbed = !friction_.contacts.empty();
  const double force_change = renew_friction(v);
  if (!rubbed && friction_.contacts.empty()) return renewal_.nothing_rubs(), false;
  relax(next_friction_, friction_);
  const double speed = change * scale_of(v);
  const double moved = friction()->options().stick ? stage_->gamma_q * speed : speed;
  friction_.epsilon = renewal_.next(change, step, moved, force_change);
  return true;
}

void StageProblem::start_friction() {
  if (!friction()) return;
  friction_ = *context_->data.friction;
  friction_.with_directions = true;
}

void StageProblem::hold_friction() {
  renewal_.hold();
  friction_.epsilon = 0;
}

int StageProblem::contacts(std::span<const double> v) {
  if (!detector_) return 0;
  position(v, q_);
  return static_cast<int>(at(v).contacts->size());
}

double StageProblem::smallest_gap(std::span<const double> v) {
  constexpr double none = std::numeric_limits<double>::infinity();
  if (!detector_) return none;
  position(v, q_);
  return at(v).contacts->min_gap.value_or(none);
}

Configuration StageProblem::at(std::span<const double> v) {
  Configuration c{.t = stage_->t, .q = view(q_), .v = v, .step = &context_->data};
  if (friction()) c.friction = &friction_;
  if (detector_) c.contacts = &detector_->contacts(c);
  return c;
}

void StageProblem::position(std::span<const double> v, Vector& q) const {
  const DofMask& mask = context_->mask;
  q.resize(q_fixed_.size());
  parallel_for_each(mask.size(), 4096, [&](std::size_t i) {
    q[i] = mask[i] == kPrescribed ? q_fixed_[i] : stage_->q_p[i] + stage_->gamma_q * v[i];
  });
  context_->system.follow(view(q));
}

void StageProblem::prescribe_velocity(Vector& v) const {
  for (std::size_t i = 0; i < context_->mask.size(); ++i)
    if (context_->mask[i] == kPrescribed) v[i] = v_fixed_[i];
  context_->system.follow(view(v));
}

double StageProblem::force_and_potential(const Configuration& c, Vector& f) const {
  const double U = context_->system.force_and_potential(c, view(f));
  for_shaped_damping([&](const DissipationTerm& term, const StageForm& form) {
    term.add_stage_force(c, form, view(f));
  });
  context_->system.pull_back(view(f));
  return U;
}

void StageProblem::find_forces(std::span<const double> v, ActingForces& out) {
  const System& system = context_->system;
  position(v, q_);
  Configuration c{.t = stage_->t, .q = view(q_), .v = v, .step = &context_->data};
  if (friction()) c.friction = &friction_;
  find_taking_forces(system, c, out);
  if (system.has_damping()) {
    for_shaped_damping([&](const DissipationTerm& term, const StageForm& form) {
      term.add_stage_force(c, form, view(out.damping));
    });
    system.pull_back(view(out.damping));
  }
  if (!system.pins_work()) return;
  out.all.resize(q_.size());
  force_and_potential(at(v), out.all);
}

double StageProblem::evaluate(std::span<const double> v, std::span<double> r) {
  const System& system = context_->system;
  const DofMask& mask = context_->mask;
  const double gv = stage_->gamma_v;
  position(v, q_);
  const Configuration c = at(v);
  const double U = force_and_potential(c, f_);
  // On prescribed coordinates the acceleration is known: it loads the free ones through M.
  for (std::size_t i = 0; i < mask.size(); ++i)
    w_[i] = mask[i] == kPrescribed ? gv * a_fixed_[i] : v[i] - stage_->v_p[i];
  system.mass().multiply(view(w_), view(Mw_));
  for (std::size_t i = 0; i < mask.size(); ++i) r[i] = mask[i] ? 0 : Mw_[i] - gv * f_[i];
  if (stage_->held) stage_->held->remove_from_force(r);
  if (!has_merit_) return 0;
  double R = system.dissipation(c);
  for_shaped_damping(
      [&](const DissipationTerm& term, const StageForm& form) { R += term.stage_excess(c, form); });
  return 0.5 * w_.dot(Mw_) + gv / stage_->gamma_q * U + gv * R;
}

std::shared_ptr<const BlockPattern> StageProblem::pattern(std::span<const double> v) {
  if (!detector_) return {};
  position(v, q_);
  const Configuration c = at(v);
  return detector_->pattern_for(*c.contacts, c.friction);
}

// A = M + γv ∂²R/∂v² + γq γv K
void StageProblem::tangent(std::span<const double> v, bool project, BlockMatrix& A) {
  const System& system = context_->system;
  position(v, q_);
  const Configuration c = at(v);
  const Tangent parts{.stiffness = stage_->gamma_q * stage_->gamma_v,
                      .damping = stage_->gamma_v,
                      .projection = project ? Projection::psd : Projection::none};
  BlockMatrix& own = detector_ ? base_ : A;
  system.mass().write_to(own);
  system.add_tangent(c, parts, own);
  for_shaped_damping([&](const DissipationTerm& term, const StageForm& form) {
    term.add_stage_tangent(c, form, parts, own);
  });
  system.pull_back(own);
  if (detector_) {
    A.set_zero();
    detector_->add_base(base_, A);
    system.contact()->add_tangent(c, parts, A);
    if (system.friction()) system.friction()->add_tangent(c, parts, A);
  }
  if (!system.symmetric()) A.symmetrize();
  A.remove(context_->mask);
  if (!system.has_low_rank()) return;
  system.low_rank(c, parts, update_);
  for_shaped_damping([&](const DissipationTerm& term, const StageForm& form) {
    if (const auto* dense = dynamic_cast<const DenseDissipation*>(&term))
      dense->add_stage_low_rank(c, form, parts, update_);
  });
  if (!system.symmetric()) symmetrize(update_);
  update_.remove(context_->mask);
}

const LowRank* StageProblem::update(const BlockMatrix& A) {
  const bool dense = context_->system.has_low_rank();
  if (stage_->held) stage_->held->make_update(A, dense ? update_.Y.cols() : 0, update_);
  return stage_->held || (dense && !update_.empty()) ? &update_ : nullptr;
}

void StageProblem::restrict(std::span<double> dv) const {
  if (stage_->held) stage_->held->remove_from_motion(dv);
  context_->system.follow(dv);
}

// ‖r‖ measured by the masses, a velocity.
double StageProblem::residual_norm(std::span<const double> r) const {
  const NodeMatrix& M = context_->system.mass();
  double sum = 0;
  for (Index n = 0; n < context_->system.nodes(); ++n)
    if (M.diagonal(n) > 0) sum += node(r, n).squaredNorm() / M.diagonal(n);
  return std::sqrt(sum);
}

// The largest change of a velocity over the largest velocity, or change of velocity in the stage,
// or the speed that would cross 1e-4 of the scene within the stage: what is slower counts as
// resting.
double StageProblem::relative_size(std::span<const double> v, std::span<const double> dv) const {
  double change = 0;
  for (const double x : dv) change = std::max(change, std::abs(x));
  return change / scale_of(v);
}

double StageProblem::scale_of(std::span<const double> v) const {
  double scale = 1e-4 * context_->system.size() / stage_->gamma_q;
  for (std::size_t i = 0; i < v.size(); ++i)
    scale = std::max({scale, std::abs(v[i]), std::abs(v[i] - stage_->v_p[i])});
  return scale;
}

double StageProblem::max_step(std::span<const double> v, std::span<const double> dv) {
  if (!context_->system.limits_steps()) return 1;
  position(v, q_from_);
  dq_ = stage_->gamma_q * as_vector(dv);
  for (std::size_t i = 0; i < context_->mask.size(); ++i)
    if (context_->mask[i] == kPrescribed) dq_[i] = 0;
  if (!detector_)
    return context_->system.max_step(
        {.t = stage_->t, .q = view(q_from_), .v = v, .step = &context_->data}, view(dq_));
  detector_->look_along(view(q_from_), view(dq_));
  return detector_->safe_step(view(q_from_), view(dq_));
}

// Directions of friction are unknowns that go along (friction_law.hpp).
void StageProblem::moved(std::span<const double> from, std::span<const double> to, double part) {
  if (!friction() || friction_.contacts.empty()) return;
  position(from, q_from_);
  position(to, q_);
  friction()->change_directions({.t = stage_->t, .q = view(q_from_), .v = from},
                                {.t = stage_->t, .q = view(q_), .v = to}, part, friction_);
}

// With contact the bent way is taken where it is safe, and else the straight one.
void StageProblem::bend(std::span<const double> v, std::span<double> trial) {
  const System& system = context_->system;
  if (system.rigid_path().empty()) return;
  position(v, q_start_);
  position(trial, q_bent_);
  q_ = q_bent_;
  system.rigid_path().bend(view(q_start_), view(q_bent_));
  system.follow(view(q_bent_));
  if (detector_) {
    moved_ = q_bent_ - q_start_;
    detector_->look_along(view(q_start_), view(moved_));
    if (detector_->safe_step(view(q_start_), view(moved_)) < 1) {
      moved_ = q_ - q_start_;
      detector_->look_along(view(q_start_), view(moved_));
      return;
    }
  }
  for (std::size_t i = 0; i < trial.size(); ++i)
    if (!context_->mask[i]) trial[i] += (q_bent_[i] - q_[i]) / stage_->gamma_q;
  system.follow(trial);
}

// Follows max_step, which leaves where the way begins in q_from_ and the way itself in dq_.
void StageProblem::kinks(std::span<const double> v, std::span<const double> dv,
                         std::vector<double>& parts) const {
  if (!friction()) return;
  Configuration c{.t = stage_->t, .q = view(q_from_), .v = v, .step = &context_->data};
  if (friction()) c.friction = &friction_;
  friction()->find_stops(c, friction()->options().stick ? view(dq_) : dv, parts);
}

}  // namespace pliant
