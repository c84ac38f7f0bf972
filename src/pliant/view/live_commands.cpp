// What pages ask of a live run: taken in on the server's thread, done between two steps on the
// simulation's.
#include <pliant/view/live_run.hpp>

#include <pliant/core/error.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/run/scene_change.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace pliant {
namespace {

constexpr std::size_t kMostCommands = 256;  // that wait for the end of a step
constexpr int kStepsAhead = 4;              // a key held down asks for more than can be made

Vec3 point_of(const Json& value) {
  Vec3 x;
  for (std::size_t i = 0; i < 3; ++i) x[static_cast<int>(i)] = value.at(i).get<double>();
  return x;
}

bool is_explicit(std::string_view integrator) {
  for (const IntegratorInfo& info : integrators())
    if (info.name == integrator) return info.implicit_stages == 0;
  return false;
}

}  // namespace

std::string LiveRun::command(const Json& message, std::uint64_t page) {
  static const std::set<std::string, std::less<>> known = {
      "pause", "resume", "step", "restart", "speed", "set", "grab", "drag", "release", "close"};
  const std::string type = message.at("type").get<std::string>();
  if (type == "open") return "a run is on already; close it first";
  if (!known.contains(type)) return fmt::format("there is no command \"{}\"", shortened(type));
  {
    const std::lock_guard lock(mutex_);
    // A hand that moves faster than the run steps: only where it is now matters.
    if (type == "drag" && !commands_.empty() && commands_.back().message.at("type") == "drag")
      commands_.pop_back();
    if (commands_.size() >= kMostCommands) return "the run has not come to the last requests yet";
    commands_.push_back({message, page});
  }
  woken_.notify_one();
  return {};
}

void LiveRun::heed(const RunMoment& moment, Steering& steering) {
  std::deque<Command> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
  }
  for (const Command& command : commands) {
    std::string refusal;
    try {
      refusal = obey(command, moment, steering);
    } catch (const Error& error) {
      refusal = error.what();
    } catch (const Json::exception&) {
      refusal = "the request lacks something or holds something of the wrong kind";
    }
    if (!refusal.empty()) feed_.refuse(command.page, std::move(refusal));
  }
  if (!changes_.empty()) adopt_changes(moment, steering);
  if (!commands.empty()) ring();
}

std::string LiveRun::obey(const Command& command, const RunMoment& moment, Steering& steering) {
  const Json& message = command.message;
  const std::string type = message.at("type").get<std::string>();
  if (type == "close") return end_with(After::close);
  if (type == "restart") return end_with(After::restart);
  if (type == "set") {
    changes_.push_back(scene_.set(message.at("path").get<std::string>(), message.at("value")));
    changed_by_ = command.page;
    return {};
  }
  if (type == "speed") {
    const double value = message.at("value").get<double>();
    if (!(value >= 0) || !std::isfinite(value))
      return "the speed must be 0 (as fast as it goes) or above";
    speed_ = value;
    pace_timer_.restart();
    pace_time_ = moment.state.t;
    return {};
  }
  if (over_) return "the run is over; restart begins it anew";
  if (type == "pause" || type == "resume") {
    paused_ = type == "pause";
    steps_asked_ = 0;
  }
  if (type == "step") {
    paused_ = true;
    steps_asked_ = std::min(steps_asked_ + 1, kStepsAhead);
  }
  if (type != "grab" && type != "drag" && type != "release") return {};
  const Configuration c{moment.state.t, view(moment.state.q), view(moment.state.v), nullptr};
  const double before = hand_->potential(c);
  std::string refusal = obey_hand(message, moment);
  if (!refusal.empty()) return refusal;
  steering.work += hand_->potential(c) - before;
  steering.loads_changed = true;
  drawn_step_ = -1;  // a run that stands shows the hand where it is
  return {};
}

std::string LiveRun::obey_hand(const Json& message, const RunMoment& moment) {
  const std::string type = message.at("type").get<std::string>();
  if (type == "grab")
    hand_->hold(grip_at(message, moment));
  else if (type == "release")
    hand_->release();
  else if (!hand_->held())
    return "nothing is held that could be dragged";
  else if (const Vec3 target = point_of(message.at("target")); target.allFinite())
    hand_->pull_to(target);
  return {};
}

