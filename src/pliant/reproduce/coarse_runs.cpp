#include <pliant/reproduce/coarse_runs.hpp>

#include <pliant/coarsen/eigenfit_term.hpp>
#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

constexpr std::size_t kMostPlaces = 400;

TrajectoryRequest request_for(const CaseContext& context, const SceneDescription& scene) {
  TrajectoryRequest request = request_of(scene);
  request.sample_every = 1000000;
  request.solver.interrupted = [&context] { return context.stopped(); };
  return request;
}

BuiltScene build_started(const CaseContext& context, const SceneDescription& scene,
                         const SetStart& set_start) {
  BuiltScene built = build_scene(scene, context.log);
  if (!set_start) return built;
  set_start(*built.model.system, built.start);
  built.model.system->follow(view(built.start.q));
  built.model.system->follow(view(built.start.v));
  built.start.a_known = false;
  built.start.memories.clear();
  return built;
}

// Every so many nodes of the body.
std::vector<Vec3> spread_places(const Mesh& mesh) {
  const std::size_t every = std::max<std::size_t>(1, mesh.points.size() / kMostPlaces);
  std::vector<Vec3> places;
  for (std::size_t n = 0; n < mesh.points.size(); n += every) places.push_back(mesh.points[n]);
  return places;
}

struct Places {
  std::vector<MappedPoint> points;
  Places(const Body& body, const std::vector<Vec3>& places) {
    for (const Vec3& x : places) points.push_back(body.attach(x).point);
  }
  std::vector<Vec3> at(const State& state) const {
    std::vector<Vec3> out;
    for (const MappedPoint& point : points) out.push_back(point.at(view(state.q)));
    return out;
  }
};

Series line(const std::string& name, const std::vector<double>& x, const std::vector<double>& y) {
  Series series;
  series.name = name;
  series.x = x;
  series.y = y;
  return series;
}

// Where and along which axis a motion is largest.
void choose_signal(FineMotion& fine) {
  double most = -1;
  for (std::size_t p = 0; p < fine.places.size(); ++p)
    for (int axis = 0; axis < 3; ++axis) {
      double low = 1e300, high = -1e300;
      for (const auto& frame : fine.frames) {
        low = std::min(low, frame[p][axis]);
        high = std::max(high, frame[p][axis]);
      }
      if (high - low > most) most = high - low, fine.place = p, fine.axis = axis;
    }
  for (const auto& frame : fine.frames) fine.signal.push_back(frame[fine.place][fine.axis]);
}

// What the acceptance test says, and which set of ratios is used.
void note_corrections(const BuiltScene& built, const State& state, const RestFit*& used,
                      CoarseMotion& motion) {
  for (const EigenFitTerm* term : built.corrections) {
    if (const RestFit* fit = term->fit(state.memories); fit && fit != used) {
      used = fit;
      motion.first_ratios.push_back(fit->ratios.size() > 0 ? fit->ratios[0] : 1);
    }
    const EigenFitStatus* status = term->status(state.memories);
    if (!status) continue;
    motion.steps_crossed += status->first_crossed > 0 && status->first_crossed <= 3;
    const Index known = std::min(status->acceptance.known, status->near);
    motion.known_least = std::min(
        motion.known_least, static_cast<double>(known) /
                                static_cast<double>(std::max(status->acceptance.of, Index{1})));
    if (!status->passes() && motion.first_failure < 0) motion.first_failure = state.t;
  }
}

std::size_t first_at(const std::vector<double>& t, double since) {
  const auto first = std::lower_bound(t.begin(), t.end(), since - 1e-9);
  return static_cast<std::size_t>(first - t.begin());
}

}  // namespace

std::string_view name_of(CoarseMethod method) {
  return method == CoarseMethod::plain ? "plain" : method == CoarseMethod::dac ? "dac" : "eigenfit";
}

SceneDescription on_fine_mesh(SceneDescription scene) {
  scene.bodies[0].mesh = *scene.bodies[0].coarsen->fine;
  scene.bodies[0].coarsen.reset();
  return scene;
}

SceneDescription with_method(SceneDescription scene, CoarseMethod method) {
  std::optional<CoarsenDescription>& coarsen = scene.bodies[0].coarsen;
  if (method == CoarseMethod::plain) {
    coarsen.reset();
    return scene;
  }
  coarsen->show_fine = false;  // only places are compared
  coarsen->young_only = method == CoarseMethod::dac;
  if (coarsen->young_only) coarsen->modes = 1;
  return scene;
}

double CoarseMotion::largest_error(double since) const {
  double most = 0;
  for (std::size_t k = 0; k < error.size(); ++k)
    if (t[k] >= since) most = std::max(most, error[k]);
  return most;
}
double CoarseMotion::mean_error() const {
  return error.empty()
             ? 0
             : std::accumulate(error.begin(), error.end(), 0.0) / static_cast<double>(error.size());
}

