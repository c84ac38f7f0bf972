#include <pliant/gradient/lag_gradient.hpp>

#include <pliant/contact/friction_term.hpp>
#include <pliant/dissipation/rayleigh.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace pliant {
namespace {

// Central differences over so much of the scene's size. Where stiffness is made positive it has
// kinks, and 1e-6 met some of them; rounding is 1e-7 of the result here.
constexpr double kFrozenDifference = 1e-8;

}  // namespace

LagGradient::LagGradient(const System& system) : system_(system), friction_(system) {
  for (const auto& term : system.terms())
    if (term->lags()) terms_.push_back(term.get());
  if (!system.contact()) return;
  const ContactSurface& surface = system.contact()->surface();
  for (std::size_t e = 0; e < surface.edges.size(); ++e)
    edges_[surface.edges[e]] = static_cast<Index>(e);
}

// Nodes that have a neighbour in common get different colours, in the order of their numbers.
void LagGradient::color() {
  const BlockPattern& pattern = *colored_;
  colors_.clear();
  std::vector<int> color(static_cast<std::size_t>(pattern.rows), -1);
  std::vector<Index> taken;  // by colour: the last node that could not have it
  for (Index n = 0; n < pattern.rows; ++n) {
    for (Index k = pattern.row_start[n]; k < pattern.row_start[n + 1]; ++k) {
      const Index m = pattern.column[k];
      for (Index l = pattern.row_start[m]; l < pattern.row_start[m + 1]; ++l)
        if (const int other = color[static_cast<std::size_t>(pattern.column[l])]; other >= 0)
          taken[static_cast<std::size_t>(other)] = n;
    }
    std::size_t free = 0;
    while (free < taken.size() && taken[free] == n) ++free;
    if (free == taken.size()) {
      taken.push_back(-1);
      colors_.emplace_back();
    }
    color[static_cast<std::size_t>(n)] = static_cast<int>(free);
    colors_[free].push_back(n);
  }
}

// f = −β K(q_n) v with K the second derivative of an energy U: then
//   ∂(wᵀ K v)/∂q_n = ∇³U [w, v, ·] = d/dε K(q_n + ε w) v.
// Where K was made positive semi-definite it is no such thing.
bool LagGradient::add_rayleigh(const Term& term, const StepEquations& equations, double scale,
                               const Vector& w, Vector& y) {
  const auto* rayleigh = dynamic_cast<const Rayleigh*>(&term);
  if (!rayleigh) return false;
  if (K_.empty()) K_ = projected_ = BlockMatrix(system_.pattern());
  const Vector& q_n = equations.start().q;
  const Vector still = Vector::Zero(q_n.size());
  const auto assemble = [&](const RayleighPart& part, const Vector& q, Projection projection,
                            BlockMatrix& K) {
    K.set_zero();
    for (const Term* elastic : part.elastic)
      elastic->add_tangent({.q = view(q), .v = view(still)},
                           {.stiffness = 1, .projection = projection}, K);
  };
  for (const RayleighPart& part : rayleigh->parts()) {
    if (part.beta == 0) continue;
    for (const Term* elastic : part.elastic)
      if (elastic->lags()) return false;
    assemble(part, q_n, Projection::none, K_);
    assemble(part, q_n, Projection::psd, projected_);
    const auto exact = as_vector(std::span<const double>(K_.values()));
    const auto used = as_vector(std::span<const double>(projected_.values()));
    if ((exact - used).lpNorm<Eigen::Infinity>() > 1e-12 * exact.lpNorm<Eigen::Infinity>())
      return false;
  }
  const double largest = w.lpNorm<Eigen::Infinity>();
  if (!(largest > 0)) return true;
  const double epsilon = kFrozenDifference * system_.size() / largest;
  Vector Kv(q_n.size());
  for (const RayleighPart& part : rayleigh->parts()) {
    if (part.beta == 0) continue;
    for (const double sign : {1.0, -1.0}) {
      assemble(part, q_n + sign * epsilon * w, Projection::none, K_);
      K_.multiply(view(equations.v()), view(Kv));
      y -= scale * part.beta * sign / (2 * epsilon) * Kv;
    }
  }
  return true;
}

