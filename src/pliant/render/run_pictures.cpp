#include <pliant/render/run_pictures.hpp>

#include <pliant/core/error.hpp>
#include <pliant/render/annotate.hpp>
#include <pliant/render/below.hpp>
#include <pliant/render/ray_scene.hpp>
#include <pliant/render/run_obstacles.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr std::size_t kSurveyed = 300;  // frames of a run that camera and scale are found from

// Points of the bodies that are seen: those of their surfaces, and those along cables.
std::vector<char> on_surface(const Results& run) {
  std::vector<char> used(run.mesh().points.size(), 0);
  for (const auto& triangle : run.surface().triangles)
    for (const Index n : triangle) used[static_cast<std::size_t>(n)] = 1;
  for (const Thread& thread : run.tubes().threads())
    for (const Index n : thread.points)
      if (thread.body >= 0) used[static_cast<std::size_t>(n)] = 1;
  return used;
}

// A few elements at corners and clamps carry far more than all others: 99 % decide.
double almost_largest(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto k = static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + k, values.end());
  return values[static_cast<std::size_t>(k)];
}

ColourScale scale_of(ColourBy colour) {
  ColourScale scale;
  if (colour == ColourBy::velocity) scale = {ColourMap::rising, 0, 0, false, "speed", "m/s"};
  if (colour == ColourBy::stress)
    scale = {ColourMap::rising, 0, 0, false, "von Mises stress", "Pa"};
  if (colour == ColourBy::contact_force)
    scale = {ColourMap::rising, 0, 0, false, "contact force", "N"};
  if (colour == ColourBy::det) scale = {ColourMap::two_sided, 1, 1, false, "det F", ""};
  return scale;
}

DrawnSurface surface_of(const Results& run, std::optional<double> floor) {
  std::vector<Index> first;
  for (const ResultBody& body : run.bodies()) first.push_back(body.first_node);
  DrawnSurface surface =
      make_drawn_surface(run.mesh(), run.surface(), first, obstacle_triangles(run, floor),
                         {&run.tubes(), run.tube_vertices(run.read(0))});
  if (run.surface().triangles.empty() && run.tubes().empty())
    throw InputError(run.folder().string() + ": its bodies have no surface that could be drawn");
  return surface;
}

// Where bodies are held at their feet alone, as a jelly on a plate is: the height of that. The
// ground then lies there, also where a part of a body dips below. A level sheet has no feet.
std::optional<double> standing_height(const std::vector<const Results*>& runs) {
  double low = std::numeric_limits<double>::infinity(), high = -low, held = high;
  for (const Results* run : runs) {
    const ResultFrame first = run->read(0);
    const std::vector<char> used = on_surface(*run);
    for (std::size_t n = 0; n < used.size(); ++n) {
      if (!used[n]) continue;
      const double y = first.points[n].y();
      low = std::min(low, y);
      high = std::max(high, y);
      if (first.pinned[n]) held = std::max(held, y);
    }
  }
  if (!(high > low && held >= low && held - low <= 0.1 * (high - low))) return std::nullopt;
  return low;
}

struct PointData {
  std::vector<Vec3>& points;
  std::vector<double>& colours;  // empty: there are none
  std::vector<char>& pinned;
};
// The vertices of tubes have what the points have that they go with.
void add_tube_points(const Results& run, const ResultFrame& frame, const PointData& data) {
  const std::vector<Vec3> vertices = run.tube_vertices(frame);
  data.points.insert(data.points.end(), vertices.begin(), vertices.end());
  for (const Index source : run.tubes().source()) {
    const auto n = static_cast<std::size_t>(source);
    const bool own = n < frame.points.size();
    data.pinned.push_back(own ? data.pinned[n] : char{0});
    if (!data.colours.empty()) data.colours.push_back(own ? data.colours[n] : 0);
  }
}

