#include <pliant/robots/assembly.hpp>

#include <pliant/core/error.hpp>
#include <pliant/robots/mass.hpp>
#include <pliant/robots/placed_links.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant::robots {
namespace {

// Of the mass of what it carries: what a body without a mass of its own is given, such as the ones
// between several joints of one link. Small enough not to be seen, large enough to be solved for.
constexpr double kPart = 1e-3;
constexpr double kMarkSize = 0.02;  // of the robot: edges of boxes that stand for such bodies
constexpr double kLargest = 1e6;    // m
constexpr std::size_t kMostBodies = 1000, kMostProbes = 64;

class Assembler {
 public:
  Assembler(const Robot& robot, Warnings& warnings)
      : robot_(robot), warnings_(warnings), links_(place_links(robot, warnings)) {}

  Assembly assemble() {
    gather_bodies();
    settle_fixed();
    settle_massless();
    for (std::size_t k = 0; k < robot_.links.size(); ++k) add_joints(k);
    measure();
    for (std::size_t k = 0; k < out_.bodies.size(); ++k)
      if (!gone_[k]) give_shape(out_.bodies[k]);
    add_neighbours();
    add_probes();
    remove_gone();
    return std::move(out_);
  }

 private:
  AssembledBody& body(int number) { return out_.bodies[static_cast<std::size_t>(number)]; }

  // A body for each link that a joint carries or nothing holds, with all that is fixed to it.
  void gather_bodies() {
    for (std::size_t k = 0; k < robot_.links.size(); ++k) {
      const Link& link = robot_.links[k];
      const PlacedLink& placed = links_[k];
      const bool moves = link.free || !placed.joints.empty();
      if (!moves && link.parent >= 0) {
        body_of_.push_back(body_of_[static_cast<std::size_t>(link.parent)]);
      } else {
        body_of_.push_back(static_cast<int>(out_.bodies.size()));
        AssembledBody made;
        made.name = unique_name(link.name, names_);
        made.where = link.where;
        made.fixed = !moves;
        made.frame = placed.pose;
        parent_.push_back(link.parent < 0 ? -1 : body_of_[static_cast<std::size_t>(link.parent)]);
        made.base = link.free            ? body_of_.back()
                    : parent_.back() < 0 ? -1
                                         : body(parent_.back()).base;
        out_.bodies.push_back(std::move(made));
      }
      add_link(link, placed, body(body_of_.back()));
    }
    gone_.assign(out_.bodies.size(), false);
    if (out_.bodies.size() > kMostBodies)
      throw InputError(fmt::format("{}: has {} bodies, the most that are read are {}", robot_.where,
                                   out_.bodies.size(), kMostBodies));
  }

  static void add_link(const Link& link, const PlacedLink& placed, AssembledBody& body) {
    if (link.mass) body.mass = sum(body.mass, moved(placed.pose, *link.mass));
    const Mat3 back = body.frame.R.transpose();
    for (Shape shape : link.shapes) {
      const Pose in_world = placed.pose * shape.pose;
      shape.pose = {back * in_world.R, back * (in_world.p - body.frame.p)};
      body.shapes.push_back(std::move(shape));
    }
    body.touches = body.touches || (link.touches && !link.shapes.empty());
  }

  // What is fixed and has no shape is the world itself.
  void settle_fixed() {
    for (std::size_t k = 0; k < out_.bodies.size(); ++k) {
      AssembledBody& one = out_.bodies[k];
      if (!one.fixed && one.base == static_cast<int>(k) && !(one.mass.mass > 0)) {
        warnings_.add("base without mass", one.where,
                      fmt::format("\"{}\" has no mass and nothing carries it: it is taken as fixed "
                                  "to the world",
                                  one.name));
        one.fixed = true;
        for (AssembledBody& other : out_.bodies)
          if (other.base == static_cast<int>(k)) other.base = -1;
      }
      gone_[k] = one.fixed && one.shapes.empty();
      if (one.fixed && !gone_[k] && !(one.mass.mass > 0)) one.mass = stand_in(one);
    }
  }

