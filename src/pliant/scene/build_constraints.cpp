#include <pliant/scene/build_constraints.hpp>

#include <pliant/constraint/distance.hpp>
#include <pliant/constraint/linear_rows.hpp>
#include <pliant/core/error.hpp>

#include <fmt/format.h>

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
  const std::string where = constraint.where + "/between";
  ends.a = locate(constraint.body, constraint.point, where);
  if (constraint.other_body)
    ends.b = locate(*constraint.other_body, constraint.other_point, where);
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

}  // namespace

void add_constraints(const SceneDescription& scene, const Locate& locate, System& system) {
  std::vector<DistanceRow> distances;
  std::vector<LinearRow> linear;
  for (const ConstraintDescription& constraint : scene.constraints) {
    const Ends ends = ends_of(constraint, locate);
    if (constraint.type == "distance") {
      const double now = (constraint.point - constraint.other_point).norm();
      if (now == 0)
        throw InputError(fmt::format(
            "{}: both points are in one place, which gives a rod no direction; \"point\" keeps "
            "points together",
            constraint.where));
      distances.push_back({constraint.name, ends.a, ends.b, ends.world,
                           constraint.rest.value_or(now), constraint.compliance});
      continue;
    }
    for (const Vec3& along : held_directions(constraint))
      linear.push_back({constraint.name, ends.a, ends.b, ends.world, along, constraint.compliance});
  }
  if (!distances.empty())
    system.add_constraint(std::make_unique<DistanceConstraints>(std::move(distances)));
  if (!linear.empty())
    system.add_constraint(std::make_unique<LinearConstraints>(std::move(linear)));
}

void require_constraints_hold(const SceneDescription& scene, const System& system,
                              const State& start) {
  Vector phi;
  system.constraints().value(view(start.q), phi);
  for (Index row = 0; row < system.constraints().rows(); ++row) {
    if (system.constraints().compliance()[row] > 0) continue;
    if (std::abs(phi[row]) <= kMeets * system.size()) continue;
    const std::string name = system.constraints().row_name(row);
    for (const ConstraintDescription& constraint : scene.constraints)
      if (constraint.name == name)
        throw InfeasibleStart(fmt::format(
            "{}: \"{}\" does not hold at the start, it is {:.6g} m off; move its points, or give "
            "it a \"compliance\" so that it pulls them there",
            constraint.where, name, std::abs(phi[row])));
  }
}

}  // namespace pliant
