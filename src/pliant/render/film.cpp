// A film: moments of the runs, drawn in parallel, written in order. A pipeline keeps a few pictures
// in flight: enough for all cores, and never more memory than these need.
#include <pliant/render/run_pictures.hpp>

#include <pliant/render/film_writer.hpp>

#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <cmath>

namespace pliant {

std::size_t film_length(double seconds, const FilmOptions& options) {
  // A run that ends on a picture of the film may miss it by rounding.
  return static_cast<std::size_t>(std::floor(seconds / options.speed * options.fps + 1e-6)) + 1;
}

bool render_film(RunPictures& pictures, const std::filesystem::path& path, PictureSize size,
                 const FilmOptions& options) {
  FilmWriter writer(path, size, options.fps);
  const std::size_t all = film_length(pictures.end() - pictures.begin(), options);
  std::size_t next = 0, written = 0;
  bool stopped = false;
  const auto read = [&](tbb::flow_control& control) -> std::shared_ptr<RunPictures::Moment> {
    stopped = stopped || (options.stopped && options.stopped());
    if (stopped || next == all) {
      control.stop();
      return nullptr;
    }
    const double time =
        pictures.begin() + static_cast<double>(next++) * options.speed / options.fps;
    return std::make_shared<RunPictures::Moment>(pictures.read(time));
  };
  const auto draw = [&](const std::shared_ptr<RunPictures::Moment>& moment) {
    return std::make_shared<Image>(pictures.draw(*moment));
  };
  const auto write = [&](const std::shared_ptr<Image>& image) {
    writer.add(*image);
    if (options.progress) options.progress(++written, all);
  };
  const auto in_flight = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) + 1;
  using tbb::filter_mode;
  tbb::parallel_pipeline(
      in_flight,
      tbb::make_filter<void, std::shared_ptr<RunPictures::Moment>>(filter_mode::serial_in_order,
                                                                   read) &
          tbb::make_filter<std::shared_ptr<RunPictures::Moment>, std::shared_ptr<Image>>(
              filter_mode::parallel, draw) &
          tbb::make_filter<std::shared_ptr<Image>, void>(filter_mode::serial_in_order, write));
  if (stopped) return false;
  writer.finish();
  return true;
}

}  // namespace pliant
