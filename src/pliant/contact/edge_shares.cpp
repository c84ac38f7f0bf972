#include <pliant/contact/edge_shares.hpp>

#include <pliant/contact/barrier_term.hpp>

#include <algorithm>

namespace pliant {
namespace {

// Guards have their full strength always.
bool is_weighted(const Contact& contact) {
  return contact.kind == PairKind::edge_edge && contact.range == 1;
}

struct PairEnergy {
  std::array<Index, 4> nodes;
  double energy;  // J
};

bool by_nodes(const PairEnergy& a, const PairEnergy& b) { return a.nodes < b.nodes; }

std::vector<PairEnergy> energies_of(const ContactSet& set, std::span<const double> q,
                                    double delta) {
  std::vector<PairEnergy> list;
  for (const Contact& contact : set.contacts)
    if (is_weighted(contact))
      list.push_back({contact.nodes, contact_energy(contact, gather(q, contact.nodes), delta)});
  std::sort(list.begin(), list.end(), by_nodes);
  return list;
}

}  // namespace

double EdgeShares::of(const std::array<Index, 4>& nodes) const {
  const auto found =
      std::lower_bound(pairs.begin(), pairs.end(), nodes,
                       [](const EdgeShare& pair, const auto& key) { return pair.nodes < key; });
  return found != pairs.end() && found->nodes == nodes ? found->share : 1;
}

EdgeRise::EdgeRise(const ContactSet& ended, const ContactSet& next, std::span<const double> q,
                   double delta) {
  const std::vector<PairEnergy> before = energies_of(ended, q, delta);
  auto last = before.begin();
  for (const PairEnergy& now : energies_of(next, q, delta)) {
    while (last != before.end() && by_nodes(*last, now)) ++last;
    const double had = last != before.end() && last->nodes == now.nodes ? last->energy : 0;
    if (!(now.energy > had)) continue;
    pairs_.push_back({now.nodes, had, now.energy});
    total_ += now.energy - had;
  }
}

EdgeShares EdgeRise::shares(double paid) const {
  EdgeShares shares;
  if (paid >= 1) return shares;
  for (const Pair& pair : pairs_)
    shares.pairs.push_back({pair.nodes, (pair.had + paid * (pair.gets - pair.had)) / pair.gets});
  return shares;
}

}  // namespace pliant
