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

// Where the point would go with each of its bodies, blended: linear-blend skinning, TOURNIER §4.3.
// It may be beside all of them.
MappedPoint blended(const PathPointDescription& point, std::span<const Body> bodies) {
  MappedPoint sum;
  for (const BodyShare& carrier : point.carried_by) {
    if (carrier.share == 0) continue;
    const MappedPoint part = find_body(bodies, carrier.body).attach(point.point).point;
    for (int a = 0; a < part.count; ++a) {
      if (part.weights[a] == 0) continue;
      if (sum.count == static_cast<int>(sum.nodes.size()))
        throw InputError(
            fmt::format("{}: its bodies carry it by more than {} nodes; name fewer of them",
                        point.where, sum.nodes.size()));
      sum.nodes[static_cast<std::size_t>(sum.count)] = part.nodes[a];
      sum.weights[static_cast<std::size_t>(sum.count++)] = carrier.share * part.weights[a];
    }
  }
  return sum;
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
    if (point.carried_by.empty())
      made.world = point.point;
    else if (point.carried_by.size() == 1)
      made.carried = locate(find_body(bodies, point.carried_by[0].body), point.point, point.where);
    else
      made.carried = blended(point, bodies);
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
