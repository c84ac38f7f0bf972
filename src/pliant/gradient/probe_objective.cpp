#include <pliant/gradient/probe_objective.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace pliant {
namespace {

struct Column {
  MappedPoint point;
  int axis = 0;
};

Column find_column(const BuiltScene& built, const std::string& wanted) {
  std::vector<std::string> names;
  for (const Probe& probe : built.probes) {
    if (probe.kind != ProbeKind::point) continue;
    for (int axis = 0; axis < 3; ++axis) {
      names.push_back(fmt::format("{}.{}", probe.name, "xyz"[axis]));
      if (names.back() == wanted) return {probe.point, axis};
    }
  }
  throw InputError(names.empty()
                       ? std::string("the scene has no probe of a point for the objective to read")
                       : fmt::format("\"{}\" is no column of a probe of a point{}", wanted,
                                     suggestion(wanted, names)));
}

void add_to(const MappedPoint& point, int axis, double slope, std::span<double> q_bar) {
  for (std::size_t a = 0; a < static_cast<std::size_t>(point.count); ++a)
    node(q_bar, point.nodes[a])[axis] += slope * point.weights[a];
}

}  // namespace

Objective track_objective(const BuiltScene& built, const ProbeTrack& track) {
  const Column column = find_column(built, track.probe + ".x");
  std::map<std::int64_t, std::vector<Vec3>> seen;  // by step
  for (std::size_t k = 0; k < track.t.size(); ++k)
    seen[std::llround(track.t[k] / track.dt)].push_back(track.seen[k]);
  return [point = column.point, seen = std::move(seen)](
             const ObjectivePoint& now, std::span<double> q_bar, std::span<double>) {
    if (now.step == 0 &&
        (seen.empty() || seen.begin()->first < 0 || seen.rbegin()->first > now.steps))
      throw InputError("the track has places before the motion or after its end");
    const auto found = seen.find(now.step);
    if (found == seen.end()) return 0.0;
    double sum = 0;
    for (const Vec3& place : found->second)
      for (int axis = 0; axis < 3; ++axis) {
        if (!std::isfinite(place[axis])) continue;
        const double away = point.at(now.q)[axis] - place[axis];
        sum += 0.5 * away * away;
        add_to(point, axis, away, q_bar);
      }
    return sum;
  };
}

Objective probe_objective(const BuiltScene& built, const ProbeGoal& goal) {
  const Column column = find_column(built, goal.column);
  return [column, target = goal.target](const ObjectivePoint& point, std::span<double> q_bar,
                                        std::span<double>) {
    if (point.step != point.steps) return 0.0;
    const double x = column.point.at(point.q)[column.axis];
    const double slope = target ? x - *target : 1;
    add_to(column.point, column.axis, slope, q_bar);
    return target ? 0.5 * slope * slope : x;
  };
}

}  // namespace pliant
