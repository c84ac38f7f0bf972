#include <pliant/scene/build_paths.hpp>

#include <pliant/core/error.hpp>
#include <pliant/dissipation/path_damping.hpp>
#include <pliant/load/path_force.hpp>
#include <pliant/scene/locate.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

// The path as it is written, m.
double length_of(const PathDescription& path) {
  double sum = 0;
  for (std::size_t k = 1; k < path.points.size(); ++k)
    sum += (path.points[k].point - path.points[k - 1].point).norm();
  return sum;
}

// With its rest length, or the one at which it pulls best, filled in.
PathLaw law_of(const PathDescription& path, const std::string& where) {
  PathLaw law = path.law;
  if (path.length_given || law.kind == PathKind::tension) return law;
  const double length = length_of(path);
  if (law.kind == PathKind::muscle && !(length > 0))
    throw InputError(fmt::format(
        "{}: all its points are in one place, which says nothing of the length at which it pulls "
        "best: give its \"optimal_length\"",
        where));
  if (law.kind == PathKind::muscle)
    law.optimal = length;
  else
    law.drive = Curve(Vec3(length, 0, 0));
  return law;
}

// What nobody drives stores energy of its own.
bool is_elastic(const PathLaw& law) {
  return law.kind == PathKind::spring ||
         (law.kind == PathKind::elastic_tendon && law.drive.constant());
}

}  // namespace

std::vector<PathPoint> path_points(const PathDescription& path, std::span<const Body> bodies) {
  std::vector<PathPoint> points;
  for (const PathPointDescription& point : path.points) {
    PathPoint& made = points.emplace_back();
    if (point.body)
      made.carried = locate(find_body(bodies, *point.body), point.point, point.where);
    else
      made.world = point.point;
  }
  return points;
}

Path make_path(const PathDescription& description, const std::string& where,
               std::span<const Body> bodies, std::span<const double> rest) {
  return {path_points(description, bodies), law_of(description, where), rest};
}

std::vector<std::unique_ptr<Term>> make_paths(const SceneDescription& scene,
                                              std::span<const Body> bodies,
                                              std::span<const Vec3> rest) {
  std::vector<Path> elastic, driven, damped;
  for (const ForceDescription& force : scene.forces) {
    const auto* description = std::get_if<PathDescription>(&force.load);
    if (!description) continue;
    Path path =
        make_path(*description, force.where, bodies, {rest.data()->data(), 3 * rest.size()});
    if (path.law().damping > 0) damped.push_back(path);
    (is_elastic(path.law()) ? elastic : driven).push_back(std::move(path));
  }
  std::vector<std::unique_ptr<Term>> terms;
  if (!elastic.empty())
    terms.push_back(std::make_unique<PathForce>(TermKind::elastic, std::move(elastic)));
  if (!driven.empty())
    terms.push_back(std::make_unique<PathForce>(TermKind::external, std::move(driven)));
  if (!damped.empty()) terms.push_back(std::make_unique<PathDamping>(std::move(damped)));
  return terms;
}

double pull_of_paths(const SceneDescription& scene) {
  double sum = 0;
  for (const ForceDescription& force : scene.forces)
    if (const auto* path = std::get_if<PathDescription>(&force.load)) {
      PathLaw law = path->law;
      law.rest = length_of(*path);
      sum += strongest(law);
    }
  return sum;
}

}  // namespace pliant
