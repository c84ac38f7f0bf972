#include <pliant/view/live_run.hpp>

#include <pliant/analysis/modes.hpp>
#include <pliant/core/error.hpp>
#include <pliant/run/contact_force.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/recorder.hpp>
#include <pliant/study/history_table.hpp>
#include <pliant/view/live_fields.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

constexpr double kFrameSeconds = 1.0 / 60, kStatusSeconds = 0.1, kWaitSeconds = 0.02;
constexpr Index kModes = 10;

}  // namespace

LiveRun::LiveRun(SceneSource source, LiveOptions options, const Log& log)
    : options_(std::move(options)), scene_(std::move(source), log) {
  speed_ = options_.speed;
  next_ = scene_.build(log);
  const BuiltScene& built = next_.scene;
  surface_ = draw_bodies(built);
  columns_ = csv_fields(history_header(columns_of(built)));
  fields_ = {"body", "velocity", "stress", "det"};
  if (has_contact(*built.model.system)) fields_.emplace_back("contact_force");
  for (const Body& body : built.model.bodies) meshes_.push_back(body.without_skin());
  described_ = scene_.scene();
  feed_.set_parameters(scene_.parameters());
}

LiveRun::~LiveRun() = default;

RunOutcome LiveRun::run(RunRequest request, const Log& log) {
  request.watcher = this;
  for (;;) {
    if (!next_.scene.model.system) next_ = scene_.build(log);
    hand_ = next_.hand;
    over_ = false;
    after_ = After::nothing;
    changes_.clear();
    drawn_step_ = -1;
    state_.clear();
    pace_time_ = 0;
    pace_timer_.restart();
    feed_.start_anew();
    const SceneDescription scene = scene_.scene();
    const RunOutcome outcome =
        run_simulation(scene, std::exchange(next_.scene, BuiltScene()), request, log);
    hand_ = nullptr;
    if (after_ != After::restart) return outcome;
  }
}

void LiveRun::add_log(const LogEntry& entry) {
  feed_.add_log(entry);
  ring();
}

Json LiveRun::hello() const {
  Json bodies = Json::array();
  for (const ViewedBody& body : surface_.bodies)
    bodies.push_back(
        {{"name", body.name}, {"vertices", body.vertices}, {"triangles", body.triangles}});
  const std::lock_guard lock(mutex_);
  Json modes = Json::array();  // found when somebody asks for one
  for (std::size_t k = 0; k < static_cast<std::size_t>(kModes); ++k)
    if (frequencies_.empty() || k < frequencies_.size())
      modes.push_back({{"frequency", frequencies_.empty() ? Json() : Json(frequencies_[k])}});
  const SceneDescription& scene = described_;
  const Json run = {{"name", scene.name},
                    {"integrator", scene.integrator.type},
                    {"dt", scene.time.chosen() ? Json("auto") : Json(scene.time.dt)},
                    {"duration", scene.time.duration},
                    {"bodies", bodies},
                    {"fields", fields_},
                    {"times", Json::array()},
                    {"columns", columns_},
                    {"modes", modes}};
  return {{"mode", "live"},
          {"title", scene.name},
          {"speed", speed_.load()},
          {"runs", Json::array({run})},
          {"parameters", feed_.parameters()}};
}

Answer LiveRun::get(const Resource& resource) {
  using Kind = Resource::Kind;
  if (resource.run != 0) return not_found("there is one run here\n");
  switch (resource.kind) {
    case Kind::surface:
      return {200, "application/octet-stream", encode_surface(surface_)};
    case Kind::history: {
      const Json history = {{"columns", columns_}, {"rows", feed_.history_rows()}};
      return {200, "application/json", history.dump()};
    }
    case Kind::frame: {
      const std::shared_ptr<const Frame> frame = latest();
      if (resource.number != 0 || !frame)
        return not_found("a live run has only its latest frame\n");
      return {200, "application/octet-stream", encode_frame(*frame, {0, 0, resource.field})};
    }
    case Kind::mode:
      if (resource.number >= static_cast<std::size_t>(kModes)) break;
      if (std::string shape = mode(resource.number); !shape.empty())
        return {200, "application/octet-stream", std::move(shape)};
      break;
    case Kind::thumbnail:
      break;
  }
  return not_found("there is no such mode or picture\n");
}

