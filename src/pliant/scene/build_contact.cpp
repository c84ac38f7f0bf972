#include <pliant/scene/build_contact.hpp>

#include <pliant/body/bodies_of_nodes.hpp>
#include <pliant/contact/friction_term.hpp>
#include <pliant/core/error.hpp>
#include <pliant/io/mesh_file.hpp>
#include <pliant/load/contact_load.hpp>
#include <pliant/mesh/polygonize.hpp>
#include <pliant/scene/build_cache.hpp>
#include <pliant/stage/contact_rules.hpp>
#include <pliant/system/point_tracks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace pliant {
namespace {

// Contact needs directions, which a triangle without an area does not have.
void require_areas(const Mesh& mesh, const Surface& surface, const std::string& where) {
  constexpr double least = 1e-12;  // of its longest edge squared
  for (std::size_t k = 0; k < surface.triangles.size(); ++k) {
    std::array<Vec3, 3> x;
    for (std::size_t i = 0; i < 3; ++i)
      x[i] = mesh.points[static_cast<std::size_t>(surface.triangles[k][i])];
    const Vec3 a = x[1] - x[0], b = x[2] - x[0];
    const double longest = std::max({a.norm(), b.norm(), (b - a).norm()});
    if (!(a.stableNormalized().cross(b.stableNormalized()).norm() > least) || !(longest > 0) ||
        !(a.cross(b).norm() / longest > least * longest))
      throw InputError(fmt::format("{}: triangle {} (counted from 0) has no area", where, k));
  }
}

// Collision detection counts as touching what is nearer than 64 ε of the coordinates (ccd.hpp).
void require_gaps_can_be_told(const SceneDescription& scene, const Model& model,
                              const ObstacleNodes& obstacles, double distance) {
  constexpr double part = 0.01;  // of the distance at which contact begins
  const double farthest = part * distance / (64 * std::numeric_limits<double>::epsilon());
  const auto require = [&](double reach, const std::string& where, const char* advice) {
    if (reach > farthest)
      throw InputError(fmt::format(
          "{}: reaches {:.3g} m from the origin, where numbers have no digits left to tell gaps of "
          "contact, which begins at {:.3g} m; stay below {:.3g} m, or give a larger \"distance\"{}",
          where, reach, distance, farthest, advice));
  };
  const Vector& rest = model.system->rest();
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    const Body& body = model.bodies[k];
    const Eigen::Index first = 3 * body.first_node, count = 3 * body.end_node() - first;
    if (count > 0)
      require(rest.segment(first, count).lpNorm<Eigen::Infinity>(), scene.bodies[k].where, "");
  }
  for (std::size_t k = 0; k < scene.obstacles.size(); ++k) {
    double reach = 0;
    for (Index n = 0; n < obstacles.parts[k].count; ++n)
      reach = std::max(reach,
                       at(obstacles.nodes, obstacles.parts[k].first + n).lpNorm<Eigen::Infinity>());
    if (const auto* ball = std::get_if<BallShape>(&scene.obstacles[k].shape)) reach += ball->radius;
    if (const auto* rod = std::get_if<RodShape>(&scene.obstacles[k].shape)) reach += rod->radius;
    if (const auto* p = std::get_if<PointsShape>(&scene.obstacles[k].shape)) reach += p->radius;
    if (const auto* s = std::get_if<SegmentsShape>(&scene.obstacles[k].shape)) reach += s->radius;
    require(reach, scene.obstacles[k].where, "; a plane has no size");
  }
}

// Of the diagonal of the box around all bodies: where a barrier begins, and what rules keep free.
constexpr double kDistance = 1e-3, kMargin = 1e-4;
// Of the mean edge of a surface: contact that begins farther away would have a body at rest push
// itself apart.
constexpr double kOfEdges = 0.25;
constexpr double kSlipSpeed = 1e-3;  // per second
constexpr double kHold = 1e-6;       // within which a contact that sticks is held
constexpr double kNoChange = 1e-12;  // of what presses: rounding

constexpr double kImplicitCells = 48;  // along the longest edge of the bounds

struct NodeMaker {
  const std::string& where;
  const Transform& transform;
  const Eigen::AlignedBox3d& bodies;
  const Log& log;
  ObstacleNodes& out;
  ObstacleNodes::Part& part;

