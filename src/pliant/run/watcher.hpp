// Whoever looks on while a run goes and may steer it between two steps: pause it, pull at a body,
// change numbers of the scene, end it. The viewer is one; a run without a watcher pays nothing.
#pragma once

#include <pliant/io/history.hpp>
#include <pliant/scene/build.hpp>

#include <optional>
#include <string>

namespace pliant {

struct RunOutcome;

// Where a run stands; valid during the call only.
struct RunMoment {
  const SceneDescription& scene;
  const BuiltScene& built;
  const State& state;
  std::int64_t step = 0;
  double duration = 0;  // s, that the run will have simulated
};

// The same bodies, meshes and pins with other numbers; the state goes on as it is.
struct SceneChange {
  SceneDescription scene;
  BuiltScene built;
  std::string words;  // what was changed, for the log and the summary
};

struct Steering {
  bool end = false;            // the run ends here
  bool loads_changed = false;  // forces are other than they were at the end of the last step
  double work = 0;             // J, that changing them did on the system
  std::optional<SceneChange> change;
};

class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void row(const HistoryRow& row) = 0;
  // Before each step. May wait as long as it likes; a signal must end the wait.
  virtual Steering before_step(const RunMoment& moment) = 0;
  // After everything is written. May stay, too.
  virtual void finished(const RunMoment& moment, const RunOutcome& outcome) = 0;
};

}  // namespace pliant
