#include <pliant/stage/contact_detector.hpp>

#include <pliant/core/parallel.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

// take(i, j) for all pairs of nodes that the contacts couple and that can move.
template <class Take>
void for_each_coupling(const ContactSurface& surface, const ContactSet& set,
                       const FrictionSet* friction, Take&& take) {
  const auto couple = [&](std::span<const Index> nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!surface.is_fixed(nodes[i]) && !surface.is_fixed(nodes[j])) {
          LeaderWeight one, other;
          for (const LeaderWeight& a : surface.leaders_of(nodes[i], one))
            for (const LeaderWeight& b : surface.leaders_of(nodes[j], other))
              if (a.node != b.node) take(a.node, b.node);
        }
  };
  for (const Contact& contact : set.contacts)
    couple(std::span(contact.nodes).first(static_cast<std::size_t>(points_of(contact.kind))));
  if (!friction) return;
  for (const FrictionContact& contact : friction->contacts) {
    std::array<Index, 4> nodes;
    std::size_t count = 0;
    for (std::size_t i = 0; i < 4; ++i)
      if (contact.weights[static_cast<Eigen::Index>(i)] != 0) nodes[count++] = contact.nodes[i];
    couple(std::span(nodes).first(count));
  }
}

}  // namespace

ContactDetector::ContactDetector(const BarrierTerm& term,
                                 std::shared_ptr<const BlockPattern> pattern)
    : term_(term),
      near_(term.surface(), term.delta()),
      base_(std::move(pattern)),
      pattern_(base_) {}

void ContactDetector::start_anew() {
  near_.forget();
  found_at_.clear();
}

void ContactDetector::look_along(std::span<const double> q, std::span<const double> dq) {
  near_.look_along(q, dq);
  found_at_.clear();
}

double ContactDetector::safe_step(std::span<const double> q, std::span<const double> dq) const {
  return term_.finder().safe_step(near_.pairs(), q, dq);
}

const ContactSet& ContactDetector::contacts(const Configuration& c) {
  if (!std::ranges::equal(found_at_, c.q)) {
    term_.finder().find(near_.pairs(), c.q, term_.start_of(c), set_);
    found_at_.assign(c.q.begin(), c.q.end());
  }
  return set_;
}

std::string ContactDetector::nearest_pair(const Configuration& c) {
  const ContactSurface& s = term_.surface();
  const auto name_of = [&s](Index n) -> std::string {
    const auto point = std::find(s.points.begin(), s.points.end(), n) - s.points.begin();
    return at(s.patches, at(s.point_patch, static_cast<Index>(point))).name;
  };
  double least = std::numeric_limits<double>::infinity();
  std::string names = "nothing";
  const ContactSet& set = contacts(c);
  const auto take = [&](double gap, const std::string& one, const std::string& other) {
    if (gap < least) least = gap, names = fmt::format("\"{}\" and \"{}\"", one, other);
  };
  for (const Contact& contact : set.contacts)
    take(distance(contact.kind, gather(c.q, contact.nodes)) - contact.thickness,
         name_of(contact.nodes[0]),
         name_of(contact.nodes[contact.kind == PairKind::edge_edge ? 2 : 1]));
  for (const PlaneContact& contact : set.planes) {
    const ContactPlane& plane = at(s.planes, contact.plane);
    take(plane.normal.dot(node(c.q, contact.node) - node(c.q, plane.node)) - contact.thickness,
         name_of(contact.node), plane.name);
  }
  return names;
}

const std::shared_ptr<const BlockPattern>& ContactDetector::pattern_for(
    const ContactSet& set, const FrictionSet* friction) {
  bool all = true;
  for_each_coupling(term_.surface(), set, friction,
                    [&](Index i, Index j) { all = all && pattern_->find(i, j) >= 0; });
  if (all) return pattern_;
  Couplings couplings;
  for_each_coupling(term_.surface(), set, friction, [&](Index i, Index j) {
    if (base_->find(i, j) < 0) couplings.push_back({i, j});
  });
  set_couplings(std::move(couplings));
  return pattern_;
}

void ContactDetector::set_couplings(Couplings couplings) {
  couplings_ = std::move(couplings);
  std::sort(couplings_.begin(), couplings_.end());
  couplings_.erase(std::unique(couplings_.begin(), couplings_.end()), couplings_.end());
  if (couplings_.empty()) return;
  PatternExtension extension = extend_pattern(*base_, couplings_);
  pattern_ = std::make_shared<const BlockPattern>(std::move(extension.pattern));
  place_ = std::move(extension.place);
}

void ContactDetector::add_base(const BlockMatrix& base, BlockMatrix& A) const {
  const auto blocks = static_cast<std::size_t>(base.pattern().blocks());
  parallel_for_each(blocks, 4096, [&](std::size_t k) {
    const Index to = place_.empty() ? static_cast<Index>(k) : place_[k];
    const double* from = base.block(static_cast<Index>(k));
    double* into = A.block(to);
    for (int i = 0; i < 9; ++i) into[i] += from[i];
  });
}

void append(const ContactDetector::Couplings& couplings, std::vector<double>& memory) {
  memory.push_back(static_cast<double>(couplings.size()));
  for (const auto& [i, j] : couplings)
    memory.insert(memory.end(), {static_cast<double>(i), static_cast<double>(j)});
}

ContactDetector::Couplings take_couplings(std::span<const double>& memory) {
  if (memory.empty()) return {};
  const auto count = static_cast<std::size_t>(memory[0]);
  if (memory.size() < 1 + 2 * count) return {};
  ContactDetector::Couplings couplings;
  for (std::size_t k = 0; k < count; ++k)
    couplings.push_back(
        {static_cast<Index>(memory[1 + 2 * k]), static_cast<Index>(memory[2 + 2 * k])});
  memory = memory.subspan(1 + 2 * count);
  return couplings;
}

}  // namespace pliant