void LagGradient::add_by_colors(const Term& term, const StepEquations& equations, double t,
                                double scale, const Vector& w, Vector& y) {
  if (colored_ != equations.pattern()) {
    colored_ = equations.pattern();
    color();
  }
  StepData data = equations.data();
  Configuration c = equations.configuration(t);
  c.step = &data;
  const std::size_t slot =
      static_cast<std::size_t>(std::find_if(system_.terms().begin(), system_.terms().end(),
                                            [&](const auto& own) { return own.get() == &term; }) -
                               system_.terms().begin());
  const double delta = kFrozenDifference * system_.size();
  const BlockPattern& p = *colored_;
  Vector q_n = equations.start().q, f(q_n.size());
  for (const std::vector<Index>& nodes : colors_)
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) {
        for (const Index n : nodes) q_n[3 * n + axis] += sign * delta;
        term.lag({.t = equations.start().t, .q = view(q_n), .v = view(equations.start().v)},
                 data.lagged[slot]);
        f.setZero();
        term.add_force(c, view(f));
        for (const Index n : nodes) {
          q_n[3 * n + axis] = equations.start().q[3 * n + axis];
          for (Index k = p.row_start[n]; k < p.row_start[n + 1]; ++k) {
            const Index m = 3 * p.column[k];
            y[3 * n + axis] += scale * sign / (2 * delta) * w.segment<3>(m).dot(f.segment<3>(m));
          }
        }
      }
}

// Pairs of edges have weights by where they and the triangles beside them were: few nodes, one by
// one.
void LagGradient::add_by_weights(const StepEquations& equations, const Vector& x,
                                 const ForceOf& force, double scale, const Vector& w, Vector& y) {
  const BarrierTerm& barrier = *system_.contact();
  const ContactSurface& surface = barrier.surface();
  Candidates candidates;
  BroadPhase(surface, BroadPhase::Use::once).find(view(x), {}, barrier.delta(), candidates);
  Vector q_n = equations.start().q, f(q_n.size());
  const auto set_at_start = [&](ContactSet& set) {
    barrier.finder().find(candidates, view(x), {view(q_n), equations.data().shares.get()}, set);
  };
  ContactSet set;
  set_at_start(set);
  std::set<Index> nodes;
  for (const Contact& contact : set.contacts) {
    if (contact.kind != PairKind::edge_edge) continue;
    nodes.insert(contact.nodes.begin(), contact.nodes.end());
    for (const std::size_t first : {0, 2})
      if (const auto edge = edges_.find({contact.nodes[first], contact.nodes[first + 1]});
          edge != edges_.end())
        for (const Index wing : surface.wings_of(edge->second)) nodes.insert(wing);
  }
  const double delta = kFrozenDifference * system_.size();
  for (const Index n : nodes)
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) {
        q_n[3 * n + axis] = equations.start().q[3 * n + axis] + sign * delta;
        set_at_start(set);
        f.setZero();
        force(set, view(f));
        y[3 * n + axis] += scale * sign / (2 * delta) * w.dot(f);
        q_n[3 * n + axis] = equations.start().q[3 * n + axis];
      }
}

void LagGradient::add_contact(const StepEquations& equations, double t, double scale,
                              const Vector& w, Vector& y) {
  Configuration c = equations.configuration(t);
  FrictionSet found;
  add_by_weights(
      equations, equations.q(),
      [&](const ContactSet& set, std::span<double> f) {
        c.contacts = &set;
        system_.contact()->add_force(c, f);
        if (!equations.renews_friction()) return;
        system_.friction()->lag_at(c, *equations.data().friction, found);
        c.friction = &found;
        system_.friction()->add_force(c, f);
      },
      scale, w, y);
}

// Normal forces and directions of the step's start.
void LagGradient::add_friction(const StepEquations& equations, double t, double scale,
                               const Vector& w, Vector& y) {
  const Vector& q_n = equations.start().q;
  const Configuration start{.t = equations.start().t,
                            .q = view(q_n),
                            .v = view(equations.start().v),
                            .shares = equations.data().shares.get()};
  ContactSet set;
  system_.contact()->contacts(start, set);
  Configuration c = equations.configuration(t);
  friction_.derivative(c, q_n, set, blocks_);
  for (const NodeBlock& block : blocks_)
    y.segment<3>(3 * block.column) += scale * block.block.transpose() * w.segment<3>(3 * block.row);
  FrictionSet found;
  c.friction = &found;
  add_by_weights(
      equations, q_n,
      [&](const ContactSet& varied, std::span<double> f) {
        system_.friction()->lag_at({.q = view(q_n), .v = {}, .contacts = &varied}, {}, found);
        system_.friction()->add_force(c, f);
      },
      scale, w, y);
}

void LagGradient::add(const StepEquations& equations, double t, double scale, const Vector& w,
                      Vector& y) {
  if (terms_.empty()) return;
  Vector all = w, own = Vector::Zero(y.size());
  system_.follow(view(all));
  for (const Term* term : terms_) {
    if (term == system_.contact()) {
      if (equations.has_contacts()) add_contact(equations, t, scale, all, own);
      if (system_.friction() && !equations.renews_friction() &&
          !equations.data().friction->contacts.empty())
        add_friction(equations, t, scale, all, own);
    } else if (!add_rayleigh(*term, equations, scale, all, own)) {
      add_by_colors(*term, equations, t, scale, all, own);
    }
  }
  system_.pull_back(view(own));
  y += own;
}

}  // namespace pliant
