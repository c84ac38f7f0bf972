#include <pliant/scene/build_constraints.hpp>

#include <pliant/constraint/distance.hpp>
#include <pliant/constraint/joints.hpp>
#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>

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
  const Body& body = *std::find_if(model.bodies.begin(), model.bodies.end(),
                                   [&](const Body& b) { return b.name == *name; });
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

}  // namespace

void add_constraints(const SceneDescription& scene, const Locate& locate, Model& model) {
  System& system = *model.system;
  std::vector<DistanceRow> distances;
  JointRows rows;
  for (const ConstraintDescription& constraint : scene.constraints) {
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
      if (constraint.limits)
        add_distance_limits(row, *constraint.limits, distances);
      else
        distances.push_back(row);
      continue;
    }
    if (const auto type = find_joint(constraint.type)) {
      add_joint({constraint.name, *type, joint_end(constraint, constraint.body, ends.a, model),
                 joint_end(constraint, constraint.other_body, ends.b, model), constraint.compliance,
                 constraint.limits, constraint.motor},
                rows);
      continue;
    }
    for (const Vec3& along : held_directions(constraint))
      rows.linear.push_back(
          {constraint.name, ends.a, ends.b, ends.world, along, constraint.compliance});
  }
  if (!distances.empty())
    system.add_constraint(std::make_unique<DistanceConstraints>(std::move(distances)));
  for (auto& batch : make_batches(std::move(rows))) system.add_constraint(std::move(batch));
}

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
            "{}: \"{}\" does not hold at the start, it is {:.6g} m off; move its points, or give "
            "it a \"compliance\" so that it pulls them there",
            constraint.where, name, off));
  }
}

}  // namespace pliant
