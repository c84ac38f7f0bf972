#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <pliant/core/error.hpp>
#include <pliant/io/file_descriptor.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <system_error>

namespace pliant {
namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 31;  // 2 GiB

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The path as written and, where that differs, as resolved.
std::string both_paths(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path resolved =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  if (failed || resolved == path) return path.string();
  return fmt::format("{} ({})", path.string(), resolved.string());
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& problem) {
  throw InputError(fmt::format("{}: {}", both_paths(path), problem));
}
[[noreturn]] void refuse(const std::filesystem::path& path, std::string_view problem, int error) {
  refuse(path, fmt::format("{}: {}", problem, std::generic_category().message(error)));
}

std::string read_all(int file, std::size_t size, const std::filesystem::path& path) {
  std::string bytes(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::read(file, bytes.data() + have, size - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, "cannot be read", errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

}  // namespace

std::size_t size_of(Scalar type) {
  constexpr std::array<std::size_t, 10> sizes = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

std::string load_mesh_file(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) refuse(path, "cannot be opened", errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) refuse(path, "cannot be examined", errno);
  if (S_ISDIR(status.st_mode)) refuse(path, "is a directory, expected a mesh file");
  if (!S_ISREG(status.st_mode)) refuse(path, "is not a plain file");
  const auto size = static_cast<std::uintmax_t>(status.st_size);
  if (size > largest_file)
    refuse(path, fmt::format("has {} bytes, the largest mesh file that is read is 2 GiB", size));
  std::string bytes = read_all(file.get(), static_cast<std::size_t>(size), path);
  if (bytes.empty()) refuse(path, "is empty");
  return bytes;
}

std::string in_quotes(std::string_view word) {
  std::string text = "\"";
  for (const char c : word.substr(0, 40)) text += c >= 32 && c < 127 ? c : '?';
  return text + (word.size() > 40 ? "…\"" : "\"");
}

void FileCursor::seek(std::size_t position) {
  if (position > bytes_.size()) fail("leads past the end of the file");
  position_ = start_ = position;
}

bool FileCursor::at_end() {
  while (position_ < bytes_.size()) {
    const char c = bytes_[position_];
    if (comment_ != 0 && c == comment_) {
      position_ = std::min(bytes_.find('\n', position_), bytes_.size());
    } else if (is_blank(c)) {
      ++position_;
    } else {
      return false;
    }
  }
  return true;
}

bool FileCursor::on_this_line() {
  while (position_ < bytes_.size() && is_blank(bytes_[position_]) && bytes_[position_] != '\n')
    ++position_;
  return position_ < bytes_.size() && bytes_[position_] != '\n' &&
         (comment_ == 0 || bytes_[position_] != comment_);
}

std::string_view FileCursor::word_here() const {
  std::size_t end = position_;
  while (end < bytes_.size() && !is_blank(bytes_[end])) ++end;
  return bytes_.substr(position_, end - position_);
}

std::string_view FileCursor::peek() {
  const std::size_t before = position_;
  const std::string_view next = at_end() ? std::string_view() : word_here();
  position_ = before;
  return next;
}

std::string_view FileCursor::word(std::string_view what) {
  if (at_end()) fail_end(what);
  const std::string_view next = word_here();
  start_ = position_;
  position_ += next.size();
  return next;
}

std::string_view FileCursor::rest_of_line() {
  const std::size_t end = std::min(bytes_.find('\n', position_), bytes_.size());
  std::string_view line = bytes_.substr(position_, end - position_);
  start_ = position_;
  position_ = std::min(end + 1, bytes_.size());
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line;
}

void FileCursor::expect(std::string_view literal) {
  const std::string_view found = word(literal);
  if (found != literal) fail(fmt::format("expected {}, got {}", literal, in_quotes(found)));
}

std::optional<double> FileCursor::parse_real(std::string_view word) const {
  if (word.size() > 1 && word.front() == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || error == std::errc::invalid_argument) return {};
  if (error == std::errc::result_out_of_range) {  // too small is zero, too large is infinite
    const bool small = word.find("e-") != word.npos || word.find("E-") != word.npos;
    return small ? 0 : HUGE_VAL;
  }
  return value;
}

double FileCursor::text_real(std::string_view what) {
  const std::string_view found = word(what);
  const std::optional<double> value = parse_real(found);
  if (!value) fail(fmt::format("expected {}, got {}", what, in_quotes(found)));
  if (!std::isfinite(*value)) fail(fmt::format("{} is not finite: {}", what, in_quotes(found)));
  return *value;
}

std::int64_t FileCursor::text_integer(std::string_view what) {
  const std::string_view found = word(what);
  std::string_view digits = found;
  if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-') digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    fail(fmt::format("{} is out of range: {}", what, in_quotes(found)));
  if (error != std::errc() || end != digits.data() + digits.size())
    fail(fmt::format("expected {} (a whole number), got {}", what, in_quotes(found)));
  return value;
}

double FileCursor::number_as(Scalar type, std::string_view what) {
  if (coding == Coding::text) {
    const std::string_view found = word(what);
    const std::optional<double> value = parse_real(found);
    if (!value) fail(fmt::format("expected {}, got {}", what, in_quotes(found)));
    return *value;
  }
  if (type == Scalar::float32) return static_cast<double>(raw<float>(what));
  if (type == Scalar::float64) return raw<double>(what);
  return static_cast<double>(integer_as(type, what));
}

std::int64_t FileCursor::integer_as(Scalar type, std::string_view what) {
  if (is_real(type)) {
    const double value = number_as(type, what);
    if (!(std::abs(value) < 9e15) || value != std::floor(value))
      fail(fmt::format("{} must be a whole number, got {}", what, value));
    return static_cast<std::int64_t>(value);
  }
  if (coding == Coding::text) return text_integer(what);
  switch (type) {
    case Scalar::int8:
      return raw<std::int8_t>(what);
    case Scalar::uint8:
      return raw<std::uint8_t>(what);
    case Scalar::int16:
      return raw<std::int16_t>(what);
    case Scalar::uint16:
      return raw<std::uint16_t>(what);
    case Scalar::int32:
      return raw<std::int32_t>(what);
    case Scalar::uint32:
      return raw<std::uint32_t>(what);
    case Scalar::int64:
      return raw<std::int64_t>(what);
    default:
      break;
  }
  const auto value = raw<std::uint64_t>(what);
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    fail(fmt::format("{} is out of range: {}", what, value));
  return static_cast<std::int64_t>(value);
}

std::string_view FileCursor::take(std::size_t count, std::string_view what) {
  if (count > left()) fail_end(what);
  start_ = position_;
  position_ += count;
  return bytes_.substr(start_, count);
}

std::size_t FileCursor::checked_count(std::int64_t count, std::size_t bytes_each,
                                      std::string_view what) const {
  if (count < 0) fail(fmt::format("the number of {} is negative: {}", what, count));
  // One byte more: the last number of a text needs no blank behind it.
  if (static_cast<std::uint64_t>(count) > (left() + 1) / std::max<std::size_t>(bytes_each, 1))
    fail(fmt::format("claims {} {}, but only {} bytes are left", count, what, left()));
  return static_cast<std::size_t>(count);
}

std::int32_t FileCursor::checked_index(std::int64_t value, std::int64_t base, std::size_t count,
                                       std::string_view what) const {
  if (value < base || static_cast<std::uint64_t>(value - base) >= count)
    fail(count == 0 ? fmt::format("{} {} is named, but there are none", what, value)
                    : fmt::format("{} {} is out of range, expected {} to {}", what, value, base,
                                  base + static_cast<std::int64_t>(count) - 1));
  return static_cast<std::int32_t>(value - base);
}

std::string FileCursor::where() const {
  if (coding != Coding::text) return fmt::format("{}: byte {}", name_, start_);
  const std::string_view before = bytes_.substr(0, start_);
  return fmt::format("{}:{}", name_, 1 + std::count(before.begin(), before.end(), '\n'));
}

void FileCursor::fail(const std::string& message) const {
  throw InputError(where() + ": " + message);
}

void FileCursor::fail_range(std::string_view what, std::int64_t value) const {
  fail(fmt::format("{} is out of range: {}", what, value));
}
void FileCursor::fail_not_finite(std::string_view what) const {
  fail(fmt::format("{} is not finite", what));
}
void FileCursor::fail_end(std::string_view what) {
  start_ = coding == Coding::text ? bytes_.size() : position_;
  fail(fmt::format("the file ends where {} is expected", what));
}

}  // namespace pliant
