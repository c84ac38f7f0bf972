// `pliant render`: a picture or a film of result folders.
#include "commands.hpp"
#include "session.hpp"
#include "terminal.hpp"

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/core/timer.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/render/annotate.hpp>
#include <pliant/render/film_writer.hpp>
#include <pliant/render/ray_scene.hpp>
#include <pliant/render/run_pictures.hpp>
#include <pliant/study/variations.hpp>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <memory>

namespace pliant::apps {
namespace {

constexpr int kFilmSamples = 16, kPictureSamples = 96;

struct RenderOptions : SessionOptions {
  std::vector<std::string> folders;
  std::string size = "1280x720", camera, frame, captions, range, fit = "run", colour = "body";
  std::optional<double> time;
  RunPictureOptions picture;
  FilmOptions film;
  int samples = 0;
  bool no_ground = false;
};

std::vector<double> numbers_in(const std::string& words, char separator) {
  std::vector<double> out;
  const char *at = words.data(), *end = at + words.size();
  while (true) {
    double value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc()) return {};
    out.push_back(value);
    if (rest == end) return out;
    if (*rest != separator) return {};
    at = rest + 1;
  }
}

ColourBy colour_of(const std::string& word) {
  const std::vector<std::string> names = {"body", "velocity", "stress", "det", "contact_force"};
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end())
    throw InputError(fmt::format("--color: unknown \"{}\"{}", word, suggestion(word, names)));
  return static_cast<ColourBy>(found - names.begin());  // in the order of ColourBy
}

PictureSize size_of(const std::string& words) {
  const std::vector<double> sides = numbers_in(words, 'x');
  const auto good = [](double side) {
    return side >= 16 && side <= 16384 && side == static_cast<int>(side);
  };
  if (sides.size() != 2 || !good(sides[0]) || !good(sides[1]))
    throw InputError(fmt::format(
        "--size: WIDTHxHEIGHT in pixels, each 16 to 16384, such as 1280x720, got \"{}\"", words));
  return {static_cast<int>(sides[0]), static_cast<int>(sides[1])};
}

