#include <pliant/view/replay.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/view/history_text.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

std::vector<BodyNodes> bodies_of(const Results& results) {
  std::vector<BodyNodes> bodies;
  for (const ResultBody& body : results.bodies())
    bodies.push_back({body.name, body.first_node, body.first_node + body.nodes});
  return bodies;
}

std::string folder_name(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  return name.empty() ? folder.parent_path().filename().string() : name;
}

// Of two frames of surfaces with the same vertices, m.
std::vector<float> distances(const Frame& a, const Frame& b) {
  std::vector<float> out(a.positions.size() / 3);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const float* x = &a.positions[3 * k];
    const float* y = &b.positions[3 * k];
    out[k] = std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
  }
  return out;
}

std::size_t nearest(const std::vector<double>& times, double t) {
  const auto after = std::lower_bound(times.begin(), times.end(), t);
  if (after == times.begin()) return 0;
  const auto k = static_cast<std::size_t>(after - times.begin());
  return after == times.end() || t - times[k - 1] <= *after - t ? k - 1 : k;
}

std::vector<float>& slot(Frame& frame, Field field) {
  return frame.fields[static_cast<std::size_t>(field)];
}

}  // namespace

Replay::Run::Run(const std::filesystem::path& folder) : results(folder) {
  const std::vector<BodyNodes> bodies = bodies_of(results);
  const SurfacePart part{&results.mesh(), &results.surface(), 0};
  const ResultFrame first = results.read(0);
  const std::vector<Vec3> vertices = results.tube_vertices(first);
  const ViewedTubes tubes{&results.tubes(), vertices};
  surface = make_viewed_surface({&part, 1}, bodies, tubes);
  for (std::size_t k = 0; k < surface.body_vertices(); ++k)
    surface.pinned[k] = first.pinned[static_cast<std::size_t>(surface.nodes[k])] != 0;
  std::vector<Index> starts;
  for (const ResultObstacle& obstacle : results.obstacles()) starts.push_back(obstacle.first_node);
  const std::vector<std::array<Index, 3>> triangles =
      make_surface(results.obstacle_mesh()).triangles;
  add_obstacles({results.obstacle_mesh().points, triangles, starts}, surface);
  add_threads(tubes, surface);
}

Replay::Replay(const std::vector<std::filesystem::path>& folders) {
  for (const std::filesystem::path& folder : folders) runs_.emplace_back(folder);
  hello_ = describe_all();
}

bool Replay::comparable(std::size_t run) const {
  return runs_.size() > 1 && runs_[run].surface.nodes == runs_[0].surface.nodes &&
         runs_[run].surface.vertices() == runs_[0].surface.vertices();
}

Json Replay::describe(std::size_t number) const {
  const Run& run = runs_[number];
  const Json scene = Json::parse(run.results.scene_json(), nullptr, false);
  const Json time = scene.is_object() ? scene.value("time", Json::object()) : Json::object();
  const Json integrator = scene.is_object() ? scene.value("integrator", Json()) : Json();
  Json bodies = Json::array();
  for (const ViewedBody& body : run.surface.bodies)
    bodies.push_back(
        {{"name", body.name}, {"vertices", body.vertices}, {"triangles", body.triangles}});
  Json fields = {"body", "velocity", "stress", "det"};
  if (run.results.has_contact_force()) fields.push_back("contact_force");
  if (comparable(number)) fields.push_back("error");
  return {{"name", folder_name(run.results.folder())},
          {"integrator", integrator.is_object() ? integrator.value("type", Json()) : integrator},
          {"dt", time.value("dt", Json())},
          {"duration", time.value("duration", Json())},
          {"bodies", bodies},
          {"fields", fields},
          {"times", run.results.times()},
          {"columns", history_columns(read_text(run.results.folder() / "history.csv"))},
          {"modes", Json::array()}};
}

