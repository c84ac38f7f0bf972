#include <pliant/scene/build_cache.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/vertex_cache.hpp>
#include <pliant/system/point_tracks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

// In seconds of the scene.
std::vector<double> times_of(const CacheDescription& cache, const VertexCache& read) {
  if (read.times_are_frames && !cache.dt)
    throw InputError(fmt::format(
        "{}: {} counts frames and knows no times: give \"dt\", the seconds from one to the next",
        cache.where, cache.file.written));
  if (!read.times_are_frames && cache.dt)
    throw InputError(
        fmt::format("{}/dt: {} has times of its own; \"speed\" makes it faster or slower",
                    cache.where, cache.file.written));
  const double scale = cache.dt.value_or(1) / cache.speed;
  const double start = cache.start.value_or(read.times[0] * scale);
  std::vector<double> times;
  for (const double t : read.times) times.push_back(start + (t - read.times[0]) * scale);
  for (std::size_t k = 0; k < times.size(); ++k)
    if (!std::isfinite(times[k]) || (k > 0 && !(times[k] > times[k - 1])))
      throw InputError(fmt::format("{}: the time of frame {} would be {} s; check \"speed\"{}",
                                   cache.where, k, times[k], cache.dt ? " and \"dt\"" : ""));
  return times;
}

// Numbers of the vertices on a surface, rising; −1 elsewhere.
std::vector<Index> surface_numbers(const Surface& surface, std::size_t vertices) {
  std::vector<Index> number(vertices, -1);
  for (const auto& triangle : surface.triangles)
    for (const Index n : triangle) number[static_cast<std::size_t>(n)] = 0;
  Index count = 0;
  for (Index& n : number)
    if (n == 0) n = count++;
  return number;
}

std::size_t count_on_surface(std::span<const Index> numbers) {
  return static_cast<std::size_t>(
      std::count_if(numbers.begin(), numbers.end(), [](Index n) { return n >= 0; }));
}

// The vertex of the cache that each node goes with.
std::vector<std::size_t> vertices_of(const CacheDescription& cache, const CachedNodes& nodes,
                                     std::size_t points) {
  if (points == nodes.vertices) return {nodes.chosen.begin(), nodes.chosen.end()};
  std::vector<Index> numbers;
  if (nodes.surface) numbers = surface_numbers(*nodes.surface, nodes.vertices);
  const std::size_t on_surface = count_on_surface(numbers);
  if (!nodes.surface || points != on_surface)
    throw InputError(fmt::format("{}/cache: {} has {} vertices, {} has {}{}", cache.where,
                                 cache.file.written, points, nodes.owner, nodes.vertices,
                                 on_surface > 0 && on_surface != nodes.vertices
                                     ? fmt::format(", and {} on its surface", on_surface)
                                     : ""));
  std::vector<std::size_t> vertices;
  for (const Index n : nodes.chosen) {
    const Index number = numbers[static_cast<std::size_t>(n)];
    if (number < 0)
      throw InputError(fmt::format(
          "{}/cache: {} has the vertices on the surface of {}, but node {} is inside of it: pin "
          "nodes of the surface alone, or take a cache of all {} vertices",
          cache.where, cache.file.written, nodes.owner, n, nodes.vertices));
    vertices.push_back(static_cast<std::size_t>(number));
  }
  return vertices;
}

}  // namespace

std::shared_ptr<const PointTracks> make_tracks(const CacheDescription& cache,
                                               const CachedNodes& nodes) {
  VertexCache read;
  try {
    read = read_vertex_cache(cache.file.resolved);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}/cache: {}", cache.where, error.what()));
  }
  const std::vector<std::size_t> vertices = vertices_of(cache, nodes, read.points);
  std::vector<float> places;
  places.reserve(3 * vertices.size() * read.frames());
  for (std::size_t k = 0; k < read.frames(); ++k)
    for (const std::size_t n : vertices) {
      const float* x = read.places.data() + 3 * (k * read.points + n);
      places.insert(places.end(), x, x + 3);
    }
  return std::make_shared<const PointTracks>(times_of(cache, read), vertices.size(),
                                             std::move(places));
}

Motion pin_motion(const PinDescription& pin, const Body& body, std::span<const Index> nodes) {
  Motion motion = pin.motion;
  if (!pin.cache) return motion;
  if (body.rigid)
    throw InputError(
        fmt::format("{}/cache: the vertices of a cache each go their own way, but \"{}\" is rigid; "
                    "a \"curve\", "
                    "a velocity or the motor of a joint moves it",
                    pin.cache->where, body.name));
  std::vector<Index> chosen(nodes.begin(), nodes.end());
  for (Index& n : chosen) n -= body.first_node;
  const std::string owner = fmt::format("body \"{}\"", body.name);
  motion.tracks = make_tracks(*pin.cache, {chosen, body.mesh.points.size(), &body.surface, owner});
  // A pin that takes hold later finds its nodes elsewhere: nothing shall jump.
  motion.tracks_are_places = pin.from <= 0;
  return motion;
}

Motion obstacle_motion(const ObstacleDescription& obstacle, Index vertices) {
  Motion motion = obstacle.motion;
  if (!obstacle.cache) return motion;
  std::vector<Index> all(static_cast<std::size_t>(vertices));
  std::iota(all.begin(), all.end(), 0);
  const std::string owner = fmt::format("obstacle \"{}\"", obstacle.name);
  motion.tracks = make_tracks(*obstacle.cache, {all, all.size(), nullptr, owner});
  return motion;
}

}  // namespace pliant
