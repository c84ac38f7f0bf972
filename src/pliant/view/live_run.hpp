// A run that pages watch and steer. The simulation calls it between steps, on its own thread, as a
// Watcher; the server asks it what to show, on the server's, as a Show. Between the two stand a
// queue of commands one way and, the other way, frames that are made only when a page waits for
// one, 60 a second at most, so that a page that stops reading costs nothing.
#pragma once

#include <pliant/run/simulation.hpp>
#include <pliant/view/live_feed.hpp>
#include <pliant/view/live_scene.hpp>
#include <pliant/view/viewed_surface.hpp>

#include <atomic>
#include <condition_variable>

namespace pliant {

struct Modes;

struct LiveOptions {
  bool results = false;  // a result folder is written: the run cannot begin anew
  bool gallery = false;  // there is a gallery to go back to
  bool linger = true;    // stay for the pages when the run is over
  std::function<int()> interrupted;
  double speed = 0;            // simulated seconds per second at most; 0: as fast as it goes
  bool wait_for_page = false;  // begin when the first page looks on
};

class LiveRun final : public Show, public Watcher {
 public:
  LiveRun(SceneSource source, LiveOptions options, const Log& log);
  ~LiveRun() override;

  // Runs the scene, and again after each restart, until it is over and nobody asks for more.
  // request.watcher is set here.
  RunOutcome run(RunRequest request, const Log& log);
  void add_log(const LogEntry& entry);

  Json hello() const override;
  std::uint64_t version() const override { return version_; }
  Answer get(const Resource& resource) override;
  std::vector<std::string> news(Seen& seen) const override { return feed_.news(seen); }
  std::shared_ptr<const Frame> latest() const override;
  void wish(Wishes wishes) override;
  std::string command(const Json& message, std::uint64_t page) override;

  void row(const HistoryRow& row) override;
  Steering before_step(const RunMoment& moment) override;
  void finished(const RunMoment& moment, const RunOutcome& outcome) override;

 private:
  struct Command {
    Json message;
    std::uint64_t page = 0;
  };
  enum class After { nothing, restart, close };

  // On the simulation's thread:
  void heed(const RunMoment& moment, Steering& steering);
  std::string obey(const Command& command, const RunMoment& moment, Steering& steering);
  std::string obey_hand(const Json& message, const RunMoment& moment);
  std::string end_with(After after);
  void adopt_changes(const RunMoment& moment, Steering& steering);
  SceneChange build_change(const RunMoment& moment, std::string words);
  DragSpring::Grip grip_at(const Json& message, const RunMoment& moment) const;
  double stiffness_of(const DragSpring::Grip& grip, const RunMoment& moment) const;
  void publish(const RunMoment& moment, bool again);
  void say_status(const std::string& state, const RunMoment& moment, std::string reason = {});
  double seconds_ahead(double t) const;  // of the speed that is asked for
  void wait(double seconds);

  // On the thread of `get`:
  std::string mode(std::size_t number);

  LiveOptions options_;
  LiveScene scene_;
  ViewedSurface surface_;
  std::vector<std::string> columns_, fields_;
  LiveFeed feed_;
  std::atomic<std::uint64_t> version_ = 0;
  std::atomic<Wishes> wishes_ = 0;
  std::atomic<bool> watched_ = false;  // a page has asked for a frame
  std::atomic<double> speed_ = 0;      // as in LiveOptions, until a page changes it

  mutable std::mutex mutex_;  // guards what follows, up to the blank line
  std::condition_variable woken_;
  std::deque<Command> commands_;
  std::shared_ptr<const Frame> latest_;
  SceneDescription described_;  // as the run has it now
  std::vector<double> frequencies_;
  bool modes_stale_ = false;

  // Of the simulation's thread.
  LiveScene::Built next_;
  DragSpring* hand_ = nullptr;
  bool paused_ = false, over_ = false;
  int steps_asked_ = 0;  // while paused
  After after_ = After::nothing;
  std::vector<std::string> changes_;  // of the scene, not yet adopted
  std::uint64_t changed_by_ = 0;      // the page
  Timer pace_timer_, frame_timer_, status_timer_;
  double pace_time_ = 0;  // s, simulated, when pace_timer_ began
  double last_wall_ms_ = 0;
  std::int64_t drawn_step_ = -1;
  std::string state_;

  // Of the thread of `get`.
  std::vector<Mesh> meshes_;
  std::unique_ptr<Modes> modes_;
};

}  // namespace pliant
