#include <pliant/robots/pass_through.hpp>

#include <pliant/contact/intersections.hpp>
#include <pliant/mesh/surface.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant::robots {
namespace {

constexpr double kDistance = 1e-3;  // of the size of the robot
constexpr double kHighest = 0.1;    // of it: what is sunk deeper was meant so

// Bodies, then obstacles, then planes, by number.
class Crowd {
 public:
  Crowd(const std::vector<Plane>& planes, const std::vector<NamedObstacle>& obstacles,
        Assembly& assembly, Warnings& warnings)
      : planes_(planes), obstacles_(obstacles), assembly_(assembly), warnings_(warnings) {
    const std::size_t count = assembly.bodies.size() + obstacles.size() + planes.size();
    apart_.assign(count, std::vector<bool>(count, false));
    distance_ = kDistance * assembly.size;
  }

  ContactPlan plan() {
    for (const auto& [a, b] : assembly_.neighbours) ignore(a, b);
    ignore_what_never_touches();
    lift();
    for (const Intersection& one : find(1)) ignore_overlap(one);
    ContactPlan plan;
    plan.distance = distance_;
    for (const std::vector<int>& group : gather_groups(apart_)) {
      std::vector<std::string> names;
      for (const int k : group) names.push_back(name(k));
      plan.groups.push_back(std::move(names));
    }
    for (std::size_t a = 0; a < assembly_.bodies.size(); ++a)
      for (std::size_t b = a + 1; b < apart_.size(); ++b) plan.any = plan.any || !apart_[a][b];
    return plan;
  }

