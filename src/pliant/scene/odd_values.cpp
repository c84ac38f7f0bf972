#include <pliant/contact/barrier_term.hpp>
#include <pliant/scene/odd_values.hpp>
#include <pliant/stage/contact_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kWide = 0.25;     // of the smallest body: contact that begins there is everywhere
constexpr double kNarrow = 1e-7;   // of the scene: gaps that steps of Newton's method hardly see
constexpr double kCrushing = 1;    // ρ g h over Young's modulus: a strain of about one
constexpr int kMoments = 16;       // at which the motions of two pins are compared
constexpr double kSameWay = 1e-9;  // of the faster one
constexpr double kNoWay = 1e-9;    // of the scene

using Words = std::vector<std::string>;

Eigen::AlignedBox3d box_around(const Body& body) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : body.mesh.points) box.extend(x);
  return box;
}

void add_contact_distance(const SceneDescription& scene, const BuiltScene& built, Words& words) {
  const System& system = *built.model.system;
  if (!system.contact() && !built.rules) return;
  const double distance = system.contact() ? system.contact()->delta() : built.rules->margin;
  const std::string where = scene.contact.where + "/distance";
  for (const Body& body : built.model.bodies)
    if (const double size = box_around(body).diagonal().norm(); distance > kWide * size) {
      words.push_back(fmt::format(
          "{}: contact begins at {:.3g} m, while body \"{}\" is {:.3g} m large: bodies would "
          "push each other from afar; 1e-3 of that size is usual",
          where, distance, body.name, size));
      return;
    }
  if (distance < kNarrow * system.size())
    words.push_back(fmt::format(
        "{}: contact begins at {:.3g} m in a scene of {:.3g} m, which takes many iterations and "
        "tiny steps; 1e-3 of that size is usual",
        where, distance, system.size()));
}

void add_self_contact(const SceneDescription& scene, const BuiltScene& built, Words& words) {
  const BarrierTerm* contact = built.model.system->contact();
  if (!contact) return;
  ContactSet own;
  const ContactSet& found = contact->contacts(at(built.start), own);
  for (const Body& body : built.model.bodies) {
    const auto has = [&](Index n) { return n >= body.first_node && n < body.end_node(); };
    const bool presses =
        std::any_of(found.contacts.begin(), found.contacts.end(), [&](const Contact& c) {
          return has(c.nodes[0]) && std::all_of(c.nodes.begin(), c.nodes.end(), has);
        });
    if (presses)
      words.push_back(fmt::format(
          "{}/distance: body \"{}\" presses on itself at the start: parts of it are nearer to each "
          "other than the {:.3g} m at which contact begins",
          scene.contact.where, body.name, contact->delta()));
  }
}

// Young's modulus of a material, Pa; none where a formula has it.
std::optional<double> modulus_of(const MaterialDescription& material) {
  const MaterialConstants& m = material.constants;
  if (material.young_field) return std::nullopt;
  if (m.c10 || m.c01) return 6 * (m.c10.value_or(0) + m.c01.value_or(0));
  if (m.axial_young) return *std::max_element(m.axial_young->begin(), m.axial_young->end());
  return m.young;
}

// Of all its materials the one that bears best must be too weak.
void add_own_weight(const SceneDescription& scene, const BodyDescription& body, const Body& built,
                    Words& words) {
  if (body.rigid || body.material.young || scene.gravity.isZero(0)) return;
  const Vec3 down = scene.gravity.normalized();
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec3& x : built.mesh.points) {
    low = std::min(low, down.dot(x));
    high = std::max(high, down.dot(x));
  }
  std::vector<std::string> used = {body.material.standard};
  for (const auto& [region, name] : body.material.regions) used.push_back(name);
  double least = std::numeric_limits<double>::infinity(), modulus = 0, pressure = 0;
  for (const std::string& name : used) {
    const MaterialDescription& material = scene.materials.at(name);
    const std::optional<double> young = modulus_of(material);
    if (!young || !(*young > 0)) return;
    const double weight = material.constants.density * scene.gravity.norm() * (high - low);
    if (weight / *young < least) least = weight / *young, modulus = *young, pressure = weight;
  }
  if (least > kCrushing)
    words.push_back(fmt::format(
        "{}: body \"{}\" collapses under its own weight: its height of {:.3g} m presses with "
        "{:.3g} Pa (density × gravity × height), Young's modulus is {:.3g} Pa; lengths are in m, "
        "density in kg/m³, young in Pa",
        body.where, body.name, high - low, pressure, modulus));
}