  // For what does not move any mass will do.
  static MassOf stand_in(const AssembledBody& body) {
    return {1, body.frame.p, 0.01 * Mat3::Identity()};
  }

  // From the ends of the tree inwards.
  void settle_massless() {
    for (std::size_t k = out_.bodies.size(); k-- > 0;) {
      AssembledBody& one = out_.bodies[k];
      if (one.fixed || one.mass.mass > 0) continue;
      AssembledBody* heaviest = nullptr;
      for (std::size_t c = k + 1; c < out_.bodies.size(); ++c)
        if (parent_[c] == static_cast<int>(k) && !gone_[c] && !out_.bodies[c].fixed &&
            (!heaviest || out_.bodies[c].mass.mass > heaviest->mass.mass))
          heaviest = &out_.bodies[c];
      if (heaviest) {
        warnings_.add("massless", one.where,
                      fmt::format("\"{}\" has no mass; it is given a thousandth of that of \"{}\", "
                                  "which it carries",
                                  one.name, heaviest->name));
        one.mass = take_part(kPart, heaviest->mass);
      } else {
        warnings_.add("massless end", one.where,
                      fmt::format("\"{}\" has no mass and is left out with its joint", one.name));
        gone_[k] = true;
      }
    }
  }

  // Between two joints of one link there is a small body without a shape.
  void add_joints(std::size_t k) {
    const int last = body_of_[k];
    if (gone_[static_cast<std::size_t>(last)] || links_[k].joints.empty()) return;
    const int parent = robot_.links[k].parent;
    int other = parent < 0 ? -1 : body_of_[static_cast<std::size_t>(parent)];
    if (other >= 0 && gone_[static_cast<std::size_t>(other)]) other = -1;
    if (other >= 0) out_.neighbours.push_back({other, last});
    const std::vector<AssembledJoint>& joints = links_[k].joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const int carried = j + 1 == joints.size() ? last : add_between(last, joints[j]);
      AssembledJoint joint = joints[j];
      joint.name = unique_name(joint.name, joint_names_);
      joint.body = carried;
      joint.other = other;
      out_.joints.push_back(std::move(joint));
      other = carried;
    }
  }

  int add_between(int last, const AssembledJoint& placed) {
    AssembledBody made;
    made.name = unique_name(body(last).name + " " + placed.name, names_);
    made.frame = {body(last).frame.R, placed.point};
    made.mass = take_part(kPart, body(last).mass);
    made.base = body(last).base;
    out_.bodies.push_back(std::move(made));
    gone_.push_back(false);
    return static_cast<int>(out_.bodies.size()) - 1;
  }

  // Surfaces, and the box around all of them.
  void measure() {
    Eigen::AlignedBox3d box;
    bool any = false;
    for (std::size_t k = 0; k < out_.bodies.size(); ++k) {
      AssembledBody& one = out_.bodies[k];
      if (gone_[k]) continue;
      any = true;
      one.surface = surface_of(one.shapes);
      for (const Vec3& x : one.surface.points) box.extend(one.frame * x);
      box.extend(one.frame.p);
      box.extend(one.mass.centre);
      if (!one.mass.inertia.allFinite() || !std::isfinite(one.mass.mass))
        throw InputError(fmt::format("{}: the mass of \"{}\" is beyond the range of numbers",
                                     one.where, one.name));
    }
    if (!any)
      throw InputError(fmt::format("{}: nothing in it has a mass or a shape", robot_.where));
    if (!box.min().allFinite() || !box.max().allFinite() ||
        !(box.min().cwiseAbs().maxCoeff() < kLargest && box.max().cwiseAbs().maxCoeff() < kLargest))
      throw InputError(
          fmt::format("{}: links lie further out than {:g} m", robot_.where, kLargest));
    out_.size = box.diagonal().norm();
    if (!(out_.size > 1e-9)) out_.size = 0.1;
  }