// x,y,z/x,y,z and, where given, /degrees.
Camera camera_of(const std::string& words) {
  Camera camera;
  std::vector<std::string> parts(1);
  for (const char c : words) {
    if (c == '/')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  const auto place = [&](std::size_t k, Vec3& to) {
    const std::vector<double> x = numbers_in(parts[k], ',');
    if (x.size() == 3) to = Vec3(x[0], x[1], x[2]);
    return x.size() == 3;
  };
  bool good = (parts.size() == 2 || parts.size() == 3) && place(0, camera.eye) &&
              place(1, camera.target) && (camera.eye - camera.target).norm() > 0;
  if (good && parts.size() == 3) {
    const std::vector<double> fov = numbers_in(parts[2], ',');
    good = fov.size() == 1 && fov[0] >= 1 && fov[0] <= 150;
    if (good) camera.fov = fov[0];
  }
  if (!good)
    throw InputError(fmt::format(
        "--camera: EYE/TARGET or EYE/TARGET/DEGREES, such as 3,1,4/0,0.5,0/35, got \"{}\"", words));
  return camera;
}

// A time within the runs. One that misses an end by less than half a frame means that end.
double time_within(double time, const std::vector<Results>& runs) {
  double first = runs[0].times().front(), last = runs[0].times().back(), half = 0;
  for (const Results& run : runs) {
    const std::vector<double>& times = run.times();
    first = std::min(first, times.front());
    if (times.back() < last) continue;
    last = times.back();
    half = times.size() > 1 ? 0.5 * (last - times[times.size() - 2]) : 0;
  }
  if (!(time >= first - half && time <= last + half))
    throw InputError(fmt::format("--time: from {:.4g} to {:.4g} s, where the {}, got {}", first,
                                 last, runs.size() == 1 ? "run ends" : "last of the runs ends",
                                 time));
  return std::clamp(time, first, last);
}

// The moment of a picture: --time, or that of --frame in the first run, or the end.
double moment_of(const RenderOptions& options, const std::vector<Results>& runs) {
  double last = 0;
  for (const Results& run : runs) last = std::max(last, run.times().back());
  if (options.time) return time_within(*options.time, runs);
  if (options.frame.empty() || options.frame == "last") return last;
  const std::vector<double> number = numbers_in(options.frame, ' ');
  const auto count = static_cast<double>(runs.front().size());
  if (number.size() != 1 || number[0] < 0 || number[0] >= count ||
      number[0] != static_cast<double>(static_cast<long>(number[0])))
    throw InputError(fmt::format("--frame: last, or a number from 0 to {}, got \"{}\"", count - 1,
                                 options.frame));
  return runs.front().times()[static_cast<std::size_t>(number[0])];
}

void show_progress(std::size_t done, std::size_t all, const Timer& timer) {
  if (isatty(STDERR_FILENO) == 0) return;
  const double each = timer.seconds() / static_cast<double>(done);
  fmt::print(stderr, "\rpicture {} of {}  {}\x1b[K{}", done, all,
             done == all ? "done" : "ETA " + in_words(each * static_cast<double>(all - done)),
             done == all ? "\n" : "");
  std::fflush(stderr);
}

int film(RenderOptions& options, RunPictures& pictures) {
  const Timer timer;
  options.film.stopped = [] { return caught_signal() != 0; };
  if (!options.quiet)
    options.film.progress = [&timer](std::size_t done, std::size_t all) {
      show_progress(done, all, timer);
    };
  if (!render_film(pictures, options.out, options.picture.size, options.film)) {
    fmt::print(stderr, "pliant: stopped by signal {}; no film was written\n", caught_signal());
    return 128 + caught_signal();
  }
  if (!options.quiet)
    fmt::print("{}: {}, {}x{}, in {}\n", options.out,
               counted(static_cast<std::int64_t>(
                           film_length(pictures.end() - pictures.begin(), options.film)),
                       "picture", "pictures"),
               options.picture.size.width, options.picture.size.height, in_words(timer.seconds()));
  return 0;
}

int picture(const RenderOptions& options, RunPictures& pictures, double time) {
  const Timer timer;
  const Image image = pictures.draw(pictures.read(time));
  const std::filesystem::path path = options.out;
  if (path.has_parent_path()) make_folder(path.parent_path());
  write_file_atomically(path, png_bytes(image));
  if (!options.quiet)
    fmt::print("{}: {}x{} at {:.4g} s, in {}\n", options.out, image.size.width, image.size.height,
               time, in_words(timer.seconds()));
  return 0;
}

bool is_picture_name(const std::string& name) {
  const std::string ending = std::filesystem::path(name).extension().string();
  return ending == ".png" || ending == ".PNG";
}

void check_words(const RenderOptions& options, bool is_film) {
  if (!is_film && !is_picture_name(options.out))
    throw InputError(fmt::format(
        "-o: a picture ends in .png, a film in .mp4, .webm or .gif, got \"{}\"", options.out));
  if (is_film && (options.time || !options.frame.empty()))
    throw InputError("--time and --frame are for pictures: a film shows the whole run");
  if (options.time && !options.frame.empty())
    throw InputError("--time and --frame exclude each other");
}

int render(RenderOptions& options) {
  const bool is_film = is_film_name(options.out);
  check_words(options, is_film);
  require_renderer();
  RunPictureOptions& wanted = options.picture;
  wanted.size = size_of(options.size);
  wanted.colour = colour_of(options.colour);
  wanted.ground = !options.no_ground;
  wanted.samples =
      options.samples > 0 ? options.samples : (is_film ? kFilmSamples : kPictureSamples);
  if (!options.camera.empty()) wanted.camera = camera_of(options.camera);
  if (!options.range.empty()) {
    const std::vector<double> ends = numbers_in(options.range, ',');
    if (ends.size() != 2 || !(ends[0] < ends[1]))
      throw InputError(
          fmt::format("--range: two rising numbers, such as 0,5e4, got \"{}\"", options.range));
    wanted.range = {ends[0], ends[1]};
  }
  std::vector<Results> runs;
  for (const std::string& folder : options.folders) runs.emplace_back(folder);
  if (!options.captions.empty()) {
    wanted.captions = split_values(options.captions);
    if (wanted.captions.size() != runs.size())
      throw InputError(fmt::format("--captions: one for each of {} folders, got {}", runs.size(),
                                   wanted.captions.size()));
  } else if (runs.size() > 1) {
    wanted.captions = captions_of(runs);
  }
  const double time = is_film ? 0 : moment_of(options, runs);
  if (!is_film && options.fit == "frame") wanted.at = time;
  RunPictures pictures(std::move(runs), wanted);
  return is_film ? film(options, pictures) : picture(options, pictures, time);
}

void add_look(CLI::App& command, RenderOptions& options) {
  command.add_option("--size", options.size, "width and height in pixels")->capture_default_str();
  command.add_option("--color,--colour", options.colour,
                     "body (default), velocity, stress (von Mises), det (of F, 1 keeps the volume) "
                     "or contact_force (N)");
  command.add_option("--range", options.range, "least,most: ends of the colours (default: found)");
  command.add_option("--camera", options.camera,
                     "x,y,z/x,y,z[/degrees]: eye, target and field of view (default: the scene's "
                     "camera, else one that sees all of the motion)");
  command
      .add_option("--fit", options.fit,
                  "run: the camera sees the whole motion; frame: a picture's own moment")
      ->check(CLI::IsMember({"run", "frame"}).description(""))
      ->capture_default_str();
  command.add_flag("--wireframe", options.picture.wireframe, "draw the edges of the elements");
  command.add_flag("--no-ground", options.no_ground, "no ground under the bodies");
  command.add_flag("--clock", options.picture.clock, "write the simulated time into the corner");
  command.add_option("--captions", options.captions,
                     "a,b,…: words for each folder (default for several: what tells them apart)");
  command
      .add_option("--samples", options.samples,
                  "rays through a pixel at most; more are smoother and slower (default: 96 for a "
                  "picture, 16 for a film)")
      ->check(CLI::Range(1, 65536).description(""));
}

}  // namespace

