// What a run writes as it goes: rows of history.csv, frames, checkpoints and the summary.
#pragma once

#include <pliant/core/timer.hpp>
#include <pliant/run/coarse_watch.hpp>
#include <pliant/run/probe_reader.hpp>
#include <pliant/run/simulation.hpp>
#include <pliant/run/versions.hpp>
#include <pliant/system/energy_ledger.hpp>

namespace pliant {

struct Counters {  // of the whole run, over all its resumptions
  std::int64_t step = 0, newton = 0, linear = 0, retries = 0, projections = 0;
};

History::Columns columns_of(const BuiltScene& built);

class Recorder {
 public:
  Recorder(const BuiltScene& built, const RunRequest& request, const Log& log);

  // The state to go on from; null where the run starts at the beginning.
  const Checkpoint* resumed() const {
    return folder_ && folder_->resumed() ? &*folder_->resumed() : nullptr;
  }
  void write_log(const LogEntry& entry) {
    if (folder_) folder_->log().write(entry);
  }
  // What the step to this state has done to the energy, before its row is written; a `dt` of zero
  // is no step in time. False, with nothing changed, where energy or momentum is not finite though
  // the state is.
  [[nodiscard]] bool account(const State& state, std::int64_t step, double dt);
  // The step is not taken after all, but begins at this state again.
  void take_back(const State& before);
  void add_row(const State& state, std::int64_t step, double dt, const StepReport& report,
               double wall_ms);
  void add_frame(const State& state, std::int64_t step);
  bool has_frame_at(double t) const {
    return folder_ && !folder_->frames().times().empty() && folder_->frames().times().back() == t;
  }
  void write_checkpoint(const State& state, const Counters& counters, std::vector<double> memory);
  void write_summary(const RunOutcome& outcome, const State& state, const Counters& counters);
  std::int64_t frames() const {
    return folder_ ? static_cast<std::int64_t>(folder_->frames().size()) : 0;
  }
  // Over all parts of a resumed run; what a killed part did after its last checkpoint is done again
  // and not counted.
  double wall_seconds() const { return wall_before_ + timer_.seconds(); }
  // What write_checkpoint added; `state` is the one of the checkpoint.
  void restore(const Checkpoint& checkpoint, const State& state);

  CoarseWatch& coarse_watch() { return coarse_watch_; }

  void add_work(double work) { ledger_->add_work(work); }  // J, from outside between two steps
  const EnergyLedger& ledger() const { return *ledger_; }
  // `change` puts another scene into the place of the one there; what that does to the energy is
  // work, and the results say that they are of a changed scene.
  void change_scene(const State& state, const std::string& words,
                    const std::function<void()>& change);

 private:
  DeformationExtremes worst_deformation(const State& state) const;
  void find_pinned(const State& state);
  void add_threads(const State& state);

  const BuiltScene& built_;
  const RunRequest& request_;
  std::optional<ResultFolder> folder_;
  VtuWriter writer_;
  Timer timer_;
  double wall_before_ = 0;  // s
  std::optional<SummaryEnergies> first_;
  std::optional<double> smallest_gap_;  // m, of all rows
  std::optional<EnergyLedger> ledger_;
  struct {
    EnergySums sums;
    EnergyCreated created;
  } ledger_before_;           // the last step
  SummaryEnergies energies_;  // of the state that was accounted for last
  Momentum momentum_;
  CoarseWatch coarse_watch_;
  std::vector<std::string> changes_;
  std::vector<std::vector<double>> von_mises_;  // per body
  std::vector<double> det_, pinned_;            // of all cells, of all points
  ProbeReader probe_reader_;
  bool at_rest_ = false;  // the rows are of an equilibrium
  std::vector<double> probes_;
};

// The state of a run in a checkpoint and back, which returns the memory that came along.
Checkpoint to_checkpoint(const State& state, const Counters& counters, std::vector<double> memory);
const std::vector<double>& from_checkpoint(const Checkpoint& checkpoint, const System& system,
                                           State& state, Counters& counters);
// Likewise its ledger, which goes on from `state`.
void to_checkpoint(const EnergyLedger& ledger, Checkpoint& checkpoint);
void from_checkpoint(const Checkpoint& checkpoint, const State& state, EnergyLedger& ledger);

}  // namespace pliant
