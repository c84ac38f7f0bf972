#include <pliant/gradient/probe_objective.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>

#include <fmt/format.h>

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

}  // namespace

Objective probe_objective(const BuiltScene& built, const ProbeGoal& goal) {
  const Column column = find_column(built, goal.column);
  return [column, target = goal.target](const ObjectivePoint& point, std::span<double> q_bar,
                                        std::span<double>) {
    if (point.step != point.steps) return 0.0;
    const double x = column.point.at(point.q)[column.axis];
    const double slope = target ? x - *target : 1;
    for (int a = 0; a < column.point.count; ++a)
      node(q_bar, column.point.nodes[static_cast<std::size_t>(a)])[column.axis] +=
          slope * column.point.weights[static_cast<std::size_t>(a)];
    return target ? 0.5 * slope * slope : x;
  };
}

}  // namespace pliant
