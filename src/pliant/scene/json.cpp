#include <pliant/core/error.hpp>
#include <pliant/scene/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

namespace pliant {
namespace {

// The parser's events carry no position, so its input counts what has been read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* read) : at_(at), read_(read) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*read_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* read_;
};

class Source {
 public:
  Source(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  bool has(std::size_t offset, std::string_view word) const {
    return offset <= text_.size() && text_.substr(offset, word.size()) == word;
  }
  bool has_digit(std::size_t offset) const {
    return offset < text_.size() && text_[offset] >= '0' && text_[offset] <= '9';
  }

  // Line and column, both from 1, of the byte at `offset`; columns count characters, not bytes.
  [[noreturn]] void fail(std::size_t offset, std::string_view what) const {
    const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t newline = before.rfind('\n');
    const std::string_view row =
        newline == std::string_view::npos ? before : before.substr(newline + 1);
    const auto column =
        1 + std::count_if(row.begin(), row.end(), [](char c) { return (c & 0xC0) != 0x80; });
    throw InputError(fmt::format("{}, line {}, column {}: {}", name_, line, column, what));
  }

 private:
  std::string_view text_, name_;
};

// Builds the document from the parser's events. Containers wait on an explicit stack and are moved
// into their parent when they end, so nothing here or in the parser recurses.
class Builder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  Builder(const Source& source, const std::size_t& read) : source_(source), read_(read) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(number_integer_t value) { return add(value); }
  bool number_unsigned(number_unsigned_t value) { return add(value); }
  bool number_float(number_float_t value, const string_t& literal) {
    const auto mantissa = std::string_view(literal).substr(0, literal.find_first_of("eE"));
    if (value == 0 && mantissa.find_first_of("123456789") != std::string_view::npos)
      source_.fail(
          read_ - std::min(read_, literal.size() + 1),
          fmt::format("the number {} is too small: it would become 0", shortened(literal)));
    return add(value);
  }
  bool string(string_t& value) { return add(std::move(value)); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    if (!open_.back().keys.insert(name).second)
      source_.fail(read_ - std::min(read_, name.size() + 2),
                   fmt::format("duplicate key \"{}\"", shortened(name)));
    open_.back().key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) {
    const std::size_t at = position == 0 ? 0 : position - 1;
    const std::string_view what = error.what();
    if (what.find("number overflow") != std::string_view::npos)
      source_.fail(position - std::min(position, token.size()),
                   fmt::format("the number {} is too large", shortened(token)));
    for (const std::string_view word : {"NaN", "Infinity", "inf"})
      if (source_.has(at, word))
        source_.fail(at, "JSON has no NaN and no Infinity: write a finite number");
    if (source_.has(at, ".") && source_.has_digit(at + 1))
      source_.fail(at, "a number needs a digit before its point: 0.1, not .1");
    // The library's text, without its own prefix and position: "[…] parse error at line …: text".
    const std::size_t text = what.find(": ");
    source_.fail(at, shortened(text == std::string_view::npos ? what : what.substr(text + 2), 200));
  }

  Json take() { return std::move(root_); }

 private:
  struct Open {
    Json container;
    std::string key;                         // of the member under way
    std::unordered_set<std::string> keys{};  // seen so far
  };

  bool open(Json container) {
    if (open_.size() >= max_json_depth)
      source_.fail(read_ - std::min<std::size_t>(read_, 1),
                   fmt::format("nested deeper than {} levels", max_json_depth));
    open_.push_back({std::move(container), {}, {}});
    return true;
  }
  bool close() {
    Json finished = std::move(open_.back().container);
    open_.pop_back();
    return add(std::move(finished));
  }
  // The keys are known to differ, so members are appended without the map's search.
  bool add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Open& parent = open_.back(); parent.container.is_array()) {
      parent.container.push_back(std::move(value));
    } else {
      auto& members = parent.container.get_ref<Json::object_t&>();
      static_cast<Json::object_t::Container&>(members).emplace_back(std::move(parent.key),
                                                                    std::move(value));
    }
    return true;
  }

  const Source& source_;
  const std::size_t& read_;
  std::vector<Open> open_;
  Json root_;
};

std::string read_file(const std::filesystem::path& path) {
  const std::string written = path.string();
  std::error_code ignored;
  const std::string resolved = std::filesystem::absolute(path, ignored).lexically_normal().string();
  const auto fail = [&](std::string_view why) {
    throw InputError(written == resolved
                         ? fmt::format("{}: {}", written, why)
                         : fmt::format("{} (resolved to {}): {}", written, resolved, why));
  };
  if (std::filesystem::is_directory(path, ignored)) fail("is a folder, expected a JSON file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(written.c_str(), "rb"),
                                                             &std::fclose);
  if (!file)
    fail(errno == ENOENT   ? "no such file"
         : errno == EACCES ? "no permission to read it"
                           : std::string(std::strerror(errno)));
  std::string text;
  std::vector<char> chunk(std::size_t{1} << 16);
  while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    text.append(chunk.data(), n);
    if (text.size() > max_json_bytes) fail("is larger than 64 MiB");
  }
  if (std::ferror(file.get())) fail("could not be read to its end");
  if (text.empty()) fail("is empty");
  return text;
}

}  // namespace

Json parse_json(std::string_view text, std::string_view name) {
  const Source source(text, name);
  if (text.size() > max_json_bytes)
    throw InputError(fmt::format("{}: is larger than 64 MiB", name));
  // The parser would take a NUL byte for the end of the text and not look at the rest.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    source.fail(nul, "a NUL byte: this is not a text file");
  std::size_t read = 0, unused = 0;
  Builder builder(source, read);
  Json::sax_parse(CountingIterator(text.data(), &read),
                  CountingIterator(text.data() + text.size(), &unused), &builder,
                  nlohmann::detail::input_format_t::json, true, true);
  return builder.take();
}

Json load_json(const std::filesystem::path& path) {
  return parse_json(read_file(path), path.string());
}

}  // namespace pliant