  void operator()(const PlaneShape& plane) const { out.nodes.push_back(plane.point); }
  void operator()(const BallShape& ball) const { out.nodes.push_back(ball.center); }
  void operator()(const RodShape& rod) const {
    out.nodes.push_back(rod.from);
    out.nodes.push_back(rod.to);
  }
  void operator()(const PointsShape& shape) const {
    out.nodes.insert(out.nodes.end(), shape.points.begin(), shape.points.end());
  }
  void operator()(const SegmentsShape& shape) const {
    out.nodes.insert(out.nodes.end(), shape.ends.begin(), shape.ends.end());
  }
  void operator()(const BoxShape& box) const {
    add(make_box({box.size, {1, 1, 1}, ElementType::hex8}), box.center);
  }
  void operator()(const FilePath& file) const {
    const Mesh mesh = read_named_mesh(file, where + "/mesh", log);
    add(mesh, Vec3::Zero());
    if (part.surface.triangles.empty())
      throw InputError(fmt::format("{}/mesh: {} holds no surface", where, file.written));
    require_areas(mesh, part.surface, fmt::format("{}/mesh: {}", where, file.written));
  }
  void operator()(const ImplicitShape& implicit) const {
    const Vec3 reach = Vec3::Constant(bodies.diagonal().norm());
    const Eigen::AlignedBox3d bounds =
        implicit.bounds.value_or(Eigen::AlignedBox3d(bodies.min() - reach, bodies.max() + reach));
    const double size = implicit.size.value_or(bounds.sizes().maxCoeff() / kImplicitCells);
    add(polygonize([&](const Vec3& x) { return implicit.formula(x); }, {bounds, size},
                   where + "/implicit"),
        Vec3::Zero());
  }
  void add(const Mesh& mesh, const Vec3& shift) const {
    part.surface = make_surface(mesh);
    for (const Vec3& x : mesh.points) out.nodes.push_back(apply(transform, Vec3(x + shift)));
  }
};

// The modulus by which contact is measured: the mean over the body's elements.
double modulus_of(const SceneDescription& scene, const BodyDescription& description,
                  const Body& body) {
  std::vector<double> moduli;
  for (const auto& [name, material] : scene.materials) {
    const MaterialConstants& m = material.constants;
    double young = m.young;
    if (m.c10 || m.c01) young = 6 * (m.c10.value_or(0) + m.c01.value_or(0));
    if (m.axial_young) young = *std::max_element(m.axial_young->begin(), m.axial_young->end());
    moduli.push_back(young);
  }
  std::vector<std::string> names;
  for (const auto& [name, material] : scene.materials) names.push_back(name);
  double sum = 0;
  Index e = 0;
  for (const ElementBlock& block : body.mesh.blocks)
    for (Index k = 0; k < block.size(); ++k, ++e) {
      const auto number =
          static_cast<std::size_t>(body.material_of_element[static_cast<std::size_t>(e)]);
      const MaterialDescription& material = scene.materials.at(names[number]);
      const auto& field =
          description.material.young ? description.material.young : material.young_field;
      Vec3 center = Vec3::Zero();
      for (const Index n : block.element(k))
        center += body.mesh.points[static_cast<std::size_t>(n)] / nodes_per_element(block.type);
      sum += field ? (*field)(center) : moduli[number];
    }
  return sum / std::max<Index>(e, 1);
}

// How fast things may meet: as fast as they start or are moved, and as they fall over the scene.
double meeting_speed(const SceneDescription& scene, const System& system) {
  double fastest = 0;
  for (const BodyDescription& body : scene.bodies)
    fastest = std::max(fastest, body.initial.velocity.norm());
  for (const ObstacleDescription& obstacle : scene.obstacles)
    fastest = std::max(fastest, obstacle.motion.velocity.norm());
  for (const Pin& pin : system.pins())
    if (pin.motion.tracks) fastest = std::max(fastest, pin.motion.tracks->fastest());
  return std::sqrt(fastest * fastest + 2 * scene.gravity.norm() * system.size());
}

double densest(const SceneDescription& scene) {
  double density = 0;
  for (const auto& [name, material] : scene.materials)
    density = std::max(density, material.constants.density);
  return density;
}

std::vector<std::string> groups_of(const ContactDescription& contact, const std::string& name) {
  std::vector<std::string> groups;
  for (std::size_t g = 0; g < contact.groups.size(); ++g)
    if (std::find(contact.groups[g].begin(), contact.groups[g].end(), name) !=
        contact.groups[g].end())
      groups.push_back(std::to_string(g));
  return groups;
}