Throughout compare_throughout(const CoarseMotion& one, const CoarseMotion& other) {
  Throughout out;
  // At the start both are where the fine mesh is.
  for (std::size_t k = 1; k < std::min(one.error.size(), other.error.size()); ++k) {
    ++out.of;
    out.below += one.error[k] < other.error[k];
    out.most = std::max(out.most, one.error[k] / other.error[k]);
  }
  return out;
}

double FineMotion::swing(double since) const {
  const std::size_t first = first_at(t, since);
  double most = 0;
  for (std::size_t k = first; k < frames.size(); ++k)
    for (std::size_t p = 0; p < places.size(); ++p)
      most = std::max(most, (frames[k][p] - frames[first][p]).norm());
  return most;
}

FineMotion run_fine(const CaseContext& context, const SceneDescription& scene,
                    const CoarseRunOptions& options) {
  FineMotion fine;
  fine.scene = on_fine_mesh(scene);
  const BuiltScene built = build_started(context, fine.scene, options.start);
  const Body& body = built.model.bodies[0];
  fine.nodes = body.mesh.point_count();
  fine.places = options.places.empty() ? spread_places(body.mesh) : options.places;
  const Places places(body, fine.places);
  fine.frames.push_back(places.at(built.start));
  fine.t.push_back(0);
  TrajectoryRequest request = request_for(context, fine.scene);
  request.observe = [&](const State& state) {
    fine.t.push_back(state.t);
    fine.frames.push_back(places.at(state));
    return !context.stopped();
  };
  context.announce(fmt::format("{}: the fine mesh, {} nodes", scene.name, fine.nodes));
  fine.trajectory = run_trajectory(built, request, context.log);
  fine.complete = fine.trajectory.ok && !context.stopped();
  fine.last = fine.trajectory.end;
  choose_signal(fine);
  return fine;
}

CoarseMotion run_coarse(const CaseContext& context, const SceneDescription& scene,
                        const std::string& name, const FineMotion& fine,
                        const CoarseRunOptions& options) {
  CoarseMotion motion;
  motion.name = name;
  const BuiltScene built = build_started(context, scene, options.start);
  const Body& body = built.model.bodies[0];
  motion.nodes = body.mesh.point_count() - body.skin_nodes;
  const Places places(body, fine.places);
  const RestFit* used = nullptr;
  const auto look = [&](const State& state) {
    const std::size_t k = motion.t.size();
    if (k >= fine.frames.size()) return false;
    motion.ends = places.at(state);
    double worst = 0;
    for (std::size_t p = 0; p < motion.ends.size(); ++p)
      worst = std::max(worst, (motion.ends[p] - fine.frames[k][p]).norm());
    motion.t.push_back(state.t);
    motion.error.push_back(worst);
    motion.signal.push_back(motion.ends[fine.place][fine.axis]);
    note_corrections(built, state, used, motion);
    return !context.stopped();
  };
  look(built.start);
  TrajectoryRequest request = request_for(context, scene);
  request.observe = look;
  context.announce(fmt::format("{}: {}, {} nodes", scene.name, name, motion.nodes));
  motion.trajectory = run_trajectory(built, request, context.log);
  motion.steps = motion.trajectory.steps;
  motion.complete = motion.trajectory.ok && !context.stopped();
  motion.last = motion.trajectory.end;
  return motion;
}

double correlation(const FineMotion& fine, const CoarseMotion& coarse, double since) {
  const std::size_t first = first_at(fine.t, since);
  const std::size_t last = std::min(fine.signal.size(), coarse.signal.size());
  if (last <= first) return 0;
  const auto n = static_cast<Eigen::Index>(last - first);
  const Eigen::Map<const Vector> one(fine.signal.data() + first, n);
  const Eigen::Map<const Vector> other(coarse.signal.data() + first, n);
  const Vector a = one.array() - one.mean(), b = other.array() - other.mean();
  const double size = a.norm() * b.norm();
  return size > 0 ? a.dot(b) / size : 0;
}

Plot error_plot(const std::string& title, const std::vector<CoarseMotion>& motions) {
  Plot plot;
  plot.title = title;
  plot.x.label = "t (s)";
  plot.y.label = "largest distance from the fine mesh (m)";
  plot.y.min = 0;
  for (const CoarseMotion& motion : motions)
    plot.series.push_back(line(motion.name, motion.t, motion.error));
  return plot;
}

Plot signal_plot(const std::string& title, const FineMotion& fine,
                 const std::vector<CoarseMotion>& motions) {
  Plot plot;
  plot.title = title;
  plot.x.label = "t (s)";
  plot.y.label = fmt::format("{} of the place that moves most (m)", "xyz"[fine.axis]);
  plot.series.push_back(line("fine", fine.t, fine.signal));
  for (const CoarseMotion& motion : motions)
    plot.series.push_back(line(motion.name, motion.t, motion.signal));
  return plot;
}

}  // namespace pliant
