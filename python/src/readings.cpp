#include "readings.hpp"

#include <pliant/contact/barrier.hpp>
#include <pliant/contact/barrier_term.hpp>
#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/run/contact_force.hpp>
#include <pliant/run/probe_reader.hpp>
#include <pliant/stage/contact_rules.hpp>
#include <pliant/system/constrained_acceleration.hpp>
#include <pliant/system/mass_solve.hpp>
#include <pliant/system/multipliers.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

namespace pliant::python {

Vector force_of(const BuiltScene& built, const State& state, const std::string& term) {
  const System& system = *built.model.system;
  Vector f = Vector::Zero(system.dofs());
  if (term.empty()) {
    system.force(at(state), view(f));
    return f;
  }
  bool found = false;
  for (const auto& one : system.terms())
    if (one->name() == term) {
      one->add_force(at(state), view(f));
      found = true;
    }
  if (!found)
    throw InputError(
        fmt::format("there is no term \"{}\"{}", term, suggestion(term, term_names(built))));
  system.pull_back(view(f));
  return f;
}

std::vector<std::string> term_names(const BuiltScene& built) {
  std::vector<std::string> names;
  for (const auto& term : built.model.system->terms())
    if (std::find(names.begin(), names.end(), term->name()) == names.end())
      names.emplace_back(term->name());
  return names;
}

Vector acceleration_of(const BuiltScene& built, const State& state) {
  if (state.a_known) return state.a;
  const System& system = *built.model.system;
  const DofMask mask = mask_of(system, state);
  Vector f(system.dofs()), a = Vector::Zero(system.dofs());
  system.force(at(state), view(f));
  system.prescribe(state, state.t, {}, {}, view(a));
  const bool found = system.constraints().empty()
                         ? MassSolve().solve(system.mass(), mask, view(std::as_const(f)), view(a))
                         : ConstrainedAcceleration().find(system, mask, at(state),
                                                          view(std::as_const(f)), view(a));
  if (!found) throw CannotContinue("the accelerations are not determined");
  system.follow(view(a));
  return a;
}

std::vector<std::uint8_t> free_coordinates(const BuiltScene& built, const State& state) {
  std::vector<std::uint8_t> free = mask_of(*built.model.system, state);
  for (std::uint8_t& flag : free) flag = flag == 0;
  return free;
}

namespace {

constexpr const char* kKinds[] = {"point_point", "point_edge", "point_triangle", "edge_edge"};

double gap_of(const Contact& contact, const PairPoints& x) {
  return distance(contact.kind, x) - contact.thickness;
}

}  // namespace

ContactList contacts_of(const BuiltScene& built, const State& state) {
  ContactList list;
  ContactSet set;
  const BarrierTerm* barrier = built.model.system->contact();
  if (barrier)
    barrier->contacts(at(state), set);
  else if (built.rules)
    set = touching_pairs(*built.rules, view(state.q));
  for (const Contact& contact : set.contacts) {
    const PairPoints x = gather(view(state.q), contact.nodes);
    list.kinds.emplace_back(kKinds[static_cast<int>(contact.kind)]);
    list.nodes.insert(list.nodes.end(), contact.nodes.begin(), contact.nodes.end());
    list.gaps.push_back(gap_of(contact, x));
    list.pressures.push_back(barrier ? contact_pressure(contact, x, barrier->delta())
                                     : std::numeric_limits<double>::quiet_NaN());
  }
  const ContactSurface* surface = barrier       ? &barrier->surface()
                                  : built.rules ? &built.rules->surface
                                                : nullptr;
  for (const PlaneContact& contact : set.planes) {
    const ContactPlane& plane = surface->planes[static_cast<std::size_t>(contact.plane)];
    const double gap =
        plane.normal.dot(node(view(state.q), contact.node) - node(view(state.q), plane.node)) -
        contact.thickness;
    list.kinds.emplace_back("point_plane");
    list.nodes.insert(list.nodes.end(), {contact.node, plane.node, plane.node, plane.node});
    list.gaps.push_back(gap);
    list.pressures.push_back(barrier
                                 ? -contact.stiffness * pliant::barrier(gap, barrier->delta()).first
                                 : std::numeric_limits<double>::quiet_NaN());
  }
  return list;
}

py::dict to_python(const ContactList& list) {
  py::dict out;
  out["kind"] = list.kinds;
  py::array_t<Index> nodes({static_cast<py::ssize_t>(list.gaps.size()), py::ssize_t{4}});
  std::copy(list.nodes.begin(), list.nodes.end(), nodes.mutable_data());
  out["nodes"] = nodes;
  const auto count = static_cast<py::ssize_t>(list.gaps.size());
  out["gap"] = copy_of(list.gaps, {count});
  out["force"] = copy_of(list.pressures, {count});
  return out;
}

ConstraintRows constraint_rows(const BuiltScene& built, const State& state) {
  const System& system = *built.model.system;
  ConstraintRows rows;
  for (Index row = 0; row < system.constraints().rows(); ++row)
    rows.names.push_back(system.constraints().row_name(row));
  if (!rows.names.empty()) rows.determined = Multipliers().find(system, state, false, rows.lambda);
  return rows;
}

// One number for each row of a constraint.
py::dict to_python(const ConstraintRows& rows) {
  py::dict out;
  for (std::size_t row = 0; row < rows.names.size(); ++row) {
    const py::str name(rows.names[row]);
    if (!out.contains(name)) out[name] = py::list();
    out[name].cast<py::list>().append(rows.determined ? rows.lambda[static_cast<Eigen::Index>(row)]
                                                      : std::numeric_limits<double>::quiet_NaN());
  }
  const py::object numpy_array = py::module_::import("numpy").attr("array");
  for (const auto& [name, values] : out) out[name] = numpy_array(values);
  return out;
}

ProbeValues probe_values(const BuiltScene& built, const State& state) {
  ProbeValues probes;
  ProbeReader(built).read(state, false, probes.values);
  for (const bool vectors : {true, false})  // as a row of the history has them
    for (const Probe& probe : built.probes)
      if ((probe.kind != ProbeKind::tension_of) == vectors) {
        probes.names.push_back(probe.name);
        probes.vectors.push_back(vectors);
      }
  return probes;
}

py::dict to_python(const ProbeValues& probes) {
  py::dict out;
  std::size_t k = 0;
  for (std::size_t p = 0; p < probes.names.size(); ++p) {
    const py::str name(probes.names[p]);
    if (probes.vectors[p])
      out[name] = copy_of(std::span(probes.values).subspan(k, 3), {3});
    else
      out[name] = probes.values[k];
    k += probes.vectors[p] ? 3 : 1;
  }
  return out;
}

py::dict to_python(const Energies& energies) {
  py::dict out;
  out["kinetic"] = energies.kinetic;
  out["elastic"] = energies.elastic;
  out["external"] = energies.external;
  out["contact"] = energies.contact;
  out["total"] = energies.total();
  return out;
}

py::dict to_python(const EnergySums& sums) {
  py::dict out;
  out["work"] = sums.work;
  out["damped"] = sums.damped + sums.flowed;
  out["rubbed"] = sums.rubbed;
  out["created"] = sums.created;
  return out;
}

}  // namespace pliant::python
