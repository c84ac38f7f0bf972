#include <pliant/run/probe_reader.hpp>

#include <pliant/element/cable.hpp>
#include <pliant/run/contact_force.hpp>

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

// Of one segment, or the largest of all.
double tension_of_cable(const Body& cable, std::optional<std::size_t> segment,
                        std::span<const double> q) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Body::Batch& batch : cable.batches) {
    const auto* stretch = dynamic_cast<const CableStretch*>(batch.term);
    for (std::size_t e = 0; stretch && e < batch.elements.size(); ++e)
      if (!segment || *segment == static_cast<std::size_t>(batch.elements[e]))
        largest = std::max(largest, stretch->tension(e, q));
  }
  return largest;
}

}  // namespace

ProbeReader::ProbeReader(const BuiltScene& built) : built_(built) {
  for (const DrawnThread& thread : built.threads.list())
    if (!thread.path) rod_rows_[thread.name];
  if (rod_rows_.empty()) return;
  const ConstraintSet& constraints = built.model.system->constraints();
  for (Index row = 0; row < constraints.rows(); ++row)
    if (const auto found = rod_rows_.find(constraints.row_name(row)); found != rod_rows_.end())
      found->second.push_back(row);
}

const Vector& ProbeReader::multipliers(const State& state, bool at_rest) {
  if (lambda_known_) return lambda_;
  const System& system = *built_.model.system;
  if (!multipliers_.find(system, state, at_rest, lambda_))
    lambda_.setConstant(system.constraints().rows(), std::numeric_limits<double>::quiet_NaN());
  system.constraints().jacobian(view(state.q), J_);
  lambda_known_ = true;
  return lambda_;
}

// Tension is −∂(λφ)/∂L, and L grows as L where all points move away from the rod's second end in
// proportion to their distance from it.
double ProbeReader::tension_of_rod(const DrawnThread& rod, std::span<const Index> rows,
                                   const State& state, bool at_rest) {
  const Vector& lambda = multipliers(state, at_rest);
  const auto place = [&](const PathPoint& point) -> Vec3 {
    return point.carried.count > 0 ? point.carried.at(view(state.q)) : point.world;
  };
  const Vec3 end = place(rod.points[1]);
  const double L = (place(rod.points[0]) - end).norm();
  double sum = 0;
  for (const JacobianEntry& entry : J_)
    if (std::find(rows.begin(), rows.end(), entry.row) != rows.end())
      sum -= lambda[entry.row] * entry.gradient.dot(node(view(state.q), entry.node) - end) / L;
  return sum;
}

double ProbeReader::tension(const Probe& probe, const State& state, bool at_rest) {
  if (!probe.thread)
    return tension_of_cable(built_.model.bodies[probe.body], probe.segment, view(state.q));
  const DrawnThread& thread = built_.threads.list()[*probe.thread];
  return thread.path ? tension_of(*thread.path, state.t, view(state.q), view(state.v))
                     : tension_of_rod(thread, probe.rows, state, at_rest);
}

std::vector<double> ProbeReader::tensions(const State& state, bool at_rest) {
  lambda_known_ = false;
  std::vector<double> out;
  for (const DrawnThread& thread : built_.threads.list()) {
    if (thread.path) {
      out.push_back(tension_of(*thread.path, state.t, view(state.q), view(state.v)));
      continue;
    }
    out.push_back(tension_of_rod(thread, rod_rows_.at(thread.name), state, at_rest));
  }
  return out;
}

Vec3 ProbeReader::force_on_body(const Probe& probe, const State& state, bool at_rest) {
  const Vector& lambda = multipliers(state, at_rest);
  const Body& body = built_.model.bodies[probe.body];
  const bool torque = probe.kind == ProbeKind::torque_of;
  const Vec3 about = torque ? probe.point.at(view(state.q)) : Vec3(Vec3::Zero());
  Vec3 sum = Vec3::Zero();
  for (const JacobianEntry& entry : J_) {
    if (entry.node < body.first_solved() || entry.node >= body.end_solved() ||
        std::find(probe.rows.begin(), probe.rows.end(), entry.row) == probe.rows.end())
      continue;
    const Vec3 force = lambda[entry.row] * entry.gradient;
    if (torque)
      sum += (node(view(state.q), entry.node) - about).cross(force);
    else
      sum += force;
  }
  return sum;
}

Vec3 ProbeReader::triple(const Probe& probe, const State& state, bool at_rest) {
  if (probe.kind == ProbeKind::point) return probe.point.at(view(state.q));
  if (probe.kind != ProbeKind::force_on) return force_on_body(probe, state, at_rest);
  if (!forces_known_) {
    contact_ = contact_force(*built_.model.system, state);
    tied_ = constraint_force(*built_.model.system, state);
    forces_known_ = true;
  }
  const Body& body = built_.model.bodies[probe.body];
  return force_on(contact_, body.first_node, body.end_node()) +
         force_on(tied_, body.first_solved(), body.end_solved());
}

void ProbeReader::read(const State& state, bool at_rest, std::vector<double>& out) {
  lambda_known_ = forces_known_ = false;
  out.clear();
  for (const Probe& probe : built_.probes)
    if (probe.kind != ProbeKind::tension_of) {
      const Vec3 value = triple(probe, state, at_rest);
      out.insert(out.end(), value.begin(), value.end());
    }
  for (const Probe& probe : built_.probes)
    if (probe.kind == ProbeKind::tension_of) out.push_back(tension(probe, state, at_rest));
}

}  // namespace pliant
