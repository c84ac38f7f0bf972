#include <pliant/scene/initial_intersections.hpp>

#include <pliant/contact/barrier_term.hpp>
#include <pliant/contact/separate.hpp>
#include <pliant/stage/contact_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace pliant {
namespace {

// Of the activation distance: what is nearer counts as touching, since nothing could be computed
// with forces that large.
constexpr double kTouching = 1e-6;
constexpr std::size_t kListed = 12;  // pairs in a message

std::string in_words(const Meeting& meeting) {
  const Vec3& x = meeting.pairs.front()->place;
  const std::string who = meeting.first == meeting.second
                              ? fmt::format("\"{}\" and itself", meeting.first)
                              : fmt::format("\"{}\" and \"{}\"", meeting.first, meeting.second);
  const bool deep = std::isfinite(meeting.depth) && meeting.depth > 1e-12 * (1 + x.norm());
  return fmt::format("{} {} near [{:.4g}, {:.4g}, {:.4g}]", who,
                     deep ? fmt::format("intersect, {:.3g} m deep", meeting.depth) : "touch", x.x(),
                     x.y(), x.z());
}

std::string in_words(const std::vector<Meeting>& pairs) {
  std::vector<std::string> words;
  for (const Meeting& pair : pairs)
    if (words.size() < kListed) words.push_back(in_words(pair));
  if (pairs.size() > kListed)
    words.push_back(fmt::format("and {} pairs more", pairs.size() - kListed));
  return fmt::format("{}", fmt::join(words, "; "));
}

// Collects the triangles of the surface at the features that meet.
class TriangleCollector {
 public:
  TriangleCollector(const SceneDescription& scene, const ContactSurface& surface,
                    std::span<const double> q)
      : surface_(surface), q_(q) {
    for (const BodyDescription& body : scene.bodies) numbers_.try_emplace(body.name, next_++);
    for (const ObstacleDescription& one : scene.obstacles) numbers_.try_emplace(one.name, next_++);
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
      for (const Index n : surface.triangles[t]) around_[n].push_back(t);
    out_.labels = {{"pair", {}}, {"body", {}}};
  }

  VtpSurface collect(const std::vector<Meeting>& pairs) {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      std::vector<std::size_t> triangles;
      for (const Intersection* one : pairs[k].pairs)
        for (const auto* nodes : {&one->first_nodes, &one->second_nodes}) add(*nodes, triangles);
      std::sort(triangles.begin(), triangles.end());
      triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
      for (const std::size_t t : triangles) write(t, static_cast<std::int32_t>(k));
    }
    return std::move(out_);
  }

 private:
  // Those that have all of the nodes.
  void add(const std::vector<Index>& nodes, std::vector<std::size_t>& out) const {
    if (nodes.empty()) return;
    const auto around = around_.find(nodes.front());
    if (around == around_.end()) return;
    for (const std::size_t t : around->second) {
      const std::array<Index, 3>& corners = surface_.triangles[t];
      if (std::all_of(nodes.begin(), nodes.end(), [&](Index n) {
            return std::find(corners.begin(), corners.end(), n) != corners.end();
          }))
        out.push_back(t);
    }
  }
  void write(std::size_t t, std::int32_t pair) {
    const auto first = static_cast<Index>(out_.points.size());
    for (const Index n : surface_.triangles[t]) out_.points.emplace_back(node(q_, n));
    out_.triangles.push_back({first, first + 1, first + 2});
    out_.labels[0].values.push_back(pair);
    out_.labels[1].values.push_back(
        numbers_.at(surface_.patches[static_cast<std::size_t>(surface_.triangle_patch[t])].name));
  }

  const ContactSurface& surface_;
  std::span<const double> q_;
  std::map<std::string, std::int32_t> numbers_;
  std::int32_t next_ = 0;
  std::map<Index, std::vector<std::size_t>> around_;
  VtpSurface out_;
};

// Bodies come first among the patches; obstacles never move.
Separation move_apart(const BuiltScene& built, const ContactSurface& surface,
                      const SeparationOptions& options, State& start) {
  const System& system = *built.model.system;
  std::vector<char> held(static_cast<std::size_t>(system.nodes()), 0);
  for (std::size_t p = 0; p < system.pins().size(); ++p)
    if (start.pins[p].active)
      for (const Index n : system.pins()[p].nodes) held[static_cast<std::size_t>(n)] = 1;
  std::vector<MovablePatch> patches(surface.patches.size());
  for (std::size_t k = 0; k < built.model.bodies.size(); ++k) {
    const Body& body = built.model.bodies[k];
    const auto begin = held.begin() + body.first_node, end = held.begin() + body.end_node();
    patches[k] = {body.first_node, body.end_node(), std::find(begin, end, char{1}) == end};
  }
  return separate(surface, patches, held, options, view(start.q));
}