struct PatchAdder {
  const ObstacleNodes::Part& part;
  Index first;  // node of the system
  ContactPatch patch;
  std::span<const double> rest;
  ContactSurface& surface;

  void operator()(const PlaneShape& plane) const {
    surface.planes.push_back({patch.name, first, plane.normal, patch.ignored_groups});
  }
  void operator()(const BallShape& ball) {
    patch.radius = ball.radius;
    surface.add_points(patch, std::array{first});
  }
  void operator()(const RodShape& rod) {
    patch.radius = rod.radius;
    const std::array<std::array<Index, 2>, 1> ends = {{{first, first + 1}}};
    surface.add_edges(patch, ends, rest);
  }
  void operator()(const PointsShape& shape) {
    patch.radius = shape.radius;
    std::vector<Index> nodes(shape.points.size());
    std::iota(nodes.begin(), nodes.end(), first);
    surface.add_points(patch, nodes);
  }
  void operator()(const SegmentsShape& shape) {
    patch.radius = shape.radius;
    std::vector<std::array<Index, 2>> edges;
    for (Index k = 0; k < static_cast<Index>(shape.ends.size()); k += 2)
      edges.push_back({first + k, first + k + 1});
    surface.add_edges(patch, edges, rest);
  }
  void operator()(const BoxShape&) const { surface.add(patch, part.surface, first, rest); }
  void operator()(const ImplicitShape&) const { surface.add(patch, part.surface, first, rest); }
  void operator()(const FilePath&) const { surface.add(patch, part.surface, first, rest); }
};

// Later entries win: the general one, an obstacle's own, those of pairs.
FrictionCoefficients coefficients(const SceneDescription& scene, const ContactSurface& surface) {
  FrictionCoefficients mu(surface, scene.contact.friction);
  const auto set = [&](const std::string& a, std::optional<std::string_view> b, double value) {
    for (Index i = 0; i < static_cast<Index>(surface.patches.size()); ++i) {
      const std::string& name = at(surface.patches, i).name;
      for (Index j = 0; j < static_cast<Index>(surface.patches.size()); ++j)
        if (name == a && (!b || at(surface.patches, j).name == *b)) mu.set(i, j, value);
      for (Index j = 0; j < static_cast<Index>(surface.planes.size()); ++j) {
        const std::string& plane = at(surface.planes, j).name;
        if ((plane == a && (!b || name == *b)) || (name == a && b && plane == *b))
          mu.set_plane(i, j, value);
      }
    }
  };
  for (const ObstacleDescription& obstacle : scene.obstacles)
    if (obstacle.friction) set(obstacle.name, std::nullopt, *obstacle.friction);
  for (const ContactDescription::Pair& pair : scene.contact.pairs)
    set(pair.a, pair.b, pair.friction);
  return mu;
}

FrictionOptions friction_options(const ContactDescription& contact, double size) {
  FrictionOptions options;
  options.stick = contact.stick;
  options.epsilon = contact.stick ? kHold * size : contact.slip_speed.value_or(kSlipSpeed * size);
  options.restitution = contact.restitution.value_or(1);
  options.rebound_speed = kSlipSpeed * size;
  if (const int* times = std::get_if<int>(&contact.lag)) {
    options.lag = *times;
  } else {
    const bool exact = std::get<std::string>(contact.lag) == "exact";
    options.lag = exact ? 200 : 50;
    if (exact) options.lag_change = kNoChange;
  }
  return options;
}

}  // namespace

ObstacleNodes make_obstacles(const SceneDescription& scene, const Eigen::AlignedBox3d& bodies,
                             const Log& log) {
  ObstacleNodes out;
  for (const ObstacleDescription& obstacle : scene.obstacles) {
    ObstacleNodes::Part part;
    part.first = static_cast<Index>(out.nodes.size());
    require_valid(obstacle.transform, obstacle.where + "/transform");
    std::visit(NodeMaker{obstacle.where, obstacle.transform, bodies, log, out, part},
               obstacle.shape);
    part.count = static_cast<Index>(out.nodes.size()) - part.first;
    out.parts.push_back(std::move(part));
  }
  return out;
}

