#include <pliant/run/recorder.hpp>

#include <pliant/contact/barrier_term.hpp>
#include <pliant/core/error.hpp>
#include <pliant/run/contact_force.hpp>
#include <pliant/stage/contact_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

const std::vector<std::string> kExtraColumns = {
    "work",    "dissipated",  "damped", "rubbed", "created", "min_det",     "inverted",
    "retries", "projections", "redone", "primal", "dual",    "unconverged", "tolerance"};

// Of coarse bodies that are corrected.
const std::vector<std::string> kCoarseColumns = {"modes_known", "modes_near", "modes_crossed",
                                                 "correction"};

// To the digits that machines agree about.
std::string mesh_hash(std::span<const double> points, const std::vector<double>& cells) {
  std::vector<double> rounded;
  for (const double x : points) rounded.push_back(static_cast<float>(x));
  return state_hash(rounded, cells);
}

std::map<std::string, std::string> mesh_hashes(const BuiltScene& built) {
  const System& system = *built.model.system;
  const std::span<const double> rest = view(system.rest());
  std::map<std::string, std::string> hashes;
  for (const Body& body : built.model.bodies) {
    std::vector<double> cells;
    for (const ElementBlock& block : body.mesh.blocks)
      cells.insert(cells.end(), block.nodes.begin(), block.nodes.end());
    const auto first = static_cast<std::size_t>(3 * body.first_node);
    const auto end = static_cast<std::size_t>(3 * body.end_node());
    hashes['"' + body.name + '"'] = mesh_hash(rest.subspan(first, end - first), cells);
  }
  std::vector<double> triangles;
  for (const auto& triangle : built.obstacles.triangles())
    triangles.insert(triangles.end(), triangle.begin(), triangle.end());
  hashes["the obstacles"] =
      mesh_hash(rest.subspan(static_cast<std::size_t>(3 * system.body_nodes())), triangles);
  return hashes;
}

RunSetup setup_of(const BuiltScene& built, const RunRequest& request) {
  return {request.scene_json, request.scene_hash, columns_of(built),
          request.resumable,  request.last_step,  mesh_hashes(built)};
}

std::vector<FrameBodyCells> cells_of(const BuiltScene& built) {
  std::vector<FrameBodyCells> cells;
  for (const Body& body : built.model.bodies)
    cells.push_back({body.mesh.point_count(), body.mesh.blocks, body.material_of_element});
  return cells;
}

}  // namespace

History::Columns columns_of(const BuiltScene& built) {
  History::Columns columns;
  for (const Probe& probe : built.probes)
    (probe.kind == ProbeKind::tension_of ? columns.numbers : columns.probes).push_back(probe.name);
  columns.extras = kExtraColumns;
  if (!built.corrections.empty())
    columns.extras.insert(columns.extras.end(), kCoarseColumns.begin(), kCoarseColumns.end());
  return columns;
}

Recorder::Recorder(const BuiltScene& built, const RunRequest& request, const Log& log)
    : built_(built), request_(request), writer_(cells_of(built)), probe_reader_(built) {
  if (!request.folder.empty())
    folder_.emplace(request.folder, request.existing, setup_of(built, request), log);
  ledger_.emplace(*built.model.system, built.start);
  for (const Body& body : built.model.bodies)
    von_mises_.emplace_back(static_cast<std::size_t>(body.mesh.element_count()), 0.0);
  det_.resize(writer_.cell_count(), 1.0);
  pinned_.resize(writer_.point_count(), 0.0);
}

void Recorder::find_pinned(const State& state) {
  std::fill(pinned_.begin(), pinned_.end(), 0.0);
  for (const Pin& pin : built_.model.system->pins())
    if (pin.from <= state.t && state.t < pin.until)
      for (const Index n : pin.nodes)  // obstacles' nodes stand behind those of bodies
        if (static_cast<std::size_t>(n) < pinned_.size()) pinned_[static_cast<std::size_t>(n)] = 1;
}

DeformationExtremes Recorder::worst_deformation(const State& state) const {
  DeformationExtremes worst;
  for (const Body& body : built_.model.bodies)
    for (const Body::Batch& batch : body.batches) {
      const DeformationExtremes extremes = batch.term->extremes(at(state));
      worst.min_det = std::min(worst.min_det, extremes.min_det);
      worst.inverted += extremes.inverted;
    }
  return worst;
}

namespace {

SummaryEnergies summed(const Energies& E) {
  return {E.kinetic, E.elastic, E.external, E.contact, E.total()};
}

// What touches at a state, nothing where there is no contact.
ContactSet contacts_of(const BuiltScene& built, const State& state) {
  ContactSet set;
  if (const BarrierTerm* contact = built.model.system->contact())
    contact->contacts(at(state), set);
  else if (built.rules)
    set = touching_pairs(*built.rules, view(state.q));
  return set;
}

}  // namespace

