// Pictures of result folders: one run, or several side by side in step, all seen by one camera and
// coloured by one scale, each on its own floor where it has one. The camera, the ground and the
// scale are found once over the whole runs, so they stay as they are throughout a film.
#pragma once

#include <pliant/render/motion.hpp>
#include <pliant/render/picture.hpp>

#include <functional>

namespace pliant {

enum class ColourBy { body, velocity, stress, det, contact_force };

struct RunPictureOptions {
  PictureSize size;
  int samples = 64;
  ColourBy colour = ColourBy::body;
  std::optional<std::array<double, 2>> range;  // of the colours; else what the runs hold
  bool wireframe = false, ground = true, clock = false;
  std::optional<Camera> camera;       // else the first scene's own, else fitted
  std::optional<double> at;           // s: fitted to this moment in place of the whole run
  std::vector<std::string> captions;  // one per run; empty: none
};

class RunPictures {
 public:
  // InputError where there is nothing to draw.
  RunPictures(std::vector<Results> runs, RunPictureOptions options);

  double begin() const;  // s, of the first to begin
  double end() const;    // s, of the last to end
  const Camera& camera() const { return camera_; }
  const ColourScale& scale() const { return scale_; }
  const std::vector<Results>& runs() const { return runs_; }

  using Moment = std::vector<ResultFrame>;  // a state of each run
  Moment read(double time);                 // one thread at a time
  Image draw(const Moment& moment) const;

 private:
  PictureSize panel(std::size_t run) const;
  std::vector<double> values(std::size_t run, const ResultFrame& frame) const;
  void survey();
  void survey_obstacles(std::span<Extent> extents, CameraFit& fit);
  void find_grounds(std::span<const Extent> extents);

  std::vector<Results> runs_;
  RunPictureOptions options_;
  std::vector<RunMotion> motions_;
  std::vector<DrawnSurface> surfaces_;
  std::vector<std::optional<double>> floors_;  // m, of each run, where an obstacle is the ground
  Camera camera_;
  Lighting light_;
  std::vector<Surroundings> around_;  // of each run; they differ by the ground alone
  ColourScale scale_;
};

// The camera of a scene as run; none where it has none.
std::optional<Camera> scene_camera(const std::string& scene_json);
// Where the colours of a run's bodies begin: by its scene's name, else by that of its first body,
// and whatever its folder is called.
std::size_t palette_of(const Results& run);
// What tells the runs apart: their integrators where these differ, else their folders' names.
std::vector<std::string> captions_of(const std::vector<Results>& runs);

struct FilmOptions {
  double fps = 30;   // pictures per second
  double speed = 1;  // simulated seconds per second of the film
  std::function<void(std::size_t done, std::size_t all)> progress;
  std::function<bool()> stopped;  // true ends it, and leaves no file
};
// The number of pictures of a film: every moment k · speed / fps within the run.
std::size_t film_length(double seconds, const FilmOptions& options);

// Pictures are drawn in parallel, a few at a time, and written in order. False where it was
// stopped.
bool render_film(RunPictures& pictures, const std::filesystem::path& path, PictureSize size,
                 const FilmOptions& options);

}  // namespace pliant
