#include <pliant/scene/build_constraints.hpp>

#include <pliant/constraint/distance.hpp>
#include <pliant/constraint/joints.hpp>
#include <pliant/constraint/volume_row.hpp>
#include <pliant/core/error.hpp>
#include <pliant/core/refusals.hpp>
#include <pliant/mesh/mass_properties.hpp>
#include <pliant/scene/locate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace pliant {
namespace {

// Of the diagonal of the scene: what counts as met at the start.
constexpr double kMeets = 1e-6;

struct Ends {
  MappedPoint a, b;
  Vec3 world = Vec3::Zero();  // where b is, if it is the world's
};

Ends ends_of(const ConstraintDescription& constraint, const Locate& locate) {
  Ends ends;
  ends.a = locate(constraint.body, constraint.point, constraint.where + "/between/1");
  if (constraint.other_body)
    ends.b =
        locate(*constraint.other_body, constraint.other_point, constraint.where + "/between/3");
  else
    ends.world = constraint.other_point;
  return ends;
}

// Directions that are held: all, those across a line, that across a plane.
std::vector<Vec3> held_directions(const ConstraintDescription& constraint) {
  if (constraint.type == "plane") return {constraint.axis};
  if (constraint.type == "point") return {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  const Vec3 across = constraint.axis.unitOrthogonal();
  return {across, constraint.axis.cross(across)};
}

void add_distance_limits(DistanceRow row, const std::array<double, 2>& limits,
                         std::vector<DistanceRow>& rows) {
  row.bounds = MultiplierBounds::pushes();
  row.rest = limits[0];
  if (limits[0] > 0) rows.push_back(row);
  row.rest = limits[1], row.sign = -1;
  rows.push_back(row);
}

// A direction that a rigid body carries along.
LinearForm carried(const RigidFrame& frame, const Vec3& direction) {
  return LinearForm(frame.point(frame.centre + direction)) - LinearForm(frame.point(frame.centre));
}

// The end of a joint: at a point of a body, or in the world.
JointEnd joint_end(const ConstraintDescription& constraint, const std::optional<std::string>& name,
                   const MappedPoint& point, const Model& model) {
  JointEnd end;
  end.point = point;
  // What is fixed has no axis of its own; any will do.
  const Vec3 n = constraint.axis.isZero(0) ? Vec3(Vec3::UnitY()) : constraint.axis;
  const Vec3 t = n.unitOrthogonal(), s = n.cross(t);
  if (!name) {
    end.world = constraint.other_point;
    end.axis = LinearForm(n), end.t = LinearForm(t), end.s = LinearForm(s);
    return end;
  }
  const Body& body = find_body(model.bodies, *name);
  if (constraint.type == "ball") return end;
  if (!body.rigid)
    throw InputError(fmt::format(
        "{}/between: a {} holds directions, which only rigid bodies and the world have; \"{}\" is "
        "none: a ball or a point holds it, and two or three of them its direction",
        constraint.where, constraint.type, *name));
  end.axis = carried(*body.rigid, n);
  end.t = carried(*body.rigid, t);
  end.s = carried(*body.rigid, s);
  return end;
}

// Of the diagonal of the scene: what counts as lying on a sheet or a cable.
constexpr double kTouches = 1e-4;

void require_own_nodes(const ConstraintDescription& constraint, const Body& body) {
  if (body.frames)
    throw InputError(
        fmt::format("{}/body: the nodes of \"{}\" follow its frames, which a {} constraint cannot "
                    "move; points of it can be tied",
                    constraint.where, body.name, constraint.type));
}

void add_binding(const ConstraintDescription& constraint, const Model& model,
                 std::vector<LinearRow>& rows) {
  const Body& body = find_body(model.bodies, constraint.body);
  const Body& other = find_body(model.bodies, *constraint.other_body);
  if (body.rigid)
    throw InputError(
        fmt::format("{}/body: \"{}\" is rigid and has no nodes of its own; a \"fixed\" "
                    "constraint ties it to \"{}\"",
                    constraint.where, body.name, other.name));
  require_own_nodes(constraint, body);
  std::vector<Index> nodes = select_nodes(body.mesh, constraint.selection, constraint.where);
  std::erase_if(nodes, [&](Index n) { return body.is_skin(n); });
  if (nodes.empty())
    throw InputError(
        fmt::format("{}: selects no nodes of body \"{}\"", constraint.where, body.name));
  const bool thin = !other.rigid && other.mesh.top_dimension() < 3;
  for (const Index n : nodes) {
    const PointSearch found = other.attach(body.mesh.points[n]);
    if (thin && !(found.distance <= kTouches * model.system->size()))
      throw InputError(fmt::format(
          "{}: node {} of \"{}\" is {:.3g} m from \"{}\", and what is that thin carries "
          "nothing beside itself; bind \"{}\" to \"{}\" instead, or select less",
          constraint.where, n, body.name, found.distance, other.name, other.name, body.name));
    for (int i = 0; i < 3; ++i)
      rows.push_back({.name = constraint.name,
                      .a = MappedPoint::of_node(body.first_node + n),
                      .b = found.point,
                      .along = Vec3::Unit(i),
                      .compliance = constraint.compliance,
                      .relaxation = constraint.compliance * constraint.damping});
  }
}

// The edges of all triangles and segments, each once; without diagonals not those that are longer
// than the others in every triangle they are in.
std::vector<std::array<Index, 2>> edges_of(const Mesh& mesh, bool diagonals) {
  std::map<std::array<Index, 2>, bool> wanted;
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e) {
      const std::span<const Index> nodes = block.element(e);
      const std::size_t n = nodes.size(), count = n == 2 ? 1 : n;
      double longest = 0;
      const auto length = [&](std::size_t a) {
        return (mesh.points[nodes[a]] - mesh.points[nodes[(a + 1) % n]]).norm();
      };
      for (std::size_t a = 0; a < count; ++a) longest = std::max(longest, length(a));
      for (std::size_t a = 0; a < count; ++a) {
        const auto [low, high] = std::minmax(nodes[a], nodes[(a + 1) % n]);
        bool& edge = wanted[{low, high}];
        edge = edge || diagonals || n != 3 || length(a) < 0.999 * longest;
      }
    }
  std::vector<std::array<Index, 2>> edges;
  for (const auto& [edge, want] : wanted)
    if (want) edges.push_back(edge);
  return edges;
}

void add_edges(const ConstraintDescription& constraint, const Model& model,
               std::vector<DistanceRow>& rows) {
  const Body& body = find_body(model.bodies, constraint.body);
  if (body.rigid || body.frames || body.mesh.top_dimension() > 2)
    throw InputError(fmt::format(
        "{}/body: \"{}\" is neither cloth nor a cable; a solid keeps its shape by \"strain\"",
        constraint.where, body.name));
  for (const auto& [i, j] : edges_of(body.mesh, constraint.diagonals)) {
    DistanceRow row{.name = constraint.name,
                    .a = MappedPoint::of_node(body.first_node + i),
                    .b = MappedPoint::of_node(body.first_node + j),
                    .rest = (body.mesh.points[i] - body.mesh.points[j]).norm(),
                    .compliance = constraint.compliance};
    row.relaxation = constraint.compliance * constraint.damping;
    rows.push_back(row);
  }
}

void add_volume(const ConstraintDescription& constraint, const Model& model) {
  const Body& body = find_body(model.bodies, constraint.body);
  if (body.rigid)
    throw InputError(fmt::format("{}/body: \"{}\" is rigid and keeps its volume anyway",
                                 constraint.where, body.name));
  require_own_nodes(constraint, body);
  VolumeInput input{constraint.name,
                    {},
                    constraint.compliance,
                    constraint.compliance * constraint.damping,
                    constraint.volume};
  const Surface boundary = body.boundary();
  for (auto triangle : boundary.triangles) {
    for (Index& n : triangle) n += body.first_node;
    input.triangles.push_back(triangle);
  }
  std::vector<Vec3> points = body.mesh.points;
  mass_properties(points, boundary.triangles, constraint.where + "/body");  // closed?
  model.system->add_constraint(
      std::make_unique<VolumeConstraint>(std::move(input), view(model.system->rest())));
}

}  // namespace

