// Encoding, decoding and choosing checkpoints. The decoder trusts no number in the file: sizes are
// compared with the bytes at hand before they are used, even under a right checksum.
#include <pliant/core/error.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/checkpoint.hpp>
#include <pliant/io/encoding.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/io/numbered_name.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "PliantCk";
constexpr std::uint32_t format_version = 1;
constexpr std::uint32_t byte_order_mark = 0x01020304;
constexpr std::size_t header_size = 32;
constexpr std::size_t checksum_size = 8;
constexpr std::size_t size_limit = std::size_t{1} << 36;  // 64 GiB, far above any state we can step

enum class Kind : std::uint64_t { array = 1, integer = 2, text = 3 };

class Encoder {
 public:
  template <class Word>
  void word(Word value) {
    raw(std::as_bytes(std::span<const Word>(&value, 1)));
  }
  void raw(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void section(Kind kind, std::string_view name, std::size_t items,
               std::span<const std::byte> data) {
    word(static_cast<std::uint64_t>(kind));
    word(std::uint64_t{name.size()});
    raw(bytes_of(name));
    word(std::uint64_t{items});
    raw(data);
  }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// Takes words and runs of bytes off the front, never more than there are.
class Decoder {
 public:
  Decoder(std::span<const std::byte> bytes, std::string_view where)
      : bytes_(bytes), where_(where) {}

  template <class Word>
  Word word() {
    Word value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> take(std::uint64_t count) {
    if (count > bytes_.size()) fail("a section is longer than the file");
    const auto part = bytes_.first(static_cast<std::size_t>(count));
    bytes_ = bytes_.subspan(part.size());
    return part;
  }
  std::string text(std::uint64_t count) {
    const auto part = take(count);
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }
  std::vector<double> doubles(std::uint64_t count) {
    if (count > bytes_.size() / sizeof(double)) fail("an array is longer than the file");
    const auto part = take(count * sizeof(double));
    std::vector<double> values(static_cast<std::size_t>(count));
    if (!values.empty()) std::memcpy(values.data(), part.data(), part.size());
    return values;
  }
  std::size_t left() const { return bytes_.size(); }
  [[noreturn]] void fail(std::string_view what) const {
    throw InputError(fmt::format("{}: damaged checkpoint: {}", where_, what));
  }

 private:
  std::span<const std::byte> bytes_;
  std::string_view where_;
};

// Magic, version and byte order, and that all bytes are there; returns the number of sections.
std::uint64_t check_header(Decoder& in, std::size_t size, std::string_view where) {
  if (size < header_size + checksum_size) in.fail(fmt::format("only {} bytes", size));
  if (in.text(magic.size()) != magic)
    throw InputError(fmt::format("{}: is not a checkpoint of Pliant", where));
  const auto version = in.word<std::uint32_t>();
  if (in.word<std::uint32_t>() != byte_order_mark)
    throw InputError(fmt::format("{}: was written on a machine of the other byte order", where));
  if (version != format_version)
    throw InputError(fmt::format("{}: has checkpoint format {}, this version of Pliant reads {}",
                                 where, version, format_version));
  if (const auto total = in.word<std::uint64_t>(); total != size)
    in.fail(fmt::format("{} bytes, its header says {}", size, total));
  return in.word<std::uint64_t>();
}

void decode_section(Decoder& in, Checkpoint& checkpoint) {
  const auto kind = static_cast<Kind>(in.word<std::uint64_t>());
  std::string name = in.text(in.word<std::uint64_t>());
  const auto items = in.word<std::uint64_t>();
  bool added = false;
  if (kind == Kind::array)
    added = checkpoint.arrays.try_emplace(std::move(name), in.doubles(items)).second;
  else if (kind == Kind::text)
    added = checkpoint.texts.try_emplace(std::move(name), in.text(items)).second;
  else if (kind == Kind::integer && items == 1)
    added = checkpoint.integers.try_emplace(std::move(name), in.word<std::int64_t>()).second;
  else
    in.fail("a section of unknown kind");
  if (!added) in.fail("a section stands there twice");
}

std::vector<std::byte> read_bytes(const fs::path& path) {
  const auto fail = [&](int error) {
    throw InputError(fmt::format("{}: cannot be read: {}", path.string(),
                                 std::generic_category().message(error)));
  };
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) fail(errno);
  if (!S_ISREG(status.st_mode)) fail(S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > size_limit) fail(EFBIG);
  std::vector<std::byte> bytes(size);
  std::size_t at = 0;
  while (at < size) {
    const ssize_t got = ::read(file.get(), bytes.data() + at, size - at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(errno);
    if (got == 0) break;
    at += static_cast<std::size_t>(got);
  }
  bytes.resize(at);
  return bytes;
}

template <class Map>
const typename Map::mapped_type& entry(const Map& map, const std::string& name) {
  const auto found = map.find(name);
  if (found == map.end()) throw InputError(fmt::format("checkpoint: lacks \"{}\"", name));
  return found->second;
}

}  // namespace

const std::vector<double>& Checkpoint::array(const std::string& name) const {
  return entry(arrays, name);
}
std::int64_t Checkpoint::integer(const std::string& name) const { return entry(integers, name); }
const std::string& Checkpoint::text(const std::string& name) const { return entry(texts, name); }

std::vector<std::byte> encode_checkpoint(const Checkpoint& checkpoint) {
  Encoder out;
  out.raw(bytes_of(magic));
  out.word(format_version);
  out.word(byte_order_mark);
  out.word(std::uint64_t{0});  // the length, once it is known
  out.word(std::uint64_t{checkpoint.arrays.size() + checkpoint.integers.size() +
                         checkpoint.texts.size()});
  for (const auto& [name, values] : checkpoint.arrays)
    out.section(Kind::array, name, values.size(), bytes_of(values));
  for (const auto& [name, value] : checkpoint.integers)
    out.section(Kind::integer, name, 1, std::as_bytes(std::span(&value, 1)));
  for (const auto& [name, text] : checkpoint.texts)
    out.section(Kind::text, name, text.size(), bytes_of(text));
  const std::uint64_t total = out.bytes().size() + checksum_size;
  std::memcpy(out.bytes().data() + 16, &total, sizeof total);
  out.word(xxh64(out.bytes()));
  return std::move(out.bytes());
}

Checkpoint decode_checkpoint(std::span<const std::byte> bytes, std::string_view where) {
  Decoder in(bytes, where);
  const std::uint64_t sections = check_header(in, bytes.size(), where);
  std::uint64_t checksum = 0;
  const std::size_t end = bytes.size() - checksum_size;
  std::memcpy(&checksum, bytes.data() + end, sizeof checksum);
  if (xxh64(bytes.first(end)) != checksum) in.fail("the checksum does not match");
  Decoder body(bytes.subspan(header_size, end - header_size), where);
  Checkpoint checkpoint;
  for (std::uint64_t k = 0; k < sections; ++k) decode_section(body, checkpoint);
  if (body.left() != 0) in.fail("bytes follow the last section");
  return checkpoint;
}

std::string checkpoint_file_name(std::int64_t step) {
  return numbered_name("checkpoint_", static_cast<std::uint64_t>(step), ".bin");
}

std::optional<std::int64_t> checkpoint_step(std::string_view file_name) {
  const auto number = number_in_name(file_name, "checkpoint_", ".bin");
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

std::vector<std::int64_t> checkpoint_steps(const fs::path& folder) {
  std::vector<std::int64_t> steps;
  for (const fs::path& file : list_folder(folder))
    if (const auto step = checkpoint_step(file.filename().string())) steps.push_back(*step);
  std::sort(steps.begin(), steps.end());
  return steps;
}

void write_checkpoint(const fs::path& folder, std::int64_t step, Checkpoint checkpoint) {
  checkpoint.integers["step"] = step;
  const std::vector<std::byte> bytes = encode_checkpoint(checkpoint);
  const std::span<const std::byte> piece = bytes;
  write_file_atomically(folder / checkpoint_file_name(step), std::span(&piece, 1));
  const std::vector<std::int64_t> steps = checkpoint_steps(folder);
  for (std::size_t k = 0; k + checkpoints_kept < steps.size(); ++k)
    remove_file(folder / checkpoint_file_name(steps[k]));
}

Checkpoint read_checkpoint(const fs::path& path) {
  return decode_checkpoint(read_bytes(path), path.string());
}

std::optional<Checkpoint> read_newest(const fs::path& folder, const Log& log) {
  const std::vector<std::int64_t> steps = checkpoint_steps(folder);
  if (steps.empty()) return {};
  std::string newest_problem;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    try {
      return read_checkpoint(folder / checkpoint_file_name(*step));
    } catch (const InputError& error) {
      if (newest_problem.empty()) newest_problem = error.what();
      log.warn(fmt::format("{}; trying the one before", error.what()));
    }
  }
  throw InputError(fmt::format("{}: none of its {} checkpoints can be read ({})", folder.string(),
                               steps.size(), newest_problem));
}

}  // namespace pliant
