// How every mesh reader walks through its file: a position in the bytes, words and numbers of text
// with line numbers, numbers of either byte order with offsets, and no way past the end. Numbers
// are parsed by std::from_chars, so the locale does not matter. Every failure is one sentence that
// starts with `file:line:` or, in binary parts, `file: byte N:`.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pliant {

enum class Coding { text, little, big };

// The scalar types that file headers name (PLY, VTK).
enum class Scalar { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };
std::size_t size_of(Scalar type);
constexpr bool is_real(Scalar type) { return type >= Scalar::float32; }

// The whole file. Refuses what is missing, not a plain file, unreadable, empty or over 2 GiB,
// naming the path as written and as resolved.
std::string load_mesh_file(const std::filesystem::path& path);

// A word of the file as an error may show it: short, printable, in quotes.
std::string in_quotes(std::string_view word);

class FileCursor {
 public:
  // `comment` starts a comment that ends with its line; 0 where a format has none. The bytes must
  // outlive the cursor.
  FileCursor(std::string name, std::string_view bytes, char comment = 0)
      : name_(std::move(name)), bytes_(bytes), comment_(comment) {}

  Coding coding = Coding::text;

  const std::string& name() const { return name_; }
  std::string_view bytes() const { return bytes_; }
  std::size_t position() const { return position_; }
  std::size_t left() const { return bytes_.size() - position_; }
  void seek(std::size_t position);

  // Text.
  bool at_end();            // skips blanks and comments
  bool on_this_line();      // whether another word follows before the line's end
  std::string_view peek();  // the next word without moving, empty at the end
  std::string_view word(std::string_view what);
  std::string_view rest_of_line();        // without blanks around it; goes on to the next line
  void expect(std::string_view literal);  // the next word must be this one

  // A number in the present coding: the next word, or sizeof(T) bytes. Reals must be finite.
  template <class T>
  T number(std::string_view what) {
    if (coding != Coding::text) return checked(raw<T>(what), what);
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(text_real(what));
    } else {
      const std::int64_t value = text_integer(what);
      if (!fits<T>(value)) fail_range(what, value);
      return static_cast<T>(value);
    }
  }
  double number_as(Scalar type, std::string_view what);             // may be NaN or infinite
  std::int64_t integer_as(Scalar type, std::string_view what);      // a real must be a whole number
  std::string_view take(std::size_t count, std::string_view what);  // bytes as they are

  // A count that a header claims, refused where `bytes_each` times as many are not left.
  std::size_t checked_count(std::int64_t count, std::size_t bytes_each,
                            std::string_view what) const;
  // `value` as an index below `count`, for numbers that start at `base`.
  std::int32_t checked_index(std::int64_t value, std::int64_t base, std::size_t count,
                             std::string_view what) const;
  std::size_t bytes_per_word(std::size_t binary) const {
    return coding == Coding::text ? 2 : binary;
  }

  std::string where() const;  // "file:12" or "file: byte 96", of the last word or number read
  [[noreturn]] void fail(const std::string& message) const;

 private:
  template <class T>
  static bool fits(std::int64_t value) {
    if constexpr (std::is_same_v<T, std::uint64_t>) return value >= 0;
    return value >= static_cast<std::int64_t>(std::numeric_limits<T>::min()) &&
           static_cast<std::uint64_t>(value < 0 ? 0 : value) <=
               static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  }
  template <class T>
  T raw(std::string_view what) {
    std::array<char, sizeof(T)> data;
    const std::string_view source = take(sizeof(T), what);
    const bool swap = (coding == Coding::big) == (std::endian::native == std::endian::little);
    for (std::size_t i = 0; i < sizeof(T); ++i) data[i] = source[swap ? sizeof(T) - 1 - i : i];
    return std::bit_cast<T>(data);
  }
  template <class T>
  T checked(T value, std::string_view what) const {
    if constexpr (std::is_floating_point_v<T>)
      if (!(value - value == 0)) fail_not_finite(what);
    return value;
  }
  std::string_view word_here() const;
  double text_real(std::string_view what);
  std::int64_t text_integer(std::string_view what);
  std::optional<double> parse_real(std::string_view word) const;
  [[noreturn]] void fail_range(std::string_view what, std::int64_t value) const;
  [[noreturn]] void fail_not_finite(std::string_view what) const;
  [[noreturn]] void fail_end(std::string_view what);

  std::string name_;
  std::string_view bytes_;
  char comment_;
  std::size_t position_ = 0;
  std::size_t start_ = 0;  // of the last word or number
};

}  // namespace pliant
