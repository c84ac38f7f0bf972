#include <pliant/contact/friction_set.hpp>

#include <pliant/contact/barrier.hpp>
#include <pliant/contact/gap.hpp>

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

constexpr Index kOfPlane = -1, kOfPoint = -2,
                kOfBall = -3;  // kinds in keys; edges have nodes alone

// Normals more than about 107° apart press from two sides. That is no angle that corners of things
// usually have: there, rounding would decide.
constexpr double kAcross = -0.3;
// Which side is which of two: one that normals of things hardly ever lie across. Where they come
// to, the sides change their names, and what a contact was strained by, which is tiny, its place.
Vec3 side_direction() { return {0.5367, 0.6123, 0.5806}; }

bool by_key(const FrictionContact& a, const FrictionContact& b) { return a.key < b.key; }

// take(a, b) for contacts of both sets, null where one of them has it alone.
template <class Take>
void for_each_pair(const FrictionSet& one, const FrictionSet& other, Take&& take) {
  auto a = one.contacts.begin();
  auto b = other.contacts.begin();
  while (a != one.contacts.end() || b != other.contacts.end()) {
    const bool first = b == other.contacts.end() || (a != one.contacts.end() && a->key <= b->key);
    const bool second = a == one.contacts.end() || (b != other.contacts.end() && b->key <= a->key);
    take(first ? &*a : nullptr, second ? &*b : nullptr);
    if (first) ++a;
    if (second) ++b;
  }
}

// A ball meets a surface in many places at once: each feature rubs where it is, together with its
// guard. The ball's own contacts begin at `first`.
void add_to_ball(const Contact& feature, const PairPoints& x, double delta, std::size_t first,
                 FrictionSet& out) {
  const Nearest nearest = find_nearest(feature.kind, x);
  FrictionContact contact;
  contact.key = {kOfBall, feature.nodes[0], feature.nodes[1], feature.nodes[2], feature.nodes[3]};
  contact.nodes = feature.nodes;
  contact.weights = nearest.w;
  contact.normal = Gap(nearest, x).normal();
  contact.pressed = contact_pressure(feature, x, delta);
  const auto same =
      std::find_if(out.contacts.begin() + static_cast<std::ptrdiff_t>(first), out.contacts.end(),
                   [&](const FrictionContact& other) { return other.key == contact.key; });
  if (same == out.contacts.end())
    out.contacts.push_back(contact);
  else
    same->pressed += contact.pressed;
}

// Where a surface folds round a ball, edges take back what two triangles press twice. They rub on
// nothing themselves, and the others with what is left in all.
void settle_ball(double mu, std::span<FrictionContact> contacts) {
  double all = 0, pushing = 0;
  for (const FrictionContact& contact : contacts) {
    all += contact.pressed;
    pushing += std::max(0.0, contact.pressed);
  }
  for (FrictionContact& contact : contacts) {
    contact.pressed = all > 0 ? std::max(0.0, contact.pressed) * (all / pushing) : 0;
    contact.force = mu * contact.pressed;
  }
}

}  // namespace

FrictionCoefficients::FrictionCoefficients(const ContactSurface& surface, double mu)
    : patches_(surface.patches.size()),
      plane_count_(surface.planes.size()),
      pairs_(patches_ * patches_, mu),
      planes_(patches_ * plane_count_, mu) {}

std::size_t FrictionCoefficients::place(Index a, Index b) const {
  return static_cast<std::size_t>(a) * patches_ + static_cast<std::size_t>(b);
}
std::size_t FrictionCoefficients::place_of_plane(Index a, Index b) const {
  return static_cast<std::size_t>(a) * plane_count_ + static_cast<std::size_t>(b);
}
void FrictionCoefficients::set(Index patch, Index other, double mu) {
  pairs_[place(patch, other)] = pairs_[place(other, patch)] = mu;
}
void FrictionCoefficients::set_plane(Index patch, Index plane, double mu) {
  planes_[place_of_plane(patch, plane)] = mu;
}
bool FrictionCoefficients::any() const {
  const auto rubs = [](double mu) { return mu > 0; };
  return std::any_of(pairs_.begin(), pairs_.end(), rubs) ||
         std::any_of(planes_.begin(), planes_.end(), rubs);
}

FrictionFinder::FrictionFinder(const BarrierTerm& barrier, FrictionCoefficients mu, bool all)
    : barrier_(barrier), mu_(std::move(mu)), all_(all) {
  const ContactSurface& surface = barrier.surface();
  for (std::size_t p = 0; p < surface.points.size(); ++p) {
    const auto n = static_cast<std::size_t>(surface.points[p]);
    if (n >= patch_of_node_.size()) patch_of_node_.resize(n + 1, -1);
    patch_of_node_[n] = surface.point_patch[p];
  }
}

