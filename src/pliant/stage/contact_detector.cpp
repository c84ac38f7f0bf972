#include <pliant/stage/contact_detector.hpp>

#include <pliant/core/parallel.hpp>

#include <algorithm>

namespace pliant {
namespace {

// take(i, j) for all pairs of nodes that the contacts couple.
template <class Take>
void for_each_coupling(const BarrierTerm& term, const ContactSet& set, Take&& take) {
  for (const Contact& contact : set.contacts)
    for (int i = 0; i < points_of(contact.kind); ++i)
      for (int j = 0; j < i; ++j)
        take(contact.nodes[static_cast<std::size_t>(i)],
             contact.nodes[static_cast<std::size_t>(j)]);
  for (const PlaneContact& contact : set.planes)
    take(contact.node, term.surface().planes[static_cast<std::size_t>(contact.plane)].node);
}

}  // namespace

ContactDetector::ContactDetector(const BarrierTerm& term,
                                 std::shared_ptr<const BlockPattern> pattern)
    : term_(term), broad_(term.surface()), base_(std::move(pattern)), pattern_(base_) {}

void ContactDetector::look_along(std::span<const double> q, std::span<const double> dq) {
  broad_.find(q, dq, term_.delta(), candidates_);
}

double ContactDetector::safe_step(std::span<const double> q, std::span<const double> dq) const {
  return term_.finder().safe_step(candidates_, q, dq);
}

const ContactSet& ContactDetector::contacts(const Configuration& c) {
  term_.finder().find(candidates_, c.q, term_.start_of(c), set_);
  return set_;
}

bool ContactDetector::covers(const ContactSet& set) const {
  bool all = true;
  for_each_coupling(term_, set, [&](Index i, Index j) { all = all && pattern_->find(i, j) >= 0; });
  return all;
}

const std::shared_ptr<const BlockPattern>& ContactDetector::pattern_for(const ContactSet& set) {
  if (covers(set)) return pattern_;
  std::vector<std::array<Index, 2>> couplings;
  for_each_coupling(term_, set, [&](Index i, Index j) { couplings.push_back({i, j}); });
  PatternExtension extension = extend_pattern(*base_, std::move(couplings));
  pattern_ = std::make_shared<const BlockPattern>(std::move(extension.pattern));
  place_ = std::move(extension.place);
  return pattern_;
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

}  // namespace pliant
