#include <pliant/view/show.hpp>

#include <charconv>

namespace pliant {
namespace {

// A number without sign, spaces or leading zeros, and the text after it.
std::optional<std::size_t> take_number(std::string_view& text) {
  constexpr std::size_t most_digits = 9;
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits == 0 || digits > most_digits || (digits > 1 && text[0] == '0')) return {};
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + digits, value);
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

std::optional<Resource> with_number(std::string_view path, Resource resource) {
  const auto number = take_number(path);
  if (!number || !path.empty()) return {};
  resource.number = *number;
  return resource;
}

}  // namespace

Answer not_found(std::string words) { return {404, "text/plain; charset=utf-8", std::move(words)}; }

std::optional<Resource> resource_at(std::string_view path, std::string_view field) {
  using Kind = Resource::Kind;
  if (take(path, "/thumbnails/")) return with_number(path, {Kind::thumbnail, 0, 0, Field::none});
  if (!take(path, "/runs/")) return {};
  const auto run = take_number(path);
  if (!run) return {};
  if (path == "/surface") return Resource{Kind::surface, *run, 0, Field::none};
  if (path == "/history") return Resource{Kind::history, *run, 0, Field::none};
  if (take(path, "/modes/")) return with_number(path, {Kind::mode, *run, 0, Field::none});
  if (!take(path, "/frames/")) return {};
  const auto wanted = field_named(field.empty() ? "none" : field);
  if (!wanted) return {};
  return with_number(path, {Kind::frame, *run, 0, *wanted});
}

std::string Show::command(const Json&, std::uint64_t) {
  return "there is no run to steer here: these are results read back";
}

void Show::set_bell(std::function<void()> bell) {
  const std::lock_guard lock(bell_mutex_);
  bell_ = std::move(bell);
}

void Show::ring() const {
  const std::lock_guard lock(bell_mutex_);
  if (bell_) bell_();
}

}  // namespace pliant