Json Replay::describe_all() const {
  std::string title;
  for (const Run& run : runs_) {
    if (title.find(run.results.name()) != std::string::npos) continue;
    title += (title.empty() ? "" : ", ") + run.results.name();
  }
  Json runs = Json::array();
  for (std::size_t k = 0; k < runs_.size(); ++k) runs.push_back(describe(k));
  return {{"mode", "replay"}, {"title", title}, {"runs", runs}};
}

Json Replay::hello() const {
  const std::lock_guard lock(mutex_);
  return hello_;
}

std::uint64_t Replay::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

// A run that still goes on has more frames now.
void Replay::refresh() {
  bool more = false;
  for (Run& run : runs_) {
    const std::size_t before = run.results.size();
    run.results.refresh();
    more = more || run.results.size() != before;
  }
  if (!more) return;
  Json hello = describe_all();
  const std::lock_guard lock(mutex_);
  hello_ = std::move(hello);
  ++version_;
}

std::shared_ptr<const Frame> Replay::read(Run& run, std::size_t number) {
  if (run.frame && run.frame_number == number) return run.frame;
  const ResultFrame found = run.results.read(number);
  const ViewedSurface& surface = run.surface;
  const auto frame = std::make_shared<Frame>();
  frame->time = found.time;
  frame->positions.resize(3 * surface.vertices());
  std::vector<Field> fields = {Field::velocity, Field::stress, Field::det};
  if (!found.contact_force.empty()) fields.push_back(Field::contact_force);
  for (const Field field : fields) slot(*frame, field).resize(surface.body_vertices());
  for (std::size_t k = 0; k < surface.body_vertices(); ++k) {
    const auto n = static_cast<std::size_t>(surface.nodes[k]);
    for (std::size_t i = 0; i < 3; ++i)
      frame->positions[3 * k + i] = static_cast<float>(found.points[n][static_cast<int>(i)]);
    slot(*frame, Field::velocity)[k] = static_cast<float>(found.velocities[n].norm());
    if (!found.contact_force.empty())
      slot(*frame, Field::contact_force)[k] = static_cast<float>(found.contact_force[n].norm());
  }
  surface.to_vertices(found.von_mises, slot(*frame, Field::stress));
  surface.to_vertices(found.det, slot(*frame, Field::det));
  place_obstacles(surface, found.obstacles, frame->positions);
  place_tubes(surface, run.results.tube_vertices(found), frame->positions);
  for (const Field field : fields) surface.extend(slot(*frame, field));
  run.frame = frame;
  run.frame_number = number;
  return frame;
}

std::string Replay::frame(std::size_t run, std::size_t number, Field field) {
  const FrameLabel label{static_cast<std::uint32_t>(run), static_cast<std::uint32_t>(number),
                         field};
  const std::shared_ptr<const Frame> frame = read(runs_[run], number);
  if (field != Field::error || !comparable(run)) return encode_frame(*frame, label);
  Frame with_error = *frame;
  const std::shared_ptr<const Frame> other =
      read(runs_[0], nearest(runs_[0].results.times(), frame->time));
  slot(with_error, Field::error) = distances(*frame, *other);
  return encode_frame(with_error, label);
}

Answer Replay::get(const Resource& resource) {
  using Kind = Resource::Kind;
  if (resource.run >= runs_.size() || resource.kind == Kind::thumbnail)
    return not_found("there is no such run\n");
  Run& run = runs_[resource.run];
  switch (resource.kind) {
    case Kind::surface:
      return {200, "application/octet-stream", encode_surface(run.surface)};
    case Kind::history:
      return {200, "application/json",
              thinned_history(read_text(run.results.folder() / "history.csv")).dump()};
    case Kind::frame:
      if (resource.number >= run.results.size()) return not_found("there is no such frame\n");
      return {200, "application/octet-stream",
              frame(resource.run, resource.number, resource.field)};
    default:
      return not_found("results read back have no modes\n");
  }
}

}  // namespace pliant
