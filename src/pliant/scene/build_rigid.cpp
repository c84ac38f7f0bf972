#include <pliant/scene/build_rigid.hpp>

#include <pliant/core/error.hpp>
#include <pliant/mesh/mass_properties.hpp>
#include <pliant/mesh/statistics.hpp>
#include <pliant/scene/build_paths.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Of the stress to expect: so much stiffer is the potential, and so small are strains.
constexpr double kStiffer = 1e6;
// Metres that count as a rotation.
constexpr double kRotation = 1e-9;

double densest_rigid(const SceneDescription& scene) {
  double density = 0;
  for (const auto& [name, material] : scene.materials)
    density = std::max(density, material.constants.density);
  return density;
}

// kg, at most: whatever the bodies are made of.
double mass_of_all(const SceneDescription& scene, std::span<const SolidInput> solids) {
  double mass = 0;
  for (const SolidInput& solid : solids) {
    for (const PointMass& point : solid.point_masses) mass += point.mass;
    if (solid.rigid) {
      mass += solid.rigid->mass;
      continue;
    }
    const double measure = statistics_of(solid.mesh).measure;
    const ElementType type =
        solid.mesh.top_dimension() == 2 ? ElementType::tri3 : ElementType::segment2;
    mass += measure * (solid.thin ? thin_density(type, *solid.thin, densest_rigid(scene))
                                  : densest_rigid(scene));
  }
  return mass;
}

// m/s: as fast as bodies start or are moved, as they fall over the scene, or cross it in a second.
double fastest(const SceneDescription& scene, double size) {
  double speed = size;
  for (const BodyDescription& body : scene.bodies) {
    speed =
        std::max(speed, body.initial.velocity.norm() + size * body.initial.angular_velocity.norm());
    for (const PinDescription& pin : body.pins)
      speed =
          std::max(speed, pin.motion.velocity.norm() + size * pin.motion.angular_velocity.norm());
  }
  return std::sqrt(speed * speed + 2 * scene.gravity.norm() * size);
}

bool has_loads_on_faces(const SceneDescription& scene, const std::string& body) {
  return std::any_of(scene.forces.begin(), scene.forces.end(), [&](const ForceDescription& force) {
    if (std::holds_alternative<WindDescription>(force.load)) return true;
    const auto* pressure = std::get_if<PressureDescription>(&force.load);
    return pressure && pressure->body == body;
  });
}

}  // namespace

RigidInput make_rigid(const BodyDescription& body, const Mesh& mesh) {
  const RigidDescription& said = *body.rigid;
  RigidInput rigid;
  rigid.formulation = said.formulation;
  if (said.inertia) {
    const Mat3 R = rotation_matrix(body.transform.rotate);
    rigid.mass = *said.mass;
    rigid.centre = said.center ? apply(body.transform, *said.center) : statistics_of(mesh).centroid;
    rigid.inertia = R * *said.inertia * R.transpose();
    require_possible_inertia(rigid.inertia, body.where + "/inertia");
  } else {
    const MassProperties of_density_one =
        mass_properties(mesh.points, make_surface(mesh).triangles, body.where + "/mesh");
    const double density = said.mass ? *said.mass / of_density_one.volume : said.density;
    rigid.mass = density * of_density_one.volume;
    rigid.centre = of_density_one.centre;
    rigid.inertia = density * of_density_one.inertia;
  }
  for (const PointMassDescription& mass : body.point_masses)
    add_point_mass(mass.mass, mass.point, rigid);
  if (!std::isfinite(rigid.mass) || !(rigid.mass > 0) || !rigid.inertia.allFinite())
    throw InputError(fmt::format("{}: its mass would be {} kg; check its size and density",
                                 body.where, rigid.mass));
  return rigid;
}

void finish_rigid_bodies(const SceneDescription& scene, std::span<SolidInput> solids) {
  Eigen::AlignedBox3d box;
  for (const SolidInput& solid : solids)
    for (const Vec3& x : solid.mesh.points) box.extend(x);
  const double size = box.diagonal().norm();
  const double speed = fastest(scene, size), gravity = scene.gravity.norm();
  const RigidLoad load{
      speed, gravity,
      mass_of_all(scene, solids) * (gravity + speed * speed / size) + pull_of_paths(scene)};
  for (std::size_t k = 0; k < solids.size(); ++k) {
    if (!solids[k].rigid) continue;
    RigidInput& rigid = *solids[k].rigid;
    // Beside hard joints a stiff potential is no match for constraints: where there are any, the
    // stages that solve for them keep the body in shape as well.
    if (!scene.constraints.empty()) rigid.formulation = RigidFormulation::se3;
    rigid.loaded = has_loads_on_faces(scene, scene.bodies[k].name);
    rigid.pressure = expected_stress(rigid, load);
    rigid.modulus = scene.bodies[k].rigid->stiffness.value_or(kStiffer * rigid.pressure);
  }
}

void set_rigid_start(const BodyDescription& description, const Body& body, State& start) {
  const InitialDescription& initial = description.initial;
  if (initial.positions)
    throw InputError(fmt::format(
        "{}/initial/positions: a rigid body has no positions of its own; \"transform\" places it",
        description.where));
  if (!((initial.deform.transpose() * initial.deform - Mat3::Identity()).norm() <= kRotation) ||
      initial.deform.determinant() < 0)
    throw InputError(
        fmt::format("{}/initial/deform: a rigid body can only be turned, and this "
                    "matrix is no rotation",
                    description.where));
  const RigidFrame& frame = *body.rigid;
  for (Index a = 0; a < 4; ++a) {
    const Vec3 r = initial.deform * (frame.corners[static_cast<std::size_t>(a)] - frame.centre);
    node(view(start.q), frame.first + a) = frame.centre + r;
    node(view(start.v), frame.first + a) = initial.velocity + initial.angular_velocity.cross(r);
  }
}

std::vector<Index> rigid_pin_nodes(const PinDescription& pin, const Body& body) {
  const std::vector<Index> chosen = select_nodes(body.mesh, pin.selection, pin.where);
  if (chosen.size() != body.mesh.points.size())
    throw InputError(
        fmt::format("{}: a pin holds a rigid body as a whole ({{\"all\": true}}), this one selects "
                    "{} of {} nodes of \"{}\"; constraints hold single points of it",
                    pin.where, chosen.size(), body.mesh.points.size(), body.name));
  const Index first = body.rigid->first;
  return {first, first + 1, first + 2, first + 3};
}

}  // namespace pliant
