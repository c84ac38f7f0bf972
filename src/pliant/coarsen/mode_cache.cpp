#include <pliant/coarsen/mode_cache.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/checkpoint.hpp>
#include <pliant/io/encoding.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

namespace pliant {
namespace {

constexpr std::string_view kFormat = "pliant modes 1";

template <class T>
std::span<const std::byte> bytes(const std::vector<T>& values) {
  return std::as_bytes(std::span<const T>(values));
}

std::string key_of(const EigenProblem& problem, Index count) {
  std::string key;
  for (const std::uint64_t seed : {0ULL, 1ULL}) {  // two hashes of 64 bits each
    std::uint64_t hash = xxh64(bytes_of(kFormat), seed);
    const BlockPattern& pattern = problem.K.pattern();
    const std::vector<Index> numbers = {pattern.rows, count};
    for (const std::span<const std::byte> part :
         {bytes(numbers), bytes(pattern.row_start), bytes(pattern.column),
          bytes_of(problem.K.values()), bytes_of(problem.M.values()), bytes(problem.mask)})
      hash = xxh64(part, hash);
    key += hex(hash);
  }
  return key;
}

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value && *value ? value : nullptr;
}

ElasticModes decode(const Checkpoint& file, const std::string& key, Eigen::Index rows) {
  if (file.text("key") != key) throw InputError("it holds the modes of something else");
  ElasticModes modes;
  const std::vector<double>& values = file.array("values");
  const std::vector<double>& vectors = file.array("vectors");
  const auto count = static_cast<Eigen::Index>(values.size());
  if (static_cast<Eigen::Index>(vectors.size()) != rows * count)
    throw InputError("its numbers are not those of this mesh");
  modes.values = as_vector(std::span<const double>(values));
  modes.vectors = Eigen::Map<const Matrix>(vectors.data(), rows, count);
  if (!modes.values.allFinite() || !modes.vectors.allFinite())
    throw InputError("its numbers are not finite");
  return modes;
}

std::vector<std::byte> encode(const ElasticModes& modes, const std::string& key) {
  Checkpoint file;
  file.texts["key"] = key;
  file.arrays["values"] = {modes.values.begin(), modes.values.end()};
  file.arrays["vectors"] = {modes.vectors.data(), modes.vectors.data() + modes.vectors.size()};
  return encode_checkpoint(file);
}

}  // namespace

ModeCache ModeCache::of_user() {
  if (const char* own = environment("PLIANT_CACHE")) return ModeCache(own);
  if (const char* xdg = environment("XDG_CACHE_HOME"))
    return ModeCache(std::filesystem::path(xdg) / "pliant");
  if (const char* home = environment("HOME"))
    return ModeCache(std::filesystem::path(home) / ".cache" / "pliant");
  return {};
}

std::filesystem::path ModeCache::file_of(const EigenProblem& problem, Index count) const {
  return folder_ / ("modes-" + key_of(problem, count) + ".bin");
}

ElasticModes ModeCache::find(const EigenProblem& problem, Index count, const Log& log,
                             const std::function<ElasticModes()>& compute) const {
  if (folder_.empty()) return compute();
  const std::string key = key_of(problem, count);
  const std::filesystem::path path = folder_ / ("modes-" + key + ".bin");
  const auto rows = static_cast<Eigen::Index>(problem.mask.size());
  std::error_code none;
  if (std::filesystem::exists(path, none)) try {
      return decode(read_checkpoint(path), key, rows);
    } catch (const Error& error) {
      log.warn(fmt::format("kept modes cannot be used and are computed again: {}", error.what()));
    }
  ElasticModes modes = compute();
  if (!modes.ok) return modes;
  try {
    std::filesystem::create_directories(folder_);
    const std::vector<std::byte> encoded = encode(modes, key);
    const std::span<const std::byte> piece(encoded);
    write_file_atomically(path, std::span(&piece, 1));
  } catch (const std::exception& error) {  // the run does not need it
    log.info(fmt::format("the modes of the fine mesh are not kept for later: {}", error.what()));
  }
  return modes;
}

}  // namespace pliant
