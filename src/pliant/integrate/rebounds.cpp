#include <pliant/integrate/rebounds.hpp>

#include <pliant/contact/friction_term.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pliant {
namespace {

// Of what loads change in a step: slower impacts are rest.
constexpr double kRest = 4;

// The contacts that press at a state.
std::shared_ptr<const FrictionSet> pressing_at(const System& system, const State& state) {
  return system.friction()->open_step(nullptr, at(state), 0);
}

// m/s², of all bodies together by loads alone.
double acceleration(const System& system, const State& state) {
  Vector f = Vector::Zero(system.dofs());
  for (const auto& term : system.terms())
    if (term->kind() == TermKind::external) term->add_force(at(state), view(f));
  Vec3 force = Vec3::Zero();
  for (Index n = 0; n < system.body_nodes(); ++n) force += node(view(f), n);
  double mass = 0;
  for (const double m : system.mass().values()) mass += m;
  return mass > 0 ? force.norm() / mass : 0;
}

// Nodes that elements, leaders or contacts hold together, by the number of one of them.
class Together {
 public:
  explicit Together(Index nodes) : parent_(static_cast<std::size_t>(nodes)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  Index of(Index n) {
    while (at(n) != n) n = at(n) = at(at(n));
    return n;
  }
  void join(Index a, Index b) { at(of(a)) = of(b); }

 private:
  Index& at(Index n) { return parent_[static_cast<std::size_t>(n)]; }
  std::vector<Index> parent_;
};

// Joints hold everything together.
Together bodies_of(const System& system) {
  Together together(system.nodes());
  const BlockPattern& pattern = system.mass().pattern();
  for (Index n = 0; n < pattern.rows; ++n)
    for (Index k = pattern.row_start[static_cast<std::size_t>(n)];
         k < pattern.row_start[static_cast<std::size_t>(n) + 1]; ++k)
      together.join(n, pattern.column[static_cast<std::size_t>(k)]);
  for (const Index n : system.followers().nodes()) {
    LeaderWeight own;
    for (const LeaderWeight& leader : system.followers().leaders_of(n, own))
      together.join(n, leader.node);
  }
  if (!system.constraints().empty())
    for (Index n = 1; n < system.body_nodes(); ++n) together.join(0, n);
  return together;
}

}  // namespace

double Rebounds::met(const FrictionContact& contact, const State& before) const {
  const auto known = met_.find(contact.key);
  return std::max(-contact.opening(view(before.v)), known == met_.end() ? 0 : known->second);
}

void Rebounds::add_partings(const System& system, const State& before, const State& where,
                            double h) {
  const double e = system.friction()->options().restitution;
  const double rest = kRest * h * acceleration(system, before);
  const std::shared_ptr<const FrictionSet> pressing = pressing_at(system, where);
  for (const FrictionContact& contact : pressing->contacts) {
    if (!(contact.pressed > 0)) continue;
    const double speed = met(contact, before);
    partings_.push_back({contact, speed > rest ? e * speed : 0});
  }
}

// What has left since the step began is judged by where it pressed then; of what came and went
// within the step only backward Euler will tell where.
bool Rebounds::find(const System& system, const State& before, const State& after, double h) {
  partings_.clear();
  h_ = h;
  add_partings(system, before, after, h);
  if (partings_.empty()) add_partings(system, before, before, h);
  const double still = system.friction()->options().rebound_speed;
  return partings_.empty() ||
         std::any_of(partings_.begin(), partings_.end(), [&](const Parting& parting) {
           return parting.contact.opening(view(after.v)) > parting.allowed + still;
         });
}

// For all that hangs together the part θ of the way from one to the other, by the forces.
void Rebounds::give_back(const System& system, const State& before, const Vector& method,
                         State& state) {
  if (partings_.empty()) add_partings(system, before, state, h_);
  Vector& stopped = state.v;
  struct Sums {
    double wanted = 0, there = 0;
  };
  std::vector<Sums> sums(static_cast<std::size_t>(system.nodes()));
  Together together = bodies_of(system);
  const auto moves = [&](Index n) { return n < system.body_nodes(); };
  for (const auto& [contact, allowed] : partings_) {
    Index first = -1;
    for (int i = 0; i < 4; ++i) {
      const Index n = contact.nodes[static_cast<std::size_t>(i)];
      if (contact.weights[i] == 0 || !moves(n)) continue;
      if (first >= 0) together.join(first, n);
      first = n;
    }
  }
  for (const auto& [contact, allowed] : partings_)
    for (int i = 0; i < 4; ++i) {
      const Index n = contact.nodes[static_cast<std::size_t>(i)];
      if (contact.weights[i] == 0 || !moves(n)) continue;
      const double least = contact.opening(view(std::as_const(stopped)));
      Sums& sum = sums[static_cast<std::size_t>(together.of(n))];
      sum.wanted += contact.pressed * std::max(0.0, allowed - least);
      sum.there += contact.pressed * std::max(0.0, contact.opening(view(method)) - least);
      break;
    }
  for (Index n = 0; n < system.body_nodes(); ++n) {
    const Sums& sum = sums[static_cast<std::size_t>(together.of(n))];
    if (!(sum.there > 0)) continue;
    const double part = std::min(1.0, sum.wanted / sum.there);
    node(view(stopped), n) += part * (node(view(method), n) - node(view(stopped), n));
  }
}

void Rebounds::remember(const System& system, const State& before, const State& after) {
  std::map<std::array<Index, 5>, double> now;
  const double still = system.friction()->options().rebound_speed;
  const std::shared_ptr<const FrictionSet> pressing = pressing_at(system, after);
  for (const FrictionContact& contact : pressing->contacts)
    if (contact.pressed > 0 && std::abs(contact.opening(view(after.v))) > still)
      now[contact.key] = met(contact, before);
  met_ = std::move(now);
}

// [n, for each: its key, its speed]
std::vector<double> Rebounds::memory() const {
  std::vector<double> out = {static_cast<double>(met_.size())};
  for (const auto& [key, speed] : met_) {
    out.insert(out.end(), key.begin(), key.end());
    out.push_back(speed);
  }
  return out;
}

std::span<const double> Rebounds::restore(std::span<const double> memory) {
  met_.clear();
  if (memory.empty()) return memory;
  const auto n = static_cast<std::size_t>(memory[0]);
  memory = memory.subspan(1);
  for (std::size_t k = 0; k < n && memory.size() >= 6; ++k, memory = memory.subspan(6)) {
    std::array<Index, 5> key;
    for (std::size_t i = 0; i < 5; ++i) key[i] = static_cast<Index>(memory[i]);
    met_[key] = memory[5];
  }
  return memory;
}

}  // namespace pliant