bool Recorder::account(const State& state, std::int64_t step, double dt) {
  const System& system = *built_.model.system;
  const Energies E = system.energies(at(state));
  const Momentum momentum = system.momentum(view(state.q), view(state.v));
  if (!std::isfinite(E.total()) || !momentum.linear.allFinite() || !momentum.angular.allFinite())
    return false;
  energies_ = summed(E);
  momentum_ = momentum;
  if (!first_) first_ = energies_;
  ledger_before_ = {ledger_->sums(), ledger_->created()};
  // An equilibrium is not come to by work over time.
  if (step > 0 && dt > 0) ledger_->add_step(state, E);
  return true;
}

void Recorder::take_back(const State& before) {
  ledger_->go_on(before, ledger_before_.sums, ledger_before_.created);
}

void Recorder::add_row(const State& state, std::int64_t step, double dt, const StepReport& report,
                       double wall_ms) {
  const SummaryEnergies& E = energies_;
  const Momentum& momentum = momentum_;
  const bool in_time = dt > 0;
  at_rest_ = !in_time;
  probe_reader_.read(state, at_rest_, probes_);
  const DeformationExtremes worst = worst_deformation(state);
  const EnergySums& sums = ledger_->sums();
  const auto over_time = [in_time](double x) { return in_time ? std::optional(x) : std::nullopt; };
  const auto chosen = state.tolerance > 0 ? std::optional(state.tolerance) : std::nullopt;
  std::vector<std::optional<double>> extras = {over_time(sums.work),
                                               over_time(sums.work - (E.total - first_->total)),
                                               over_time(sums.damped + sums.flowed),
                                               over_time(sums.rubbed),
                                               over_time(sums.created),
                                               worst.min_det,
                                               static_cast<double>(worst.inverted),
                                               static_cast<double>(report.retries),
                                               static_cast<double>(report.projections),
                                               static_cast<double>(report.redone),
                                               report.primal,
                                               report.dual,
                                               static_cast<double>(report.unconverged),
                                               chosen};
  if (!built_.corrections.empty()) {
    const CoarseRow coarse = CoarseWatch::row(built_.corrections, state);
    extras.insert(extras.end(), {coarse.known, coarse.near, coarse.crossed, coarse.strength});
  }
  HistoryRow row;
  row.step = step;
  row.time = state.t;
  row.dt = dt;
  row.kinetic = E.kinetic, row.elastic = E.elastic, row.external = E.external, row.total = E.total;
  row.contact = E.contact;
  const ContactSet touching = contacts_of(built_, state);
  row.contacts = static_cast<std::int64_t>(touching.size());
  row.min_gap = touching.min_gap;
  if (row.min_gap) smallest_gap_ = std::min(smallest_gap_.value_or(*row.min_gap), *row.min_gap);
  Map3(row.p.data()) = momentum.linear;
  Map3(row.l.data()) = momentum.angular;
  row.newton = report.newton;
  row.linear = report.linear;
  row.wall_ms = wall_ms;
  row.probes = probes_;
  row.extras = extras;
  if (folder_) folder_->history().append(row);
  if (request_.watcher) request_.watcher->row(row);
}

void Recorder::add_threads(const State& state) {
  const DrawnThreads& threads = built_.threads;
  if (threads.list().empty()) return;
  VtpLines drawn{threads.points(view(state.q)), threads.lines(), {}, {}};
  for (const DrawnThread& thread : threads.list())
    drawn.kind.push_back(static_cast<std::int32_t>(thread.kind));
  drawn.tension = probe_reader_.tensions(state, at_rest_);
  for (double& tension : drawn.tension)
    if (!std::isfinite(tension)) tension = 0;  // which readers refuse
  folder_->threads().add(state.t, drawn);
}

void Recorder::add_frame(const State& state, std::int64_t step) {
  if (!folder_) return;
  FrameData frame;
  frame.time = state.t;
  frame.step = step;
  std::size_t first_cell = 0;
  for (std::size_t k = 0; k < built_.model.bodies.size(); ++k) {
    const Body& body = built_.model.bodies[k];
    std::vector<double> value;
    for (const Body::Batch& batch : body.batches) {
      value.resize(batch.elements.size());
      batch.von_mises(at(state), value);
      for (std::size_t e = 0; e < value.size(); ++e) von_mises_[k][batch.elements[e]] = value[e];
      batch.term->smallest_det(at(state), value);
      for (std::size_t e = 0; e < value.size(); ++e)
        det_[first_cell + batch.elements[e]] = value[e];
    }
    const auto body_cells = static_cast<std::size_t>(body.mesh.element_count());
    body.give_to_skin(von_mises_[k]);
    body.give_to_skin(std::span(det_).subspan(first_cell, body_cells));
    first_cell += body_cells;
    const auto first = 3 * static_cast<std::size_t>(body.first_node);
    const auto count = 3 * static_cast<std::size_t>(body.mesh.point_count());
    frame.bodies.push_back(
        {view(state.q).subspan(first, count), view(state.v).subspan(first, count), von_mises_[k]});
  }
  find_pinned(state);
  frame.point_arrays.push_back({"pinned", 1, pinned_});
  frame.cell_arrays.push_back({"det_F", 1, det_});
  Vector force = contact_force(*built_.model.system, state);
  if (built_.rules && built_.rules->by != ContactRules::By::admm && force.size() == 0)
    force.setZero(state.q.size());  // before the first step
  if (force.size() > 0)
    frame.point_arrays.push_back(
        {"contact_force", 3, view(force).first(3 * writer_.point_count())});
  const DrawnObstacles& obstacles = built_.obstacles;
  if (!obstacles.empty()) {
    VtpSurface drawn{
        obstacles.points(view(state.q)), obstacles.triangles(), {{obstacle_label, {}}}};
    for (std::size_t t = 0; t < drawn.triangles.size(); ++t)
      drawn.labels[0].values.push_back(obstacles.part_of(t));
    folder_->obstacles().add(state.t, drawn, obstacles.moving());
  }
  add_threads(state);
  folder_->add_frame(writer_, frame);
}