  // What has a mass alone is drawn as a box of about its moments.
  void give_shape(AssembledBody& one) const {
    if (!one.shapes.empty()) return;
    const double radius = std::sqrt(one.mass.inertia.trace() / 3 / one.mass.mass);
    const double edge =
        std::clamp(std::sqrt(6.0) * radius, 1e-3 * out_.size, kMarkSize * out_.size);
    Shape mark;
    mark.size = Vec3::Constant(edge);
    const bool between = one.where.empty();
    if (!between) mark.pose.p = one.frame.R.transpose() * (one.mass.centre - one.frame.p);
    one.shapes.push_back(mark);
    one.surface = surface_of(one.shapes);
  }

  void add_neighbours() {
    const auto named = [this](const std::string& name) {
      for (std::size_t k = 0; k < robot_.links.size(); ++k)
        if (robot_.links[k].name == name) return body_of_[k];
      return -1;
    };
    for (const auto& [a, b] : robot_.excluded)
      if (const int first = named(a), second = named(b); first >= 0 && second >= 0)
        out_.neighbours.push_back({first, second});
  }

  // What is free, the ends of the tree, and sites.
  void add_probes() {
    std::vector<bool> has_child(robot_.links.size(), false);
    for (const Link& link : robot_.links)
      if (link.parent >= 0) has_child[static_cast<std::size_t>(link.parent)] = true;
    for (std::size_t k = 0; k < robot_.links.size(); ++k)
      if (robot_.links[k].free) add_probe(robot_.links[k].name, k, links_[k].pose.p);
    for (std::size_t k = 0; k < robot_.links.size(); ++k)
      if (!has_child[k] && !robot_.links[k].free)
        add_probe(robot_.links[k].name, k, links_[k].pose.p);
    for (const Site& site : robot_.sites) {
      const auto k = static_cast<std::size_t>(site.link);
      add_probe(site.name, k, links_[k].pose * site.point);
    }
  }

  void add_probe(const std::string& name, std::size_t link, const Vec3& point) {
    const int number = body_of_[link];
    if (gone_[static_cast<std::size_t>(number)] || body(number).fixed) return;
    if (out_.probes.size() >= kMostProbes) {
      warnings_.add(
          "probes", robot_.links[link].where,
          fmt::format("more than {} points to watch; the others have no probe", kMostProbes));
      return;
    }
    out_.probes.push_back({unique_name(name, probe_names_), number, point});
  }

  void remove_gone() {
    std::vector<int> number(out_.bodies.size(), -1);
    std::vector<AssembledBody> kept;
    for (std::size_t k = 0; k < out_.bodies.size(); ++k) {
      if (gone_[k]) continue;
      number[k] = static_cast<int>(kept.size());
      kept.push_back(std::move(out_.bodies[k]));
    }
    const auto renumber = [&number](int& k) {
      if (k >= 0) k = number[static_cast<std::size_t>(k)];
    };
    out_.bodies = std::move(kept);
    for (AssembledBody& one : out_.bodies) renumber(one.base);
    for (AssembledJoint& joint : out_.joints) renumber(joint.body), renumber(joint.other);
    for (WatchedPoint& probe : out_.probes) renumber(probe.body);
    for (auto& pair : out_.neighbours) renumber(pair[0]), renumber(pair[1]);
    std::erase_if(out_.neighbours, [](const auto& pair) { return pair[0] < 0 || pair[1] < 0; });
  }

  const Robot& robot_;
  Warnings& warnings_;
  std::vector<PlacedLink> links_;
  Assembly out_;
  std::vector<int> body_of_;  // of each link
  std::vector<int> parent_;   // of each body that a link has made
  std::vector<bool> gone_;    // bodies that are not in the scene
  std::vector<std::string> names_ = {"world"}, joint_names_, probe_names_;
};

}  // namespace

Assembly assemble(const Robot& robot, Warnings& warnings) {
  return Assembler(robot, warnings).assemble();
}

}  // namespace pliant::robots