// What a curve is at the start is taken from all that it says later.
void add_late_curve(const Motion& motion, const std::string& where, double size, Words& words) {
  if (!motion.curve) return;
  const Vec3 first = motion.curve->at(0).value;
  if (first.norm() > kNoWay * size)
    words.push_back(fmt::format(
        "{}/motion/curve: is [{:.4g}, {:.4g}, {:.4g}] at time 0, where nothing is displaced yet: "
        "displacements count from there; begin with zeros, and place things where they start",
        where, first.x(), first.y(), first.z()));
}

bool move_alike(const Pin& a, std::size_t node_a, const Pin& b, std::size_t node_b,
                const Vec3& place, double begin, double end) {
  for (int k = 0; k < kMoments; ++k) {
    const double t = begin + (k + 0.5) / kMoments * (end - begin);
    const Vec3 v = a.motion.at(place, std::max(a.from, 0.0), t, node_a).first;
    const Vec3 w = b.motion.at(place, std::max(b.from, 0.0), t, node_b).first;
    for (std::size_t i = 0; i < 3; ++i)
      if (a.axes[i] && b.axes[i] && std::abs(v[i] - w[i]) > kSameWay * std::max(v.norm(), w.norm()))
        return false;
  }
  return true;
}

// Nodes that both hold at some time and move in other ways; the later one wins (System::prescribe).
Index disputed(const System& system, const Pin& a, const Pin& b, double duration) {
  const double begin = std::max({a.from, b.from, 0.0}),
               end = std::min({a.until, b.until, duration});
  if (begin >= end || (a.motion.at_rest() && b.motion.at_rest())) return 0;
  std::vector<std::pair<Index, std::size_t>> of_a;
  for (std::size_t k = 0; k < a.nodes.size(); ++k) of_a.emplace_back(a.nodes[k], k);
  std::sort(of_a.begin(), of_a.end());
  Index count = 0;
  for (std::size_t k = 0; k < b.nodes.size(); ++k) {
    const auto found =
        std::lower_bound(of_a.begin(), of_a.end(), std::pair(b.nodes[k], std::size_t{0}));
    if (found == of_a.end() || found->first != b.nodes[k]) continue;
    const Vec3 place = node(view(system.rest()), b.nodes[k]);
    if (!move_alike(a, found->second, b, k, place, begin, end)) ++count;
  }
  return count;
}

// `first` is the number of the body's first pin in the system.
void add_disputed_nodes(const SceneDescription& scene, const BodyDescription& body,
                        const System& system, std::size_t first, Words& words) {
  for (std::size_t b = 1; b < body.pins.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      if (const Index count = disputed(system, system.pins()[first + a], system.pins()[first + b],
                                       scene.time.duration);
          count > 0)
        words.push_back(fmt::format(
            "{}: moves {} of body \"{}\" otherwise than {}, which holds {}, too; this one wins",
            body.pins[b].where, count == 1 ? "one node" : fmt::format("{} nodes", count), body.name,
            body.pins[a].where, count == 1 ? "it" : "them"));
}

}  // namespace

void warn_of_odd_values(const SceneDescription& scene, const Log& log, BuiltScene& built) {
  const System& system = *built.model.system;
  Words words;
  add_contact_distance(scene, built, words);
  add_self_contact(scene, built, words);
  std::size_t pins = 0;  // of the bodies before, which come first in the system
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const BodyDescription& body = scene.bodies[k];
    add_own_weight(scene, body, built.model.bodies[k], words);
    for (const PinDescription& pin : body.pins)
      if (pin.from <= 0) add_late_curve(pin.motion, pin.where, system.size(), words);
    add_disputed_nodes(scene, body, system, pins, words);
    pins += body.pins.size();
  }
  for (const ObstacleDescription& obstacle : scene.obstacles)
    add_late_curve(obstacle.motion, obstacle.where, system.size(), words);
  for (std::string& word : words) {
    log.warn(word);
    built.notes.push_back(std::move(word));
  }
}

}  // namespace pliant
