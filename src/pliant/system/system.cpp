#include <pliant/system/system.hpp>

#include <pliant/contact/friction_term.hpp>
#include <pliant/element/plasticity.hpp>

#include <algorithm>

namespace pliant {
namespace {

// Is the force at the start of a step another one than at the end of the step before, by what the
// term freezes there? Contact freezes weights of edges, which change by what a step turns them: so
// little that the acceleration of the last stage is better than a new one. That would come from
// forces of gaps which are known within the solver's tolerance only, where a small gap makes a
// thousand times the force of it (twenty interlocked rings with trbdf2 at h = 0.04: 124 Newton
// iterations a step instead of 30, and 13 steps of 21 redone instead of 1 of 25).
bool begins_with_other_force(const Term& term) {
  return term.lags() && term.kind() != TermKind::contact;
}

}  // namespace

System::System(std::vector<Vec3> rest, std::vector<std::unique_ptr<Term>> terms,
               std::size_t obstacles, Followers followers)
    : rest_(3 * static_cast<Eigen::Index>(rest.size())),
      body_nodes_(static_cast<Index>(rest.size() - obstacles)),
      followers_(std::move(followers)),
      terms_(std::move(terms)) {
  Eigen::AlignedBox3d box;
  for (std::size_t n = 0; n < rest.size(); ++n) {
    rest_.segment<3>(3 * static_cast<Eigen::Index>(n)) = rest[n];
    if (n + obstacles < rest.size()) box.extend(rest[n]);
  }
  size_ = box.isEmpty() ? 0 : box.diagonal().norm();
  if (size_ == 0) size_ = 1;  // one particle alone says nothing of a length
  PatternBuilder builder(nodes());
  for (const auto& term : terms_) term->add_stencils(builder);
  pattern_ =
      std::make_shared<const BlockPattern>(FollowerPlan::extend(builder.build(), followers_));
  follower_plan_ = FollowerPlan(followers_, *pattern_);
  mass_ = NodeMatrix(pattern_);
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    terms_[k]->set_slot(k);
    terms_[k]->locate(pattern_);
    has_damping_ = has_damping_ || terms_[k]->kind() == TermKind::dissipation;
  }
}

void System::add_term(std::unique_ptr<Term> term) {
  term->set_slot(terms_.size());
  term->locate(pattern_);
  has_damping_ = has_damping_ || term->kind() == TermKind::dissipation;
  terms_.push_back(std::move(term));
}

void System::add_contact(std::unique_ptr<BarrierTerm> contact) {
  contact_ = contact.get();
  add_term(std::move(contact));
}

void System::add_friction(std::unique_ptr<FrictionTerm> friction) {
  friction_ = friction.get();
  add_term(std::move(friction));
}

bool System::has_potential() const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [](const auto& t) { return t->has_potential(); });
}
bool System::symmetric() const {
  return std::all_of(terms_.begin(), terms_.end(), [](const auto& t) { return t->symmetric(); });
}
bool System::lags() const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [](const auto& t) { return begins_with_other_force(*t); });
}

bool System::remembers() const {
  return std::any_of(terms_.begin(), terms_.end(), [](const auto& t) { return t->remembers(); });
}
bool System::has_low_rank() const {
  return std::any_of(terms_.begin(), terms_.end(), [](const auto& t) { return t->has_low_rank(); });
}

bool System::limits_steps() const {
  return std::any_of(terms_.begin(), terms_.end(), [](const auto& t) { return t->limits_steps(); });
}

bool System::depends_on_time(const State& state) const {
  for (std::size_t p = 0; p < pins_.size(); ++p)
    if (state.pins[p].active && !pins_[p].motion.at_rest()) return true;
  return std::any_of(terms_.begin(), terms_.end(),
                     [](const auto& t) { return t->time_dependent(); });
}

State System::make_state() const {
  State state;
  state.q = rest_;
  follow(view(state.q));
  state.v = state.a = Vector::Zero(dofs());
  state.pins.resize(pins_.size());
  return state;
}

void System::open_step(State& state, double h, StepData& data, DofMask& mask) const {
  mask.assign(static_cast<std::size_t>(dofs()), 0);
  for (std::size_t p = 0; p < pins_.size(); ++p) {
    const Pin& pin = pins_[p];
    PinState& held = state.pins[p];
    const bool active = pin.active_during(state.t, state.t + h);
    if (active != held.active) state.a_known = false;
    if (active && !held.active) {
      held.since = state.t;
      held.anchors.clear();
      for (const Index n : pin.nodes) held.anchors.push_back(node(view(state.q), n));
    }
    held.active = active;
    if (!active) continue;
    for (const Index n : pin.nodes)
      for (int i = 0; i < 3; ++i)
        if (pin.axes[i]) mask[3 * n + i] = kPrescribed;
  }
  for (const Index n : followers_.nodes())
    for (int i = 0; i < 3; ++i) mask[3 * n + i] = kFollows;
  data.lagged.resize(terms_.size());
  Configuration now{
      .t = state.t, .q = view(state.q), .v = view(state.v), .shares = state.shares.get()};
  let_flow(state, h);
  data.plastic = state.plastic;
  data.shares = state.shares;
  if (friction_) state.friction = friction_->open_step(state.friction.get(), now, h);
  data.friction = state.friction;
  if (remembers()) {
    state.memories.resize(terms_.size());
    for (std::size_t k = 0; k < terms_.size(); ++k)
      if (terms_[k]->remembers()) {
        auto known = terms_[k]->remember({now, h, mask}, state.memories[k].get());
        if (known != state.memories[k]) state.a_known = false;
        state.memories[k] = std::move(known);
      }
  }
  data.memories = state.memories;
  now.memories = &data.memories;
  for (std::size_t k = 0; k < terms_.size(); ++k)
    if (terms_[k]->lags()) {
      terms_[k]->lag(now, data.lagged[k]);
      if (begins_with_other_force(*terms_[k])) state.a_known = false;
    }
}