 private:
  int first_obstacle() const { return static_cast<int>(assembly_.bodies.size()); }
  int first_plane() const { return first_obstacle() + static_cast<int>(obstacles_.size()); }
  const AssembledBody* body(int k) const {
    return k < first_obstacle() ? &assembly_.bodies[static_cast<std::size_t>(k)] : nullptr;
  }
  std::string name(int k) const {
    if (const AssembledBody* one = body(k)) return one->name;
    if (k < first_plane()) return obstacles_[static_cast<std::size_t>(k - first_obstacle())].name;
    return planes_[static_cast<std::size_t>(k - first_plane())].name;
  }
  int number(const std::string& wanted) const {
    for (int k = 0; k < static_cast<int>(apart_.size()); ++k)
      if (name(k) == wanted) return k;
    return -1;
  }
  void ignore(int a, int b) {
    if (a == b) return;
    apart_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = true;
    apart_[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = true;
  }

  std::span<const Shape> shapes(int k) const {
    if (const AssembledBody* one = body(k)) return one->shapes;
    if (k < first_plane())
      return {&obstacles_[static_cast<std::size_t>(k - first_obstacle())].shape, 1};
    return {};
  }

  // A plane of the world yields to all that touches anything.
  static bool may_touch(std::span<const Shape> a, std::span<const Shape> b) {
    if (b.empty()) return true;
    for (const Shape& one : a)
      for (const Shape& other : b)
        if ((one.pushes & other.yields) || (other.pushes & one.yields)) return true;
    return false;
  }

  void ignore_what_never_touches() {
    for (int a = 0; a < first_obstacle(); ++a)
      for (int b = 0; b < static_cast<int>(apart_.size()); ++b) {
        const AssembledBody* other = body(b);
        const bool both_fixed = body(a)->fixed && (!other || other->fixed);
        if (!body(a)->touches || (other && !other->touches) || both_fixed ||
            !may_touch(shapes(a), shapes(b)))
          ignore(a, b);
      }
  }

  // Of those that can touch something, the groups that they are in.
  std::vector<std::vector<std::string>> groups() const {
    std::vector<std::vector<bool>> pairs = apart_;
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (!can_touch(static_cast<int>(k)))
        for (std::size_t other = 0; other < pairs.size(); ++other)
          pairs[k][other] = pairs[other][k] = false;
    std::vector<std::vector<std::string>> groups(apart_.size());
    const std::vector<std::vector<int>> gathered = gather_groups(pairs);
    for (std::size_t g = 0; g < gathered.size(); ++g)
      for (const int k : gathered[g])
        groups[static_cast<std::size_t>(k)].push_back(std::to_string(g));
    return groups;
  }
  bool can_touch(int k) const { return !body(k) || body(k)->touches; }

  // All that is nearer to each other than so many times the distance.
  std::vector<Intersection> find(double times) const {
    std::vector<double> q;
    ContactSurface surface;
    const std::vector<std::vector<std::string>> groups_of = groups();
    const auto add = [&](int k, const Triangles& triangles, const Pose& pose) {
      ContactPatch patch;
      patch.name = name(k);
      patch.self = false;
      patch.obstacle = body(k) == nullptr;
      patch.ignored_groups = groups_of[static_cast<std::size_t>(k)];
      const auto first = static_cast<Index>(q.size() / 3);
      for (const Vec3& x : triangles.points) {
        const Vec3 place = pose * x;
        q.insert(q.end(), place.begin(), place.end());
      }
      surface.add(patch, make_surface(make_mesh(triangles)), first, q);
    };
    for (int k = 0; k < first_obstacle(); ++k)
      if (can_touch(k)) add(k, body(k)->surface, body(k)->frame);
    for (int k = first_obstacle(); k < first_plane(); ++k)
      add(k, surface_of(std::vector(shapes(k).begin(), shapes(k).end())), {});
    for (int k = first_plane(); k < static_cast<int>(apart_.size()); ++k) {
      const Plane& plane = planes_[static_cast<std::size_t>(k - first_plane())];
      surface.planes.push_back({plane.name, static_cast<Index>(q.size() / 3), plane.normal,
                                groups_of[static_cast<std::size_t>(k)]});
      q.insert(q.end(), plane.point.begin(), plane.point.end());
    }
    surface.finish();
    return find_intersections(surface, q, times * distance_);
  }

  // The free bodies that carry what meets something of the world.
  std::vector<int> bases_that_meet(const std::vector<Intersection>& found) const {
    std::vector<int> bases;
    for (const Intersection& one : found) {
      const int a = number(one.first), b = number(one.second);
      if (body(a) && body(b) && !body(a)->fixed && !body(b)->fixed) continue;
      const AssembledBody* moves = body(a) && !body(a)->fixed ? body(a) : body(b);
      if (moves && moves->base >= 0) bases.push_back(moves->base);
    }
    std::sort(bases.begin(), bases.end());
    bases.erase(std::unique(bases.begin(), bases.end()), bases.end());
    return bases;
  }

  // Twice as high each time, until nothing is met; back where that leads too far.
  void lift() {
    std::vector<double> height(assembly_.bodies.size(), 0);
    while (true) {
      const std::vector<int> bases = bases_that_meet(find(1));
      bool lifted = false;
      for (const int base : bases) {
        double& now = height[static_cast<std::size_t>(base)];
        if (now < 0) continue;
        const double next = now == 0 ? 1.5 * distance_ : 2 * now;
        const bool too_high = next > kHighest * assembly_.size;
        raise(base, too_high ? -now : next - now);
        now = too_high ? -1 : next;
        lifted = true;
      }
      if (!lifted) break;
    }
    for (std::size_t k = 0; k < height.size(); ++k)
      if (height[k] > 0)
        warnings_.add("lifted", assembly_.bodies[k].where,
                      fmt::format("\"{}\" and what hangs on it start {:.3g} m higher, so that they "
                                  "touch nothing",
                                  assembly_.bodies[k].name, height[k]));
  }

  void raise(int base, double height) {
    const Vec3 up(0, 0, height);
    for (AssembledBody& one : assembly_.bodies)
      if (one.base == base) one.frame.p += up, one.mass.centre += up;
    const auto is_raised = [&](int k) { return k >= 0 && body(k)->base == base; };
    for (AssembledJoint& joint : assembly_.joints)
      if (is_raised(joint.body)) joint.point += up;
    for (WatchedPoint& probe : assembly_.probes)
      if (is_raised(probe.body)) probe.point += up;
  }

  void ignore_overlap(const Intersection& one) {
    const int a = number(one.first), b = number(one.second);
    if (apart_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]) return;
    ignore(a, b);
    const AssembledBody* said = body(a) ? body(a) : body(b);
    warnings_.add("overlap", said->where,
                  fmt::format("\"{}\" and \"{}\" touch or overlap at the start: they pass through "
                              "each other",
                              one.first, one.second));
  }

  const std::vector<Plane>& planes_;
  const std::vector<NamedObstacle>& obstacles_;
  Assembly& assembly_;
  Warnings& warnings_;
  double distance_ = 0;
  std::vector<std::vector<bool>> apart_;  // pairs that pass through each other
};

}  // namespace

ContactPlan plan_contact(const std::vector<Plane>& planes,
                         const std::vector<NamedObstacle>& obstacles, Assembly& assembly,
                         Warnings& warnings) {
  return Crowd(planes, obstacles, assembly, warnings).plan();
}

std::vector<std::vector<int>> gather_groups(const std::vector<std::vector<bool>>& pairs) {
  const std::size_t count = pairs.size();
  std::vector<std::vector<bool>> done(count, std::vector<bool>(count, false));
  std::vector<std::vector<int>> groups;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a + 1; b < count; ++b) {
      if (!pairs[a][b] || done[a][b]) continue;
      std::vector<int> group = {static_cast<int>(a), static_cast<int>(b)};
      for (std::size_t c = 0; c < count; ++c)
        if (c != a && c != b && std::all_of(group.begin(), group.end(), [&](int member) {
              return pairs[c][static_cast<std::size_t>(member)];
            }))
          group.push_back(static_cast<int>(c));
      std::sort(group.begin(), group.end());
      for (const int one : group)
        for (const int other : group)
          done[static_cast<std::size_t>(one)][static_cast<std::size_t>(other)] = true;
      groups.push_back(std::move(group));
    }
  return groups;
}

}  // namespace pliant::robots