std::optional<StrainMeasure> strain_measure_of(const SceneDescription& scene,
                                               const BodyDescription& body) {
  for (const ConstraintDescription& constraint : scene.constraints) {
    if (constraint.type != "strain" || constraint.body != body.name) continue;
    if (body.rigid)
      throw InputError(
          fmt::format("{}/body: \"{}\" is rigid and has no strain", constraint.where, body.name));
    if (body.frames) refuse(Refusal::strain_frames, constraint.where + "/body", body.name);
    std::vector<std::string> used = {body.material.standard};
    for (const auto& [region, name] : body.material.regions) used.push_back(name);
    StrainMeasure measure = constraint.measure.value_or(StrainMeasure::corotational);
    for (const std::string& name : used) {
      const std::string& law = scene.materials.at(name).model;
      const bool green = law == "stvk" || law == "orthotropic";
      // A cable takes nothing of a material but its modulus.
      if (!green && law != "corotated" && body.type != "cable")
        refuse(Refusal::strain_law, constraint.where, name, law);
      if (measure == StrainMeasure::principal && law == "orthotropic")
        refuse(Refusal::strain_principal, constraint.where + "/measure", name);
      if (!constraint.measure && green && body.type != "cable") measure = StrainMeasure::green;
    }
    return measure;
  }
  return {};
}