void System::add_plasticity(std::unique_ptr<PlasticTerm> term) {
  term->set_first(plastic_numbers_);
  plastic_numbers_ += term->numbers();
  plastic_.push_back(term.get());
  add_term(std::move(term));
}

void System::let_flow(State& state, double h) const {
  if (plastic_.empty() || h <= 0) return;
  auto next =
      state.plastic
          ? std::make_shared<Vector>(*state.plastic)
          : std::make_shared<Vector>(Vector::Zero(static_cast<Eigen::Index>(plastic_numbers_)));
  bool flowed = false;
  for (const PlasticTerm* term : plastic_)
    flowed = term->flow(view(state.q), h, view(*next)) || flowed;
  if (!flowed && state.plastic) return;
  state.plastic = std::move(next);
  state.a_known = false;
}

void System::prescribe(const State& state, double t, std::span<double> q, std::span<double> v,
                       std::span<double> a) const {
  for (std::size_t p = 0; p < pins_.size(); ++p) {
    const PinState& held = state.pins[p];
    if (!held.active) continue;
    const Pin& pin = pins_[p];
    for (std::size_t k = 0; k < pin.nodes.size(); ++k) {
      const Curve::Sample sample = pin.motion.at(held.anchors[k], held.since, t, k);
      for (int i = 0; i < 3; ++i) {
        if (!pin.axes[i]) continue;
        const auto dof = static_cast<std::size_t>(3 * pin.nodes[k] + i);
        if (!q.empty()) q[dof] = sample.value[i];
        if (!v.empty()) v[dof] = sample.first[i];
        if (!a.empty()) a[dof] = sample.second[i];
      }
    }
  }
  for (const std::span<double> x : {q, v, a})
    if (!x.empty()) follow(x);
}

double System::potential(const Configuration& c) const {
  double U = 0;
  for (const auto& term : terms_) U += term->potential(c);
  return U;
}

double System::dissipation(const Configuration& c) const {
  double R = 0;
  for (const auto& term : terms_) R += term->dissipation(c);
  return R;
}

void System::force(const Configuration& c, std::span<double> f) const {
  std::fill(f.begin(), f.end(), 0.0);
  for (const auto& term : terms_) term->add_force(c, f);
  followers_.pull_back(f);
}

double System::force_and_potential(const Configuration& c, std::span<double> f) const {
  std::fill(f.begin(), f.end(), 0.0);
  double U = 0;
  for (const auto& term : terms_) U += term->add_force_and_potential(c, f);
  followers_.pull_back(f);
  return U;
}

void System::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  for (const auto& term : terms_)
    if (term->kind() != TermKind::contact && term->kind() != TermKind::friction)
      term->add_tangent(c, tangent, A);
  follower_plan_.pull_back(A);
}

void System::low_rank(const Configuration& c, Tangent tangent, LowRank& out) const {
  out.Y.resize(dofs(), 0);
  out.Z.resize(dofs(), 0);
  for (const auto& term : terms_)
    if (term->has_low_rank()) term->add_low_rank(c, tangent, out);
}

double System::max_step(const Configuration& c, std::span<const double> dq) const {
  double step = 1;
  for (const auto& term : terms_) step = std::min(step, term->max_step(c, dq));
  return step;
}

Energies System::energies(const Configuration& c) const {
  Energies E;
  Vector Mv(dofs());
  mass_.multiply(c.v, view(Mv));
  E.kinetic = 0.5 * Mv.dot(as_vector(c.v));
  for (const auto& term : terms_) {
    if (term->kind() == TermKind::elastic) E.elastic += term->potential(c);
    if (term->kind() == TermKind::external) E.external += term->potential(c);
    if (term->kind() == TermKind::contact) E.contact += term->potential(c);
  }
  if (!constraints_.empty()) E.elastic += constraints_.energy(c.t, c.q);
  return E;
}

double System::least_energy(double h) const {
  constexpr double kWay = 1e-6;  // of the scene
  double mass = 0;
  for (Index n = 0; n < nodes(); ++n) mass += mass_.diagonal(n);
  return h > 0 ? 0.5 * mass * std::pow(kWay * size_ / h, 2) : 0;
}

Momentum System::momentum(std::span<const double> q, std::span<const double> v) const {
  Vector Mv(dofs());
  mass_.multiply(v, view(Mv));
  Momentum momentum;
  for (Index n = 0; n < nodes(); ++n) {
    const Vec3 p = Mv.segment<3>(3 * n);
    momentum.linear += p;
    momentum.angular += Vec3(node(q, n)).cross(p);
  }
  return momentum;
}

}  // namespace pliant