void Recorder::write_checkpoint(const State& state, const Counters& counters,
                                std::vector<double> memory) {
  if (!folder_) return;
  Checkpoint checkpoint = to_checkpoint(state, counters, std::move(memory));
  if (first_)
    checkpoint.arrays["first_energies"] = {first_->kinetic, first_->elastic, first_->external,
                                           first_->contact, first_->total};
  to_checkpoint(*ledger_, checkpoint);
  if (smallest_gap_) checkpoint.arrays["smallest_gap"] = {*smallest_gap_};
  if (!built_.corrections.empty()) {
    const CoarseCounts& coarse = coarse_watch_.counts();
    checkpoint.arrays["coarse"] = {static_cast<double>(coarse.failed),
                                   static_cast<double>(coarse.crossed),
                                   static_cast<double>(coarse.refreshed)};
  }
  checkpoint.arrays["wall_seconds"] = {wall_seconds()};
  folder_->write_checkpoint(counters.step, std::move(checkpoint));
}

void Recorder::restore(const Checkpoint& checkpoint, const State& state) {
  const std::vector<double>& E = checkpoint.array("first_energies");
  const std::vector<double>& wall = checkpoint.array("wall_seconds");
  if (E.size() != 5 || wall.size() != 1) throw InputError("the checkpoint's energies are damaged");
  if (checkpoint.arrays.contains("coarse") && checkpoint.array("coarse").size() == 3) {
    const std::vector<double>& coarse = checkpoint.array("coarse");
    coarse_watch_.counts() = {static_cast<std::int64_t>(coarse[0]),
                              static_cast<std::int64_t>(coarse[1]),
                              static_cast<std::int64_t>(coarse[2])};
  }
  if (checkpoint.arrays.contains("smallest_gap") && checkpoint.array("smallest_gap").size() == 1)
    smallest_gap_ = checkpoint.array("smallest_gap")[0];
  from_checkpoint(checkpoint, state, *ledger_);
  wall_before_ = wall[0];
  first_ = SummaryEnergies{E[0], E[1], E[2], E[3], E[4]};
}

void Recorder::change_scene(const State& state, const std::string& words,
                            const std::function<void()>& change) {
  const auto energy = [&] { return built_.model.system->energies(at(state)).total(); };
  const double before = energy();
  EnergySums sums = ledger_->sums();
  const EnergyCreated created = ledger_->created();
  ledger_.reset();  // it belongs to the system that goes
  change();
  ledger_.emplace(*built_.model.system, state);
  sums.work += energy() - before;
  ledger_->go_on(state, sums, created);
  changes_.push_back(fmt::format("at {} s: {}", state.t, words));
  if (folder_) folder_->set_changed(changes_.back());
}

void Recorder::write_summary(const RunOutcome& outcome, const State& state,
                             const Counters& counters) {
  if (!folder_) return;
  Summary summary;
  summary.status = outcome.status;
  summary.reason = outcome.reason;
  summary.steps = counters.step;
  summary.frames = frames();
  summary.simulated_seconds = state.t;
  summary.wall_seconds = wall_seconds();
  summary.newton_iterations = counters.newton;
  summary.linear_iterations = counters.linear;
  summary.retries = counters.retries;
  summary.last = summed(built_.model.system->energies(at(state)));
  const EnergyCreated& created = ledger_->created();
  summary.created = {created.total, created.worst_step, created.time};
  summary.first = first_ ? *first_ : summary.last;
  summary.smallest_gap = smallest_gap_;
  summary.state_hash = state_hash(view(state.q), view(state.v));
  summary.threads = request_.threads;
  summary.versions = versions();
  summary.counts["projections"] = counters.projections;
  summary.counts["nodes"] = built_.model.system->body_nodes();
  if (!built_.corrections.empty()) {
    const CoarseCounts& coarse = coarse_watch_.counts();
    summary.counts["steps_modes_unknown"] = coarse.failed;
    summary.counts["steps_modes_crossed"] = coarse.crossed;
    summary.counts["mode_refreshes"] = coarse.refreshed;
  }
  summary.notes = built_.notes;
  summary.changes = changes_;
  folder_->write_summary(summary);
}

}  // namespace pliant