// Pictures side by side, all of one height.
Image joined(const std::vector<Image>& panels, PictureSize size) {
  Image image{size, std::vector<std::uint8_t>(3 * size.pixels())};
  std::size_t left = 0;
  for (const Image& panel : panels) {
    const auto width = 3 * static_cast<std::size_t>(panel.size.width);
    for (std::size_t y = 0; y < static_cast<std::size_t>(size.height); ++y)
      std::copy_n(panel.rgb.begin() + static_cast<std::ptrdiff_t>(y * width), width,
                  image.rgb.begin() + static_cast<std::ptrdiff_t>(
                                          3 * y * static_cast<std::size_t>(size.width) + left));
    left += width;
  }
  return image;
}

}  // namespace

RunPictures::RunPictures(std::vector<Results> runs, RunPictureOptions options)
    : runs_(std::move(runs)), options_(std::move(options)) {
  require_renderer();
  if (runs_.empty()) throw InputError("no result folder was given");
  const auto count = static_cast<int>(runs_.size());
  if (options_.size.width / count < 16)
    throw InputError(fmt::format("a picture {} pixels wide is too narrow for {} runs",
                                 options_.size.width, count));
  for (const Results& run : runs_) {
    if (options_.colour == ColourBy::contact_force && !run.has_contact_force())
      throw InputError(
          fmt::format("{}: its frames hold no contact force; they do with contact \"barrier\", "
                      "\"qp\" or \"unilateral\"",
                      run.folder().string()));
    motions_.emplace_back(run);
    floors_.push_back(floor_height(run));
    surfaces_.push_back(surface_of(run, floors_.back()));
  }
  survey();
  light_ = studio_light(camera_);
}

double RunPictures::begin() const {
  double t = motions_.front().begin();
  for (const RunMotion& motion : motions_) t = std::min(t, motion.begin());
  return t;
}
double RunPictures::end() const {
  double t = motions_.front().end();
  for (const RunMotion& motion : motions_) t = std::max(t, motion.end());
  return t;
}

PictureSize RunPictures::panel(std::size_t run) const {
  const auto place = [this](std::size_t k) {
    return static_cast<int>(k * static_cast<std::size_t>(options_.size.width) / runs_.size());
  };
  return {place(run + 1) - place(run), options_.size.height};
}

std::vector<double> RunPictures::values(std::size_t run, const ResultFrame& frame) const {
  const Mesh& mesh = runs_[run].mesh();
  if (options_.colour == ColourBy::stress) return cells_to_points(mesh, frame.von_mises);
  if (options_.colour == ColourBy::det) return cells_to_points(mesh, frame.det);
  std::vector<double> out;
  if (options_.colour == ColourBy::velocity)
    for (const Vec3& v : frame.velocities) out.push_back(v.norm());
  if (options_.colour == ColourBy::contact_force)
    for (const Vec3& f : frame.contact_force) out.push_back(f.norm());
  return out;
}

// One look at every frame: where the points go, and how large the values become.
void RunPictures::survey() {
  CameraFit fit(panel(0).aspect());
  std::vector<Extent> extents(runs_.size());
  double largest = 0;  // of the values, or of their distance from 1
  scale_ = scale_of(options_.colour);
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const std::vector<char> used = on_surface(runs_[r]);
    const std::size_t frames = runs_[r].size(), stride = frames / kSurveyed + 1;
    const auto look = [&](const ResultFrame& frame, bool framed) {
      for (std::size_t n = 0; n < used.size(); ++n) {
        if (!used[n]) continue;
        extents[r].add(frame.points[n]);
        if (framed) fit.add(frame.points[n]);
      }
      for (const Vec3& x : frame.threads) {
        extents[r].add(x);
        if (framed) fit.add(x);
      }
      std::vector<double> seen = values(r, frame);
      if (options_.colour == ColourBy::det)
        for (double& value : seen) value = std::abs(value - 1);
      if (options_.colour == ColourBy::contact_force) std::erase(seen, 0.0);  // what does not touch
      const double most = almost_largest(seen);
      for (const double value : seen) scale_.cut = scale_.cut || value > most;
      largest = std::max(largest, most);
    };
    for (std::size_t k = 0; k < frames;
         k = k + 1 < frames ? std::min(k + stride, frames - 1) : frames)
      look(runs_[r].read(k), !options_.at);
    if (options_.at) look(motions_[r].at(*options_.at), true);
  }
  survey_obstacles(extents, fit);
  if (!(largest > 0)) largest = 1;
  scale_.max = scale_.min + largest;
  if (options_.colour == ColourBy::det) scale_.min = 1 - largest;
  scale_.cut = scale_.cut && options_.colour != ColourBy::det;
  if (options_.range) {
    scale_.min = (*options_.range)[0];
    scale_.max = (*options_.range)[1];
  }
  find_grounds(extents);
  const std::optional<Camera> own = scene_camera(runs_.front().scene_json());
  camera_ = options_.camera ? *options_.camera : own ? *own : fit.camera();
}

