#include <pliant/stage/admm_parts.hpp>

#include <pliant/core/parallel.hpp>
#include <pliant/core/refusals.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace pliant {
namespace {

// Parts without stiffness, such as those with no damping among others, get this of the largest
// weight.
constexpr double kLeastWeight = 1e-9;
// So much faster than z does u change where a wall is hit.
constexpr double kWall = 8;

[[noreturn]] void refuse(std::string_view name) {
  throw InputError(words_of(Refusal::admm_term, name));
}

}  // namespace

void AdmmParts::gather(const System& system, double weight) {
  weight_ = weight;
  groups_.clear(), lagged_.clear(), lagged_groups_.clear(), drag_.clear();
  numbers_ = 0;
  dissipates_ = false;
  for (const auto& term : system.terms()) {
    const auto* local = dynamic_cast<const LocalPotential*>(term.get());
    if (term->kind() == TermKind::external && !local) continue;
    if (const auto* rayleigh = dynamic_cast<const Rayleigh*>(term.get())) {
      add_rayleigh(*rayleigh, system);
      continue;
    }
    if (!local) refuse(term->name());
    dissipates_ = dissipates_ || term->kind() == TermKind::dissipation;
    add_group(*local, system);
  }
  lasting_ = groups_.size();
}

void AdmmParts::set_contact(const AdmmContact& contact, const System& system) {
  numbers_ -= static_cast<std::size_t>(contact_numbers());
  groups_.resize(lasting_);
  if (!contact.empty()) add_group(contact, system);
}

Eigen::Index AdmmParts::contact_numbers() const {
  return groups_.size() > lasting_ ? static_cast<Eigen::Index>(groups_.back().all()) : 0;
}

void AdmmParts::add_group(const LocalPotential& potential, const System& system) {
  Group& group = groups_.emplace_back();
  group.potential = &potential;
  group.maps = potential.local_maps();
  group.plan = AssemblyPlan(group.maps.connectivity, group.maps.nodes, system.nodes());
  group.weights.resize(group.maps.size());
  group.first = numbers_;
  numbers_ += group.all();
}

void AdmmParts::add_rayleigh(const Rayleigh& rayleigh, const System& system) {
  for (const RayleighPart& part : rayleigh.parts()) {
    if (part.alpha > 0) drag_.push_back({part.alpha, 0, part.first, part.end, {}});
    if (part.beta == 0) continue;
    for (const Term* term : part.elastic) {
      const auto* elastic = dynamic_cast<const LocalElastic*>(term);
      if (!elastic) refuse(term->name());
      lagged_.push_back(std::make_unique<LaggedDamping>(*elastic, part.beta));
      lagged_groups_.push_back(groups_.size());
      add_group(*lagged_.back(), system);
      dissipates_ = true;
    }
  }
}

void AdmmParts::set_weights(double gamma, double level) {
  for (std::size_t k = 0; k < lasting_; ++k) {
    Group& group = groups_[k];
    double most = 0;
    for (std::size_t i = 0; i < group.maps.size(); ++i) {
      group.weights[i] = level * weight_ * group.potential->local_stiffness(i, gamma);
      most = std::max(most, group.weights[i]);
    }
    if (most == 0) most = level;
    for (double& w : group.weights) w = std::max(w, kLeastWeight * most);
  }
}

void AdmmParts::set_contact_weights(const AdmmContact& contact) {
  if (contact.empty()) return;
  Group& group = groups_.back();
  for (std::size_t i = 0; i < group.maps.size(); ++i)
    group.weights[i] = contact.local_stiffness(i, 0);
}

void AdmmParts::freeze_damping(const Vector& z) {
  for (std::size_t k = 0; k < lagged_.size(); ++k)
    lagged_[k]->freeze(groups_[lagged_groups_[k]].of(z));
}

void AdmmParts::map(const Vector& q, Vector& z) const {
  for (const Group& group : groups_) {
    const auto n = static_cast<std::size_t>(group.maps.nodes);
    const Eigen::Index r = group.maps.rows;
    parallel_for_each(group.maps.size(), 256, [&](std::size_t i) {
      Eigen::Map<Eigen::Matrix<double, 3, Eigen::Dynamic>> out(
          z.data() + group.first + group.numbers() * i, 3, r);
      const double* g = group.maps.g.data() + n * static_cast<std::size_t>(r) * i;
      out.setZero();
      for (std::size_t a = 0; a < n; ++a) {
        const auto x = node(view(q), group.maps.connectivity[n * i + a]);
        for (Eigen::Index k = 0; k < r; ++k)
          out.col(k) += g[static_cast<std::size_t>(r) * a + static_cast<std::size_t>(k)] * x;
      }
    });
  }
}

void AdmmParts::add_transposed(const Vector& y, Vector& f) const {
  for (const Group& group : groups_) {
    const auto n = static_cast<std::size_t>(group.maps.nodes),
               r = static_cast<std::size_t>(group.maps.rows);
    group.plan.for_each_element([&](std::size_t i) {
      const double* part = y.data() + group.first + group.numbers() * i;
      const double* g = group.maps.g.data() + n * r * i;
      for (std::size_t a = 0; a < n; ++a) {
        auto force = node(view(f), group.maps.connectivity[n * i + a]);
        for (std::size_t k = 0; k < r; ++k)
          force += group.weights[i] * g[r * a + k] * ConstMap3(part + 3 * k);
      }
    });
  }
}