void add_render(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<RenderOptions>();
  CLI::App* command = app.add_subcommand(
      "render", "draw a picture (.png) or a film (.mp4, .webm, .gif) of results");
  command
      ->add_option("folders", options->folders,
                   "result folders of `pliant run`; several are shown side by side")
      ->required();
  command->add_option("-o,--out", options->out, "the file; its ending says what is made")
      ->required();
  command->add_option("--frame", options->frame, "for a picture: a frame's number, or last");
  command->add_option("--time", options->time, "for a picture: the moment in s");
  command->add_option("--fps", options->film.fps, "for a film: pictures per second")
      ->check(CLI::Range(0.1, 1000.0).description(""))
      ->capture_default_str();
  command->add_option("--speed", options->film.speed, "for a film: 0.5 is half as fast as real")
      ->check(CLI::Range(1e-9, 1e9).description(""))
      ->capture_default_str();
  add_look(*command, *options);
  command->add_option("--threads", options->threads, "number of threads (default: all cores)")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--quiet", options->quiet, "say errors only");
  command->footer(
      "Examples:\n"
      "  pliant render out/demo -o demo.mp4\n"
      "  pliant render out/demo -o demo.png --time 1.5 --color stress\n"
      "  pliant render out/be out/sdirk2 -o both.mp4 --speed 0.5 --clock");
  command->callback([options, &chosen] {
    chosen = [options] { return in_session(*options, [&](int) { return render(*options); }); };
  });
}

}  // namespace pliant::apps