std::string LiveRun::end_with(After after) {
  if (after == After::close && !options_.gallery) return "there is no gallery to go back to";
  if (after == After::restart && options_.results)
    return "this run writes results and cannot begin anew; run it again with --force";
  after_ = after;
  return {};
}

DragSpring::Grip LiveRun::grip_at(const Json& message, const RunMoment& moment) const {
  const auto triangle = message.at("triangle").get<std::uint64_t>();
  const Vec3 weights = point_of(message.at("weights")), target = point_of(message.at("target"));
  if (triangle >= surface_.triangles.size())
    throw InputError(fmt::format("there is no triangle {}; the surface has {}", triangle,
                                 surface_.triangles.size()));
  if (surface_.triangles[triangle][0] >= surface_.body_vertices())
    throw InputError("an obstacle moves as the scene says; only bodies can be pulled");
  constexpr double slack = 1e-3;  // a page computes in single precision
  if (!target.allFinite() || !(weights.minCoeff() >= -slack) ||
      !(std::abs(weights.sum() - 1) <= slack))
    throw InputError("the weights of the point must be from 0 to 1, in all 1, its target finite");
  DragSpring::Grip grip;
  for (std::size_t a = 0; a < 3; ++a) {
    grip.nodes[a] = surface_.nodes[surface_.triangles[triangle][a]];
    grip.weights[a] = weights[static_cast<int>(a)] / weights.sum();
  }
  grip.target = target;
  grip.stiffness = stiffness_of(grip, moment);
  return grip;
}

double LiveRun::stiffness_of(const DragSpring::Grip& grip, const RunMoment& moment) const {
  DragLimits limits;
  const NodeMatrix& M = moment.built.model.system->mass();
  const Followers& followers = moment.built.model.system->followers();
  double inverse = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    LeaderWeight own;
    for (const LeaderWeight& leader : followers.leaders_of(grip.nodes[a], own)) {
      const double w = grip.weights[a] * leader.weight;
      inverse += w * w / M.diagonal(leader.node);
    }
  }
  limits.point_mass = 1 / inverse;
  for (const Body& body : moment.built.model.bodies)
    if (grip.nodes[0] >= body.first_node && grip.nodes[0] < body.end_node())
      limits.body_mass = body.mass;
  const TimeDescription& time = moment.scene.time;
  limits.dt = time.chosen() ? time.output_dt : time.dt;
  limits.explicit_steps = is_explicit(moment.scene.integrator.type);
  return drag_stiffness(limits);
}

// All that was set since the last step in one build. A run that is over begins anew with it.
void LiveRun::adopt_changes(const RunMoment& moment, Steering& steering) {
  std::string words;
  for (const std::string& change : changes_) words += (words.empty() ? "" : "; ") + change;
  changes_.clear();
  try {
    if (over_)
      next_ = scene_.build(Log());
    else
      steering.change = build_change(moment, std::move(words));
    const std::lock_guard lock(mutex_);
    described_ = scene_.scene();
    frequencies_.clear();
    modes_stale_ = true;
  } catch (const Error& error) {
    scene_.revert();
    feed_.refuse(changed_by_, error.what());
  }
  feed_.set_parameters(scene_.parameters());
}

SceneChange LiveRun::build_change(const RunMoment& moment, std::string words) {
  LiveScene::Built built = scene_.build(Log());
  require_can_go_on(built.scene, moment.state);
  if (hand_->held()) {
    const RunMoment then{scene_.scene(), built.scene, moment.state, moment.step, 0};
    DragSpring::Grip grip = hand_->grip();
    grip.stiffness = stiffness_of(grip, then);
    built.hand->hold(grip);
  }
  hand_ = built.hand;
  drawn_step_ = -1;
  return {scene_.scene(), std::move(built.scene), std::move(words)};
}

}  // namespace pliant