// Bodies and obstacles are not coupled in the pattern: what is prescribed needs no rows.
void AdmmParts::add_matrix_of(const Group& group, double scale, NodeMatrix& A) {
  const auto n = static_cast<std::size_t>(group.maps.nodes),
             r = static_cast<std::size_t>(group.maps.rows);
  for (std::size_t i = 0; i < group.maps.size(); ++i) {
    const Index* nodes = group.maps.connectivity.data() + n * i;
    const double* g = group.maps.g.data() + n * r * i;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        const Index block = A.pattern().find(nodes[a], nodes[b]);
        if (block < 0) continue;
        double sum = 0;
        for (std::size_t k = 0; k < r; ++k) sum += g[r * a + k] * g[r * b + k];
        A.values()[static_cast<std::size_t>(block)] += scale * group.weights[i] * sum;
      }
  }
}

void AdmmParts::add_matrix(double scale, NodeMatrix& A) const {
  for (const Group& group : lasting()) add_matrix_of(group, scale, A);
}

void AdmmParts::add_contact_matrix(double scale, NodeMatrix& A) const {
  if (contact_numbers() > 0) add_matrix_of(groups_.back(), scale, A);
}

double AdmmParts::squared_norm(const Group& group, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < group.maps.size(); ++i)
    sum +=
        group.weights[i] * y.segment(static_cast<Eigen::Index>(group.first + group.numbers() * i),
                                     static_cast<Eigen::Index>(group.numbers()))
                               .squaredNorm();
  return sum;
}

AdmmParts::Norms AdmmParts::norms(const Vector& y) const {
  double sum = 0;
  for (const Group& group : lasting()) sum += squared_norm(group, y);
  const double of_contact = contact_numbers() > 0 ? squared_norm(groups_.back(), y) : 0;
  return {std::sqrt(sum), std::sqrt(of_contact)};
}

double AdmmParts::norm_of_ones() const {
  double sum = 0;
  for (const Group& group : lasting())
    for (const double w : group.weights) sum += w * static_cast<double>(group.numbers());
  return std::sqrt(sum);
}

Vector AdmmParts::weights_of_numbers() const {
  Vector out(static_cast<Eigen::Index>(numbers_));
  for (const Group& group : groups_) {
    const std::span<double> of_group = group.of(out);
    for (std::size_t k = 0; k < of_group.size(); ++k)
      of_group[k] = group.weights[k / group.numbers()];
  }
  return out;
}

bool AdmmParts::minimise(const Configuration& c, const StageView& stage, const Vector& target,
                         Vector& z) const {
  std::atomic<bool> found = true;
  for (const Group& group : groups_)
    parallel_ranges(group.maps.size(), 64, [&](std::size_t begin, std::size_t end) {
      if (!group.potential->local_minimise(c, group.range(begin, end, stage), group.weights,
                                           group.of(target), group.of(z)))
        found = false;
    });
  return found;
}

void AdmmParts::start_group(const Group& group, const Configuration& c, const StageView& stage,
                            const Vector& z, Vector& u) {
  parallel_ranges(group.maps.size(), 64, [&](std::size_t begin, std::size_t end) {
    const std::span<double> out = group.of(u);
    group.potential->local_gradient(c, group.range(begin, end, stage), group.of(z), out);
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = 0; k < group.numbers(); ++k)
        out[group.numbers() * i + k] /= group.weights[i];
  });
}

void AdmmParts::start(const Configuration& c, const StageView& stage, const Vector& z,
                      Vector& u) const {
  for (const Group& group : groups_) start_group(group, c, stage, z, u);
}

bool AdmmParts::keep_off_walls(const Place& other, const Vector& z, Vector& u) const {
  bool any = false;
  for (const Group& group : lasting())
    for (std::size_t i = 0; i < group.maps.size(); ++i) {
      const auto first = static_cast<Eigen::Index>(group.first + group.numbers() * i);
      const auto n = static_cast<Eigen::Index>(group.numbers());
      const double grown = (u.segment(first, n) - other.u.segment(first, n)).norm();
      if (!(grown > kWall * (z.segment(first, n) - other.z.segment(first, n)).norm())) continue;
      u.segment(first, n) = other.u.segment(first, n);
      any = true;
    }
  return any;
}

void AdmmParts::start_contact(Vector& u) const {
  if (contact_numbers() > 0) start_group(groups_.back(), {}, {}, u, u);
}

std::span<const double> AdmmParts::contact_gradient(const Vector& u) {
  contact_gradient_.clear();
  if (contact_numbers() > 0) {
    const Group& group = groups_.back();
    const std::span<const double> of_rows = group.of(u);
    for (std::size_t k = 0; k < of_rows.size(); ++k)
      contact_gradient_.push_back(group.weights[k / group.numbers()] * of_rows[k]);
  }
  return contact_gradient_;
}

}  // namespace pliant