bool FrictionFinder::is_ball(Index node) const {
  const ContactPatch& patch = at(barrier_.surface().patches, patch_of(node));
  return patch.obstacle && patch.radius > 0;
}

void FrictionFinder::add_planes(const ContactSet& set, std::span<const double> q,
                                FrictionSet& out) const {
  for (const PlaneContact& p : set.planes) {
    const double mu = mu_.of_plane(patch_of(p.node), p.plane);
    if (mu == 0 && !all_) continue;
    const ContactPlane& plane = at(barrier_.surface().planes, p.plane);
    const double gap = plane.normal.dot(node(q, p.node) - node(q, plane.node)) - p.thickness;
    FrictionContact contact;
    contact.key = {kOfPlane, p.node, p.plane, 0, 0};
    contact.nodes = {p.node, plane.node, 0, 0};
    contact.weights = {1, -1, 0, 0};
    contact.normal = plane.normal;
    contact.pressed = -p.stiffness * barrier(gap, barrier_.delta()).first;
    contact.force = mu * contact.pressed;
    out.contacts.push_back(contact);
  }
}

void FrictionFinder::add_edges(const Contact& edges, const PairPoints& x, FrictionSet& out) const {
  const double mu = mu_.of(patch_of(edges.nodes[0]), patch_of(edges.nodes[2]));
  if (mu == 0 && !all_) return;
  const Nearest nearest = find_nearest(edges.kind, x);
  const Gap gap(nearest, x);
  // The mollifier's own gradient turns the edges and presses on nothing.
  const double pressed = contact_pressure(edges, x, barrier_.delta());
  FrictionContact contact;
  contact.key = {edges.nodes[0], edges.nodes[1], edges.nodes[2], edges.nodes[3], 0};
  contact.nodes = edges.nodes;
  contact.weights = nearest.w;
  contact.normal = gap.normal();
  contact.pressed = pressed;
  contact.force = mu * pressed;
  // A pair and its guard follow each other: what presses is the sum.
  if (out.contacts.empty() || out.contacts.back().key != contact.key) {
    out.contacts.push_back(contact);
    return;
  }
  out.contacts.back().pressed += contact.pressed;
  out.contacts.back().force += contact.force;
}

// `features`: all that one point meets of one patch.
void FrictionFinder::add_point(const ContactSet& set, std::span<std::size_t> features,
                               std::span<const double> q, FrictionSet& out) const {
  const std::array<Index, 4>& some = set.contacts[features.front()].nodes;
  const Index patch = patch_of(some[1]);
  const double mu = mu_.of(patch_of(some[0]), patch);
  if (mu == 0 && !all_) return;
  if (is_ball(some[0])) {
    const std::size_t first = out.contacts.size();
    for (const std::size_t k : features)
      add_to_ball(set.contacts[k], gather(q, set.contacts[k].nodes), barrier_.delta(), first, out);
    settle_ball(mu, std::span(out.contacts).subspan(first));
    std::erase_if(out.contacts, [](const FrictionContact& c) { return c.pressed == 0; });
    return;
  }
  const auto gap_of = [&](std::size_t k) {
    const PairPoints x = gather(q, set.contacts[k].nodes);
    return Gap(find_nearest(set.contacts[k].kind, x), x);
  };
  Vec3 nearest = Vec3::Zero();  // the normal of that feature
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t k : features)
    if (const Gap gap = gap_of(k); gap.distance() < least) {
      least = gap.distance();
      nearest = gap.normal();
    }
  const auto other = std::partition(features.begin(), features.end(), [&](std::size_t k) {
    return gap_of(k).normal().dot(nearest) >= kAcross;
  });
  const auto here = features.first(static_cast<std::size_t>(other - features.begin()));
  const auto across = features.subspan(here.size());
  if (across.empty()) return add_side(set, here, 0, q, out);
  const bool swapped = nearest.dot(side_direction()) < 0;
  add_side(set, here, swapped ? 1 : 0, q, out);
  add_side(set, across, swapped ? 0 : 1, q, out);
}