void add_constraints(const SceneDescription& scene, const Locate& locate, Model& model) {
  System& system = *model.system;
  std::vector<DistanceRow> distances;
  JointRows rows;
  for (const ConstraintDescription& constraint : scene.constraints) {
    if (constraint.type == "strain") continue;  // a body's own, made with it
    if (constraint.type == "volume") {
      add_volume(constraint, model);
      continue;
    }
    if (constraint.type == "edges") {
      add_edges(constraint, model, distances);
      continue;
    }
    if (constraint.type == "bind") {
      add_binding(constraint, model, rows.linear);
      continue;
    }
    const Ends ends = ends_of(constraint, locate);
    if (constraint.type == "distance") {
      const double now = (constraint.point - constraint.other_point).norm();
      if (now == 0)
        throw InputError(fmt::format(
            "{}: both points are in one place, which gives a rod no direction; \"point\" keeps "
            "points together",
            constraint.where));
      DistanceRow row{
          constraint.name,      ends.a, ends.b, ends.world, constraint.rest.value_or(now),
          constraint.compliance};
      row.relaxation = constraint.compliance * constraint.damping;
      if (constraint.limits)
        add_distance_limits(row, *constraint.limits, distances);
      else
        distances.push_back(row);
      continue;
    }
    if (const auto type = find_joint(constraint.type)) {
      add_joint({constraint.name, *type, joint_end(constraint, constraint.body, ends.a, model),
                 joint_end(constraint, constraint.other_body, ends.b, model), constraint.compliance,
                 constraint.damping, constraint.limits, constraint.motor},
                rows);
      continue;
    }
    for (const Vec3& along : held_directions(constraint))
      rows.linear.push_back({constraint.name, ends.a, ends.b, ends.world, along,
                             constraint.compliance, constraint.compliance * constraint.damping});
  }
  if (!distances.empty())
    system.add_constraint(std::make_unique<DistanceConstraints>(std::move(distances)));
  for (auto& batch : make_batches(std::move(rows))) system.add_constraint(std::move(batch));
}

namespace {

// How many of its rows, from the first on, say together how far apart two points are.
Index rows_of_place(const ConstraintDescription& constraint) {
  if (constraint.type == "line" || constraint.type == "slider") return 2;
  return constraint.type == "point" || constraint.type == "bind" || find_joint(constraint.type) ? 3
                                                                                                : 1;
}

// "0.12 m": by how much a constraint is off of which a row does not hold, all rows of a place taken
// together. Behind those, rows of joints are about angles.
std::string amount_off(const ConstraintDescription& constraint, const ConstraintSet& set, Index row,
                       const Vector& phi) {
  Index first = 0;
  while (set.row_name(first) != constraint.name) ++first;
  const Index count = rows_of_place(constraint), number = (row - first) / count;
  if (number > 0 && find_joint(constraint.type) && constraint.type != "slider")
    return fmt::format("{:.6g} rad", std::abs(phi[row]));
  if (count == 1 || (number > 0 && constraint.type != "bind"))
    return fmt::format("{:.6g} m", std::abs(phi[row]));
  return fmt::format("{:.6g} m", phi.segment(first + number * count, count).norm());
}

}  // namespace

void require_constraints_hold(const SceneDescription& scene, const System& system,
                              const State& start) {
  Vector phi;
  system.constraints().value(start.t, view(start.q), phi);
  for (Index row = 0; row < system.constraints().rows(); ++row) {
    if (system.constraints().compliance()[row] > 0 || system.constraints().is_about_rate(row))
      continue;
    // What is limited may be above its limit; a motor of limited strength takes its time.
    const bool may_rise = std::isfinite(system.constraints().low()[row]);
    const bool may_fall = std::isfinite(system.constraints().high()[row]);
    const double off = std::max(may_rise ? 0 : phi[row], may_fall ? 0 : -phi[row]);
    if (off <= kMeets * system.size()) continue;
    const std::string name = system.constraints().row_name(row);
    for (const ConstraintDescription& constraint : scene.constraints)
      if (constraint.name == name)
        throw InfeasibleStart(fmt::format(
            "{}: \"{}\" does not hold at the start, it is {} off; move its points, or give "
            "it a \"compliance\" so that it pulls them there",
            constraint.where, name, amount_off(constraint, system.constraints(), row, phi)));
  }
}

}  // namespace pliant
