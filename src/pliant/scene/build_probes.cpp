#include <pliant/scene/build_probes.hpp>

#include <pliant/core/error.hpp>
#include <pliant/scene/locate.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

std::size_t number_of(const Body& body, const BuiltScene& built) {
  return static_cast<std::size_t>(&body - built.model.bodies.data());
}

std::vector<Index> rows_named(const std::string& name, const ConstraintSet& constraints) {
  std::vector<Index> rows;
  for (Index row = 0; row < constraints.rows(); ++row)
    if (constraints.row_name(row) == name) rows.push_back(row);
  return rows;
}

void watch_tension(const ProbeDescription& description, BuiltScene& built, Probe& probe) {
  const std::vector<DrawnThread>& threads = built.threads.list();
  const auto thread = std::find_if(threads.begin(), threads.end(), [&](const DrawnThread& known) {
    return known.name == description.of;
  });
  if (thread != threads.end()) {
    probe.thread = static_cast<std::size_t>(thread - threads.begin());
    if (!thread->path) probe.rows = rows_named(description.of, built.model.system->constraints());
    return;
  }
  const Body& cable = find_body(built.model.bodies, description.of);
  probe.body = number_of(cable, built);
  if (!description.point) return;
  locate(cable, *description.point, description.where + "/point");
  probe.segment = static_cast<std::size_t>(find_point(cable.mesh, *description.point).element);
}

void watch_constraint(const SceneDescription& scene, const ProbeDescription& description,
                      BuiltScene& built, Probe& probe) {
  for (const ConstraintDescription& constraint : scene.constraints) {
    if (constraint.name != description.of) continue;
    const Body& body = find_body(built.model.bodies, constraint.body);
    probe.body = number_of(body, built);
    probe.rows = rows_named(constraint.name, built.model.system->constraints());
    if (description.kind != ProbeKind::torque_of) return;
    constexpr std::array whole = {"volume", "bind", "edges", "strain"};
    if (std::find(whole.begin(), whole.end(), constraint.type) != whole.end())
      throw InputError(fmt::format(
          "{}/torque_of: \"{}\" holds no single point of \"{}\" that its torque could be about",
          description.where, constraint.name, constraint.body));
    probe.point = locate(body, constraint.point, constraint.where + "/between/1");
  }
}

}  // namespace

void add_probes(const SceneDescription& scene, BuiltScene& built) {
  for (const ProbeDescription& description : scene.probes) {
    Probe probe;
    probe.name = description.name;
    probe.kind = description.kind;
    if (probe.kind == ProbeKind::tension_of) {
      watch_tension(description, built, probe);
    } else if (probe.kind == ProbeKind::force_of || probe.kind == ProbeKind::torque_of) {
      watch_constraint(scene, description, built, probe);
    } else {
      const Body& body = find_body(built.model.bodies, description.of);
      probe.body = number_of(body, built);
      if (description.point)
        probe.point = locate(body, *description.point, description.where + "/point");
    }
    built.probes.push_back(std::move(probe));
  }
}

}  // namespace pliant