// What stands near the bodies belongs into the picture; what is far away, or much larger, does not.
void RunPictures::survey_obstacles(std::span<Extent> extents, CameraFit& fit) {
  Extent bodies;
  for (const Extent& extent : extents) bodies.add(extent);
  for (std::size_t r = 0; r < runs_.size(); ++r)
    for (const double t : {options_.at.value_or(motions_[r].begin()), motions_[r].end()})
      for (const Vec3& x : bounded_obstacle_points(runs_[r], motions_[r].at(t))) {
        if (!bodies.near(x)) continue;
        extents[r].add(x);
        if (!options_.at || t == *options_.at) fit.add(x);
      }
}

// A run stands on its own floor. Those without one stand below all that they hold together, so that
// they can be compared.
void RunPictures::find_grounds(std::span<const Extent> extents) {
  Extent all, floating;
  std::vector<const Results*> without;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    all.add(extents[r]);
    if (floors_[r] || has_slope(runs_[r])) continue;
    floating.add(extents[r]);
    without.push_back(&runs_[r]);
  }
  around_.assign(runs_.size(), all.surroundings(false));
  if (!options_.ground) return;
  const std::optional<double> held = standing_height(without);
  // By the size of all runs, so that it does not move with another run's floor.
  std::optional<double> lowest = floating.surroundings(true).ground;
  if (lowest) *lowest -= kBelowLowest * around_.front().radius;
  for (std::size_t r = 0; r < runs_.size(); ++r)
    if (floors_[r] || !has_slope(runs_[r]))
      around_[r].ground = floors_[r] ? floors_[r] : held ? held : lowest;
}

RunPictures::Moment RunPictures::read(double time) {
  Moment moment;
  for (RunMotion& motion : motions_) moment.push_back(motion.at(time));
  return moment;
}

Image RunPictures::draw(const Moment& moment) const {
  std::vector<Image> panels;
  for (std::size_t r = 0; r < moment.size(); ++r) {
    const ResultFrame& frame = moment[r];
    std::vector<double> colours = values(r, frame);
    std::vector<Vec3> points = frame.points;
    points.insert(points.end(), frame.obstacles.begin(), frame.obstacles.end());
    std::vector<char> pinned = frame.pinned;
    pinned.resize(points.size(), 0);
    if (!colours.empty()) colours.resize(points.size(), 0);
    add_tube_points(runs_[r], frame, {points, colours, pinned});
    PictureOptions picture;
    picture.size = panel(r);
    picture.samples = options_.samples;
    picture.camera = camera_;
    picture.light = light_;
    picture.around = around_[r];
    picture.scale = scale_;
    picture.palette = palette_of(runs_[r]);
    picture.wireframe = options_.wireframe;
    panels.push_back(render_picture(surfaces_[r], {points, colours, pinned}, picture));
    if (!options_.captions.empty()) draw_caption(panels.back(), options_.captions[r]);
  }
  Image image = panels.size() == 1 ? std::move(panels[0]) : joined(panels, options_.size);
  if (options_.colour != ColourBy::body) draw_legend(image, scale_);
  if (options_.clock) draw_clock(image, moment.front().time);
  return image;
}

}  // namespace pliant
