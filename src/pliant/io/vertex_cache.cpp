#include <pliant/io/vertex_cache.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

constexpr std::size_t kPlace = 3 * sizeof(float);

// A number of points or frames that the file claims, each of so many bytes at least.
std::size_t count_of(FileCursor& file, std::string_view what, std::size_t bytes_each) {
  const auto count = file.number<std::int32_t>(fmt::format("the number of {}", what));
  if (count == 0) file.fail(fmt::format("holds no {}", what));
  return file.checked_count(count, bytes_each, what);
}

void read_places(FileCursor& file, VertexCache& cache) {
  const std::size_t wanted = kPlace * cache.points * cache.frames();
  if (file.left() != wanted)
    file.fail(fmt::format("{} frames of {} points take {} bytes, but {} are left", cache.frames(),
                          cache.points, wanted, file.left()));
  cache.places.reserve(3 * cache.points * cache.frames());
  while (file.left() > 0) cache.places.push_back(file.number<float>("a position"));
}

VertexCache read_mdd(FileCursor& file) {
  file.coding = Coding::big;
  VertexCache cache;
  const std::size_t frames = count_of(file, "frames", sizeof(float) + kPlace);
  cache.points = count_of(file, "points", kPlace * frames);
  for (std::size_t k = 0; k < frames; ++k) {
    cache.times.push_back(file.number<float>("the time of a frame"));
    if (k > 0 && !(cache.times[k] > cache.times[k - 1]))
      file.fail(fmt::format("the time of frame {}, {} s, is not above that of the one before, {} s",
                            k, cache.times[k], cache.times[k - 1]));
  }
  read_places(file, cache);
  return cache;
}

VertexCache read_pc2(FileCursor& file) {
  file.coding = Coding::little;
  VertexCache cache;
  cache.times_are_frames = true;
  if (file.take(12, "\"POINTCACHE2\"") != std::string_view("POINTCACHE2", 12))
    file.fail("is no PC2 file: it does not begin with \"POINTCACHE2\"");
  if (const auto version = file.number<std::int32_t>("the version"); version != 1)
    file.fail(fmt::format("is of version {}, 1 is read", version));
  cache.points = count_of(file, "points", kPlace);
  const double first = file.number<float>("the first frame");
  const double rate = file.number<float>("the number of frames per sample");
  if (!(rate > 0)) file.fail(fmt::format("frames per sample must be above 0, got {}", rate));
  const std::size_t samples = count_of(file, "samples", kPlace * cache.points);
  for (std::size_t k = 0; k < samples; ++k)
    cache.times.push_back(first + rate * static_cast<double>(k));
  read_places(file, cache);
  return cache;
}

}  // namespace

VertexCache read_vertex_cache(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".mdd" && ending != ".pc2")
    throw InputError(fmt::format("{}: vertex caches are .mdd or .pc2 files", path.string()));
  const std::string bytes = load_mesh_file(path);
  FileCursor file(path.string(), bytes);
  return ending == ".mdd" ? read_mdd(file) : read_pc2(file);
}

}  // namespace pliant