namespace {

void add_obstacle_pins(const SceneDescription& scene, const ObstacleNodes& obstacles,
                       System& system) {
  for (std::size_t k = 0; k < scene.obstacles.size(); ++k) {
    Pin pin;
    for (Index n = 0; n < obstacles.parts[k].count; ++n)
      pin.nodes.push_back(system.body_nodes() + obstacles.parts[k].first + n);
    pin.motion = obstacle_motion(scene.obstacles[k], obstacles.parts[k].count);
    system.add_pin(std::move(pin));
  }
}

ContactPatch patch_of(const SceneDescription& scene, const BodyDescription& described,
                      const Body& body, double speed) {
  ContactPatch patch;
  patch.name = body.name;
  patch.modulus = scene.contact.stiffness.value_or(
      body.rigid ? body.rigid->pressure
                 : bearing_pressure(modulus_of(scene, described, body), densest(scene), speed));
  patch.self = scene.contact.self && !body.rigid;
  if (const auto& thin = described.thin)  // thickness is on both sides, a radius all around
    patch.radius = described.type == "cloth" ? 0.5 * thin->thickness : thin->thickness;
  patch.ignored_groups = groups_of(scene.contact, body.name);
  return patch;
}

ContactSurface make_contact_surface(const SceneDescription& scene, const ObstacleNodes& obstacles,
                                    const Model& model) {
  const System& system = *model.system;
  ContactSurface surface;
  if (!system.followers().empty()) surface.followers = &system.followers();
  const std::span<const double> rest = view(system.rest());
  const double speed = meeting_speed(scene, system);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    surface.add(patch_of(scene, scene.bodies[k], model.bodies[k], speed), model.bodies[k].surface,
                model.bodies[k].first_node, rest);
  for (std::size_t k = 0; k < scene.obstacles.size(); ++k) {
    ContactPatch patch;
    patch.name = scene.obstacles[k].name;
    patch.obstacle = true;
    patch.bends = scene.obstacles[k].cache.has_value();
    patch.ignored_groups = groups_of(scene.contact, patch.name);
    const Index first = system.body_nodes() + obstacles.parts[k].first;
    std::visit(PatchAdder{obstacles.parts[k], first, patch, rest, surface},
               scene.obstacles[k].shape);
  }
  surface.finish();
  return surface;
}

// The smallest mean length of edges of all surfaces that can touch themselves, m.
double finest_edges(const Model& model) {
  double least = std::numeric_limits<double>::infinity();
  for (const Body& body : model.bodies) {
    if (body.rigid || body.surface.edges.empty()) continue;
    double sum = 0;
    for (const auto& [a, b] : body.surface.edges)
      sum += (body.mesh.points[a] - body.mesh.points[b]).norm();
    least = std::min(least, sum / static_cast<double>(body.surface.edges.size()));
  }
  return least;
}

ContactRules make_rules(const SceneDescription& scene, ContactSurface surface, double margin) {
  using By = ContactRules::By;
  ContactRules rules;
  rules.by = scene.contact.method == "admm" ? By::admm
             : scene.contact.method == "qp" ? By::qp
                                            : By::unilateral;
  rules.surface = std::move(surface);
  rules.margin = margin;
  rules.friction = scene.contact.friction;
  rules.of_pairs = coefficients(scene, rules.surface);
  rules.restitution = scene.contact.restitution.value_or(0);
  return rules;
}

}  // namespace

void add_contact(const SceneDescription& scene, const ObstacleNodes& obstacles, BuiltScene& built) {
  System& system = *built.model.system;
  add_obstacle_pins(scene, obstacles, system);
  if (scene.contact.method == "none") return;
  ContactSurface surface = make_contact_surface(scene, obstacles, built.model);
  const bool barrier = scene.contact.method == "barrier";
  const double distance = scene.contact.distance.value_or(
      barrier ? std::min(kDistance * system.size(), kOfEdges * finest_edges(built.model))
              : kMargin * system.size());
  require_gaps_can_be_told(scene, built.model, obstacles, distance);
  if (!barrier) {
    built.rules =
        std::make_shared<const ContactRules>(make_rules(scene, std::move(surface), distance));
    if (built.rules->by != ContactRules::By::admm)
      system.add_term(std::make_unique<ContactLoad>(bodies_of_nodes(built.model)));
    return;
  }
  system.add_contact(std::make_unique<BarrierTerm>(std::move(surface), distance));
  FrictionCoefficients mu = coefficients(scene, system.contact()->surface());
  if (mu.any() || scene.contact.restitution.value_or(1) < 1)
    system.add_friction(std::make_unique<FrictionTerm>(
        *system.contact(), std::move(mu), friction_options(scene.contact, system.size())));
}

}  // namespace pliant
