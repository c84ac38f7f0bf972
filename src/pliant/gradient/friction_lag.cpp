#include <pliant/gradient/friction_lag.hpp>

#include <pliant/contact/friction_term.hpp>

#include <algorithm>
#include <map>

namespace pliant {
namespace {

// Of the distance at which contact begins: gaps are some tenths of it, so that the error of a
// central difference and its rounding are both about 1e-8.
constexpr double kLagDifference = 1e-5;

// What rubs for itself: the contacts of one point, those of one pair of edges, one with a plane.
std::vector<ContactSet> groups_of(const ContactSet& set) {
  std::vector<ContactSet> groups;
  std::map<Index, std::size_t> of_point;
  std::map<std::array<Index, 4>, std::size_t> of_edges;
  const auto add = [&](auto& known, const auto& key, const Contact& contact) {
    const auto [entry, fresh] = known.emplace(key, groups.size());
    if (fresh) groups.emplace_back();
    groups[entry->second].contacts.push_back(contact);
  };
  for (const Contact& contact : set.contacts)
    if (contact.kind == PairKind::edge_edge)
      add(of_edges, contact.nodes, contact);
    else
      add(of_point, contact.nodes[0], contact);
  for (const PlaneContact& plane : set.planes) groups.emplace_back().planes.push_back(plane);
  return groups;
}

std::vector<Index> nodes_of(const ContactSet& group) {
  std::vector<Index> nodes;
  for (const Contact& contact : group.contacts)
    nodes.insert(nodes.end(), contact.nodes.begin(), contact.nodes.end());
  for (const PlaneContact& plane : group.planes) nodes.push_back(plane.node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

void FrictionLag::derivative(const Configuration& c, const Vector& x, const ContactSet& set,
                             std::vector<NodeBlock>& out) {
  out.clear();
  x_ = x;
  f_.setZero(x.size());
  for (const ContactSet& group : groups_of(set)) add_group(c, group, out);
}

void FrictionLag::add_group(const Configuration& c, const ContactSet& group,
                            std::vector<NodeBlock>& out) {
  const ContactSurface& surface = system_.contact()->surface();
  std::vector<Index> nodes = nodes_of(group);
  std::erase_if(nodes, [&](Index n) { return surface.is_fixed(n); });
  const double delta = kLagDifference * system_.contact()->delta();
  const FrictionSet none;
  FrictionSet found;
  Configuration there = c;
  there.friction = &found;
  std::vector<Mat3> column(nodes.size());
  for (const Index n : nodes) {
    std::fill(column.begin(), column.end(), Mat3::Zero());
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) {
        double& moved = x_[3 * n + axis];
        const double kept = moved;
        moved += sign * delta;
        system_.friction()->lag_at({.q = view(x_), .v = {}, .contacts = &group}, none, found);
        moved = kept;
        system_.friction()->add_force(there, view(f_));
        for (std::size_t k = 0; k < nodes.size(); ++k)
          column[k].col(axis) += sign / (2 * delta) * f_.segment<3>(3 * nodes[k]);
        for (const FrictionContact& contact : found.contacts)
          for (const Index acted : contact.nodes) f_.segment<3>(3 * acted).setZero();
      }
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (!column[k].isZero(0)) add_block(nodes[k], n, column[k], out);
  }
}

void FrictionLag::add_block(Index row, Index column, const Mat3& block,
                            std::vector<NodeBlock>& out) const {
  const ContactSurface& surface = system_.contact()->surface();
  LeaderWeight one, other;
  for (const LeaderWeight& a : surface.leaders_of(row, one))
    for (const LeaderWeight& b : surface.leaders_of(column, other))
      out.push_back({a.node, b.node, a.weight * b.weight * block});
}

}  // namespace pliant