void say_what_moved(const std::vector<double>& moved, const Log& log, BuiltScene& built) {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < built.model.bodies.size(); ++k)
    if (moved[k] > 0)
      words.push_back(fmt::format("\"{}\" by {:.3g} m", built.model.bodies[k].name, moved[k]));
  built.notes.push_back(
      fmt::format("bodies that touched or intersected at the start were moved apart: {}",
                  fmt::join(words, ", ")));
  log.info(built.notes.back());
}

// Solid angle of the triangles of a patch as seen from x, over 4π: ±1 inside of a closed one (van
// Oosterom and Strackee 1983).
double winding_number(const ContactSurface& surface, Index patch, std::span<const double> q,
                      const Vec3& x) {
  double sum = 0;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (surface.triangle_patch[t] != patch) continue;
    const auto& [i, j, k] = surface.triangles[t];
    const Vec3 a = node(q, i) - x, b = node(q, j) - x, c = node(q, k) - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)),
                          la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (4 * std::numbers::pi);
}

// Of what is solid: surfaces from files may be containers.
bool is_solid(const SceneDescription& scene, const std::string& name) {
  for (const BodyDescription& body : scene.bodies)
    if (body.name == name) return !body.thin;
  for (const ObstacleDescription& obstacle : scene.obstacles)
    if (obstacle.name == name)
      return std::holds_alternative<BoxShape>(obstacle.shape) ||
             std::holds_alternative<ImplicitShape>(obstacle.shape);
  return false;
}

// Nothing intersects, and yet all of something may be where something else is: a bone in flesh is
// meant to be, a stone in a stone is not.
void say_what_is_inside(const SceneDescription& scene, const ContactSurface& surface,
                        const Log& log, BuiltScene& built) {
  const std::span<const double> q = view(built.start.q);
  std::vector<Eigen::AlignedBox3d> boxes(surface.patches.size());
  std::vector<Index> first(surface.patches.size(), -1);  // node of each
  for (std::size_t p = 0; p < surface.points.size(); ++p) {
    const auto patch = static_cast<std::size_t>(surface.point_patch[p]);
    boxes[patch].extend(Vec3(node(q, surface.points[p])));
    if (first[patch] < 0) first[patch] = surface.points[p];
  }
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      if (a == b || first[a] < 0 || !is_solid(scene, surface.patches[b].name)) continue;
      if (!surface.may_touch(static_cast<Index>(a), static_cast<Index>(b))) continue;
      const Vec3 x = node(q, first[a]);
      if (!boxes[b].contains(x)) continue;
      if (std::abs(winding_number(surface, static_cast<Index>(b), q, x)) < 0.5) continue;
      built.notes.push_back(
          fmt::format("\"{}\" begins inside of \"{}\", and contact keeps it there",
                      surface.patches[a].name, surface.patches[b].name));
      log.warn(built.notes.back());
    }
}

}  // namespace

void settle_start(const SceneDescription& scene, const Log& log, BuiltScene& built) {
  const BarrierTerm* contact = built.model.system->contact();
  if (!contact && !built.rules) return;
  const ContactSurface& surface = contact ? contact->surface() : built.rules->surface;
  const double wanted = contact ? contact->delta() : built.rules->margin;
  const double near = kTouching * wanted;
  const std::vector<Intersection> found = find_intersections(surface, view(built.start.q), near);
  if (found.empty()) return say_what_is_inside(scene, surface, log, built);
  State apart = built.start;
  const Separation separation = move_apart(built, surface, {wanted, near}, apart);
  const bool allowed = scene.contact.allow_initial_intersections;
  if (allowed && separation.ok()) {
    built.start = std::move(apart);
    return say_what_moved(separation.moved, log, built);
  }
  const std::string advice =
      separation.ok() ? "; \"allow_initial_intersections\": true in contact moves them apart"
      : allowed ? "; they could not be moved apart by a tenth of a body's size or less, without "
                  "moving pinned points"
                : "; place them apart: moved by a tenth of a body's size or less, which "
                  "\"allow_initial_intersections\" does, they would still meet";
  const std::vector<Meeting> pairs = gather_meetings(surface, found, view(built.start.q));
  throw IntersectingStart(
      fmt::format("{} at the start: {}{}",
                  pairs.size() == 1 ? "one pair touches or intersects"
                                    : fmt::format("{} pairs touch or intersect", pairs.size()),
                  in_words(pairs), advice),
      TriangleCollector(scene, surface, view(built.start.q)).collect(pairs));
}

}  // namespace pliant