// About the undeformed state, on a system of its own: the run never waits for it.
std::string LiveRun::mode(std::size_t number) {
  SceneDescription scene;
  {
    const std::lock_guard lock(mutex_);
    scene = described_;
    if (std::exchange(modes_stale_, false)) modes_.reset();
  }
  if (!modes_) {
    const BuiltScene copy = build_scene(scene, Log(), meshes_);
    const System& system = *copy.model.system;
    std::vector<Index> rigid;
    for (const Body& body : copy.model.bodies)
      if (body.rigid) rigid.push_back(body.rigid->first);
    modes_ = std::make_unique<Modes>(find_modes(system, system.make_state(), kModes, {}, rigid));
    const std::lock_guard lock(mutex_);
    frequencies_.clear();
    for (const Mode& mode : modes_->list) frequencies_.push_back(mode.frequency);
    ++version_;
  }
  if (number >= modes_->list.size()) return {};
  const Vector shape = modes_->shapes.col(static_cast<Eigen::Index>(number));
  return encode_frame(displacement_frame(surface_, shape), {0, static_cast<std::uint32_t>(number)});
}

std::shared_ptr<const Frame> LiveRun::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

void LiveRun::wish(Wishes wishes) {
  wishes_ = wishes;
  if (wishes == 0) return;
  watched_ = true;
  woken_.notify_one();
}

void LiveRun::row(const HistoryRow& row) {
  last_wall_ms_ = row.wall_ms;
  feed_.add_row(row);
}

Steering LiveRun::before_step(const RunMoment& moment) {
  Steering steering;
  for (;;) {
    heed(moment, steering);
    steering.end = after_ != After::nothing;
    const bool waits = options_.wait_for_page && !watched_;
    const bool stands = waits || (paused_ && steps_asked_ == 0);
    say_status(waits ? "starting" : stands ? "paused" : "running", moment);
    publish(moment, stands);
    if (steering.end || steering.change || (options_.interrupted && options_.interrupted() != 0))
      break;
    const double ahead = stands ? kWaitSeconds : seconds_ahead(moment.state.t);
    if (ahead <= 0) break;
    wait(std::min(ahead, kWaitSeconds));
  }
  if (!steering.change && steps_asked_ > 0) --steps_asked_;
  return steering;
}

void LiveRun::finished(const RunMoment& moment, const RunOutcome& outcome) {
  over_ = true;
  Steering ignored;
  while (after_ == After::nothing) {
    say_status(outcome.status == "failed" ? "failed" : "done", moment, outcome.reason);
    publish(moment, true);
    if (!options_.linger || (options_.interrupted && options_.interrupted() != 0)) return;
    wait(kWaitSeconds);
    heed(moment, ignored);
  }
}

void LiveRun::publish(const RunMoment& moment, bool again) {
  if (wishes_.load() == 0) return;
  if (!again && frame_timer_.seconds() < kFrameSeconds) return;
  const Wishes wishes = wishes_.load();
  const std::shared_ptr<const Frame> last = latest();
  if (again && last && drawn_step_ == moment.step && has_fields(*last, wishes)) return;
  frame_timer_.restart();
  auto frame = std::make_shared<Frame>(draw(surface_, moment, wishes));
  if (hand_ && hand_->held()) {
    const Vec3 x = hand_->point(view(moment.state.q)), p = hand_->grip().target;
    frame->grabbed.emplace();
    for (std::size_t i = 0; i < 3; ++i) {
      (*frame->grabbed)[i] = static_cast<float>(x[static_cast<int>(i)]);
      (*frame->grabbed)[3 + i] = static_cast<float>(p[static_cast<int>(i)]);
    }
  }
  drawn_step_ = moment.step;
  {
    const std::lock_guard lock(mutex_);
    latest_ = std::move(frame);
  }
  wishes_ = 0;
  ring();
}

void LiveRun::say_status(const std::string& state, const RunMoment& moment, std::string reason) {
  if (state == state_ && (status_timer_.seconds() < kStatusSeconds || state != "running")) return;
  const double wall = pace_timer_.seconds();
  LiveStatus status;
  status.state = state;
  status.reason = std::move(reason);
  status.step = moment.step;
  status.time = moment.state.t;
  status.duration = moment.duration;
  status.speed = wall > 0 ? std::max(0.0, (moment.state.t - pace_time_) / wall) : 0;
  status.wall_ms = last_wall_ms_;
  feed_.set_status(status);
  status_timer_.restart();
  const bool other = state != std::exchange(state_, state);
  if (other || wall > 1) {  // the speed is that of the last second
    pace_timer_.restart();
    pace_time_ = moment.state.t;
  }
  if (other) ring();
}

double LiveRun::seconds_ahead(double t) const {
  const double speed = speed_;
  return speed > 0 ? (t - pace_time_) / speed - pace_timer_.seconds() : 0;
}

void LiveRun::wait(double seconds) {
  std::unique_lock lock(mutex_);
  if (!commands_.empty()) return;
  woken_.wait_for(lock, std::chrono::duration<double>(seconds));
}

}  // namespace pliant