void FrictionFinder::add_side(const ContactSet& set, std::span<const std::size_t> features,
                              Index side, std::span<const double> q, FrictionSet& out) const {
  FrictionContact contact;
  Vec3 force = Vec3::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t k : features) {
    const Contact& feature = set.contacts[k];
    const PairPoints x = gather(q, feature.nodes);
    const Nearest nearest = find_nearest(feature.kind, x);
    const Gap gap(nearest, x);
    force += contact_pressure(feature, x, barrier_.delta()) * gap.normal();
    if (gap.distance() >= least) continue;
    least = gap.distance();
    contact.nodes = feature.nodes;
    contact.weights = nearest.w;
  }
  const double pressed = force.norm();
  if (pressed == 0) return;
  const std::array<Index, 4>& some = set.contacts[features.front()].nodes;
  const Index patch = patch_of(some[1]);
  contact.key = {kOfPoint, some[0], patch, side, 0};
  contact.normal = force / pressed;
  contact.pressed = pressed;
  contact.force = mu_.of(patch_of(some[0]), patch) * pressed;
  out.contacts.push_back(contact);
}

void FrictionFinder::find(const ContactSet& set, std::span<const double> q,
                          FrictionSet& out) const {
  out.contacts.clear();
  add_planes(set, q, out);
  std::vector<std::size_t> points;
  for (std::size_t k = 0; k < set.contacts.size(); ++k) {
    if (set.contacts[k].kind == PairKind::edge_edge)
      add_edges(set.contacts[k], gather(q, set.contacts[k].nodes), out);
    else
      points.push_back(k);
  }
  const auto group = [&](std::size_t k) {
    const std::array<Index, 4>& nodes = set.contacts[k].nodes;
    return std::pair(nodes[0], patch_of(nodes[1]));
  };
  std::stable_sort(points.begin(), points.end(),
                   [&](std::size_t a, std::size_t b) { return group(a) < group(b); });
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin + 1;
    while (end < points.size() && group(points[end]) == group(points[begin])) ++end;
    add_point(set, std::span(points).subspan(begin, end - begin), q, out);
    begin = end;
  }
  std::sort(out.contacts.begin(), out.contacts.end(), by_key);
}

void carry_slip(const FrictionSet& from, double longest, FrictionSet& to) {
  const Vector moved = to.q - from.q;
  // Two loops over sorted lists; `to` is written through its place.
  auto next = to.contacts.begin();
  for_each_pair(from, to, [&](const FrictionContact* before, const FrictionContact* now) {
    if (!now) return;
    FrictionContact& contact = *next++;
    if (!before) return;
    contact.slip = contact.across(before->slip + before->across(before->relative(view(moved))));
    const double length = contact.slip.norm();
    if (length > longest) contact.slip *= longest / length;
  });
}

void carry_directions(const FrictionSet& from, FrictionSet& to) {
  to.with_directions = from.with_directions;
  auto next = to.contacts.begin();
  for_each_pair(from, to, [&](const FrictionContact* before, const FrictionContact* now) {
    if (!now) return;
    FrictionContact& contact = *next++;
    contact.direction = before ? contact.across(before->direction) : Vec3::Zero();
  });
}

void relax(const FrictionSet& used, FrictionSet& found) {
  constexpr double least_part = 0.05, negligible = 1e-6;
  constexpr double other_cause = 4;  // times the last: what is missed so much more does not swing
  double sum = 0;
  for (const FrictionContact& contact : found.contacts) sum += contact.pressed;
  std::vector<FrictionContact> mixed;
  mixed.reserve(found.contacts.size());
  for_each_pair(used, found, [&](const FrictionContact* before, const FrictionContact* now) {
    FrictionContact contact = now ? *now : *before;
    if (!before) return mixed.push_back(contact);
    contact.missed = (now ? now->pressed : 0) - before->pressed;
    const double turned = before->missed - contact.missed;
    const bool swings = std::abs(contact.missed) < other_cause * std::abs(before->missed);
    if (swings && before->missed * turned > 0)
      contact.taken = std::clamp(before->taken * before->missed / turned, least_part, 1.0);
    else
      contact.taken = 1;
    const double pressed = before->pressed + contact.taken * contact.missed;
    if (!now && pressed <= negligible * sum) return;
    if (contact.pressed > 0) contact.force *= pressed / contact.pressed;
    contact.pressed = pressed;
    mixed.push_back(contact);
  });
  found.contacts = std::move(mixed);
}

double difference(const FrictionSet& one, const FrictionSet& other) {
  double change = 0, sum = 0;
  for_each_pair(one, other, [&](const FrictionContact* a, const FrictionContact* b) {
    const Vec3 f = a ? Vec3(a->pressed * a->normal) : Vec3::Zero();
    const Vec3 g = b ? Vec3(b->pressed * b->normal) : Vec3::Zero();
    change += (f - g).norm();
    sum += std::max(f.norm(), g.norm());
  });
  return sum > 0 ? change / sum : 0;
}

}  // namespace pliant
